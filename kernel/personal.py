"""The marker of personal fields: never in clear in the log (design 4).

``name: Personal[str | None] = None`` in a fact: the codec seals the field with the data key of the
fact's owner. Once that key is gone the field reads as its default, so it must have one.
"""

from __future__ import annotations

from typing import Annotated, TypeVar


T = TypeVar("T")


class PersonalMarker:
    """The annotation that the codec looks for."""


PERSONAL = PersonalMarker()
Personal = Annotated[T, PERSONAL]
