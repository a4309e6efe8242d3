"""Saved payment methods: which is the default, and what may be removed."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from aggregates.payment_method.decide import (
    MAX_METHODS,
    DefaultMethodStays,
    PaymentMethodNotConfirmed,
    PaymentMethodNotFound,
    TooManyPaymentMethods,
    add,
    change_card,
    confirm,
    make_default,
    remove,
)
from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodMadeDefault,
    PaymentMethodRemoved,
)
from aggregates.payment_method.state import FOLD, PaymentMethods
from kernel.ports.payments import Instrument, SavedInstrument


CUSTOMER = UUID(int=1)
FIRST, SECOND, THIRD = UUID(int=11), UUID(int=12), UUID(int=13)
MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)
VISA = Instrument(type="card", brand="visa", last4="4242", exp_month=4, exp_year=2030)


def added(state, method_id, *, needs_action=False, default=False):
    saved = SavedInstrument(
        reference=f"ref-{method_id.int}", instrument=VISA, needs_action=needs_action
    )
    return add(
        state,
        customer_id=CUSTOMER,
        method_id=method_id,
        provider="simulated",
        saved=saved,
        make_default=default,
        at=MARCH_1,
    )


def having(*methods, **options):
    state = PaymentMethods()
    for method in methods:
        for fact in added(state, method, **options):
            state = FOLD.evolve(state, fact)
    return state


def after(state, facts):
    for fact in facts:
        state = FOLD.evolve(state, fact)
    return state


def test_the_first_method_becomes_the_default():
    (fact,) = added(PaymentMethods(), FIRST)
    assert isinstance(fact, PaymentMethodAdded)
    assert fact.is_default
    assert fact.former_default_id is None


def test_the_second_does_not_unless_it_asks_to():
    state = having(FIRST)
    assert after(state, added(state, SECOND)).default_id == FIRST
    (fact,) = added(state, SECOND, default=True)
    assert fact.former_default_id == FIRST
    assert after(state, [fact]).default_id == SECOND


def test_adding_a_method_twice_changes_nothing():
    assert added(having(FIRST), FIRST) == []


def test_a_customer_cannot_save_methods_without_end():
    state = having(*(UUID(int=100 + n) for n in range(MAX_METHODS)))
    with pytest.raises(TooManyPaymentMethods):
        added(state, FIRST)


def test_an_unconfirmed_method_is_no_default_until_it_is_confirmed():
    state = having(FIRST, needs_action=True)
    assert state.default_id is None
    assert state.to_charge(FIRST) is None
    with pytest.raises(PaymentMethodNotConfirmed):
        make_default(state, FIRST, at=MARCH_1)
    facts = confirm(state, FIRST, at=MARCH_1)
    assert [type(fact) for fact in facts] == [PaymentMethodConfirmed, PaymentMethodMadeDefault]
    confirmed = after(state, facts)
    assert confirmed.to_charge().id == FIRST
    assert confirm(confirmed, FIRST, at=MARCH_1) == []


def test_another_method_can_be_made_the_default_once():
    state = having(FIRST, SECOND)
    (fact,) = make_default(state, SECOND, at=MARCH_1)
    assert fact.former_default_id == FIRST
    assert make_default(after(state, [fact]), SECOND, at=MARCH_1) == []


def test_a_renewed_card_changes_what_is_known_of_it_once():
    state = having(FIRST)
    renewed = replace(VISA, exp_year=2034)
    (fact,) = change_card(state, FIRST, instrument=renewed, at=MARCH_1)
    assert isinstance(fact, PaymentMethodCardChanged)
    state = after(state, [fact])
    assert state.find(FIRST).instrument == renewed
    assert change_card(state, FIRST, instrument=renewed, at=MARCH_1) == []


def test_a_customer_cannot_remove_the_default():
    with pytest.raises(DefaultMethodStays):
        remove(having(FIRST), FIRST, by_customer=True, at=MARCH_1)


def test_a_customer_can_remove_another():
    state = having(FIRST, SECOND)
    facts = remove(state, SECOND, by_customer=True, at=MARCH_1)
    assert facts == [PaymentMethodRemoved(method_id=SECOND, occurred_at=MARCH_1)]
    assert after(state, facts).default_id == FIRST


def test_a_merchant_can_remove_the_default_and_the_newest_takes_its_place():
    state = having(FIRST, SECOND, THIRD)
    left = after(state, remove(state, FIRST, by_customer=False, at=MARCH_1))
    assert left.default_id == THIRD
    assert [method.id for method in left.methods] == [SECOND, THIRD]


def test_removing_the_last_method_leaves_nothing_to_charge():
    state = having(FIRST)
    left = after(state, remove(state, FIRST, by_customer=False, at=MARCH_1))
    assert left.methods == ()
    assert left.to_charge(FIRST) is None


@pytest.mark.parametrize(
    "decide",
    [
        lambda state: make_default(state, SECOND, at=MARCH_1),
        lambda state: confirm(state, SECOND, at=MARCH_1),
        lambda state: change_card(state, SECOND, instrument=VISA, at=MARCH_1),
        lambda state: remove(state, SECOND, by_customer=False, at=MARCH_1),
    ],
)
def test_an_unknown_method_is_refused(decide):
    with pytest.raises(PaymentMethodNotFound):
        decide(having(FIRST))


def test_a_subscription_charges_its_own_method_then_the_default():
    state = having(FIRST, SECOND)
    assert state.to_charge(SECOND).id == SECOND
    assert state.to_charge(THIRD).id == FIRST
    assert state.to_charge().id == FIRST
