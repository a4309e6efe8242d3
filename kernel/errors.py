"""Why a command or a query is refused: one family per HTTP meaning, one class per reason.

The docstring of a class is its default message. ``code`` is stable and machine readable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Refused(Exception):
    """The request was refused."""

    code = "refused"
    body_key = "detail"
    """The key of the message in the answer: ``error`` for licenses and refunds (wire 28)."""
    retry_after_seconds: int | None = None

    def __init__(self, message: str | None = None) -> None:
        """Take the message, or the first line of the class docstring."""
        self.message = message or (type(self).__doc__ or "").strip().splitlines()[0]
        super().__init__(self.message)


class Invalid(Refused):
    """A business rule or a value prevents the operation (400)."""

    code = "invalid"


class InvalidFields(Invalid):
    """Some fields are invalid (400, ``{field: [messages]}``)."""

    code = "invalid_fields"

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        """Take the messages of each field, by the name the client used (camelCase)."""
        self.fields = {name: list(messages) for name, messages in fields.items()}
        super().__init__("; ".join(f"{k}: {' '.join(v)}" for k, v in self.fields.items()))


class Unauthenticated(Refused):
    """The API key is missing, invalid, or of another environment (401)."""

    code = "not_authenticated"


class NotAllowed(Refused):
    """The credentials are valid but do not allow this (403)."""

    code = "not_allowed"


class NotFound(Refused):
    """Not found."""

    code = "not_found"


class Conflict(Refused):
    """The operation conflicts with the present state (409)."""

    code = "conflict"


class TooLarge(Refused):
    """The request is too large (413)."""

    code = "too_large"


class Unprocessable(Refused):
    """Well formed, but the values cannot be processed (422)."""

    code = "unprocessable"


class NotReady(Refused):
    """Required account configuration is incomplete (428)."""

    code = "not_ready"


class TooManyRequests(Refused):
    """The request rate limit is exceeded (429)."""

    code = "rate_limited"

    def __init__(self, retry_after_seconds: int) -> None:
        """Take the whole seconds after which a request is let through again."""
        self.retry_after_seconds = retry_after_seconds
        super().__init__(f"Too many requests. Try again in {retry_after_seconds} s.")


class BadUpstream(Refused):
    """A service behind this one answered nonsense (502)."""

    code = "bad_upstream"


class Unavailable(Refused):
    """Temporarily unavailable (503)."""

    code = "unavailable"
    retry_after_seconds = 1


class UpstreamSilent(Refused):
    """A service behind this one did not answer in time (504)."""

    code = "upstream_timeout"


class Gone(Refused):
    """What is asked for was erased (410)."""

    code = "gone"
