"""A customer moves to what the portal shows, whatever else the address or the form says."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from commands.catalog.archive_plan import ArchivePlan
from commands.plan_terms import UnknownPlan
from commands.portal.act_as_customer import NotForCustomers
from commands.portal.offered_plans import QuantitiesAreAgreed
from commands.portal.quote_plans import QuotePlans
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.update_subscription import UpdateSubscription
from commands.subscriptions.wanted_contract import Asked
from kernel.interval import ChargePeriod
from kernel.offer import ProductWords
from kernel.settings import ProrationBehavior
from tests import catalog_builders as catalog
from tests.commands.test_acting_as_a_customer import Portal


OTHER = ProductWords(id=UUID(int=9), identifier="comet", name="Comet", tax_code="saas")
SEATS = catalog.row(catalog.charge("5.00"), feature=catalog.SEATS.id)


def shop():
    portal = Portal()
    portal.plan("staff", catalog.price(catalog.row(catalog.charge("0.60"))), is_visible=False)
    portal.plan("gratis", catalog.free())
    portal.plan("comet", product=OTHER)
    portal.monthly("1.00", "gone")
    portal.do(ArchivePlan(identifier="gone"))
    return portal


def to(portal, plan, period=ChargePeriod.MONTHLY, **fields):
    return UpdateSubscription(subscription_id=portal.adas, plan=plan, period=period, **fields)


@pytest.mark.parametrize("plan", ["staff", "comet", "gone", "no-such"])
def test_what_is_not_on_show_is_refused_like_what_is_not_there(plan):
    portal = shop()
    before = len(portal.store.log)
    update = to(portal, plan)
    for look in (PreviewUpdate(update=update), update):
        with pytest.raises(UnknownPlan):
            portal.act(look)
    quotes = QuotePlans(subscription_id=portal.adas, asked=(Asked(plan=plan), Asked(plan="max")))
    hidden, shown = portal.look(quotes)
    assert (hidden, shown.amount.units) == (None, 5000)
    assert len(portal.store.log) == before


def test_a_free_plan_that_does_not_recur_is_no_way_out_of_a_period():
    portal = shop()
    with pytest.raises(UnknownPlan):
        portal.act(to(portal, "gratis", ChargePeriod.ONE_TIME))


@pytest.mark.parametrize(
    "terms",
    [
        {"behavior": ProrationBehavior.NO_PRORATION},
        {"ends_trial": True},
        {"trial_ends_at": datetime(2027, 1, 1, tzinfo=UTC)},
    ],
)
def test_the_terms_of_a_change_are_the_merchants(terms):
    portal = shop()
    update = to(portal, "max", **terms)
    for command in (update, PreviewUpdate(update=update)):
        with pytest.raises(NotForCustomers):
            portal.act(command)
    portal.act(to(portal, "max"))
    assert portal.subscription(portal.adas).contract.amount.units == 5000


def test_an_agreed_price_brings_no_more_seats_for_nothing():
    portal = shop()
    portal.seats()
    portal.plan("team", catalog.price(catalog.row(catalog.charge("20.00")), SEATS))
    portal.adas = portal.subscribe(
        "team", customer_id="ada", currency="USD", custom_amount=Decimal("8.00")
    )
    with pytest.raises(QuantitiesAreAgreed):
        portal.act(to(portal, "team", quantities={"seats": 1000}))
    portal.act(to(portal, "max"))
    assert portal.subscription(portal.adas).contract.amount.units == 5000
