"""Whom a page is shown to and in whose name: language, brand, environment."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from kernel.tenant import Environment, Tenant
from pages.brand import UNBRANDED, Brand, brand_of
from pages.language import spoken_to
from pages.surroundings import PageServices
from wire.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What every page needs besides its own values; ``stored_at``: origins of uploads elsewhere."""

    request: Request
    language: Language
    brand: Brand = UNBRANDED
    sandbox: bool = False
    stored_at: tuple[str, ...] = ()

    @property
    def picture_origins(self) -> tuple[str, ...]:
        """Where pictures come from, and where uploaded ones are sent on to."""
        named = self.brand.picture_origins
        return tuple(sorted({*named, *self.stored_at})) if named else ()


def plain_look(request: Request) -> Look:
    """Of a page that belongs to nobody in particular, such as an unknown address."""
    return Look(request=request, language=spoken_to(request))


async def look_of(request: Request, services: PageServices, tenant: Tenant) -> Look:
    """Of a page of this organization; what goes wrong from here on is said on one, too."""
    look = Look(
        request=request,
        language=spoken_to(request),
        brand=await brand_of(services.reader, tenant),
        sandbox=tenant.environment is Environment.SANDBOX,
        stored_at=services.files.origins(),
    )
    request.state.look = look
    return look


def look_so_far(request: Request) -> Look:
    """Of a page that says what went wrong: the organization's, if it was known already."""
    known: Look | None = getattr(request.state, "look", None)
    return known or plain_look(request)
