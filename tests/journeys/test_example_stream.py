"""The example for data teams arrives at figures that can be reckoned by hand."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.engines import SERVER_KEY
from tests.served import served


pytestmark = [pytest.mark.journey, pytest.mark.postgres]
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "for-data-teams.md").read_text()
HEADERS = {"Authorization": f"Bearer {SERVER_KEY}"}


ASK = """
import duckdb, json, sys
with duckdb.connect(sys.argv[1]) as db:
    print(json.dumps([db.execute(query).fetchall() for query in sys.argv[2:]], default=str))
"""


def said(*arguments):
    """What a Python of its own prints: the database library is noisy when pytest ends."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={"TZ": "UTC"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def merchant(database_url):
    with (
        served(database_url) as (core, _),
        httpx.Client(base_url=f"{core}/api/v1", headers=HEADERS, timeout=30) as client,
    ):
        yield Merchant(client)


class Merchant:
    """Sells one plan, by the month for 30.00 and by the year for 120.00, on a test clock."""

    def __init__(self, client):
        self.client = client
        product = self.post("/catalog/products/", name="Orbit", taxCode="saas")["id"]
        self.post("/catalog/plans/", name="Pro", identifier="pro", product=product)
        charges = [
            {"chargePeriod": period, "priceData": {"amount": amount}}
            for period, amount in (("MONTHLY", 30), ("YEARLY", 120))
        ]
        base = {"feature": None, "priceModel": "FLAT", "charges": charges}
        price = {"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": [base]}
        self.post("/catalog/plans/pro/prices/bulk/", prices=[price])
        self.post("/catalog/plans/pro/publish/")
        self.clock = self.post("/test-clocks/", name="data", frozenTime="2026-01-10T00:00:00Z")

    def post(self, path, **body):
        answer = self.client.post(path, json=body)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()

    def advance(self, to):
        self.post(f"/test-clocks/{self.clock['id']}/advance/", frozenTime=f"{to}T00:00:00Z")

    def subscribe(self, customer, period):
        self.post("/customers/", customerId=customer, testClockId=self.clock["id"])
        card = {"number": "4242424242424242", "expMonth": 12, "expYear": 2034, "cvc": "123"}
        self.post("/payment-methods/", customerId=customer, card=card, isDefault=True)
        terms = {"customerId": customer, "planIdentifier": "pro", "chargePeriod": period}
        return self.post("/subscriptions/create/", **terms)["id"]

    def live(self):
        self.subscribe("ada", "MONTHLY")
        self.subscribe("bob", "YEARLY")
        self.advance("2026-02-05")
        leaving = self.subscribe("cyd", "MONTHLY")
        self.advance("2026-03-04")
        self.post(f"/subscriptions/{leaving}/cancel/", cancellationType="IMMEDIATE")
        self.advance("2026-04-15")


def test_the_figures_are_those_of_the_lives(merchant, tmp_path):
    database, picture = tmp_path / "facts.duckdb", tmp_path / "figures.png"
    address = str(merchant.client.base_url).rstrip("/")
    reach = ("--base-url", address, "--server-key", SERVER_KEY, "--database", database)

    def load(*more):
        text = said(ROOT / "examples" / "stream_to_duckdb.py", *reach, *more)
        return int(text.split()[0])

    merchant.live()
    first = load("--picture", picture)
    assert first > 30
    assert picture.stat().st_size > 10_000
    assert load() == 0
    merchant.subscribe("dan", "MONTHLY")
    assert 0 < load() < first
    mrr, churn, february = json.loads(
        said(
            *("-c", ASK, database),
            "select day, mrr_units, subscriptions from mrr",
            "select day, began, gone, percent from churn",
            "select age, percent from retention where cohort = '2026-02-01'",
        )
    )
    assert mrr == [
        ["2026-01-31", 4000, 2],
        ["2026-02-28", 7000, 3],
        ["2026-03-31", 4000, 2],
        ["2026-04-30", 7000, 3],
    ]
    assert churn == [
        ["2026-02-28", 2, 0, 0.0],
        ["2026-03-31", 3, 1, 33.3],
        ["2026-04-30", 2, 0, 0.0],
    ]
    assert february == [[0, 100.0], [1, 0.0], [2, 0.0]]


def test_before_anybody_pays_there_is_nothing_to_draw(merchant, tmp_path):
    address = str(merchant.client.base_url).rstrip("/")
    reach = ("--base-url", address, "--server-key", SERVER_KEY)
    files = ("--database", tmp_path / "facts.duckdb", "--picture", tmp_path / "figures.png")
    assert "nothing drawn" in said(ROOT / "examples" / "stream_to_duckdb.py", *reach, *files)
    assert not (tmp_path / "figures.png").exists()


def test_the_ten_lines_of_the_page_follow_the_stream(merchant, monkeypatch):
    [snippet] = [text.split("```")[0] for text in PAGE.split("```python\n")[1:] if "urllib" in text]
    assert len(snippet.strip().splitlines()) <= 12
    address = str(merchant.client.base_url).rstrip("/")
    told = []

    class Enough(Exception):
        """All that the test waits for has been printed."""

    def tell(*words):
        told.append(words)
        if words[1] == "customer.created.v2":
            raise Enough

    monkeypatch.setenv("BILLSTREAM_SERVER_KEY", SERVER_KEY)
    code = compile(snippet.replace("http://localhost:8000/api/v1", address), "page", "exec")
    merchant.subscribe("ada", "MONTHLY")
    with pytest.raises(Enough):
        exec(code, {"print": tell})
    assert told[0][0] == "1"
    assert [int(id_) for id_, *_ in told] == sorted(int(id_) for id_, *_ in told)
