"""What every payment provider promises, and the simulator's promises on top (design 8)."""

import asyncio
from dataclasses import replace

import pytest
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.payments.instruments import BY_NAME, BY_NUMBER, CARDS
from adapters.payments.none import NoProvider
from adapters.payments.simulated import KeyReused, SimulatedProvider
from kernel.money import Money
from kernel.ports.payments import (
    Authentication,
    CardNumber,
    Charge,
    Declined,
    MethodNotAccepted,
    NeedsAuthentication,
    PaymentProviderMissing,
    Refund,
    Succeeded,
    Unknown,
)


pytestmark = pytest.mark.anyio

TEN_DOLLARS = Money(1000, "USD")


@pytest.fixture
async def pool(database_url):
    async with AsyncConnectionPool(
        database_url, connection_class=AsyncConnection, kwargs={"autocommit": True}, open=False
    ) as pool:
        yield pool


@pytest.fixture
def provider(pool):
    return SimulatedProvider(pool)


async def saved(provider, name, key="save-1"):
    return (await provider.save(f"tok_{name}", key)).reference


def charge(method, key="attempt-1", amount=TEN_DOLLARS, continues=""):
    return Charge(
        key=key,
        amount=amount,
        method=method,
        description="Pro, monthly",
        continues=continues,
    )


async def books(pool):
    async with pool.connection() as db:
        found = await db.execute("select kind, outcome from simulated_payments order by key")
        return await found.fetchall()


async def test_a_charge_succeeds_with_a_reference(provider):
    method = await saved(provider, "visa")
    result = await provider.charge(charge(method))
    assert isinstance(result, Succeeded)
    assert result.reference
    assert (result.country, result.international) == ("US", False)


async def test_the_same_key_has_the_same_result_and_moves_money_once(provider, pool):
    method = await saved(provider, "visa")
    first = await provider.charge(charge(method))
    assert await provider.charge(charge(method)) == first
    assert await SimulatedProvider(pool).charge(charge(method)) == first
    assert await books(pool) == [("charge", "succeeded")]


async def test_many_at_once_with_one_key_move_money_once(provider, pool):
    method = await saved(provider, "recovers-1")
    others = [SimulatedProvider(pool) for _ in range(3)]
    calls = [each.charge(charge(method)) for each in (provider, *others) for _ in range(5)]
    results = await asyncio.gather(*calls)
    assert {type(result) for result in results} == {Declined}
    assert await books(pool) == [("charge", "declined")]


async def test_a_key_is_not_used_for_two_requests(provider):
    method = await saved(provider, "visa")
    await provider.charge(charge(method))
    with pytest.raises(KeyReused):
        await provider.charge(charge(method, amount=Money(1001, "USD")))
    with pytest.raises(KeyReused):
        await provider.authorize(charge(method))


@pytest.mark.parametrize(
    ("name", "code", "hard"),
    [
        ("declined", "card_declined", False),
        ("insufficient-funds", "insufficient_funds", False),
        ("stolen", "stolen_card", True),
        ("lost-card", "lost_card", True),
        ("sepa-debit-declined", "debit_not_authorized", False),
    ],
)
async def test_a_refusal_says_why_and_whether_to_try_again(provider, name, code, hard):
    result = await provider.charge(charge(await saved(provider, name)))
    assert isinstance(result, Declined)
    assert (result.code, result.hard) == (code, hard)
    assert result.message


async def test_a_card_that_recovers_fails_so_often_and_then_pays(provider, pool):
    method = await saved(provider, "recovers-2")
    results = []
    for attempt in range(4):
        restarted = SimulatedProvider(pool)
        results.append(type(await restarted.charge(charge(method, key=f"attempt-{attempt}"))))
    assert results == [Declined, Declined, Succeeded, Succeeded]
    assert isinstance(await provider.charge(charge(method, key="attempt-0")), Declined)


async def test_each_saved_card_has_its_own_failures_before_it(provider):
    one = await saved(provider, "recovers-1", key="save-1")
    other = await saved(provider, "recovers-1", key="save-2")
    assert one != other
    assert isinstance(await provider.charge(charge(one, key="a")), Declined)
    assert isinstance(await provider.charge(charge(other, key="b")), Declined)
    assert isinstance(await provider.charge(charge(one, key="c")), Succeeded)


