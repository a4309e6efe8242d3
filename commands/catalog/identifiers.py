"""Identifiers of catalog things: given ones are taken as they are, others made from the name."""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from uuid import UUID

from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.fold import Fold


IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9\-_]*")
LONGEST_IDENTIFIER = 100
_NOT_A_WORD = re.compile(r"[^a-z0-9_]+")


def slug_of(name: str, kind: str) -> str:
    """The identifier that a name suggests; the kind's own word when the name has no letters."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = _NOT_A_WORD.sub("-", ascii_name.lower()).strip("-_")
    return slug[:LONGEST_IDENTIFIER].rstrip("-_") or kind


def numbered(slug: str, number: int) -> str:
    """The n-th candidate: ``pro``, ``pro-2``, ``pro-3``."""
    if number == 1:
        return slug
    suffix = f"-{number}"
    return slug[: LONGEST_IDENTIFIER - len(suffix)] + suffix


async def choose_identifier(
    work: UnitOfWork, fold: Fold[Any], given: str | None, name: str
) -> tuple[str, UUID]:
    """The identifier of a new thing and its stream, which is loaded.

    A given one is returned whether it is free or not; one made from the name gets the first suffix
    that is free. Raises InvalidFields when a given one is no slug (wire 1).
    """
    if given is not None:
        _check(given)
        stream = work.natural_id(fold.kind, given)
        await work.load(fold, stream, absent=True)
        return given, stream
    slug, number = slug_of(name, fold.kind), 1
    while True:
        identifier = numbered(slug, number)
        stream = work.natural_id(fold.kind, identifier)
        if await work.load(fold, stream) == fold.initial:
            return identifier, stream
        number += 1


def _check(given: str) -> None:
    if len(given) > LONGEST_IDENTIFIER or IDENTIFIER.fullmatch(given) is None:
        text = (
            "An identifier has lower-case letters, digits, - and _, begins with a letter or digit "
            f"and has at most {LONGEST_IDENTIFIER} characters."
        )
        raise InvalidFields({"identifier": [text]})
