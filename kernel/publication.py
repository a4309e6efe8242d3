"""Where something that merchants publish is in its life (wire 5.2: active, archived, draft)."""

from __future__ import annotations

from enum import StrEnum


class Publication(StrEnum):
    """A draft is seen by the merchant alone; what is archived is never used again."""

    DRAFT = "draft"
    ACTIVE = "active"
    ARCHIVED = "archived"
