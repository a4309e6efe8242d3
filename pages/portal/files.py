"""The files that come with a plan, for whoever has access to it now."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from kernel.errors import NotFound
from pages.policy import ALWAYS
from pages.portal.subscriptions import chosen
from pages.portal.visit import Visit


async def download(visit: Visit) -> Response:
    """On to a fresh link, however long the page was open. Raises NotFound without access."""
    wanted = visit.request.path_params["file"]
    for file in (await chosen(visit)).files:
        if file["id"] == wanted:
            return RedirectResponse(file["downloadUrl"], 302, ALWAYS)
    raise NotFound
