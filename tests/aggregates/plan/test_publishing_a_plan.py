"""A draft goes on sale when it can be billed."""

import pytest

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from kernel.ports.payments import NO_PROVIDER, SIMULATED, PaymentProviderMissing
from kernel.price import PriceType
from tests.catalog_builders import (
    MARCH_2,
    ON_SALE,
    created,
    draft_opened,
    free,
    price,
    priced,
    published,
    row,
)
from tests.story import Given


SET_UP = {"at": MARCH_2, "default_currency": None, "provider": SIMULATED}


def test_a_priced_draft_is_published():
    story = (
        Given(PLAN, created(), priced()).when(decide.publish, **SET_UP).then(published(at=MARCH_2))
    )
    assert story.state.published.number == 1


def test_publishing_a_draft_supersedes_the_version_on_sale():
    story = (
        Given(PLAN, *ON_SALE, draft_opened(2))
        .when(decide.publish, **SET_UP, update_features=True)
        .then(published(2, at=MARCH_2, update_features=True))
    )
    assert story.state.published.number == 2
    assert story.state.version(1) is not None


def test_nothing_is_published_twice():
    Given(PLAN, *ON_SALE).when(decide.publish, **SET_UP).then_refused(decide.PlanAlreadyPublished)


def test_a_plan_without_a_price_is_not_published():
    Given(PLAN, created()).when(decide.publish, **SET_UP).then_refused(decide.PlanHasNoPrice)


def test_a_plan_whose_prices_are_disabled_is_not_published():
    Given(PLAN, created(), priced(price(enabled=False))).when(
        decide.publish, **SET_UP
    ).then_refused(decide.PlanHasNoPrice)


def test_the_default_currency_of_the_product_must_be_priced():
    in_euro = SET_UP | {"default_currency": "EUR"}
    Given(PLAN, created(), priced()).when(decide.publish, **in_euro).then_refused(
        decide.CurrencyNotCovered
    )
    Given(PLAN, created(), priced(price(currency="EUR"))).when(decide.publish, **in_euro).then(
        published(at=MARCH_2)
    )


def test_the_default_currency_enables_its_disabled_price():
    disabled = price(currency="EUR", enabled=False)
    Given(PLAN, created(), priced(disabled)).when(
        decide.publish, **(SET_UP | {"default_currency": "EUR"})
    ).then(published(at=MARCH_2))


def test_a_free_plan_covers_every_currency():
    Given(PLAN, created(), priced(free())).when(
        decide.publish, **(SET_UP | {"default_currency": "EUR"})
    ).then(published(at=MARCH_2))


@pytest.mark.parametrize(
    ("kind", "needs_provider"),
    [(PriceType.PAID, True), (PriceType.FREE, False), (PriceType.CUSTOM, False)],
)
def test_only_a_paid_plan_needs_a_payment_provider(kind, needs_provider):
    rows = free().rows if kind is PriceType.FREE else (row(),)
    draft = Given(PLAN, created(), priced(price(*rows, kind=kind)))
    publishing = draft.when(decide.publish, **(SET_UP | {"provider": NO_PROVIDER}))
    if needs_provider:
        publishing.then_refused(PaymentProviderMissing)
    else:
        publishing.then(published(at=MARCH_2))
