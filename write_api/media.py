"""Tickets for uploads (wire 18.5)."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from kernel.file_keys import Area, FileKey
from wire.http.documented import gives
from wire.media import MediaIn, UploadTicketOut
from write_api.write import ServerWrite


router = APIRouter(prefix="/media", tags=["Media"])


@router.post("/", responses=gives(UploadTicketOut))
async def ticket(body: MediaIn, write: ServerWrite) -> Response:
    """A ticket for one upload of at most 5 GB, within an hour.

    Post `fields`, then the file as `file`, to `url` as a multipart form; name `fileKey` where a
    resource takes files. What no resource takes is deleted after a day.
    """
    key = FileKey(Area.TEMPORARY, write.id("upload"), body.file_name)
    now = write.services.reader.clock.now()
    made = write.services.files.ticket(write.tenant, key, body.file_type, now)
    answer = {"url": made.url, "fields": made.fields, "fileKey": str(key)}
    return Response(msgspec.json.encode(answer), media_type="application/json")
