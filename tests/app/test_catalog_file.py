"""The catalog file: what it may say, what it is told, and what it would change."""

import copy
from decimal import Decimal

import pytest
import yaml

from adapters.cannot_start import CannotStart
from app.catalog_file.difference import Difference
from app.catalog_file.document import CatalogFile
from app.catalog_file.plain import differences, plain_plan
from app.catalog_file.present import Present
from app.catalog_file.reading import read
from app.catalog_file.writing import unpriced, written
from kernel.entitlement import FeatureType
from tests.processes import ROOT


EXAMPLE = ROOT / "examples" / "catalog.yaml"
SMALL = {
    "features": {
        "seats": {
            "name": "Seats",
            "type": "METER",
            "units": {"singular": "seat", "plural": "seats"},
        },
        "sso": {"name": "SSO", "type": "BOOLEAN"},
    },
    "products": {
        "orbit": {
            "name": "Orbit",
            "taxCode": "saas",
            "plans": {
                "pro": {
                    "name": "Pro",
                    "prices": [{"currency": "USD", "base": {"MONTHLY": "20.00"}}],
                    "entitlements": {"seats": 5, "sso": True},
                }
            },
        }
    },
}
PRO = ("products", "orbit", "plans", "pro")


def changed(*path, to):
    """The small file with one thing other; a key that is not there yet is added."""
    content = copy.deepcopy(SMALL)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return content


def document(content=SMALL):
    return CatalogFile.model_validate(content)


def present(content=SMALL, drafts=()):
    ids = {name: f"id-of-{name}" for name in content["features"]}
    return Present(document(content), ids, {"orbit": "id-of-orbit"}, set(drafts))


def complaint(tmp_path, text):
    file = tmp_path / "prices.yaml"
    file.write_text(text)
    with pytest.raises(CannotStart) as refusal:
        read(file)
    return str(refusal.value).replace(str(file), "FILE")


WRONG = [
    (("features", "sso", "type"), "FLAG", "features.sso.type: Input should be 'BOOLEAN'"),
    (("features", "seats", "units"), None, "features.seats.units: is required"),
    (("features", "sso", "colour"), "red", "features.sso.colour: there is no such key"),
    (("products", "orbit", "taxCode"), None, "products.orbit.taxCode: Input should be 'saas'"),
    ((*PRO, "prices"), [], "products.orbit.plans.pro.prices: at least one price is required"),
    ((*PRO, "prices"), [{"base": {}}], "plans.pro.prices.0.currency: is required"),
    ((*PRO, "prices", 0, "currency"), "XXQ", "prices.0.currency: 'XXQ' is not an ISO 4217"),
    ((*PRO, "prices", 0, "trialDays"), 400, "prices.0.trialDays: Input should be less than"),
    ((*PRO, "prices", 0, "base"), {"DAYLY": 1}, "prices.0.base.DAYLY.[key]: Input should be"),
    ((*PRO, "prices", 0, "base"), {"DAILY": True}, "base.DAILY: an amount is expected"),
    ((*PRO, "prices", 0, "base"), {"DAILY": -1}, "base.DAILY: Input should be greater"),
    ((*PRO, "prices"), [{"currency": "USD"}, {"currency": "USD"}], "prices: USD is priced twice"),
    ((*PRO, "entitlements", "seats"), "many", "entitlements.seats.value"),
    ((*PRO, "links"), [{"name": "x", "url": "ftp://x"}], "links.0.url: Enter an http"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG)
def test_a_wrong_file_says_where_and_what_was_expected(tmp_path, path, value, message):
    said = complaint(tmp_path, yaml.safe_dump(changed(*path, to=value)))
    assert said.startswith("FILE: ")
    assert message in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "FILE: not YAML"),
        ("- a", "FILE: a mapping with features and products was expected"),
        ("features:\n  a: {name: A, type: BOOLEAN}\n  a: {name: B, type: BOOLEAN}", "'a' twice"),
        ("features: {Seats: {name: A, type: BOOLEAN}}", "features.Seats.[key]"),
        ("produkte: {}", "FILE: produkte: there is no such key"),
    ],
)
def test_a_file_that_is_none_says_so(tmp_path, text, message):
    assert message in complaint(tmp_path, text)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(CannotStart, match="No such file"):
        read(tmp_path / "nothing.yaml")


