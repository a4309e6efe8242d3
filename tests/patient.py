"""Clients for processes on a busy machine: what is recorded but not shown yet is asked again."""

import asyncio
import json
import time
from uuid import uuid4

import httpx


SECONDS = 60
PAUSE = 0.1


class Patient(httpx.HTTPTransport):
    """Asks again under the same Idempotency-Key while the views are behind."""

    def handle_request(self, request):
        end = _begun(request)
        while True:
            answer = super().handle_request(request)
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return answer
            answer.read()
            if not _is_behind(answer) or time.monotonic() > end:
                return answer
            answer.close()
            time.sleep(PAUSE)


class AsyncPatient(httpx.AsyncHTTPTransport):
    """The same for asynchronous clients."""

    async def handle_async_request(self, request):
        end = _begun(request)
        while True:
            answer = await super().handle_async_request(request)
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return answer
            await answer.aread()
            if not _is_behind(answer) or time.monotonic() > end:
                return answer
            await answer.aclose()
            await asyncio.sleep(PAUSE)


def _begun(request):
    if request.method == "POST":
        request.headers.setdefault("Idempotency-Key", str(uuid4()))
    return time.monotonic() + SECONDS


def _is_behind(answer):
    return json.loads(answer.content)["code"] == "views_behind"
