"""The licenses view: who may use what, and the instances that do (wire 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aggregates.license.events import (
    LicenseActivated,
    LicenseDeactivated,
    LicenseDisabled,
    LicenseExpired,
    LicenseExpiryChanged,
    LicenseIssued,
    LicenseKeyRegenerated,
    LicenseLimitChanged,
)
from kernel.ports.event_store import Recorded
from projections import copies, last_seen
from projections.documents import Documents
from projections.reader import Condition, containing, token
from projections.table import Column, Doc, Splice, Table
from projections.view import View
from wire.ids import id_text
from wire.license import InstanceOut, LicenseStatus, instance_out, record_out
from wire.times import instant


STATUSES = tuple(status.value for status in LicenseStatus)
LAST_SEEN = token("last_seen")


def _instance(doc: Doc) -> InstanceOut:
    return instance_out(doc, LAST_SEEN)


LICENSES = Table(
    name="licenses",
    columns=(
        Column("key_id", "uuid"),
        Column("subscription", "uuid"),
        Column("order_id", "uuid"),
        Column("invoice", "uuid"),
        Column("customer_uuid", "uuid"),
        Column("test_clock", "uuid"),
        Column("status"),
        Column("key_number", "integer"),
        Column("customer_id"),
        Column("customer_name"),
        Column("customer_email"),
        Column("plan_identifier"),
    ),
    indexes=(
        "(key_id)",
        "(subscription)",
        "(order_id)",
        "(invoice)",
        "(customer_uuid, created DESC)",
    ),
    buckets=("status",),
    render=record_out,
)
INSTANCES = Table(
    name="license_instances",
    columns=(
        Column("license", "uuid"),
        Column("name"),
        Column("is_active", "boolean"),
        Column("key_number", "integer"),
    ),
    indexes=("(license, created DESC)",),
    render=_instance,
    joins=f"JOIN licenses l ON l.id = t.license {last_seen.JOIN}",
    splices=(Splice(LAST_SEEN, last_seen.COLUMN, last_seen.shown),),
)

view = View("licenses", LICENSES, INSTANCES)
_LOADS = copies.own_and_customer(LICENSES)


def _with_instance(
    recorded: Recorded, fact: LicenseActivated | LicenseDeactivated
) -> Iterable[tuple[Table, Any]]:
    yield from _LOADS(recorded, fact)
    yield (INSTANCES, fact.instance_id)


@view.on(LicenseIssued, loads=_LOADS)
def issued(docs: Documents, recorded: Recorded, fact: LicenseIssued) -> None:
    """A new license; nothing uses it yet."""
    doc: Doc = {
        **copies.head(recorded),
        **copies.sale(docs, recorded, fact.sale),
        "order_id": id_text(fact.order_id),
        "order_number": fact.order_number,
        "invoice": None if fact.invoice_id is None else id_text(fact.invoice_id),
        "key": fact.key,
        "key_id": id_text(fact.key_id),
        "key_number": 1,
        "limit": fact.activation_limit,
        "usage": 0,
        "activated_on": None,
        "expires_at": instant(fact.expires_at),
        "status": LicenseStatus.ACTIVE.value,
        "disabled_reason": None,
    }
    docs.put(LICENSES, recorded.stream, _searchable(doc))


@view.on(LicenseActivated, loads=_with_instance)
def activated(docs: Documents, recorded: Recorded, fact: LicenseActivated) -> None:
    """One more instance; the license keeps when the first one came."""
    at = instant(fact.occurred_at)
    before = docs.get(LICENSES, recorded.stream) or {}
    doc = _change(docs, recorded, usage=fact.usage, activated_on=before["activated_on"] or at)
    instance: Doc = {
        "id": id_text(fact.instance_id),
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "license": id_text(recorded.stream),
        "name": fact.instance_name,
        "metadata": dict(fact.metadata or {}),
        "activated_at": at,
        "deactivated_at": None,
        "is_active": True,
        "key_number": doc["key_number"],
    }
    docs.put(INSTANCES, fact.instance_id, instance)


@view.on(LicenseDeactivated, loads=_with_instance)
def deactivated(docs: Documents, recorded: Recorded, fact: LicenseDeactivated) -> None:
    """The place is free; the row stays, for who asks again."""
    _change(docs, recorded, usage=fact.usage)
    instance = docs.get(INSTANCES, fact.instance_id)
    if instance is None:
        raise LookupError(f"instance {fact.instance_id} is not in the view")
    ended = {"is_active": False, "deactivated_at": instant(fact.occurred_at)}
    docs.put(INSTANCES, fact.instance_id, {**instance, **ended})


@view.on(LicenseLimitChanged, loads=_LOADS)
def limit_changed(docs: Documents, recorded: Recorded, fact: LicenseLimitChanged) -> None:
    """Another limit."""
    _change(docs, recorded, limit=fact.activation_limit)


@view.on(LicenseExpiryChanged, loads=_LOADS)
def expiry_changed(docs: Documents, recorded: Recorded, fact: LicenseExpiryChanged) -> None:
    """Another end; an expired license is back."""
    _change(docs, recorded, expires_at=instant(fact.expires_at), status=LicenseStatus.ACTIVE.value)


@view.on(LicenseExpired, loads=_LOADS)
def expired(docs: Documents, recorded: Recorded, fact: LicenseExpired) -> None:
    """Its time is over."""
    del fact
    _change(docs, recorded, status=LicenseStatus.EXPIRED.value)


@view.on(LicenseDisabled, loads=_LOADS)
def disabled(docs: Documents, recorded: Recorded, fact: LicenseDisabled) -> None:
    """No access any more."""
    reason = fact.reason.value
    _change(docs, recorded, status=LicenseStatus.DISABLED.value, disabled_reason=reason)


@view.on(LicenseKeyRegenerated, loads=_LOADS)
def key_regenerated(docs: Documents, recorded: Recorded, fact: LicenseKeyRegenerated) -> None:
    """Another key; instances of an earlier one count no more."""
    another = {"key": fact.key, "key_id": id_text(fact.key_id), "key_number": fact.number}
    _change(docs, recorded, usage=0, **another)


def of_customer(customer: object) -> Condition:
    """The licenses of one customer, by the internal id."""
    return Condition("t.customer_uuid = %s", (customer,))


def of_subscription(subscription: object) -> Condition:
    """The license of one subscription."""
    return Condition("t.subscription = %s", (subscription,))


def with_key(key_id: object) -> Condition:
    """The license whose present key this is."""
    return Condition("t.key_id = %s", (key_id,))


def matching(text: str) -> Condition:
    """Plan, customer name, email or customerId contains the text, without case."""
    customer = ("t.customer_name", "t.customer_email", "t.customer_id")
    return containing(text, "t.plan_identifier", *customer)


def used_by(license_id: object) -> tuple[Condition, ...]:
    """The instances that use a license with its present key."""
    present = "t.is_active AND t.key_number = l.key_number"
    return (Condition("t.license = %s", (license_id,)), Condition(present))


def _change(docs: Documents, recorded: Recorded, **changes: Any) -> Doc:
    doc = copies.touch(LICENSES, docs, recorded, **changes)
    docs.put(LICENSES, recorded.stream, _searchable(doc))
    return doc


def _searchable(doc: Doc) -> Doc:
    known = doc["customer"]
    words = {f"customer_{word}": known[word] for word in ("name", "email")}
    plan = {"plan_identifier": doc["plan"]["identifier"]}
    return {**doc, **words, **plan, "customer_id": known["customer_id"]}
