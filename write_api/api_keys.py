"""Writes about API keys (design 12)."""

from __future__ import annotations

import secrets
from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from aggregates.api_key.secret import keep, spell
from commands.api_keys.change_key import ChangeKey
from commands.api_keys.issue_key import IssueKey
from commands.api_keys.revoke_key import RevokeKey
from projections.api_keys import API_KEYS
from projections.table import Doc
from wire.api_key import ApiKeyChangesIn, ApiKeyIn
from write_api import answers
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/organizations/keys", tags=["Organization"])


@router.post("/", status_code=201)
async def issue(body: ApiKeyIn, write: ServerWrite) -> Response:
    """Hand out a key; this answer alone shows it."""
    key = spell(body.kind, write.tenant.environment, secrets.token_bytes(32))
    command = IssueKey(kind=body.kind, kept=keep(key), name=body.name, expires_at=body.expires_at)
    return await write(command, _with_key(key), secret=True)


@router.patch("/{key_id}/")
async def change(key_id: UUID, body: ApiKeyChangesIn, write: ServerWrite) -> Response:
    """Rename a key, or let it end at another time."""
    changes = {name: getattr(body, name) for name in body.model_fields_set}
    if changes.get("name", "") is None:
        del changes["name"]
    return await write(ChangeKey(key_id=key_id, changes=changes), answers.row(API_KEYS, key_id))


@router.delete("/{key_id}/", status_code=204)
async def revoke(key_id: UUID, write: ServerWrite) -> Response:
    """End a key for good, within a second everywhere."""
    return await write(RevokeKey(key_id=key_id), answers.nothing())


def _with_key(key: str) -> Answer:
    async def answer(done: Done) -> Response:
        body = await done.reader.find(API_KEYS, done.tenant, done.stream)
        if body is None:
            raise answers.ViewsBehind
        shown = {**msgspec.json.decode(body, type=Doc), "key": key if done.fresh else None}
        return Response(msgspec.json.encode(shown), 201, media_type="application/json")

    return answer
