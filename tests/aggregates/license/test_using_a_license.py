"""Decisions about a license: given facts, when decided, then facts or a refusal."""

from dataclasses import replace
from uuid import UUID

import pytest

from aggregates.license import decide
from aggregates.license.decide import Instance, Key, Purchase
from aggregates.license.events import (
    DisableReason,
    LicenseActivated,
    LicenseDeactivated,
    LicenseDisabled,
    LicenseExpired,
    LicenseExpiryChanged,
    LicenseIssued,
    LicenseKeyRegenerated,
    LicenseLimitChanged,
    ReleaseReason,
)
from aggregates.license.refusals import (
    ActivationLimitReached,
    DisabledForGood,
    InstanceNotFound,
    LicenseHasExpired,
    LicenseIsDisabled,
    SubscriptionGivesNoAccess,
)
from aggregates.license.state import LICENSE
from kernel import license_key
from kernel.errors import InvalidFields
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.offer import DurationUnit, LicenseTerms
from kernel.sale import BillingType, Sale, SoldPlan, SoldSubscription
from tests.billing_world import at
from tests.builders import APRIL_1, APRIL_2, CUSTOMER, MARCH_1, MARCH_15, MAY_1, SUB
from tests.catalog_builders import PRODUCT


NUMBER = UUID(int=70)
KEY = Key(UUID(int=71), "PRO-1")
LAPTOP, PHONE = UUID(int=72), UUID(int=73)
SALE = Sale(
    customer=CUSTOMER,
    product=PRODUCT,
    plan=SoldPlan(id=UUID(int=1), identifier="pro", name="Pro", version=1),
    billing_type=BillingType.SUBSCRIPTION,
    subscription=SoldSubscription(id=SUB, amount=Money(2000, "USD"), period=ChargePeriod.MONTHLY),
)
NOTHING = LICENSE.initial


def terms(**fields):
    chosen = {"enabled": True, "activation_limit_enabled": True, "activation_limit": 2}
    return LicenseTerms(**(chosen | fields))


def lasting(unit, value):
    return terms(has_expiry=True, duration_unit=unit, duration_value=value)


def issued(**fields):
    chosen = {
        "license_id": NUMBER,
        "order_id": UUID(int=74),
        "order_number": "ORD-1",
        "invoice_id": None,
        "sale": SALE,
        "activation_limit": 2,
        "expires_at": APRIL_1,
        "key_id": KEY.id,
        "key": KEY.text,
        "occurred_at": MARCH_1,
    }
    return LicenseIssued(**(chosen | fields))


def activated(instance=LAPTOP, usage=1, name=None):
    return LicenseActivated(
        license_id=NUMBER,
        instance_id=instance,
        usage=usage,
        instance_name=name,
        occurred_at=MARCH_1,
    )


def deactivated(instance=LAPTOP, usage=0, reason=ReleaseReason.DEACTIVATED, when=MARCH_15):
    return LicenseDeactivated(
        license_id=NUMBER, instance_id=instance, usage=usage, reason=reason, occurred_at=when
    )


def disabled(when=MARCH_15):
    reason = DisableReason.MERCHANT
    return LicenseDisabled(license_id=NUMBER, reason=reason, occurred_at=when)


def expired(when=APRIL_1):
    return LicenseExpired(license_id=NUMBER, occurred_at=when)


def moved(expires_at, when=MARCH_15):
    return LicenseExpiryChanged(license_id=NUMBER, expires_at=expires_at, occurred_at=when)


def given(*facts):
    return LICENSE.of((issued(), *facts))


def activate(state, instance=LAPTOP, name=None, *, has_access=True, when=MARCH_15, **fields):
    wanted = Instance(id=instance, name=name, **fields)
    return decide.activate(state, wanted, has_access=has_access, at=when)


def bought(chosen):
    return Purchase(
        order_id=UUID(int=74), order_number="ORD-1", invoice_id=None, sale=SALE, terms=chosen
    )


