"""The style sheet of one organization: colors, corners and background, of checked values."""

from __future__ import annotations

from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kernel.errors import NotFound
from pages.brand import PATH, brand_of
from pages.surroundings import PageServices


CACHED = {"Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff"}


async def serve(request: Request) -> Response:
    """The rules; nothing but them for an organization that has chosen none."""
    services: PageServices = request.app.state.services
    try:
        organization = UUID(request.path_params["organization"])
    except ValueError:
        raise NotFound from None
    tenant = await services.tenants.get(organization)
    brand = await brand_of(services.reader, tenant)
    return Response(brand.css, media_type="text/css", headers=CACHED)


ROUTES = [Route(f"{PATH}/{{organization}}.css", serve)]
