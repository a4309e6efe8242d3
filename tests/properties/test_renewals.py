"""Renewals of any anchor: periods never drift, overlap or leave a gap; money adds up."""

from datetime import UTC

from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.invoice.totals import settle
from aggregates.subscription import decide
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import Start
from aggregates.subscription.state import SUBSCRIPTION
from kernel.ids import NIL
from kernel.interval import INTERVALS, ChargePeriod, boundary
from kernel.money import Money
from kernel.offer import OfferTerms, PlanWords
from kernel.price import PriceType, TaxBehavior
from tests.billing_world import World, at
from tests.catalog_builders import PRODUCT


ANCHORS = st.datetimes(
    at(1999).replace(tzinfo=None), at(2100).replace(tzinfo=None), timezones=st.just(UTC)
)
RECURRING = st.sampled_from(sorted(INTERVALS))


def contract(period):
    terms = OfferTerms(
        plan=PlanWords(id=NIL, identifier="pro", name="Pro", version=1),
        product=PRODUCT,
        currency="USD",
        period=ChargePeriod(period),
        price_type=PriceType.PAID,
        tax_behavior=TaxBehavior.EXCLUSIVE,
        base=Money(2000, "USD"),
    )
    return Contract(terms=terms, amount=terms.amount, feature_version=1)


@given(ANCHORS, RECURRING, st.integers(1, 60))
def test_periods_follow_one_another_and_stay_on_the_anchor(anchor, period, renewals):
    start = Start(customer=NIL, contract=contract(period), started_at=anchor, must_pay=False)
    facts = decide.create(SUBSCRIPTION.initial, NIL, start, at=anchor)
    state = SUBSCRIPTION.of(facts)
    for number in range(1, renewals + 1):
        end = state.period.end
        assert decide.renew(state, invoice_id=NIL, at=end.replace(microsecond=0)) == [] or (
            end.microsecond == 0
        )
        (fact,) = decide.renew(state, invoice_id=NIL, at=end)
        assert fact.number == number
        assert fact.period.start == end == boundary(anchor, INTERVALS[period], number)
        assert fact.period.end > fact.period.start
        state = SUBSCRIPTION.evolve(state, fact)


@given(
    st.integers(-(10**7), 10**7),
    st.integers(-(10**7), 10**7),
    st.sampled_from([0, 50, 500]),
)
def test_what_is_due_is_never_negative_and_nothing_gets_lost(total, balance, minimum):
    use = settle(Money(total, "USD"), balance=Money(balance, "USD"), minimum=Money(minimum, "USD"))
    assert use.due.units == 0 or use.due.units >= max(minimum, 1)
    assert use.due + use.applied == Money(total, "USD")
    assert use.starting + use.applied == use.ending
    if use.due.units:
        assert use.ending.units == 0


@given(
    st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 9)), min_size=1, max_size=3),
    st.integers(1, 40),
)
@settings(max_examples=10, deadline=None)
def test_money_adds_up_over_a_life(changes, days):
    """Σ lines = subtotal, Σ balance entries = balance, charged = Σ due of what is paid."""
    world = World(at(2025, 1, 31))
    for number, (units, _) in enumerate(changes):
        world.monthly(f"{units // 100}.{units % 100:02}", f"plan-{number}")
    customer = world.customer(card="works")
    for number in range(len(changes)):
        world.subscribe(f"plan-{number}")
    world.to(at(2025, 1, 31) if days == 1 else at(2025, 4, min(days, 30)))
    for invoice in world.invoices():
        totals = invoice.totals
        assert sum(line.amount.units for line in invoice.lines) == totals.subtotal.units
        assert totals.subtotal - totals.discount + totals.tax == totals.total
        assert invoice.balance.due.units >= 0
    due = sum(invoice.balance.due.units for invoice in world.invoices())
    assert world.money_taken() == due == sum(paid.amount.units for paid in world.paid())
    assert world.balance(customer) == sum(i.balance.applied.units for i in world.invoices())
