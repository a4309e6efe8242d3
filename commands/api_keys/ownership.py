"""Keys of other organizations do not exist for a caller."""

from __future__ import annotations

from uuid import UUID

from aggregates.api_key.decide import ApiKeyNotFound
from aggregates.api_key.state import API_KEY, ApiKey
from commands.unit_of_work import UnitOfWork


async def own_key(work: UnitOfWork, key_id: UUID) -> ApiKey:
    """The key, if it is the organization's. Raises ApiKeyNotFound."""
    state = await work.load(API_KEY, key_id)
    if work.owner(key_id) != work.tenant.organization:
        raise ApiKeyNotFound
    return state
