"""The discounts view: which codes there are, and whether they work (design 13)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from aggregates.discount.events import (
    AppliesTo,
    CatalogName,
    DiscountArchived,
    DiscountCreated,
    DiscountDisabled,
    DiscountEnabled,
    DiscountRedeemed,
    DiscountReleased,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.reader import Condition, token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.discount import discount_out
from wire.times import instant


STATUS = token("discount_status")
ACTIVE, DISABLED, EXPIRED, ARCHIVED = STATUSES = ("active", "disabled", "expired", "archived")
_UNTIL = "until "
"""A standing that time changes: ``until <instant>`` is active before that, then expired."""


def _status(standing: Any, present: Present) -> str:
    if not standing.startswith(_UNTIL):
        return str(standing)
    return ACTIVE if instant(present.now) < standing.removeprefix(_UNTIL) else EXPIRED


def _body(doc: Doc) -> Any:
    return discount_out(doc, status=STATUS)


DISCOUNTS = Table(
    name="discounts",
    columns=(Column("code"), Column("name"), Column("standing")),
    render=_body,
    splices=(Splice(STATUS, "t.standing", _status),),
)

view = View("discounts", DISCOUNTS)


@view.on(DiscountCreated)
def created(docs: Documents, recorded: Recorded, fact: DiscountCreated) -> None:
    """A new code."""
    off = fact.off
    doc: Doc = {
        "id": str(recorded.stream),
        "organization": str(recorded.organization),
        "created": recorded.position,
        "code": fact.code,
        "name": fact.name,
        "percentage_off": off.percentage,
        "amount_off_units": None if off.amount is None else off.amount.units,
        "currency": None if off.amount is None else off.amount.currency,
        "duration": fact.duration.value,
        "cycles": fact.cycles,
        "max_redemptions": fact.max_redemptions,
        "redemption_count": 0,
        "expires_at": instant(fact.expires_at),
        "applies_to": [_row(row) for row in fact.applies_to],
        "enabled": fact.enabled,
        "archived": False,
        "created_on": instant(fact.occurred_at),
        "modified_on": instant(fact.occurred_at),
    }
    docs.put(DISCOUNTS, recorded.stream, {**doc, "standing": _standing(doc)})


@view.on(DiscountRedeemed)
def redeemed(docs: Documents, recorded: Recorded, fact: DiscountRedeemed) -> None:
    """Used once more."""
    _change(docs, recorded, fact.occurred_at, redemption_count=fact.number)


@view.on(DiscountReleased)
def released(docs: Documents, recorded: Recorded, fact: DiscountReleased) -> None:
    """Used once less: the sale never came about."""
    _change(docs, recorded, fact.occurred_at, redemption_count=fact.number)


@view.on(DiscountEnabled)
def enabled(docs: Documents, recorded: Recorded, fact: DiscountEnabled) -> None:
    """The code works again."""
    _change(docs, recorded, fact.occurred_at, enabled=True)


@view.on(DiscountDisabled)
def disabled(docs: Documents, recorded: Recorded, fact: DiscountDisabled) -> None:
    """The code does not work for now."""
    _change(docs, recorded, fact.occurred_at, enabled=False)


@view.on(DiscountArchived)
def archived(docs: Documents, recorded: Recorded, fact: DiscountArchived) -> None:
    """Never to be used again."""
    _change(docs, recorded, fact.occurred_at, archived=True)


def standing(wanted: Sequence[str], now: datetime) -> Condition:
    """The discounts whose status is one of the wanted ones at this instant."""
    until = f"{_UNTIL}{instant(now)}"
    live = (f"t.standing > '{until}'", f"t.standing BETWEEN '{_UNTIL}' AND '{until}'")
    timed = " OR ".join(
        sql for status, sql in zip((ACTIVE, EXPIRED), live, strict=True) if status in wanted
    )
    either = f" OR (t.standing LIKE '{_UNTIL}%%' AND ({timed}))" if timed else ""
    return Condition(f"(t.standing = ANY(%s::text[]){either})", (list(wanted),))


def _change(docs: Documents, recorded: Recorded, at: datetime, **changes: Any) -> None:
    doc = docs.get(DISCOUNTS, recorded.stream)
    if doc is None:
        raise LookupError(f"discount {recorded.stream} is not in the view")
    changed = {**doc, **changes, "modified_on": instant(at)}
    docs.put(DISCOUNTS, recorded.stream, {**changed, "standing": _standing(changed)})


def _standing(doc: Doc) -> str:
    most = doc["max_redemptions"]
    if doc["archived"]:
        return ARCHIVED
    if most is not None and doc["redemption_count"] >= most:
        return EXPIRED
    if not doc["enabled"]:
        return DISABLED
    return f"{_UNTIL}{doc['expires_at']}" if doc["expires_at"] else ACTIVE


def _row(row: AppliesTo) -> Doc:
    return {
        "product": _name(row.product),
        "plan": None if row.plan is None else _name(row.plan),
        "charge_period": None if row.period is None else row.period.value,
    }


def _name(name: CatalogName) -> Doc:
    return {"id": str(name.id), "identifier": name.identifier, "name": name.name}
