"""In which language a page speaks: what the address says, else what the browser prefers.

The texts of each page are a file of its own in ``words``: ``pay.json`` holds the keys ``pay.*``,
each with its translations side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from babel import Locale, UnknownLocaleError
from starlette.requests import Request

from wire.language import Language


FOLDER = Path(__file__).parent / "words"
NAMES: Mapping[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
}
"""The languages that pages have, each by its own name."""

DEFAULT = "en"
PARAMETER = "locale"
_MOST_ACCEPTED = 20


def spoken_to(request: Request) -> Language:
    """The language of ``?locale=``, else the first accepted one we speak, else English."""
    for tag in (request.query_params.get(PARAMETER, ""), *_accepted(request)):
        if known := _language(tag[:35]):
            return known
    return in_english()


def in_english() -> Language:
    """What a page speaks if nobody says anything else."""
    language = _language(DEFAULT)
    if language is None:
        raise LookupError(DEFAULT)
    return language


def in_words(language: Language, message: str) -> str:
    """A message that was written in English, in this language if we have it."""
    key = _keys_by_english().get(message)
    return message if key is None else language.say(key)


def address(request: Request, path: str | None = None, **more: str) -> str:
    """A path of ours (else the present one) that keeps the language the address asked for."""
    asked = request.query_params.get(PARAMETER)
    query = {**({PARAMETER: asked[:35]} if asked else {}), **more}
    path = request.url.path if path is None else path
    return f"{path}?{urlencode(query)}" if query else path


@cache
def words(language: str) -> Mapping[str, str]:
    """All texts in a language; what has no translation is English."""
    return {
        f"{path.stem}.{key}": texts.get(language, texts[DEFAULT])
        for path in sorted(FOLDER.glob("*.json"))
        for key, texts in json.loads(path.read_text("utf-8")).items()
    }


@cache
def _keys_by_english() -> Mapping[str, str]:
    told = {
        key: text for key, text in words(DEFAULT).items() if key.startswith(("refused.", "said."))
    }
    return {text: key for key, text in told.items()}


@cache
def _language(tag: str) -> Language | None:
    for name in (tag, tag.partition("-")[0]):
        try:
            locale = Locale.parse(name, sep="-")
        except (UnknownLocaleError, ValueError, TypeError):
            continue
        if locale.language in NAMES:
            return Language(locale, words(locale.language))
    return None


def _accepted(request: Request) -> Iterator[str]:
    """The tags of Accept-Language, the preferred ones first."""
    weighed = []
    header = request.headers.get("accept-language", "")
    for position, part in enumerate(header.split(",")[:_MOST_ACCEPTED]):
        tag, _, weight = part.strip().partition(";q=")
        quality = weight.strip() or "1"
        if tag and quality.replace(".", "", 1).isdigit() and quality.isascii():
            weighed.append((-float(quality), position, tag))
    return (tag for _, _, tag in sorted(weighed))
