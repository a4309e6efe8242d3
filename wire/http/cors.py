"""Which paths browsers of any origin may call, without credentials (design 12)."""

from __future__ import annotations

from typing import Any, Final

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from wire.http.routes import PREFIX


ANY_ORIGIN: Final[dict[str, Any]] = {
    "allow_origins": ["*"],
    "allow_methods": ["GET", "POST"],
    "allow_headers": [
        "Authorization",
        "Content-Type",
        "Billstream-Position",
        "Idempotency-Key",
    ],
    "expose_headers": ["Billstream-Position", "Retry-After", "Idempotent-Replayed"],
    "max_age": 86_400,
}
LICENSES: Final = f"{PREFIX}/license/"


class LicensesFromAnyOrigin:
    """The license endpoints for any origin; every other path for none."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap a whole app."""
        self._app = app
        self._open = CORSMiddleware(app, **ANY_ORIGIN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Choose by path."""
        is_open = scope["type"] == "http" and scope["path"].startswith(LICENSES)
        await (self._open if is_open else self._app)(scope, receive, send)