BACK = "/pay/here"


async def test_what_needs_the_customer_goes_through_once_that_is_confirmed(provider):
    method = await saved(provider, "authenticate")
    held = charge(method, key="hold-1", amount=Money(0, "USD"))
    assert isinstance(await provider.authorize(held), NeedsAuthentication)
    assert isinstance(await provider.charge(charge(method)), NeedsAuthentication)
    assert await provider.authentication("attempt-1") is Authentication.WAITING
    address = await provider.challenge("attempt-1", BACK)
    assert address.endswith("?back=%2Fpay%2Fhere")
    assert await provider.asked_about("attempt-1") == TEN_DOLLARS
    for confirmed in (True, False):  # the second answer changes nothing
        await provider.confirm("attempt-1", confirmed=confirmed)
        assert await provider.authentication("attempt-1") is Authentication.CONFIRMED
    assert await provider.challenge("attempt-1", BACK) is None
    assert isinstance(await provider.lookup("attempt-1"), NeedsAuthentication)
    assert isinstance(await provider.charge(charge(method)), NeedsAuthentication)
    again = charge(method, key="attempt-2", continues="attempt-1")
    assert isinstance(await provider.charge(again), Succeeded)
    renewal = charge(method, key="attempt-3")
    assert isinstance(await provider.charge(renewal), Succeeded)


async def test_a_confirmation_holds_for_its_method_alone_and_a_refusal_for_none(provider):
    one, other = [await saved(provider, "authenticate", key=f"save-{n}") for n in (1, 2)]
    await provider.charge(charge(one, key="a"))
    await provider.charge(charge(other, key="b"))
    await provider.confirm("a", confirmed=True)
    await provider.confirm("b", confirmed=False)
    assert await provider.authentication("b") is Authentication.REFUSED
    assert isinstance(await provider.charge(charge(one, key="c")), Succeeded)
    for key in ("d", "e"):
        again = charge(other, key=key, continues="b")
        assert isinstance(await provider.charge(again), NeedsAuthentication)


async def test_only_what_was_asked_can_be_confirmed(provider):
    method = await saved(provider, "visa")
    await provider.charge(charge(method))
    for key in ("attempt-1", "never-heard-of"):
        await provider.confirm(key, confirmed=True)
        assert await provider.challenge(key, BACK) is None
        assert await provider.asked_about(key) is None
        assert await provider.authentication(key) is Authentication.WAITING


async def test_an_unanswered_charge_is_found_by_its_key(provider, pool):
    method = await saved(provider, "silent-charged")
    assert await provider.charge(charge(method)) == Unknown()
    found = await provider.lookup("attempt-1")
    assert isinstance(found, Succeeded)
    assert await provider.charge(charge(method)) == found
    assert await books(pool) == [("charge", "succeeded")]


async def test_an_unanswered_charge_may_have_been_declined(provider):
    method = await saved(provider, "silent-declined")
    assert await provider.charge(charge(method)) == Unknown()
    assert isinstance(await provider.lookup("attempt-1"), Declined)


async def test_a_charge_that_was_lost_can_be_sent_again_with_its_key(provider, pool):
    method = await saved(provider, "silent-lost")
    assert await provider.charge(charge(method)) == Unknown()
    assert await provider.lookup("attempt-1") is None
    again = await provider.charge(charge(method))
    assert isinstance(again, Succeeded)
    assert await provider.lookup("attempt-1") == again
    assert await books(pool) == [("charge", "succeeded")]


async def test_a_key_nobody_used_is_not_found(provider):
    assert await provider.lookup("never") is None


async def test_a_foreign_card_is_told_apart(provider):
    result = await provider.charge(charge(await saved(provider, "visa-de")))
    assert (result.country, result.international) == ("DE", True)


async def test_other_methods_than_cards_pay_too(provider):
    kept = await provider.save("tok_sepa-debit", "save-1")
    assert (kept.instrument.type, kept.instrument.is_card) == ("sepa_debit", False)
    result = await provider.charge(charge(kept.reference, amount=Money(1000, "EUR")))
    assert result.method_type == "sepa_debit"


