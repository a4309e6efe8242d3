"""What a plan may grant, by the type of the feature (wire 18.3, 18.4)."""

import pytest

from aggregates.plan.entitlement_rules import checked_entitlement
from kernel.entitlement import AlertThreshold, Rollover, UsageAlerts
from kernel.errors import InvalidFields
from tests.catalog_builders import PROJECTS, SEATS, SSO, granted


REFUSED = [
    (granted(SSO, 1), "true or false"),
    (granted(SSO, value=None, unlimited=True), "cannot be unlimited"),
    (granted(PROJECTS, value=None), "value is required"),
    (granted(PROJECTS, value=True), "whole number"),
    (granted(PROJECTS, -1), "out of range"),
    (granted(SEATS, 10**15), "out of range"),
    (granted(SEATS, 1, rollover=Rollover(percentage=101)), "0 to 100"),
    (granted(SEATS, 1, rollover=Rollover(limit=-1)), "not be negative"),
    (granted(SEATS, 1, usage_alerts=UsageAlerts(thresholds=(80, 101))), "101 is not"),
    (granted(SEATS, 1, usage_alerts=UsageAlerts(thresholds=(0,))), "0 is not"),
]


@pytest.mark.parametrize(("entitlement", "match"), REFUSED)
def test_an_entitlement_that_does_not_fit_its_feature_is_refused(entitlement, match):
    with pytest.raises(InvalidFields, match=match) as refusal:
        checked_entitlement(entitlement)
    assert list(refusal.value.fields) == ["details"]


def test_a_balance_threshold_may_be_large():
    alerts = UsageAlerts(thresholds=(5_000,), threshold_type=AlertThreshold.BALANCE)
    assert checked_entitlement(granted(SEATS, 1, usage_alerts=alerts)).usage_alerts == alerts


@pytest.mark.parametrize(("feature", "value"), [(SSO, True), (SEATS, 0)])
def test_a_value_left_out_has_a_meaning(feature, value):
    assert checked_entitlement(granted(feature, value=None)).value == value


def test_unlimited_has_no_value():
    assert checked_entitlement(granted(SEATS, 7, unlimited=True)).value is None
