"""Finds licenses by their key or id, in the caller's own organization only (wire 3)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer.state import CUSTOMER, Customer
from aggregates.license.events import LicenseIssued
from aggregates.license.refusals import LicenseNotFound, UnknownLicenseKey
from aggregates.license.state import LICENSE, License
from aggregates.license_key.state import LICENSE_KEY
from commands.billing.licensing import key_stream
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Held:
    """A license with the customer who has it."""

    state: License
    issued: LicenseIssued
    customer: Customer


async def by_key(work: UnitOfWork, key: str) -> Held:
    """The license whose present key this is. Raises UnknownLicenseKey."""
    key_id = key_stream(work, key)
    known = await work.load(LICENSE_KEY, key_id)
    if known.license_id is None:
        raise UnknownLicenseKey
    held = await by_id(work, known.license_id)
    if held.state.key_id != key_id:
        raise UnknownLicenseKey
    return held


async def by_id(work: UnitOfWork, license_id: UUID) -> Held:
    """A license of this organization. Raises LicenseNotFound."""
    state = await work.load(LICENSE, license_id)
    if state.issued is None:
        raise LicenseNotFound
    owner = state.issued.sale.customer
    customer = await work.load(CUSTOMER, owner, guard=False)
    if work.natural_id("customer", customer.customer_id) != owner:
        raise LicenseNotFound
    return Held(state, state.issued, customer)
