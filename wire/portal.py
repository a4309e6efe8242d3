"""Portal sessions as merchants ask for them (wire 20)."""

from __future__ import annotations

from typing_extensions import TypedDict

from wire.base import In
from wire.fields import Identifier


class PortalSessionIn(In):
    """Whom to sign in, by the merchant's own id."""

    customer_id: Identifier


class PortalSessionOut(TypedDict):
    """``?token=`` and the token behind ``customerPortalUrl`` sign in, once and soon.

    ``token`` is null when the answer is asked for again after a day.
    """

    token: str | None
    email: str
    customerPortalUrl: str