async def test_amounts_below_the_minimum_are_refused(provider):
    method = await saved(provider, "visa")
    for number, (units, currency) in enumerate(
        [(49, "USD"), (49, "JPY"), (499, "KWD"), (0, "USD")]
    ):
        small = charge(method, key=f"small-{number}", amount=Money(units, currency))
        assert (await provider.charge(small)).code == "amount_too_small"
    for number, (units, currency) in enumerate([(50, "USD"), (50, "JPY"), (500, "KWD")]):
        enough = charge(method, key=f"enough-{number}", amount=Money(units, currency))
        assert isinstance(await provider.charge(enough), Succeeded)


async def test_a_method_the_provider_does_not_know_is_of_no_use(provider):
    result = await provider.charge(charge("pm_of_somebody_else"))
    assert (result.code, result.hard) == ("payment_method_unknown", True)


async def test_a_refund_gives_back_once_and_never_more_than_was_paid(provider, pool):
    paid = await provider.charge(charge(await saved(provider, "visa")))
    part = Refund(key="refund-1", amount=Money(600, "USD"), payment=paid.reference)
    first = await provider.refund(part)
    assert isinstance(first, Succeeded)
    assert await SimulatedProvider(pool).refund(part) == first
    assert await provider.lookup("refund-1") == first
    too_much = await provider.refund(replace(part, key="refund-2"))
    assert too_much.code == "refund_not_possible"
    rest = replace(part, key="refund-3", amount=Money(400, "USD"))
    assert isinstance(await provider.refund(rest), Succeeded)


async def test_refunds_that_race_do_not_give_back_more_than_was_paid(provider, pool):
    paid = await provider.charge(charge(await saved(provider, "visa")))
    refunds = [
        Refund(key=f"refund-{n}", amount=Money(600, "USD"), payment=paid.reference)
        for n in range(4)
    ]
    results = await asyncio.gather(*(SimulatedProvider(pool).refund(r) for r in refunds))
    assert sorted(type(result).__name__ for result in results) == [*["Declined"] * 3, "Succeeded"]


async def test_a_refund_can_fail_and_needs_a_payment(provider):
    paid = await provider.charge(charge(await saved(provider, "refund-fails")))
    refund = Refund(key="refund-1", amount=TEN_DOLLARS, payment=paid.reference)
    assert (await provider.refund(refund)).code == "refund_failed"
    other = replace(refund, key="refund-2", payment="simcharge_nothing")
    assert (await provider.refund(other)).code == "refund_not_possible"
    euros = replace(refund, key="refund-3", amount=Money(10, "EUR"))
    assert (await provider.refund(euros)).code == "refund_not_possible"


async def test_a_card_is_kept_without_its_number(provider):
    card = CardNumber(number="5555555555554444", exp_month=4, exp_year=2031, cvc="123")
    kept = await provider.save(card, "save-1")
    assert kept.instrument.brand == "mastercard"
    assert kept.instrument.last4 == "4444"
    assert (kept.instrument.exp_month, kept.instrument.exp_year) == (4, 2031)
    assert card.number not in repr(kept)
    assert await provider.save(card, "save-1") == kept


async def test_real_cards_are_not_accepted(provider):
    with pytest.raises(MethodNotAccepted):
        await provider.save(CardNumber(number="4111111111111111", exp_month=1, exp_year=2031), "k")
    with pytest.raises(MethodNotAccepted):
        await provider.save("tok_nonsense", "k")


def test_every_test_card_has_a_name_and_a_number_of_its_own():
    assert len(BY_NUMBER) == len(CARDS)
    assert len(BY_NAME) > len(CARDS)
    assert not any("_" in name for name in BY_NAME)


async def test_without_a_provider_nothing_is_paid():
    provider = NoProvider()
    refund = Refund(key="k", amount=TEN_DOLLARS, payment="p")
    for call in (
        provider.save("tok_visa", "k"),
        provider.charge(charge("m")),
        provider.authorize(charge("m")),
        provider.refund(refund),
    ):
        with pytest.raises(PaymentProviderMissing):
            await call
    assert await provider.lookup("k") is None
    assert await provider.challenge("k", "/") is None
    assert await provider.authentication("k") is Authentication.REFUSED
    with pytest.raises(PaymentProviderMissing):
        provider.terms.require()
