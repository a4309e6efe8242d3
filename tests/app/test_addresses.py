"""One address: the API, hosted pages, documentation and a sign of life."""

import httpx
import pytest
from starlette.responses import PlainTextResponse

from app.front import Front


pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("path", "served_by"),
    [
        ("/api/v1/invoices/", "api"),
        ("/pay/token", "pages"),
        ("/pages/style.css", "pages"),
        ("/docs", "beside"),
        ("/health/", "beside"),
        ("/payments", "beside"),
        ("/api/v2/", "beside"),
    ],
)
async def test_each_path_has_its_server(path, served_by):
    front = Front(*(PlainTextResponse(name) for name in ("api", "beside", "pages")))
    transport = httpx.ASGITransport(front)
    async with httpx.AsyncClient(transport=transport, base_url="https://billing.example") as client:
        assert (await client.get(path)).text == served_by


async def test_an_address_without_pages_has_none():
    front = Front(*(PlainTextResponse(name) for name in ("api", "beside")))
    transport = httpx.ASGITransport(front)
    async with httpx.AsyncClient(transport=transport, base_url="https://billing.example") as client:
        assert (await client.get("/pay/token")).text == "beside"
