"""Subscriptions, invoices and payment methods in the words of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aggregates.subscription.events import GIVE_ACCESS
from kernel.interval import INTERVALS, ChargePeriod
from pages.recurring import every
from wire.brands import brand
from wire.language import Language
from wire.times import parse


TONES = {
    "active": "good",
    "trialing": "good",
    "past_due": "bad",
    "paused": "info",
    "incomplete": "bad",
    "canceled": "quiet",
    "PAID": "good",
    "OPEN": "info",
    "PAYMENT_FAILED": "bad",
}
LIVE = frozenset({"active", "trialing", "past_due", "paused"})
CHANGEABLE = frozenset({"active", "trialing", "past_due"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A subscription as the record says it, and what its customer may do about it."""

    record: Mapping[str, Any]
    speaks: Language

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.record["id"])

    @property
    def title(self) -> str:
        """Product and plan, without saying one word twice."""
        product, plan = self.record["product"]["name"], self.record["plan"]["name"]
        return plan if plan.casefold().startswith(product.casefold()) else f"{product} {plan}"

    @property
    def is_live(self) -> bool:
        """It has begun and has not ended."""
        return self.record["status"] in LIVE

    @property
    def gives_access(self) -> bool:
        """What was bought may be used now (design 13: Access)."""
        return self.record["status"] in GIVE_ACCESS

    @property
    def files(self) -> list[dict[str, Any]]:
        """The files that its customer may have now."""
        every: list[dict[str, Any]] = self.record["files"]
        return [file for file in every if file["enabled"]] if self.gives_access else []

    @property
    def recurs(self) -> bool:
        """It is billed again and again."""
        return bool(self.record["billingType"] == "SUBSCRIPTION")

    @property
    def is_ending(self) -> bool:
        """Its end is scheduled."""
        return self.is_live and self.record["canceledAt"] is not None

    @property
    def tone(self) -> str:
        """The color of its badge."""
        return "info" if self.is_ending else TONES[self.record["status"]]

    @property
    def status(self) -> str:
        """Its state in a word or two."""
        return self.speaks.say(self._status_key)

    @property
    def _status_key(self) -> str:
        if self.is_ending:
            return "portal_status.ending"
        if not self.recurs and self.record["status"] == "active":
            return "portal_status.bought"
        return f"portal_status.{self.record['status']}"

    @property
    def price(self) -> str:
        """What a period costs, and how often."""
        amount = self.speaks.price(self.record["amount"], self.record["currency"].upper())
        return every(
            self.speaks, amount, self.record["recurrenceUnit"], self.record["recurrenceType"]
        )

    @property
    def period(self) -> ChargePeriod:
        """How often it is billed."""
        count, unit = self.record["recurrenceUnit"], self.record["recurrenceType"]
        known = ((p, (i.count, i.unit.value)) for p, i in INTERVALS.items())
        return next((p for p, words in known if words == (count, unit)), ChargePeriod.ONE_TIME)

    @property
    def next_step(self) -> str:
        """What happens next, and when; empty when nothing will."""
        say, record = self.speaks.say, self.record
        if self.is_ending or record["status"] == "canceled":
            key = "portal_next.ends" if self.is_ending else "portal_next.ended"
            return say(key, day=self._day(record["endDate"]))
        if record["status"] == "paused":
            return say("portal_next.resumes", day=self._day(record["resumesAt"]))
        if record["status"] == "incomplete":
            return say("portal_next.pay")
        if record["nextInvoiceDate"] is None:
            return ""
        key = {"trialing": "portal_next.trial", "past_due": "portal_next.overdue"}.get(
            record["status"], "portal_next.renews"
        )
        return say(key, day=self._day(record["nextInvoiceDate"]))

    @property
    def ends_on(self) -> str:
        """The day on which access would end if it were canceled now."""
        return self._day(self.record["billingPeriodEndTime"])

    @property
    def is_free(self) -> bool:
        """Nothing is paid for it."""
        return not self.recurs and not any(digit in self.record["amount"] for digit in "123456789")

    @property
    def may_change(self) -> bool:
        """Another plan may be chosen."""
        status = self.record["status"]
        return (self.recurs and status in CHANGEABLE) or (self.is_free and status == "active")

    @property
    def may_leave(self) -> bool:
        """It can be canceled."""
        return self.is_live and self.recurs and not self.is_ending

    @property
    def may_return(self) -> bool:
        """The customer canceled it and may take that back."""
        return self.is_ending and self.record["cancellationReason"] == "CANCELLED_BY_CUSTOMER"

    def _day(self, text: str | None) -> str:
        return "" if text is None else day(self.speaks, text)


def day(speaks: Language, text: str) -> str:
    """A day or an instant of the wire as the language writes it."""
    at = parse(text)
    return speaks.day(at if at.tzinfo else at.replace(tzinfo=UTC))


def invoice_shown(speaks: Language, body: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the list of invoices."""
    status = body["status"]
    failed = status != "PAID" and body["failureDetails"] is not None
    return {
        "number": body["id"],
        "title": f"{body['product']['name']} {body['plan']['name']}",
        "day": day(speaks, body["createdOn"]),
        "amount": speaks.price(body["amountTotal"], body["currency"].upper()),
        "status": speaks.say(f"portal_invoice.{'PAYMENT_FAILED' if failed else status}"),
        "tone": TONES["PAYMENT_FAILED" if failed else status],
        "link": body["paymentLink"],
    }


def method_shown(body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """A saved payment method: what it is called, and until when it is good."""
    data = body["methodData"]
    expires = (data.get("expYear"), data.get("expMonth"))
    return {
        "number": body["id"],
        "name": brand(data.get("brand") or body["methodType"]),
        "last4": data.get("last4") or "",
        "expiry": f"{expires[1]:02d}/{expires[0] % 100:02d}" if all(expires) else "",
        "expired": all(expires) and expires < (now.year, now.month),
        "is_default": body["isDefault"],
    }
