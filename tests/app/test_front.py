"""What stands beside the API: documentation that can be tried, a sign of life, and nothing else."""

import httpx

from app import documents
from app.front import Front, beside


async def api(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"api"})


def client():
    transport = httpx.ASGITransport(Front(api, beside(documents.core)))
    return httpx.AsyncClient(transport=transport, base_url="http://billing.example")


async def test_the_document_tells_of_every_endpoint():
    async with client() as http:
        shown = (await http.get("/openapi.json")).json()
    assert shown == documents.core()
    assert set(shown["paths"]["/api/v1/customers/"]) == {"get", "post"}
    assert shown["security"] == [{"key": []}]


async def test_the_rest_is_told_apart_from_the_api():
    async with client() as http:
        assert (await http.get("/api/v1/anything/")).text == "api"
        assert (await http.get("/health/")).json() == {"status": "ok"}
        unknown = await http.get("/nowhere")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
