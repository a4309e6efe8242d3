"""How an organization's pages look: its checkout settings, checked for what may be shown.

``customization`` knows ``primaryColor`` (``#rgb`` or ``#rrggbb``), ``corners`` (``square``,
``soft`` or ``round``), and https addresses ``termsUrl``, ``privacyUrl`` and ``supportUrl``; what is
none of that is left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec

from kernel.tenant import Tenant
from pages.colors import Color, on, readable
from projections.merchants import merchant_of
from projections.organizations import CHECKOUT_SETTINGS
from projections.reader import Reader
from wire.media import public_address


PATH = "/pages/brand"
LIGHT_SHEET, DARK_SHEET = Color(255, 255, 255), Color(28, 32, 36)
LIGHT_GROUND, DARK_GROUND = Color(245, 245, 243), Color(34, 39, 44)
"""The grounds of ``style.css``: what buttons stand on; what texts are hardest to read on."""

CORNERS = {"square": "0", "soft": "0.5rem", "round": "1.5rem"}
LINKS = ("terms", "privacy", "support")
PICTURES = {
    "light_logo": "lightLogo",
    "dark_logo": "darkLogo",
    "favicon": "favicon",
    "background": "backgroundImage",
}
_ADDRESS = re.compile(r"https://[^\s\"'()<>\\\x00-\x20]+")
_HOST = re.compile(r"[\w.-]+(?::\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """What pages show of a merchant; ``css`` is served from an address of its own."""

    name: str
    css: str = ""
    stylesheet: str = ""
    light_logo: str = ""
    dark_logo: str = ""
    favicon: str = ""
    background: str = ""
    links: tuple[tuple[str, str], ...] = ()

    @property
    def picture_origins(self) -> tuple[str, ...]:
        """Where its pictures come from, for the content policy."""
        pictures = (self.light_logo, self.dark_logo, self.favicon, self.background)
        return tuple(sorted({origin(picture) for picture in pictures if picture}))


UNBRANDED = Brand(name="")


async def brand_of(reader: Reader, tenant: Tenant) -> Brand:
    """The organization's checkout settings, as far as they can be shown."""
    body = await reader.find(CHECKOUT_SETTINGS, tenant, tenant.organization)
    settings = msgspec.json.decode(body) if body else {}
    custom = settings.get("customization") or {}
    own = public_address(reader.base_url, tenant.organization, "public/")
    pictures = {name: _picture(settings.get(key), own) for name, key in PICTURES.items()}
    css = _css(custom, pictures["background"])
    digest = hashlib.sha256(css.encode()).hexdigest()[:12]
    return Brand(
        name=await merchant_of(reader, tenant),
        css=css,
        stylesheet=f"{PATH}/{tenant.organization}.css?v={digest}" if css else "",
        links=tuple((name, link) for name in LINKS if (link := _safe(custom.get(f"{name}Url")))),
        **pictures,
    )


def origin(url: str) -> str:
    """Scheme and host of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _picture(url: object, own: str) -> str:
    """What was uploaded here, as it is: its address is escaped. Else as any other address."""
    return url if isinstance(url, str) and url.startswith(own) else _safe(url)


def _safe(url: object) -> str:
    """An https address that may stand in a page, a style sheet and a policy; else nothing."""
    if not isinstance(url, str) or not _ADDRESS.fullmatch(url):
        return ""
    try:
        host = urlsplit(url).netloc
    except ValueError:
        return ""
    return url if _HOST.fullmatch(host) else ""


def _css(custom: Mapping[str, Any], background: str) -> str:
    rules = []
    if color := Color.parse(custom.get("primaryColor")):
        rules.append(_colors(color, LIGHT_GROUND, LIGHT_SHEET))
        dark = _colors(color, DARK_GROUND, DARK_SHEET)
        rules.append(f"@media (prefers-color-scheme: dark) {{ {dark} }}")
    if corners := CORNERS.get(str(custom.get("corners"))):
        rules.append(f":root {{ --round: {corners}; }}")
    if background:
        rules.append(f'body {{ background-image: url("{background}"); }}')
    return "\n".join(rules)


def _colors(color: Color, ground: Color, sheet: Color) -> str:
    """Buttons stand on the sheet, in the color itself if they can be told from it."""
    text = readable(color, ground)
    button = color if color.contrast(sheet) >= 1.6 else text
    return (
        f":root {{ --accent: {button.css}; --on-accent: {on(button).css};"
        f" --accent-text: {text.css}; }}"
    )
