"""The balances view: what each customer has to the good or owes, per currency (design 7, 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aggregates.balance.events import BalanceChanged
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.invoices import INVOICES
from projections.reader import Condition
from projections.table import Column, Doc, Table
from projections.view import View
from wire.balance import balance_out, entry_out
from wire.ids import id_text
from wire.times import instant


BALANCES = Table(
    name="balances",
    columns=(Column("customer_uuid", "uuid"), Column("currency")),
    indexes=("(customer_uuid)",),
    render=balance_out,
)
BALANCE_ENTRIES = Table(
    name="balance_entries",
    key="bigint",
    columns=(Column("customer_uuid", "uuid"),),
    indexes=("(customer_uuid, created DESC)",),
    render=entry_out,
)

view = View("balances", BALANCES, BALANCE_ENTRIES)


def _loads(recorded: Recorded, fact: BalanceChanged) -> Iterable[tuple[Table, Any]]:
    own = ((BALANCES, recorded.stream),)
    return own if fact.invoice_id is None else (*own, (INVOICES, fact.invoice_id))


@view.on(BalanceChanged, loads=_loads)
def changed(docs: Documents, recorded: Recorded, fact: BalanceChanged) -> None:
    """One more entry, and the balance after it."""
    invoice = None if fact.invoice_id is None else docs.get(INVOICES, fact.invoice_id)
    head = {
        "organization": id_text(recorded.organization),
        "customer_uuid": id_text(fact.customer),
        "currency": fact.balance.currency,
        "balance_units": fact.balance.units,
    }
    entry: Doc = {
        **head,
        "id": recorded.position,
        "created": recorded.position,
        "amount_units": fact.amount.units,
        "reason": fact.reason.value,
        "invoice_number": None if invoice is None else invoice["number"],
        "note": fact.note,
        "created_on": instant(fact.occurred_at),
    }
    docs.put(BALANCE_ENTRIES, recorded.position, entry)
    began = docs.get(BALANCES, recorded.stream) or {"created": recorded.position}
    balance: Doc = {**head, "id": id_text(recorded.stream), "created": began["created"]}
    docs.put(BALANCES, recorded.stream, balance)


def of_customer(customer: object) -> Condition:
    """Balances or entries of one customer, by the customer's internal id."""
    return Condition("t.customer_uuid = %s", (customer,))
