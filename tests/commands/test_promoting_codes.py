"""A promotion's code works where the promotion tells it, and nowhere else (wire 23)."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from aggregates.customer.state import Details
from aggregates.discount.events import DiscountLimitedToCountries
from aggregates.discount.redeem import DiscountDoesNotApply, DiscountNotInCountry
from aggregates.promotion.events import (
    CountryReduction,
    GroupReduction,
    PromotedThing,
    PromotionContent,
    PromotionSecurity,
)
from aggregates.promotion.reach import countries_by_code
from commands.customers.create_customer import CreateCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.offerings.change_promotion import ArchivePromotion, ChangePromotion
from commands.offerings.create_promotion import CreatePromotion
from commands.subscriptions.create_subscription import CreateSubscription
from kernel.discount import Duration, PriceOff
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.postal import Address
from kernel.publication import Publication
from kernel.purchasing_power import PurchasingPower
from tests.billing_world import World, at
from tests.checkouts import Buyer


PROMOTION = UUID(int=9)
CONTENT = PromotionContent(
    name="Parity",
    groups=(GroupReduction(group=PurchasingPower.LOWER_MIDDLE_INCOME, percentage=50, code="half"),),
    countries=(
        CountryReduction(country="BR", percentage=50, code="HALF"),
        CountryReduction(country="EG", percentage=0),
    ),
)
ANYWHERE = PromotionSecurity(billing_country=False)


@pytest.fixture
def world():
    world = World(at(2025, 3, 1, 12))
    world.monthly()
    new = NewDiscount(name="Half", off=PriceOff(percentage=50), duration=Duration.ONCE, cycles=None)
    world.do(CreateDiscount(seed=uuid4(), code="HALF", new=new))
    world.do(CreatePromotion(promotion_id=PROMOTION, content=CONTENT))
    return world


def due(world, country):
    return Buyer(world, country=country, discount_code="half").quote().due


def change(world, **changes):
    return world.do(ChangePromotion(promotion_id=PROMOTION, changes=changes))


def test_a_group_reaches_its_countries_but_those_with_a_row_of_their_own():
    (countries,) = countries_by_code(CONTENT).values()
    assert {"IN", "BR"} <= set(countries)
    assert "EG" not in countries
    assert list(countries) == sorted(countries)
    for free in (
        replace(CONTENT, security=ANYWHERE),
        replace(CONTENT, publication=Publication.DRAFT),
    ):
        assert countries_by_code(free) == {}


@pytest.mark.parametrize("country", ["IN", "BR"])
def test_it_works_for_who_is_billed_there(world, country):
    assert due(world, country) == Money(1000, "USD")


@pytest.mark.parametrize("country", ["US", "EG", None])
def test_it_does_not_for_anybody_else(world, country):
    with pytest.raises(DiscountNotInCountry):
        due(world, country)


def test_who_turns_out_to_be_billed_elsewhere_is_quoted_the_whole_price(world):
    buyer = Buyer(world, country="IN", discount_code="half")
    buyer.enters(billing_address=Address(country="US"))
    quote = buyer.quote()
    assert quote.due == Money(2000, "USD")
    assert quote.problems


def test_without_checkout_the_billing_address_on_file_counts(world):
    details = Details(billing_address=Address(country="US"))
    world.do(CreateCustomer(customer_id="ada", details=details))
    sale = CreateSubscription(
        subscription_id=uuid4(),
        customer_id="ada",
        plan="pro",
        period=ChargePeriod.MONTHLY,
        discount_code="HALF",
    )
    with pytest.raises(DiscountNotInCountry):
        world.do(sale)


@pytest.mark.parametrize(
    "changes",
    [
        {"security": ANYWHERE},
        {"publication": Publication.DRAFT},
        {"groups": (), "countries": ()},
    ],
)
def test_a_promotion_lets_its_codes_go(world, changes):
    facts = change(world, **changes)
    assert DiscountLimitedToCountries in {type(fact) for fact in facts}
    assert due(world, "US") == Money(1000, "USD")
    assert change(world, **changes) == []


@pytest.mark.parametrize("security", [PromotionSecurity(), ANYWHERE])
@pytest.mark.parametrize("things", ["products", "plans"])
def test_it_works_for_what_it_is_told_for(world, things, security):
    world.monthly("30.00", "max")
    told = natural_id(world.tenant.secret, "plan", "max")
    other = PromotedThing(id=told if things == "plans" else UUID(int=7), identifier="other")
    change(world, **{things: (other,), "security": security})
    with pytest.raises(DiscountDoesNotApply):
        due(world, "IN")
    if things == "plans":
        quote = Buyer(world, plan="max", country="IN", discount_code="half").quote()
        assert quote.due == Money(1500, "USD")
    change(world, **{things: ()})
    assert due(world, "IN") == Money(1000, "USD")


def test_archived_it_keeps_what_it_said(world):
    world.do(ArchivePromotion(promotion_id=PROMOTION))
    with pytest.raises(DiscountNotInCountry):
        due(world, "US")


def test_a_code_of_two_promotions_works_where_either_tells_it(world):
    row = (CountryReduction(country="US", percentage=50, code="HALF"),)
    other = PromotionContent(name="Home", countries=row)
    world.do(CreatePromotion(promotion_id=UUID(int=10), content=other))
    assert due(world, "US") == due(world, "IN") == Money(1000, "USD")
