"""Uploads that a request names by their keys: moved to where they stay, before the command."""

from __future__ import annotations

from collections.abc import Sequence

from kernel import file_keys
from kernel.errors import InvalidFields
from kernel.file_keys import Area, FileKey
from write_api.write import Write


async def taken(
    write: Write, keys: Sequence[str] | None, area: Area, field: str
) -> tuple[FileKey, ...]:
    """Where the uploads are kept from now on. Raises InvalidFields that names the first missing.

    Done again, it finds them kept: a request that was cut off is simply made anew.
    """
    kept = []
    for text in keys or ():
        key = file_keys.read(text)
        if key is None or key.area not in {Area.TEMPORARY, area}:
            raise InvalidFields({field: [f"{text!r} is not the key of an upload."]})
        if area is Area.PUBLIC and file_keys.picture_type(key.name) is None:
            known = ", ".join(file_keys.PICTURES)
            raise InvalidFields({field: [f"{text!r} is no picture: {known}."]})
        to = key.moved(area)
        if not await write.services.files.keep(write.tenant, key.moved(Area.TEMPORARY), to):
            raise InvalidFields({field: [f"Nothing was uploaded as {text!r}."]})
        kept.append(to)
    return tuple(kept)
