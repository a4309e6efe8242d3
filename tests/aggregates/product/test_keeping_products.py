"""Products: identifiers for ever, words and settings that may change, archived once."""

from dataclasses import replace

import pytest

from aggregates.product import decide
from aggregates.product.events import (
    ProductArchived,
    ProductCreated,
    ProductReworded,
    ProductSettings,
    ProductSettingsChanged,
    ProductWording,
    TaxCode,
)
from aggregates.product.state import PRODUCT
from kernel.money import UnknownCurrency
from tests.catalog_builders import MARCH_1, MARCH_2
from tests.catalog_builders import PRODUCT as WORDS
from tests.story import Given


ORBIT = ProductWording(name="Orbit", description="", tax_code=TaxCode.SAAS)
CREATED = ProductCreated(
    product_id=WORDS.id,
    identifier="orbit",
    wording=ORBIT,
    created_by="Ada",
    occurred_at=MARCH_1,
)
ARCHIVED = ProductArchived(product_id=WORDS.id, occurred_at=MARCH_2)
CREATE = {
    "at": MARCH_1,
    "product_id": WORDS.id,
    "identifier": "orbit",
    "wording": ORBIT,
    "created_by": "Ada",
}


def test_a_product_is_created_once():
    story = Given(PRODUCT).when(decide.create, **CREATE).then(CREATED)
    assert story.state.words == WORDS
    story.when(decide.create, **CREATE).then_refused(decide.ProductExists)
    Given(PRODUCT, CREATED, ARCHIVED).when(decide.create, **CREATE).then_refused(
        decide.ProductExists
    )


def test_other_words_are_recorded_and_the_same_ones_are_not():
    renamed = replace(ORBIT, name="Orbit 2", tax_code=TaxCode.SOFTWARE)
    reworded = ProductReworded(product_id=WORDS.id, wording=renamed, occurred_at=MARCH_2)
    story = Given(PRODUCT, CREATED).when(decide.reword, at=MARCH_2, wording=renamed).then(reworded)
    story.when(decide.reword, at=MARCH_2, wording=renamed).then_nothing()
    assert story.state.words.name == "Orbit 2"


def test_settings_change():
    in_yen = ProductSettings(currency="JPY", tor=True)
    changed = ProductSettingsChanged(product_id=WORDS.id, settings=in_yen, occurred_at=MARCH_2)
    story = Given(PRODUCT, CREATED).when(decide.change_settings, at=MARCH_2, settings=in_yen)
    story.then(changed).when(decide.change_settings, at=MARCH_2, settings=in_yen).then_nothing()


def test_a_default_currency_must_be_one():
    with pytest.raises(UnknownCurrency):
        decide.change_settings(
            PRODUCT.of([CREATED]), at=MARCH_2, settings=ProductSettings(currency="???")
        )


def test_a_product_is_archived_once():
    story = Given(PRODUCT, CREATED).when(decide.archive, at=MARCH_2).then(ARCHIVED)
    story.when(decide.archive, at=MARCH_2).then_refused(decide.ProductAlreadyArchived)
    story.when(decide.reword, at=MARCH_2, wording=ORBIT).then_refused(decide.ProductAlreadyArchived)


def test_a_stream_of_something_else_is_no_product():
    Given(PRODUCT, object()).when(decide.archive, at=MARCH_2).then_refused(decide.ProductNotFound)
