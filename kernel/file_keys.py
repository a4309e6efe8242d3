"""How uploaded files are named: ``<area>/<uuid>/<file name>`` (wire 18.5).

An upload arrives under ``tmp``. What takes it moves it to ``files`` (read through a signed link) or
``public`` (pictures: whoever has the address may look).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Area(StrEnum):
    """Who may read a file."""

    TEMPORARY = "tmp"
    FILES = "files"
    PUBLIC = "public"


LONGEST_NAME = 200
PICTURES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
    "ico": "image/vnd.microsoft.icon",
}
"""What a browser may show, by the end of its name: no table of the machine decides that."""

_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]+")


@dataclass(frozen=True, slots=True)
class FileKey:
    """One file of an organization; ``str`` gives its key."""

    area: Area
    id: UUID
    name: str

    def __str__(self) -> str:
        """``tmp/<uuid>/<file name>``."""
        return f"{self.area}/{self.id}/{self.name}"

    def moved(self, area: Area) -> FileKey:
        """The same file in another area."""
        return FileKey(area, self.id, self.name)


def is_file_name(name: str) -> bool:
    """A plain name: no folder, no control character, not hidden, 200 characters at the most."""
    plain = _NAME.fullmatch(name) is not None and not name.startswith(".")
    return plain and len(name) <= LONGEST_NAME and name == name.strip()


def picture_type(name: str) -> str | None:
    """The media type of a picture, None for any other file."""
    return PICTURES.get(name.rpartition(".")[2].lower()) if "." in name else None


def read(text: str) -> FileKey | None:
    """The key that a text spells, None when it is none."""
    parts = text.split("/")
    if len(parts) != 3 or parts[0] not in set(Area) or not is_file_name(parts[2]):
        return None
    try:
        number = UUID(parts[1])
    except ValueError:
        return None
    return FileKey(Area(parts[0]), number, parts[2]) if str(number) == parts[1] else None
