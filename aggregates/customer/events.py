"""What happens to a customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from kernel.personal import Personal
from kernel.postal import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerCreated:
    """A customer is known under the merchant's own id, which is never given again."""

    customer_id: str
    name: Personal[str | None] = None
    email: Personal[str | None] = None
    billing_address: Personal[Address | None] = None
    tax_id: Personal[str | None] = None
    metadata: Personal[Mapping[str, Any] | None] = None
    test_clock: UUID | None = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerDetailsChanged:
    """The customer's details as they are from now on; metadata is replaced as a whole."""

    name: Personal[str | None] = None
    email: Personal[str | None] = None
    billing_address: Personal[Address | None] = None
    tax_id: Personal[str | None] = None
    metadata: Personal[Mapping[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerArchived:
    """The customer can no longer buy; the id stays taken for ever."""

    occurred_at: datetime


CustomerEvent = CustomerCreated | CustomerDetailsChanged | CustomerArchived
