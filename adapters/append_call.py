"""The call of append_commands: its text, the batch it takes and the answers it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

from adapters.batch import Packed
from kernel.ports.event_store import ClaimTaken, IdempotencyKeyTaken, Receipt, VersionConflict


MOST_FACTS = 1000
MOST_BYTES = 400_000
APPEND: LiteralString = (
    "select base, at, refused, reasons, taken from append_commands("
    "%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,"
    " %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
SETTINGS: LiteralString = (
    # The planner has no statistics of a young table; every look-up here is by a unique index.
    "select set_config('statement_timeout', '5s', false),"
    " set_config('enable_seqscan', 'off', false),"
    " set_config('jit', 'off', false), set_config('timezone', 'UTC', false),"
    # Behind the lock each statement must see what was committed while it was waited for.
    " set_config('default_transaction_isolation', 'read committed', false)"
)


FIND_FACT: LiteralString = (
    "select position, recorded_at from events"
    " where stream = %s and version = %s and command_id = %s"
)
FIND_REQUEST: LiteralString = (
    "select position + 1, created_at from idempotency"
    " where organization = %s and key = %s and command_id = %s"
)
FIND_CLAIM: LiteralString = (
    "select coalesce(l.position, 0) + 1, coalesce(l.recorded_at, now()) from (select) one left join"
    " (select position, recorded_at from events order by position desc limit 1) l on true"
    " where exists (select from claims where claim = any(%s) and command_id = %s)"
)


class KeyRacedError(Exception):
    """Another process made the owner's data key first: seal again with that one."""


def take(waiting: list[Packed]) -> list[int]:
    """The next batch: in order, capped, no stream both written by one and used by another.

    So at most one command per stream is in flight; a chained command cannot be accepted after
    the one before it was refused.
    """
    chosen: list[int] = []
    writes: set[object] = set()
    reads: set[object] = set()
    facts = size = 0
    for i, packed in enumerate(waiting):
        facts += len(packed.facts)
        size += packed.size
        if chosen and (facts > MOST_FACTS or size > MOST_BYTES or i >= 4 * MOST_FACTS):
            break
        expects = packed.expects.keys()
        if (
            writes.isdisjoint(packed.writes)
            and writes.isdisjoint(expects)
            and reads.isdisjoint(packed.writes)
        ):
            chosen.append(i)
        writes |= packed.writes
        reads |= expects - packed.writes
    return chosen


def answers_of(
    batch: Sequence[Packed], row: tuple[Any, ...] | None
) -> Sequence[Receipt | BaseException]:
    """A receipt or a refusal for each command, from the row that append_commands returned."""
    if row is None:
        raise AssertionError("append_commands answers with one row")
    base, at, refused, reasons, taken = row
    refusals = _refusals(refused, reasons, taken)
    answers: list[Receipt | BaseException] = []
    offset = base
    for i, packed in enumerate(batch, 1):
        size = len(packed.facts)
        first, last = (offset + 1, offset + size) if size else (base + 1, base)
        answers.append(refusals[i] if i in refusals else Receipt(first, last, at))
        offset += size
    return answers


def find_append(packed: Packed) -> tuple[LiteralString, tuple[Any, ...]]:
    """The query for first position and time of a command that is in the log already."""
    command = packed.command
    if packed.facts:
        stream, version = packed.facts[0][:2]
        return FIND_FACT, (stream, version, command.command_id)
    if row := command.idempotency:
        return FIND_REQUEST, (command.organization, row.key, command.command_id)
    return FIND_CLAIM, (list(command.claims), command.command_id)


def _refusals(refused: list[int], reasons: list[str], taken: list[Any]) -> dict[int, BaseException]:
    """Why each refused command of a batch is refused: what can be cured by deciding anew, first."""
    why: dict[int, set[str]] = {}
    claims: dict[int, list[Any]] = {}
    for i, reason, claim in zip(refused, reasons, taken, strict=True):
        why.setdefault(i, set()).add(reason)
        if claim is not None:
            claims.setdefault(i, []).append(claim)
    return {i: _refusal(reasons, claims.get(i, [])) for i, reasons in why.items()}


def _refusal(reasons: set[str], claims: list[Any]) -> BaseException:
    if "idempotency" in reasons:
        return IdempotencyKeyTaken()
    if "version" in reasons:
        return VersionConflict()
    if "key" in reasons:
        return KeyRacedError()
    return ClaimTaken(claims)