def test_a_purchase_issues_a_key_once():
    (fact,) = decide.issue(NOTHING, NUMBER, bought(terms()), KEY, at=MARCH_1)
    assert fact == issued(expires_at=None)
    assert decide.issue(LICENSE.of([fact]), NUMBER, bought(terms()), KEY, at=MARCH_15) == []


@pytest.mark.parametrize(
    ("unit", "value", "since", "until"),
    [
        (DurationUnit.DAY, 30, at(2025, 1, 31, 10), at(2025, 3, 2, 10)),
        (DurationUnit.MONTH, 1, at(2025, 1, 31, 10), at(2025, 2, 28, 10)),
        (DurationUnit.MONTH, 13, at(2024, 1, 31), at(2025, 2, 28)),
        (DurationUnit.YEAR, 1, at(2024, 2, 29), at(2025, 2, 28)),
        (DurationUnit.YEAR, 4, at(2024, 2, 29), at(2028, 2, 29)),
    ],
)
def test_its_life_is_counted_by_the_calendar_from_the_purchase(unit, value, since, until):
    assert decide.expiry_of(lasting(unit, value), since) == until


def test_without_expiry_or_limit_there_is_none():
    open_end = terms(duration_unit=DurationUnit.DAY, duration_value=1)
    assert decide.expiry_of(open_end, MARCH_1) is None
    assert decide.limit_of(terms(activation_limit_enabled=False)) == 0


def test_each_instance_takes_a_place():
    state = given(activated())
    (fact,) = activate(state, PHONE, "phone", metadata={"os": "x"})
    assert fact == replace(activated(PHONE, 2, "phone"), metadata={"os": "x"}, occurred_at=MARCH_15)


def test_case_116_the_same_instance_takes_no_second_place():
    full = given(activated(name="laptop"), activated(PHONE, 2))
    assert activate(full, UUID(int=99), "laptop") == []
    assert activate(full, PHONE) == []
    with pytest.raises(ActivationLimitReached, match="2 of 2"):
        activate(full, UUID(int=99), "tablet")
    with pytest.raises(ActivationLimitReached):
        activate(full, UUID(int=99))


def test_what_was_freed_can_be_taken_under_the_same_name():
    state = given(activated(name="laptop"), deactivated())
    (fact,) = activate(state, PHONE, "laptop")
    assert (fact.instance_id, fact.usage) == (PHONE, 1)


def test_limit_zero_never_refuses():
    facts = [activated(UUID(int=100 + n), n + 1) for n in range(50)]
    state = LICENSE.of([issued(activation_limit=0), *facts])
    assert activate(state, PHONE)[0].usage == 51


@pytest.mark.parametrize(
    ("facts", "when", "has_access", "refusal"),
    [
        ((disabled(),), MARCH_15, True, LicenseIsDisabled),
        ((disabled(),), APRIL_2, False, LicenseIsDisabled),
        ((), APRIL_1, True, LicenseHasExpired),
        ((), APRIL_2, False, LicenseHasExpired),
        ((expired(),), APRIL_2, True, LicenseHasExpired),
        ((), MARCH_15, False, SubscriptionGivesNoAccess),
    ],
)
def test_who_may_not_use_it(facts, when, has_access, refusal):
    state = given(activated(name="laptop"), *facts)
    for name in ("laptop", "phone"):
        with pytest.raises(refusal):
            activate(state, PHONE, name, has_access=has_access, when=when)


def test_up_to_its_last_instant_it_is_good():
    assert activate(given(), when=APRIL_1.replace(year=2024))


def test_a_place_is_freed_once_whatever_became_of_the_license():
    freed = ReleaseReason.DEACTIVATED
    for more in ((), (disabled(),), (expired(),)):
        state = given(activated(), *more)
        assert decide.deactivate(state, LAPTOP, reason=freed, at=MARCH_15) == [deactivated()]
    for state in (given(), given(activated(), deactivated()), given(activated(PHONE))):
        with pytest.raises(InstanceNotFound):
            decide.deactivate(state, LAPTOP, reason=freed, at=MARCH_15)


