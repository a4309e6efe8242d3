"""Which events a meter counts, and what each comes to (wire 22)."""

from datetime import UTC, datetime

import pytest

from kernel.event_meter import Function, Occurrence, feeds, function_of, units_of


def event(name="call", **properties):
    return Occurrence(name, datetime(2026, 3, 1, tzinfo=UTC), properties)


def having(field, operator, value):
    return {"field": field, "operator": operator, "value": value}


def test_without_filters_the_name_is_that_of_the_feature():
    assert feeds(event("calls"), "calls", [])
    assert not feeds(event("other"), "calls", [])


def test_an_event_may_name_its_feature():
    assert feeds(event(featureId="calls"), "calls", [])
    assert not feeds(event("calls", featureId="other"), "calls", [])
    only = [having("eventName", "EQUALS", "x")]
    assert not feeds(event(featureId="calls"), "calls", only)


@pytest.mark.parametrize(
    ("operator", "value", "passes"),
    [
        ("EQUALS", "eu", True),
        ("equals", "us", False),
        ("NOT_EQUALS", "us", True),
        ("IN", ["us", "eu"], True),
        ("IN", "eu", False),
        ("NOT_IN", ["us"], True),
        ("NOT_IN", ["eu"], False),
        ("GREATER_THAN", 1, False),
        ("unknown", "eu", False),
    ],
)
def test_filters_by_words(operator, value, passes):
    assert feeds(event(region="eu"), "calls", [having("region", operator, value)]) is passes


@pytest.mark.parametrize(
    ("operator", "passes"),
    [
        ("GREATER_THAN", False),
        ("GREATER_OR_EQUAL", True),
        ("LESS_THAN", False),
        ("LESS_OR_EQUAL", True),
    ],
)
def test_filters_by_size(operator, passes):
    assert feeds(event(size=5), "calls", [having("size", operator, 5)]) is passes
    assert not feeds(event(size=True), "calls", [having("size", operator, 1)])
    assert not feeds(event(size="5"), "calls", [having("size", operator, 5)])


def test_all_filters_must_let_it_pass_and_strange_ones_never_do():
    named = having("eventName", "EQUALS", "call")
    assert feeds(event(), "calls", [named])
    assert not feeds(event(), "calls", [named, having("region", "EQUALS", "eu")])
    for strange in ({"a": 1}, "text", {"field": 5, "value": 5}, {"field": "eventName"}):
        assert not feeds(event(), "calls", [named, strange])


def test_functions_in_either_case():
    assert function_of({"function": "sum"}) is Function.SUM
    assert function_of({"function": "median"}) is None
    assert function_of({}) is None


@pytest.mark.parametrize(
    ("value", "units"),
    [(5, 5), (-5, -5), (5.0, 5), (5.5, None), (True, None), ("5", None), (None, None)],
)
def test_only_whole_numbers_add_up(value, units):
    assert units_of(event(size=value), {"field": "size"}) == units


def test_a_field_that_is_missing_adds_nothing():
    assert units_of(event(), {"field": "size"}) is None
    assert units_of(event(), {}) is None
