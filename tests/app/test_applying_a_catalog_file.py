"""`catalog apply` and `catalog export` against a running engine, as an operator runs them."""

from decimal import Decimal

import httpx
import pytest
from typer.testing import CliRunner

from app.catalog_file.reading import read
from app.cli import cli
from kernel.price import PriceModel, PriceType
from tests.processes import ROOT, running


pytestmark = [pytest.mark.postgres, pytest.mark.journey]

RUNNER = CliRunner()
NOTHING = "Nothing to change.\n"
EXAMPLE = ROOT / "examples" / "catalog.yaml"


@pytest.fixture
def up(tmp_path):
    where = ("--data-dir", tmp_path / "data")
    with running("up", "--port", "0", "--edge-port", "0", *where) as process:
        yield process


@pytest.fixture
def catalog(up):
    """Run a verb; its exit code and all it said."""

    def catalog(verb, *arguments, answer=""):
        where = ("--url", up.address("core"), "--key", up.keys()["server"])
        done = RUNNER.invoke(cli, ["catalog", verb, *where, *map(str, arguments)], input=answer)
        return done.exit_code, done.output

    return catalog


@pytest.fixture
def api(up):
    headers = {"Authorization": f"Bearer {up.keys()['server']}"}
    base_url = f"{up.address('core')}/api/v1"
    with httpx.Client(base_url=base_url, headers=headers, timeout=60) as client:
        yield client


def test_a_file_is_applied_exported_edited_and_refused(catalog, api, tmp_path):
    """One life of a price list; the steps stand on one another."""
    code, said = catalog("apply", EXAMPLE, answer="n\n")
    assert (code, "+ plan palaver-pro" in said) == (1, True), said
    assert api.get("/catalog/plans/palaver-pro/").status_code == 404

    code, said = catalog("apply", EXAMPLE, "--yes")
    assert code == 0, said
    plans = api.get("/catalog/plans/").json()
    assert plans["count"] >= 19
    assert all(plan["isLatest"] for plan in plans["results"])
    assert catalog("apply", EXAMPLE, "--yes")[1].endswith(NOTHING)

    code, exported = catalog("export")
    copy = tmp_path / "export.yaml"
    copy.write_text(exported)
    assert code == 0
    assert catalog("apply", copy, "--yes")[1].endswith(NOTHING)

    dearer = EXAMPLE.read_text().replace("MONTHLY: 8.75", "MONTHLY: 9.25")
    edited = tmp_path / "edited.yaml"
    edited.write_text(dearer.replace("          guests: true\n", "", 1))
    code, said = catalog("apply", edited, answer="y\n")
    assert code == 0
    assert "prices.USD.features.members.charges.MONTHLY.amount: 8.75 -> 9.25" in said
    assert "entitlements.guests.value: true removed" in said
    plan = api.get("/catalog/plans/palaver-pro/").json()
    assert (plan["version"], plan["isLatest"]) == (2, True)
    assert catalog("apply", edited, "--yes")[1].endswith(NOTHING)

    api.patch("/catalog/plans/palaver-pro/", json={"name": "Changed by hand"})
    code, said = catalog("apply", edited, "--yes")
    assert (code, "name: Changed by hand -> Palaver Pro" in said) == (0, True)
    assert api.get("/catalog/plans/palaver-pro/").json()["name"] == "Palaver Pro"

    edited.write_text(dearer.replace("type: CUSTOMIZABLE", "type: METER", 1))
    before = api.get("/catalog/plans/palaver-pro/").content
    code, said = catalog("apply", edited, "--yes")
    assert (code, "is required for a METER feature" in said) == (1, True)
    assert api.get("/catalog/plans/palaver-pro/").content == before


def test_every_price_of_the_example_is_sold_for_what_the_file_says(catalog, api):
    assert catalog("apply", EXAMPLE, "--yes")[0] == 0
    example = read(EXAMPLE)
    sold = 0
    for identifier, (_, plan) in example.plans.items():
        for price in plan.prices:
            for period, cost in offered(price):
                request = {
                    "planIdentifier": identifier,
                    "chargePeriod": period,
                    "customerId": buyer(api, f"{identifier}-{price.currency}-{period}"),
                    "currencyCode": price.currency,
                }
                answer = api.post("/subscriptions/create/", json=request)
                if price.type is PriceType.CUSTOM:
                    assert answer.json()["code"] == "custom_priced_plan"
                    continue
                record = answer.json()
                assert answer.status_code == 201, (request, record)
                assert (Decimal(record["amount"]), record["status"]) == (
                    cost,
                    "trialing" if price.trial_days and price.recurs else "active",
                ), request
                sold += 1
    assert sold > 50


def offered(price):
    """Each period and what it costs with the quantities that a sale takes by itself."""
    if price.type is PriceType.FREE:
        return [("ONE_TIME", Decimal(0))]
    if price.type is PriceType.CUSTOM:
        return [("MONTHLY", None)]
    periods = [*price.base] or list(next(iter(price.features.values())).charges)
    return [
        (period, price.base.get(period, 0) + sum(cost(row, period) for row in rows(price)))
        for period in periods
    ]


def rows(price):
    return price.features.values()


def cost(row, period):
    """The price of the minimum, else of one; a block is a block."""
    charge = row.charges[period]
    quantity = 1 if row.minimum is None else row.minimum
    if row.model is PriceModel.VOLUME:
        return charge.tiers[0].unit * quantity
    return charge.amount * quantity


def buyer(api, customer_id):
    """A customer with a card that succeeds."""
    body = {"customerId": customer_id, "name": "Ada", "email": "ada@example.com"}
    assert api.post("/customers/", json=body).status_code == 201
    card = {"number": "4242424242424242", "expMonth": 12, "expYear": 2040, "cvc": "123"}
    body = {"customerId": customer_id, "card": card, "isDefault": True}
    answer = api.post("/payment-methods/", json=body)
    assert answer.status_code == 201, answer.text
    return customer_id


def test_what_was_cut_off_is_finished_by_doing_it_again(catalog, api, tmp_path):
    """A feature and a draft are there already, as after a kill in the middle."""
    product = {"name": "Cut", "taxCode": "saas", "identifier": "cut"}
    product_id = api.post("/catalog/products/", json=product).json()["id"]
    plan = {"name": "Cut", "identifier": "cut", "product": product_id}
    assert api.post("/catalog/plans/", json=plan).status_code == 201
    file = tmp_path / "cut.yaml"
    file.write_text(
        "products: {cut: {name: Cut, taxCode: saas, plans: {cut: {name: Cut, "
        "prices: [{currency: USD, base: {MONTHLY: 1}}]}}}}"
    )
    assert catalog("apply", file, "--yes")[0] == 0
    assert api.get("/catalog/plans/cut/").json()["isLatest"] is True
    assert catalog("apply", file, "--yes")[1].endswith(NOTHING)


def test_an_api_that_refuses_or_is_away_is_told_in_words(up, catalog):
    code, said = catalog("apply", EXAMPLE, "--key", "server_sandbox_wrong")
    assert (code, "401" in said, "Traceback" in said) == (1, True, False)
    code, said = catalog("export", "--url", "http://127.0.0.1:9")
    assert (code, "does not answer" in said, "Traceback" in said) == (1, True, False)
