"""Validation of license keys at the edge (wire 3); the same answer as from the core API."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.background import BackgroundTask
from starlette.routing import Route

from projections import last_seen, license_checks
from projections.reader import Reader
from read_api.query import wait_for_position
from wire.http.caller import any_caller
from wire.http.routes import PREFIX
from wire.license import InvalidKeyOut, ValidateIn, ValidationOut


async def validate(request: Request) -> Response:
    """What a key is worth now. Raises RequestValidationError, Unauthenticated."""
    caller = await any_caller(request)
    try:
        asked = ValidateIn.model_validate_json(await request.body())
    except ValidationError as invalid:
        found = ({**each, "loc": ("body", *each["loc"])} for each in invalid.errors())
        raise RequestValidationError(list(found)) from None
    reader: Reader = request.app.state.reader
    await wait_for_position(request, reader)
    verdict = await license_checks.validate(reader, caller.tenant, asked)
    seen = None
    if verdict.instance is not None and verdict.at is not None:
        seen = BackgroundTask(last_seen.note, reader.pool, verdict.instance, verdict.at)
    return Response(verdict.body, verdict.status, media_type="application/json", background=seen)


route = Route("/license/validate/", validate, methods=["POST"])


def _schema(shape: Any) -> dict[str, Any]:
    """The JSON schema of a shape, with its parts in place: a plain route has no components."""
    schema = TypeAdapter(shape).json_schema(mode="serialization", by_alias=True)
    parts = schema.pop("$defs", {})

    def placed(value: Any) -> Any:
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).removeprefix("#/$defs/")
            return (
                placed(parts[name]) if name in parts else {k: placed(v) for k, v in value.items()}
            )
        return [placed(item) for item in value] if isinstance(value, list) else value

    result: dict[str, Any] = placed(schema)
    return result


def _answer(description: str, shape: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": _schema(shape)}}
    return {"description": description, "content": content}


PATHS: dict[str, Any] = {
    f"{PREFIX}/license/validate/": {
        "post": {
            "tags": ["Licenses"],
            "summary": "What a license key is worth now",
            "description": (
                "The same as in the core API, from the views alone. A license that cannot be used "
                "is 200 with `valid` false and the code `EXPIRED` or `INVALID`. Takes a client key "
                "or a server key."
            ),
            "operationId": "validate_license",
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _schema(ValidateIn)}},
            },
            "responses": {
                "200": _answer("The verdict", ValidationOut),
                "404": _answer("No such key, or no such instance of it", InvalidKeyOut),
            },
        }
    }
}