def test_a_smaller_limit_takes_nobodys_place():
    state = given(activated(), activated(PHONE, 2))
    facts = decide.change_limit(state, 1, at=MARCH_15)
    assert facts == [
        LicenseLimitChanged(license_id=NUMBER, activation_limit=1, occurred_at=MARCH_15)
    ]
    smaller = LICENSE.evolve(state, facts[0])
    assert decide.change_limit(smaller, 1, at=MARCH_15) == []
    with pytest.raises(ActivationLimitReached, match="2 of 1"):
        activate(smaller, UUID(int=99))


def test_more_time_brings_an_expired_license_back():
    state = given(expired())
    (fact,) = decide.change_expiry(state, MAY_1, at=APRIL_2)
    again = LICENSE.evolve(state, fact)
    assert decide.change_expiry(again, MAY_1, at=APRIL_2) == []
    assert activate(again, when=APRIL_2)
    for_ever = LICENSE.evolve(state, decide.change_expiry(state, None, at=APRIL_2)[0])
    assert activate(for_ever, when=at(2099))


@pytest.mark.parametrize("wanted", [MARCH_1, MARCH_15])
def test_time_that_has_passed_cannot_be_given(wanted):
    with pytest.raises(InvalidFields, match="expiresOn"):
        decide.change_expiry(given(), wanted, at=MARCH_15)


@pytest.mark.parametrize(
    ("facts", "when", "expires"),
    [
        ((), MARCH_15, False),
        ((), APRIL_1, True),
        ((expired(),), APRIL_2, False),
        ((disabled(),), APRIL_2, False),
        ((moved(MAY_1),), APRIL_2, False),
        ((moved(MAY_1),), MAY_1, True),
        ((moved(None),), MAY_1, False),
        ((expired(), moved(MAY_1, APRIL_2)), MAY_1, True),
    ],
)
def test_it_expires_once_at_its_time(facts, when, expires):
    found = decide.expire(given(*facts), at=when)
    assert found == ([expired(when)] if expires else [])


def test_disabling_is_for_good():
    reason = DisableReason.MERCHANT
    assert decide.disable(given(), reason=reason, at=MARCH_15) == [disabled()]
    state = given(disabled())
    assert decide.disable(state, reason=reason, at=APRIL_1) == []
    assert decide.disable(NOTHING, reason=reason, at=APRIL_1) == []
    decide.keep_enabled(given())
    for again in (
        lambda: decide.keep_enabled(state),
        lambda: decide.change_limit(state, 9, at=MARCH_15),
        lambda: decide.change_expiry(state, None, at=MARCH_15),
        lambda: decide.regenerate_key(state, KEY, at=MARCH_15),
    ):
        with pytest.raises(DisabledForGood):
            again()


def test_another_key_frees_every_place():
    state = given(activated(), activated(PHONE, 2))
    new = Key(UUID(int=80), "PRO-2")
    (fact,) = decide.regenerate_key(state, new, at=MARCH_15)
    assert fact == LicenseKeyRegenerated(
        license_id=NUMBER, number=2, key_id=new.id, key="PRO-2", occurred_at=MARCH_15
    )
    again = LICENSE.evolve(state, fact)
    assert (again.key_id, dict(again.instances)) == (new.id, {})
    assert activate(again)[0].usage == 1


@pytest.mark.parametrize(
    ("plan", "prefix"),
    [("Pro", "PRO"), ("10K requests", "10K"), ("A-b c", "ABC"), ("é", "LIC"), ("X", "LIC")],
)
def test_a_key_is_spelled_after_its_plan(plan, prefix):
    text = license_key.spell(plan, UUID(int=2**127 + 5))
    assert text == f"{prefix}-80000000-0000-4000-8000-000000000005"
    assert license_key.canonical(f" {text.lower()}\n") == text
