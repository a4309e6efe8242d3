"""An offering: made once, changed, archived; the conditions of its rule are fixed."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from aggregates.offering import decide
from aggregates.offering.decide import (
    ConditionsAreFixed,
    OfferingAlreadyArchived,
    OfferingNotFound,
)
from aggregates.offering.events import OfferingArchived, OfferingChanged, OfferingContent
from aggregates.offering.state import OFFERING, Offering
from kernel.price_rule import Adjustment, Condition, ConditionType, PriceRule


AT = datetime(2026, 3, 1, tzinfo=UTC)
KEY = UUID(int=1)
RULE = PriceRule(
    id=UUID(int=2),
    conditions=(Condition(type=ConditionType.COUNTRY, values=("IN",)),),
    adjustment=Adjustment.DECREASE,
    percentage=30,
)
CONTENT = OfferingContent(name="World", rule=RULE)


def made(*facts):
    return OFFERING.of([*decide.create(Offering(), KEY, CONTENT, at=AT), *facts])


def test_a_second_creation_under_the_same_id_changes_nothing():
    assert decide.create(made(), KEY, CONTENT, at=AT) == []


def test_a_rule_keeps_its_id_and_conditions_while_its_percentage_moves():
    wanted = replace(CONTENT, rule=replace(RULE, id=UUID(int=9), percentage=40))
    (fact,) = decide.change(made(), wanted, at=AT)
    assert fact.content.rule == replace(RULE, percentage=40)
    other = (Condition(type=ConditionType.COUNTRY, values=("BR",)),)
    with pytest.raises(ConditionsAreFixed):
        decide.change(made(), replace(CONTENT, rule=replace(RULE, conditions=other)), at=AT)


def test_a_rule_may_go_and_a_new_one_come():
    gone = decide.change(made(), replace(CONTENT, rule=None), at=AT)
    new = replace(RULE, id=UUID(int=9))
    (fact,) = decide.change(made(*gone), replace(CONTENT, rule=new), at=AT)
    assert fact.content.rule == new


def test_the_same_again_changes_nothing():
    assert decide.change(made(), replace(CONTENT, rule=replace(RULE, id=UUID(int=9))), at=AT) == []
    other = replace(CONTENT, name="Elsewhere")
    assert decide.change(made(), other, at=AT) == [
        OfferingChanged(offering_id=KEY, content=other, occurred_at=AT)
    ]


def test_what_is_archived_stays_so():
    archived = decide.archive(made(), at=AT)
    assert archived == [OfferingArchived(offering_id=KEY, occurred_at=AT)]
    for again in (
        lambda state: decide.archive(state, at=AT),
        lambda state: decide.change(state, CONTENT, at=AT),
    ):
        with pytest.raises(OfferingAlreadyArchived):
            again(made(*archived))
        with pytest.raises(OfferingNotFound):
            again(Offering())
