"""Dispatches what a customer wants, once per form, and waits until it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from commands.awaiting import begun, outcomes
from commands.context import Context
from commands.portal.act_as_customer import ActAsCustomer
from kernel.errors import Refused
from kernel.ids import derived_id
from pages.portal.visit import Visit
from projections.positions import VIEW_WAIT_SECONDS


async def act(visit: Visit, command: Any, form: Mapping[str, str]) -> Sequence[Any]:
    """The facts that followed; those of the first time when the form was sent before.

    Waits for what providers make of it, and for the views. Raises what the command raises.
    """
    taken = derived_id(visit.session, "form", form["nonce"])
    context = _context(visit, derived_id(taken, "command"))
    acting = ActAsCustomer(session_id=visit.session, command=command, form=taken)
    bus = visit.services.bus
    try:
        facts = [new.fact for new in (await bus.dispatch(acting, context)).facts]
    except Refused:
        before = await bus.store.command_facts(context.command_id)
        if not before:
            raise
        facts = [recorded.fact for recorded in before]
    await outcomes(bus, begun(facts))
    await visit.services.reader.positions.wait(await bus.store.head(), VIEW_WAIT_SECONDS)
    return facts


async def look_at(visit: Visit, command: Any) -> Any:
    """What a command would come to, for this customer; nothing happens."""
    context = _context(visit, derived_id(visit.session, "look"))
    acting = ActAsCustomer(session_id=visit.session, command=command)
    return await visit.services.bus.preview(acting, context)


def _context(visit: Visit, command_id: Any) -> Context:
    return Context(
        tenant=visit.tenant,
        actor=f"portal:{visit.customer.id}",
        command_id=command_id,
    )
