"""The customer's invoices: all of them, each as a document, the unpaid ones with a way to pay."""

from __future__ import annotations

import re
from functools import partial

from starlette.responses import Response

from kernel.errors import NotFound
from pages.language import address
from pages.policy import ALWAYS
from pages.portal.subscriptions import own
from pages.portal.visit import Visit
from pages.portal.words import invoice_shown
from projections.invoice_paper import texts_of
from wire.paper.invoice import TEMPLATE


PAGE_SIZE = 20
_NUMBER = re.compile(r"INV-[0-9A-Z-]{1,40}")


async def listed(visit: Visit) -> Response:
    """One page, newest first."""
    text = visit.request.query_params.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 else 1
    count, bodies = await own(visit).invoices(max(number, 1), PAGE_SIZE)
    last = max(1, -(-count // PAGE_SIZE))
    if number > last:
        raise NotFound
    values = {
        "invoices": [invoice_shown(visit.look.language, body) for body in bodies],
        "number": number,
        "last": last,
        "at_page": partial(_page, visit),
    }
    return visit.shown("invoices", values)


def _page(visit: Visit, number: int) -> str:
    return address(visit.request, page=str(number))


async def printed(visit: Visit) -> Response:
    """The document, as the merchant has it. Raises NotFound unless it is one's own."""
    number = visit.request.path_params["number"]
    stream = await own(visit).invoice(number) if _NUMBER.fullmatch(number) else None
    if stream is None:
        raise NotFound
    services = visit.services
    texts = await texts_of(services.reader, services.bus.store, visit.tenant, stream)
    headers = {"Content-Disposition": f'attachment; filename="{number}.pdf"', **ALWAYS}
    pdf = await services.typesetter.pdf(TEMPLATE, texts)
    return Response(pdf, media_type="application/pdf", headers=headers)
