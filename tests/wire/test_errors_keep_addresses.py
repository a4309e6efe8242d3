"""What goes wrong is logged without the end of its address: the id of a session opens its page."""

import logging

import httpx
import pytest
from fastapi import FastAPI
from psycopg import OperationalError

from wire.http import errors


SESSION = "cs_secret"


@pytest.mark.anyio
@pytest.mark.parametrize(("wrong", "status"), [(OperationalError("away"), 503), (KeyError(), 500)])
async def test_the_log_names_the_operation_alone(caplog, wrong, status):
    caplog.set_level(logging.DEBUG)
    app = FastAPI()
    errors.install(app)

    @app.get("/checkout/sessions/{session_id}/")
    def one(session_id: str):
        raise wrong

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://api.example") as client:
        answer = await client.get(f"/checkout/sessions/{SESSION}/")
    assert answer.status_code == status
    told = [record.getMessage() for record in caplog.records if record.name == errors.__name__]
    assert [text for text in told if "GET /checkout/sessions/{session_id}/" in text]
    assert not [text for text in told if SESSION in text]
