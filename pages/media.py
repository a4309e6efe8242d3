"""Uploads with a ticket, and files behind links: signed and short-lived, or public pictures."""

from __future__ import annotations

import mimetypes

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from kernel import file_keys
from kernel.errors import NotFound, Refused
from kernel.file_keys import Area, FileKey
from kernel.ports.files import LocalFiles
from kernel.tenant import Tenant
from pages.surroundings import PageServices
from pages.uploads import UploadForm
from wire.http.errors import answer


PATH = "/media/"
SAFE = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
}
"""A picture may hold a script (SVG): it is never run."""

ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}


async def upload(request: Request) -> Response:
    """Take the file that a ticket of POST /media/ allows; 204, else what is wrong as JSON."""
    try:
        return await _taken(request)
    except Refused as refusal:
        said = answer(refusal)
        said.headers.update(ANY_ORIGIN)
        return said


async def _taken(request: Request) -> Response:
    files = _local(request)
    services: PageServices = request.app.state.services
    form = UploadForm(request.headers.get("content-type", ""), request.stream())
    await form.opened()
    tenant = await services.tenants.get(files.claimed(form.fields))
    key = files.allowed(tenant, form.fields, services.reader.clock.now())
    await files.receive(tenant, key, form.pieces())
    return Response(status_code=204, headers=ANY_ORIGIN)


async def download(request: Request) -> Response:
    """The file behind a link."""
    services: PageServices = request.app.state.services
    key = file_keys.read(request.path_params["key"])
    if key is None or key.area is Area.TEMPORARY:
        raise NotFound
    tenant = await services.tenants.get(request.path_params["organization"])
    if isinstance(services.files, LocalFiles):
        return _sent(services.files, tenant, key, request)
    if key.area is not Area.PUBLIC:
        raise NotFound  # a bucket gives these itself
    return RedirectResponse(services.files.link(tenant, key, services.reader.clock.now()), 302)


def _sent(files: LocalFiles, tenant: Tenant, key: FileKey, request: Request) -> Response:
    services: PageServices = request.app.state.services
    path = files.readable(
        tenant,
        key,
        until=request.query_params.get("until", ""),
        signed=request.query_params.get("signature", ""),
        now=services.reader.clock.now(),
    )
    if path is None:
        raise NotFound
    picture = file_keys.picture_type(key.name) if key.area is Area.PUBLIC else None
    kind = picture or mimetypes.guess_type(key.name)[0] or "application/octet-stream"
    caching = "public, max-age=31536000, immutable" if picture else "private, no-store"
    return FileResponse(
        path,
        media_type=kind,
        filename=key.name,
        content_disposition_type="inline" if picture else "attachment",
        headers={**SAFE, "Cache-Control": caching},
    )


def _local(request: Request) -> LocalFiles:
    services: PageServices = request.app.state.services
    if not isinstance(services.files, LocalFiles):
        raise NotFound  # a bucket takes these itself
    return services.files


ROUTES = [
    Route(PATH, upload, methods=["POST"]),
    Route("/media/{organization:uuid}/{key:path}", download, methods=["GET"]),
]
