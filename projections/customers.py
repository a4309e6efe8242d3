"""The customers view: who there is, as listed, found and copied into other records."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aggregates.customer.events import CustomerArchived, CustomerCreated, CustomerDetailsChanged
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.reader import Condition, containing
from projections.table import Column, Doc, Table
from projections.view import View
from wire.customer import customer_out
from wire.ids import id_text
from wire.times import instant


CUSTOMERS = Table(
    name="customers",
    columns=(
        Column("customer_id"),
        Column("name"),
        Column("email"),
        Column("archived", "boolean"),
        Column("test_clock_id", "uuid"),
    ),
    indexes=(
        "(organization, lower(email), created DESC)",
        "(test_clock_id) WHERE test_clock_id IS NOT NULL",
    ),
    buckets=("archived",),
    render=customer_out,
    visible="NOT t.archived",
)

view = View("customers", CUSTOMERS)


@view.on(CustomerCreated)
def created(docs: Documents, recorded: Recorded, fact: CustomerCreated) -> None:
    """A new row."""
    at = instant(fact.occurred_at)
    head = {
        "id": id_text(recorded.stream),
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "customer_id": fact.customer_id,
        "test_clock_id": None if fact.test_clock is None else id_text(fact.test_clock),
        "archived": False,
        "created_on": at,
        "modified_on": at,
    }
    docs.put(CUSTOMERS, recorded.stream, {**head, **_details(fact)})


@view.on(CustomerDetailsChanged)
def details_changed(docs: Documents, recorded: Recorded, fact: CustomerDetailsChanged) -> None:
    """The new details."""
    changed = {**_details(fact), "modified_on": instant(fact.occurred_at)}
    docs.put(CUSTOMERS, recorded.stream, {**_known(docs, recorded), **changed})


@view.on(CustomerArchived)
def archived(docs: Documents, recorded: Recorded, fact: CustomerArchived) -> None:
    """Out of the lists; the row stays for copies."""
    changed = {"archived": True, "modified_on": instant(fact.occurred_at)}
    docs.put(CUSTOMERS, recorded.stream, {**_known(docs, recorded), **changed})


def matching(text: str) -> Condition:
    """Name, email or customerId contains the text, without case (spec: Customers)."""
    return containing(text, "t.name", "t.email", "t.customer_id")


def _known(docs: Documents, recorded: Recorded) -> Doc:
    doc = docs.get(CUSTOMERS, recorded.stream)
    if doc is None:
        raise LookupError(f"customer {recorded.stream} is not in the view")
    return doc


def _details(fact: CustomerCreated | CustomerDetailsChanged) -> dict[str, Any]:
    address = fact.billing_address
    return {
        "name": fact.name,
        "email": fact.email,
        "billing_address": None if address is None else asdict(address),
        "tax_id": fact.tax_id,
        "metadata": dict(fact.metadata or {}),
    }
