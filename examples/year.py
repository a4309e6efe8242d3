"""A year in the life of 200 customers, lived over plain HTTP and then checked to the last cent.

    python examples/year.py --base-url http://localhost:8000/api/v1 --server-key KEY

Loads the catalog beside this file, creates customers on a test clock, lets them pay, fail, recover,
leave and come back, and moves the clock through a whole year. Two webhook endpoints listen
and verify every signature. At the end everything that each customer should have paid is computed
anew, from what was done, and compared with the invoices, the transactions and the webhooks. Any
difference makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from year_cast import cast
from year_catalog import load_catalog
from year_client import Client, Refused
from year_lives import Accountant, Expected, Life, Offer, Step
from year_receiver import Inbox, Receiver


FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2026, 1, 1, tzinfo=UTC)
SIDE_BY_SIDE = 8
DELIVERY_SECONDS = 90.0
INVOICE_KINDS = ("invoice.created", "invoice.paid")


def iso(at: datetime) -> str:
    """An instant as the API wants it."""
    return at.isoformat().replace("+00:00", "Z")


def instant(text: str) -> datetime:
    """An instant as the API gives it, to the second."""
    return datetime.fromisoformat(text).replace(microsecond=0)


class Year:
    """Drives the service through the year."""

    def __init__(self, client: Client, lives: Sequence[Life]) -> None:
        """Take who lives."""
        self.client = client
        self.lives = lives
        self.clock = ""
        self.run = f"{time.time_ns():x}"
        for life in lives:
            life.customer = f"{life.customer}-{self.run}"

    def live(self) -> None:
        """All starts and steps in order, the clock moved to each, then to the end of the year."""
        body = {"name": f"year {self.run}", "frozenTime": iso(FIRST_DAY)}
        self.clock = self.client.post("/test-clocks/", body)["id"]
        moments: dict[datetime, list[Callable[[], None]]] = defaultdict(list)
        for life in self.lives:
            moments[life.start].append(lambda life=life: self._begin(life))
            for step in life.steps:
                moments[step.at].append(lambda life=life, step=step: self._step(life, step))
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            for at in sorted(moments):
                self._advance(at)
                for done in [pool.submit(act) for act in moments[at]]:
                    done.result()
        self._advance(LAST_INSTANT)

    def _advance(self, to: datetime) -> None:
        self.client.post(f"/test-clocks/{self.clock}/advance/", {"frozenTime": iso(to)})

    def _begin(self, life: Life) -> None:
        self.client.post(
            "/customers/",
            {
                "customerId": life.customer,
                "name": life.customer.title(),
                "email": f"{life.customer}@example.com",
                "billingAddress": {"country": "US"},
                "testClockId": self.clock,
            },
        )
        if life.card:
            self._save(life.customer, life.card)
        offer = life.offer
        features = []
        if offer.seat_feature:
            features = [{"identifier": offer.seat_feature, "quantity": life.seats}]
        created = self.client.post(
            "/subscriptions/create/",
            {
                "planIdentifier": offer.plan,
                "chargePeriod": offer.period,
                "customerId": life.customer,
                "currencyCode": offer.currency,
                "features": features,
            },
        )
        life.subscription = created["id"]

    def _save(self, customer: str, card: str) -> None:
        """The new card is the only one: what a subscription was sold on goes first otherwise."""
        old = list(self.client.every("/payment-methods/", customer_id=customer))
        body = {"customerId": customer, "token": card, "isDefault": True}
        self.client.post("/payment-methods/", body)
        for method in old:
            self.client.delete(f"/payment-methods/{method['id']}/")

    def _step(self, life: Life, step: Step) -> None:
        path = f"/subscriptions/{life.subscription}"
        try:
            if step.action == "card":
                self._save(life.customer, step.detail)
            elif step.action == "reactivate":
                self.client.post(f"{path}/reactivate/", {})
            else:
                self.client.post(f"{path}/cancel/", cancellation(step.detail))
        except Refused as refused:
            if Accountant(life, step.at).account().status not in ENDED and life.offer.plan:
                raise Refused(f"{life.customer}: {refused}") from refused


ENDED = {"canceled", "incomplete_expired", "incomplete"}


def cancellation(detail: str) -> dict[str, str]:
    """The body of a cancellation: a type, or the day of a SPECIFIC_DATE."""
    feedback = {"cancellationFeedback": "TOO_EXPENSIVE"}
    if detail[:1].isdigit():
        return {"cancellationType": "SPECIFIC_DATE", "cancellationDate": detail, **feedback}
    return {"cancellationType": detail, **feedback}


class Audit:
    """Compares what should be with what the API and the webhooks say."""

    def __init__(self, client: Client, receiver: Receiver) -> None:
        """Collect differences as they are found."""
        self.client = client
        self.receiver = receiver
        self.differences: list[str] = []
        self.rows: Counter[tuple[str, str, str]] = Counter()

    def check(self, lives: Iterable[Life]) -> None:
        """One life after the other."""
        everyone = list(lives)
        expected = {life.customer: Accountant(life, LAST_INSTANT).account() for life in everyone}
        self._wait_for_webhooks(expected)
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            for _ in pool.map(lambda life: self._life(life, expected[life.customer]), everyone):
                pass
        for inbox in self.receiver.inboxes.values():
            self._inbox(inbox, everyone, expected)

    def _life(self, life: Life, expected: Expected) -> None:
        record = self.client.get(f"/subscriptions/{life.subscription}/")
        self._same(life, "status", expected.status, record["status"])
        invoices = list(self.client.every("/invoices/", customer_id=life.customer))
        theirs = sorted(
            (instant(one["createdOn"]), one["amountTotalUnits"], paid(one)) for one in invoices
        )
        ours = sorted((bill.created, bill.units, bill.paid_at) for bill in expected.bills)
        self._same(life, "invoices", sorted(map(str, ours)), sorted(map(str, theirs)))
        self._transactions(life, expected)
        kind = f"{life.offer.plan} {life.offer.period.lower()}"
        self.rows[(kind, life.offer.currency, "customers")] += 1
        self.rows[(kind, life.offer.currency, "invoices")] += len(invoices)
        self.rows[(kind, life.offer.currency, "expected")] += expected.paid_units
        self.rows[(kind, life.offer.currency, "collected")] += sum(
            one["amountTotalUnits"] for one in invoices if one["status"] == "PAID"
        )

    def _transactions(self, life: Life, expected: Expected) -> None:
        found = list(self.client.every("/transaction/", search=life.customer))
        scale = 10**life.offer.exponent
        units = sum(
            round(one["amountTotal"] * scale) for one in found if one["status"] == "success"
        )
        self._same(life, "charged", expected.paid_units, units)
        failures = sum(bill.failures for bill in expected.bills)
        self._same(life, "failures", failures, sum(one["status"] == "failure" for one in found))
        for one in found:
            net = round((one["amountTotal"] - one["morFee"] - one["collectedTax"]) * scale)
            if one["status"] == "success":
                self._same(life, "net payout", net, round(one["netPayout"] * scale))

    def _inbox(self, inbox: Inbox, lives: Sequence[Life], expected: dict[str, Expected]) -> None:
        if inbox.refused:
            self.differences.append(f"{inbox.scheme}: {len(inbox.refused)} bad signatures")
        paid_bodies = inbox.by_customer("invoice.paid")
        for life in lives:
            told = sum(body["amount_total_units"] for body in paid_bodies[life.customer])
            self._same(life, f"{inbox.scheme} webhooks", expected[life.customer].paid_units, told)
        ended = inbox.by_customer("subscription.cancelled")
        for life in lives:
            over = int(expected[life.customer].status == "canceled")
            self._same(life, f"{inbox.scheme} ends", over, len(ended[life.customer]))

    def _wait_for_webhooks(self, expected: dict[str, Expected]) -> None:
        """Until both endpoints have been told of every bill, or for too long."""
        created = sum(len(one.bills) for one in expected.values())
        paid_bills = sum(
            bool(bill.paid_at) or not bill.units for one in expected.values() for bill in one.bills
        )
        wanted = dict(zip(INVOICE_KINDS, (created, paid_bills), strict=True))
        give_up = time.monotonic() + DELIVERY_SECONDS
        while time.monotonic() < give_up:
            if all(
                inbox.count(kind) >= number
                for inbox in self.receiver.inboxes.values()
                for kind, number in wanted.items()
            ):
                return
            time.sleep(0.05)

    def _same(self, life: Life, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self.differences.append(
                f"{life.customer} ({life.offer.plan} {life.offer.period}): {what}: "
                f"expected {expected}, found {found}"
            )

    def table(self) -> str:
        """What was collected per plan, period and currency."""
        kinds = sorted({(kind, currency) for kind, currency, _ in self.rows})
        line = "{:<34} {:>4} {:>9} {:>8} {:>12} {:>12}"
        lines = [line.format("plan", "", "customers", "invoices", "expected", "collected")]
        for kind, currency in kinds:
            row = {name: self.rows[(kind, currency, name)] for name in COLUMNS}
            lines.append(line.format(kind, currency, *row.values()))
        return "\n".join(lines)


__all__ = ["Offer", "main"]

COLUMNS = ("customers", "invoices", "expected", "collected")


def paid(invoice: dict[str, Any]) -> datetime | None:
    """When an invoice was paid; a total of zero needs no payment."""
    if invoice["status"] != "PAID" or not invoice["amountTotalUnits"]:
        return None
    return instant(invoice["paidAt"])


def subscribe(client: Client, receiver: Receiver) -> list[str]:
    """One endpoint per signature scheme, for everything."""
    made = []
    for name, inbox in receiver.inboxes.items():
        body = {"url": receiver.url(name), "events": ["*"], "enabled": True}
        created = client.post("/webhook/endpoints/", {**body, "signatureScheme": inbox.scheme})
        inbox.secret = created["secret"]
        made.append(created["id"])
    return made


def main() -> int:
    """Live the year, audit it, say what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base-url", default="http://localhost:8000/api/v1")
    parser.add_argument("--server-key", required=True)
    parser.add_argument("--customers", type=int, default=200)
    asked = parser.parse_args()
    client = Client(asked.base_url, asked.server_key)
    receiver = Receiver()
    begun = time.monotonic()
    offers = load_catalog(client)
    subscribe(client, receiver)
    lives = cast(offers, FIRST_DAY, asked.customers)
    Year(client, lives).live()
    lived = time.monotonic()
    audit = Audit(client, receiver)
    audit.check(lives)
    events = {name: len(inbox.events) for name, inbox in receiver.inboxes.items()}
    receiver.close()
    client.close()
    print(audit.table())
    print(f"\n{len(lives)} customers lived a year in {lived - begun:.1f} s; webhooks: {events}")
    for difference in audit.differences[:50]:
        print("DIFFERENCE", difference)
    print(f"{len(audit.differences)} differences in {time.monotonic() - begun:.1f} s")
    return 1 if audit.differences else 0


if __name__ == "__main__":
    sys.exit(main())
