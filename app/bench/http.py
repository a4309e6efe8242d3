"""The HTTP paths of design 14, each beside its reference in the same run."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg.conninfo import make_conninfo

from adapters.database import open_database
from adapters.postgres_folder import Folder
from app.bench.load import Request, drive
from app.bench.report import Row
from app.bench.servers import Served, process, up
from app.data_dir import DataDir
from app.wiring import prepare
from kernel.tenant import Environment


CLIENTS = 32
API = "/api/v1"
PLAN = "bench-plan"
CARD = "tok_visa"


def measure(seconds: float) -> Iterator[Row]:
    """All HTTP paths, one after the other."""
    with up() as served:
        appended = _reference(served, "append", APPEND, seconds)
        yield _row("POST /customers/", served, [_create_customer(served)], seconds, appended, 0.5)
        prepare_sales(served)
        customers = [f"buyer-{number}" for number in range(CLIENTS)]
        subscribe = [create_subscription(served, customer) for customer in customers]
        yield _row("POST /subscriptions/create/", served, subscribe, seconds, appended, 0.12)
        queried = _reference(served, "query", QUERY, seconds)
        one = [_get(served, f"/customers/{customer}/") for customer in customers]
        yield _row("GET /customers/{id}/", served, one, seconds, queried, 1.2)
        listed = [_get(served, "/customers/?page_size=10")]
        yield _row("GET /customers/ (page 1)", served, listed, seconds, queried, None)
        plain = _reference(served, "plain", PLAIN, seconds)
        checks = [_get(served, f"/entitlements?customer_id={customer}") for customer in customers]
        edge = drive(served.edge, checks, clients=CLIENTS, seconds=seconds)
        yield Row(
            name="GET edge /entitlements",
            unit="req/s",
            measured=edge.rate,
            reference_name=plain[0],
            reference=plain[1],
            target=0.6,
            more=edge.more,
        )


def _row(
    name: str,
    served: Served,
    requests: list[Request],
    seconds: float,
    reference: tuple[str, float],
    target: float | None,
) -> Row:
    seen = drive(served.core, requests, clients=CLIENTS, seconds=seconds)
    return Row(
        name=name,
        unit="req/s",
        measured=seen.rate,
        reference_name=reference[0],
        reference=reference[1],
        target=target,
        more=seen.more,
    )


BODY = '{"customerId":"{unique}","name":"Ada","email":"ada@example.com"}'
APPEND = ("FastAPI + append", Request("POST", "/append/", {}, BODY))
QUERY = ("FastAPI + query", Request("GET", "/row/7/", {}))
PLAIN = ("plain Starlette", Request("GET", "/constant/", {}))


def _reference(
    served: Served, name: str, asked: tuple[str, Request], seconds: float
) -> tuple[str, float]:
    with (
        reference_database(served) as url,
        process(["-m", "app.bench.references", name, url], {}) as said,
    ):
        address = said[-1].removeprefix("ready ")
        seen = drive(address, [asked[1]], clients=CLIENTS, seconds=seconds)
    return asked[0], seen.rate


@contextmanager
def reference_database(served: Served) -> Iterator[str]:
    """A database of its own on the server of the running engine."""
    folder = Folder(DataDir(served.data_dir).postgres)
    url = make_conninfo(folder.url("billstream_sandbox"), dbname="billstream_reference")
    open_database(url, Environment.SANDBOX)
    prepare(url, Environment.SANDBOX)
    yield url


def _create_customer(served: Served) -> Request:
    headers = {**served.headers, "Idempotency-Key": "{unique}"}
    return Request("POST", f"{API}/customers/", headers, BODY)


def create_subscription(served: Served, customer: str) -> Request:
    """A sale of the plan that ``prepare_sales`` published, to one of its customers."""
    body = {"planIdentifier": PLAN, "chargePeriod": "MONTHLY", "customerId": customer}
    headers = {**served.headers, "Idempotency-Key": "{unique}-" + customer}
    return Request("POST", f"{API}/subscriptions/create/", headers, json.dumps(body))


def _get(served: Served, path: str) -> Request:
    return Request("GET", f"{API}{path}", served.headers)


def prepare_sales(served: Served, buyers: int = CLIENTS) -> None:
    """A published plan, and customers with a card each."""
    prepare_catalog(served)
    for number in range(buyers):
        call(served, "/customers/", {"customerId": f"buyer-{number}"})
        card = {"customerId": f"buyer-{number}", "token": CARD, "isDefault": True}
        call(served, "/payment-methods/", card)


def prepare_catalog(served: Served) -> None:
    """One published plan."""
    product = call(served, "/catalog/products/", {"name": "Bench", "taxCode": "saas"})
    feature = {"identifier": "bench-sso", "name": "SSO", "featureType": "BOOLEAN"}
    granted = {"feature": call(served, "/catalog/features/", feature)["id"]}
    plan = {"identifier": PLAN, "name": "Bench", "product": product["id"]}
    call(served, "/catalog/plans/", plan)
    charge = {"chargePeriod": "MONTHLY", "priceData": {"amount": "10.00"}}
    price = {"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": [{"charges": [charge]}]}
    call(served, f"/catalog/plans/{PLAN}/prices/bulk/", {"prices": [price]})
    entitlements = {"planEntitlements": [{**granted, "details": {"value": True}}]}
    call(served, f"/catalog/plans/{PLAN}/features/", entitlements)
    call(served, f"/catalog/plans/{PLAN}/publish/", {})


def call(served: Served, path: str, body: dict[str, Any], *, method: str = "POST") -> Any:
    """One write to the running engine."""
    request = urllib.request.Request(  # noqa: S310 - our own server on loopback
        f"{served.core}{API}{path}",
        json.dumps(body).encode(),
        {**served.headers, "Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=600) as answer:  # noqa: S310 - as above
        return json.load(answer)
