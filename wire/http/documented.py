"""The shapes of answers, for OpenAPI alone: bodies leave as bytes that were rendered before."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from typing_extensions import TypedDict


T = TypeVar("T")
Responses = dict[int | str, dict[str, Any]]


class Page(TypedDict, Generic[T]):
    """One page of a list; ``next`` and ``previous`` are addresses."""

    count: int
    next: str | None
    previous: str | None
    results: list[T]


def gives(shape: Any, status: int = 200) -> Responses:
    """What an operation answers when all is well."""
    return {status: {"model": shape}}