def test_amounts_are_exact(tmp_path):
    file = tmp_path / "prices.yaml"
    amount = "0.1234567890123456789"
    file.write_text(yaml.safe_dump(SMALL).replace("'20.00'", amount))
    price = read(file).plans["pro"][1].prices[0]
    assert list(price.base.values()) == [Decimal(amount)]


def test_the_example_has_what_real_price_lists_have():
    example = read(EXAMPLE)
    prices = [price for _, plan in example.plans.values() for price in plan.prices]
    periods = {period for price in prices for period in price.base}
    assert len(example.products) >= 6
    assert {price.currency for price in prices} == {"USD", "EUR", "JPY"}
    assert {price.type for price in prices} == {"PAID", "FREE", "CUSTOM"}
    assert {"MONTHLY", "YEARLY", "ONE_TIME"} <= periods
    assert any(price.trial_days for price in prices)


def test_the_same_file_changes_nothing():
    assert not Difference.between(document(), present()).steps


def test_a_catalog_that_is_empty_gets_everything():
    nothing = {"features": {}, "products": {}}
    steps = Difference.between(document(), present(nothing)).steps
    assert [step.title for step in steps] == [
        "feature seats",
        "feature sso",
        "product orbit",
        "plan pro",
    ]
    assert all(step.creates for step in steps)


def test_a_difference_names_old_and_new():
    dearer = changed(*PRO, "prices", 0, "base", to={"MONTHLY": 25})
    (step,) = Difference.between(document(dearer), present()).steps
    assert step.lines == (("prices.USD.base.MONTHLY", "20", "25"),)
    assert not step.creates


def test_a_draft_that_says_what_the_file_says_is_published():
    (step,) = Difference.between(document(), present(drafts=["pro"])).steps
    assert (step.title, step.lines) == ("plan pro", ())


def test_what_the_file_does_not_name_is_left_alone_and_told():
    smaller = changed("features", to={"seats": SMALL["features"]["seats"]})
    del smaller["products"]["orbit"]["plans"]["pro"]["entitlements"]["sso"]
    found = Difference.between(document(smaller), present())
    assert found.untouched == ["feature sso"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed("features", "sso", "type", to="CUSTOMIZABLE"), "features.sso.type: is fixed"),
        (
            changed("features", "seats", "units", to={"singular": "user", "plural": "users"}),
            "features.seats.units.singular: is fixed, 'seat' cannot be 'user'",
        ),
        (changed(*PRO, "entitlements", "nope", to=1), "there is no feature nope"),
        (
            changed(
                "products",
                to={"comet": {"name": "Comet", "taxCode": "saas",
                              "plans": SMALL["products"]["orbit"]["plans"]}},
            ),
            "the plan is of the product orbit and stays there",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_changed_is_refused_before_anything_is(content, message):
    with pytest.raises(CannotStart, match=message):
        Difference.between(document(content), present())


SAME = [
    ({"type": "FREE", "base": {"MONTHLY": 0}, "trialDays": 7}, {"type": "FREE"}),
    ({"base": {"ONE_TIME": 5}, "trialDays": 7}, {"base": {"ONE_TIME": "5.00"}}),
    (
        {"features": {"seats": {"minimum": 1, "charges": {"MONTHLY": 5}}}},
        {"features": {"seats": {"charges": {"MONTHLY": {"amount": 5, "minimum": 1}}}}},
    ),
    ({"base": {"QUARTERLY": 5}}, {"base": {"THREE_MONTHS": 5}}),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_ways_to_say_the_same_are_no_difference(one, other):
    both = [
        plain_plan(document(changed(*PRO, "prices", 0, to={"currency": "USD", **price}))
                   .plans["pro"][1], {"seats": FeatureType.METER})
        for price in (one, other)
    ]  # fmt: skip
    assert not list(differences(*both))


def test_a_plan_without_a_price_is_left_out_of_what_is_written(tmp_path):
    found = document(changed(*PRO, "prices", to=[]))
    assert unpriced(found) == ["pro"]
    file = tmp_path / "written.yaml"
    file.write_text(written(found))
    again = read(file)
    assert (list(again.products), again.plans) == (["orbit"], {})


def test_what_is_written_reads_back_as_the_same(tmp_path):
    example = read(EXAMPLE)
    file = tmp_path / "written.yaml"
    file.write_text(written(example))
    again = read(file)
    types = {name: feature.type for name, feature in example.features.items()}
    for identifier, (_, plan) in example.plans.items():
        other = again.plans[identifier][1]
        assert not list(differences(plain_plan(plan, types), plain_plan(other, types)))
    assert list(again.features) == list(example.features)
