"""A page whose form only the browser that it is shown to can send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from kernel.tenant import Tenant
from pages import forms
from pages.look import Look
from pages.rendering import page


def sealed_page(
    look: Look,
    tenant: Tenant,
    template: str,
    values: Mapping[str, Any],
    *about: object,
    **options: Any,
) -> Response:
    """The page with its ``seal``: ``about`` as in ``forms.seal``, ``options`` as in ``page``."""
    who = forms.visitor(look.request)
    seal = forms.seal(tenant, who, *about)
    response = page(look, template, {**values, "seal": seal}, **options)
    forms.remember(response, look.request, who)
    return response
