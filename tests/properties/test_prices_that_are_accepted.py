"""Whatever is sent as prices is refused, or can be billed and comes back as it was sent."""

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aggregates.plan.price_rules import checked_prices
from aggregates.plan.pricing import Choice, SoldOnRequest, plan_words, terms_of
from aggregates.plan.state import PLAN
from kernel.errors import Refused
from tests.catalog_builders import FEATURES, PLAN_ID, PRODUCT, SEATS, created, priced, published
from wire.catalog.price import PricesIn, price_out


PERIODS = ["ONE_TIME", "MONTHLY", "YEARLY", "QUARTERLY"]
MODELS = ["FLAT", "PACKAGE", "TIERED", "VOLUME", "STAIRSTEP"]
amounts = st.one_of(
    st.integers(-1, 10**6),
    st.decimals(0, 1000, places=3).map(str),
    st.sampled_from(["", "x", "1e400", None, True, [], 0.1, "0.0004"]),
)
tiers = st.lists(
    st.fixed_dictionaries(
        {"upTo": st.sampled_from([0, 10, 100, "inf"]), "unitAmount": amounts},
        optional={"flatAmount": amounts},
    ),
    max_size=3,
)
charges = st.fixed_dictionaries(
    {"chargePeriod": st.sampled_from([*PERIODS, "NEVER"])},
    optional={
        "priceData": st.fixed_dictionaries({"amount": amounts}, optional={"blockSize": amounts}),
        "tiers": tiers,
        "advanced": st.fixed_dictionaries({"min_quantity": st.integers(-1, 5)}),
    },
)
rows = st.fixed_dictionaries(
    {"charges": st.lists(charges, max_size=2)},
    optional={
        "feature": st.sampled_from([None, str(SEATS.id), "no id"]),
        "priceModel": st.sampled_from(MODELS),
        "paymentType": st.sampled_from(["ADVANCE_COMMITMENT", "PAY_AS_YOU_GO"]),
    },
)
prices = st.fixed_dictionaries(
    {
        "priceType": st.sampled_from(["PAID", "FREE", "CUSTOM"]),
        "currency": st.sampled_from(["USD", "jpy", "KWD", "XXQ"]),
        "chargeCatalogPrice": st.lists(rows, max_size=2),
    },
    optional={"freeTrial": st.booleans(), "trialPeriod": st.integers(0, 366)},
)
bodies = st.fixed_dictionaries({"prices": st.lists(prices, max_size=2)})

whole = st.integers(0, 10**6)
fine = st.decimals(0, 1000, places=4).map(str)
sound_tiers = st.lists(st.integers(1, 1000), unique=True, max_size=3).flatmap(
    lambda tops: st.lists(
        st.tuples(fine, fine), min_size=len(tops) + 1, max_size=len(tops) + 1
    ).map(
        lambda costs: [
            {"upTo": top, "unitAmount": unit, "flatAmount": flat}
            for top, (unit, flat) in zip([*sorted(tops), "inf"], costs, strict=True)
        ]
    )
)


@st.composite
def sound(draw):
    """A price that nothing is wrong with: a base and seats, in the same periods."""
    model = draw(st.sampled_from(MODELS))
    offered = PERIODS if model in {"FLAT", "PACKAGE"} else PERIODS[1:]
    periods = draw(st.lists(st.sampled_from(offered), unique=True, min_size=1))
    base = [{"chargePeriod": p, "priceData": {"amount": draw(whole)}} for p in periods]
    seats = []
    for period in periods:
        data = {"amount": draw(fine), "block_size": draw(st.integers(1, 1000))}
        charge = {"chargePeriod": period, "priceData": data, "tiers": draw(sound_tiers)}
        bounds = {"min_quantity": draw(st.integers(0, 3)), "max_quantity": 9}
        seats.append(charge | ({"advanced": bounds} if model == "FLAT" else {}))
    rows = [{"charges": base}, {"feature": str(SEATS.id), "priceModel": model, "charges": seats}]
    price = {"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": rows}
    return {"prices": [price | {"freeTrial": draw(st.booleans())}]}


def accepted(body):
    """The prices that a plan would take, or None when they are refused."""
    try:
        return checked_prices(PricesIn.model_validate(body).values(), FEATURES)
    except (ValidationError, Refused):
        return None


@given(bodies)
def test_prices_of_any_kind_are_refused_or_can_be_billed(body):
    if (taken := accepted(body)) is not None:
        can_be_billed(taken)
        comes_back(taken)


@given(sound())
def test_sound_prices_are_accepted_billed_and_come_back(body):
    taken = accepted(body)
    assert taken is not None
    can_be_billed(taken)
    comes_back(taken)


def can_be_billed(taken):
    version = PLAN.of([created(), priced(*taken), published()]).published
    words = plan_words(PLAN_ID, "pro", version)
    for price in taken:
        for period in price.periods:
            choice = Choice(price=price, period=period, quantities={})
            try:
                terms = terms_of(words, PRODUCT, version, choice, FEATURES)
            except SoldOnRequest:
                assert price.type == "CUSTOM"
                continue
            assert terms.amount.units == sum(line.amount.units for line in terms.lines) >= 0


def comes_back(taken):
    shown = [price_out(price, None) for price in taken]
    text = msgspec.json.encode({"prices": shown})
    again = accepted(json.loads(text, parse_float=str))
    assert [price_out(price, None) for price in again] == shown
