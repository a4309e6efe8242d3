"""The page at /docs works on a machine without a network."""

import re

import httpx
import pytest

from app import documents
from app.front import beside


pytestmark = pytest.mark.anyio


@pytest.fixture
async def browser():
    transport = httpx.ASGITransport(beside(documents.core))
    async with httpx.AsyncClient(transport=transport, base_url="https://billing.example") as client:
        yield client


async def loaded(browser, page):
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    return {address: await browser.get(address) for address in addresses}


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
async def test_everything_that_the_page_loads_comes_from_the_same_host(browser, path):
    page = await browser.get(path)
    assert page.status_code == 200
    assert "//" not in page.text
    found = await loaded(browser, page)
    assert [address for address in found if not address.startswith("/docs/")] == []
    assert len(found) == 4
    assert {answer.status_code for answer in found.values()} == {200}
    assert all(answer.content for answer in found.values())


async def test_no_other_host_may_be_asked(browser):
    page = await browser.get("/docs")
    policy = page.headers["content-security-policy"]
    assert "http" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy


async def test_the_viewer_shows_our_document(browser):
    start = (await browser.get("/docs/start.js")).text
    assert '"url": "/openapi.json"' in start
    assert '"validatorUrl": null' in start
    assert (await browser.get("/openapi.json")).json()["info"]["title"] == "billstream"
