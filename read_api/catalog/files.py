"""Downloads of what comes with a plan: whoever has the link, while it holds (wire 18.4)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from kernel import file_keys, plan_file_link
from kernel.errors import NotFound
from kernel.ids import natural_id
from kernel.tenant import Tenant
from projections.own import Own
from projections.plans import file_of_plan
from read_api.downloads import Downloads
from wire.http.documented import Responses


class FileNotFound(NotFound):
    """No such file, or the link does not hold any more."""

    code = "file_not_found"


router = APIRouter(prefix="/catalog/plans", tags=["Catalog"])
FOUND: Responses = {302: {"description": "To an address that gives the file for some minutes"}}


@router.get(
    "/{identifier}/file/{file_id}/download/",
    status_code=302,
    responses=FOUND,
    response_class=Response,
)
async def download(
    identifier: str, file_id: UUID, request: Request, token: str = ""
) -> RedirectResponse:
    """Needs no key: the `downloadUrl` of a record holds a token for a quarter of an hour.

    A customer's works while a subscription gives access to the plan.
    """
    downloads: Downloads = request.app.state.downloads
    reader = request.app.state.reader
    now = reader.clock.now()
    tenant = await _tenant(downloads, token)
    claimed = plan_file_link.read(token)
    if claimed is None or not plan_file_link.is_genuine(claimed, tenant, identifier, file_id, now):
        raise FileNotFound
    plan = natural_id(tenant.secret, "plan", identifier)
    is_merchant = claimed.reader == tenant.organization
    if not is_merchant and not await Own(reader, tenant, claimed.reader).may_use(plan):
        raise FileNotFound
    file = await file_of_plan(reader, tenant, plan, file_id)
    key = file_keys.read(file.key) if file is not None and file.enabled else None
    if key is None:
        raise FileNotFound
    return RedirectResponse(
        downloads.files.link(tenant, key, now), 302, {"Cache-Control": "no-store"}
    )


async def _tenant(downloads: Downloads, token: str) -> Tenant:
    claimed = plan_file_link.read(token)
    if claimed is None:
        raise FileNotFound
    try:
        return await downloads.tenants.get(claimed.organization)
    except NotFound:
        raise FileNotFound from None
