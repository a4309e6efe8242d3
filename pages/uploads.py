"""Reads a posted upload form a piece at a time: its fields first, then the file (wire 18.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from kernel.errors import Invalid


FILE = b"file"
LONGEST_FIELD = 8 * 1024
MOST_FIELDS = 20


class MalformedUpload(Invalid):
    """Post a multipart form: the fields of the upload ticket, then the file as `file`."""

    code = "malformed_upload"


class UploadForm:
    """One form as it comes in: ``fields`` are there once ``opened``, then come the pieces."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes]) -> None:
        """Raises MalformedUpload when the request is no multipart form."""
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise MalformedUpload
        self.fields: dict[str, str] = {}
        self._body = body
        self._pieces: deque[bytes] = deque()
        self._name = b""
        self._header = [b"", b""]
        self._value = bytearray()
        self._begun = self._ended = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._on_part,
                "on_header_field": self._on_header_field,
                "on_header_value": self._on_header_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers,
                "on_part_data": self._on_data,
                "on_part_end": self._on_part_end,
            },
        )

    async def opened(self) -> None:
        """Read up to the file. Raises MalformedUpload when there is none."""
        while not self._begun:
            await self._more()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The file. Raises MalformedUpload when the form breaks off."""
        while True:
            while self._pieces:
                yield self._pieces.popleft()
            if self._ended:
                return
            await self._more()

    async def _more(self) -> None:
        try:
            async for piece in self._body:
                if piece:
                    self._parser.write(piece)
                    return
        except MultipartParseError as error:
            raise MalformedUpload from error
        raise MalformedUpload

    def _on_part(self) -> None:
        self._name, self._header = b"", [b"", b""]
        self._value.clear()

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header[0] += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header[1] += data[start:end]

    def _on_header_end(self) -> None:
        name, value = self._header
        self._header = [b"", b""]
        if name.lower() == b"content-disposition":
            options: dict[bytes, Any] = parse_options_header(value)[1]
            self._name = options.get(b"name", b"")

    def _on_headers(self) -> None:
        self._begun = self._begun or self._name == FILE

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._name == FILE:
            self._pieces.append(data[start:end])
            return
        self._value += data[start:end]
        if len(self._value) > LONGEST_FIELD or len(self.fields) >= MOST_FIELDS:
            raise MultipartParseError("a field is too long, or there are too many")

    def _on_part_end(self) -> None:
        if self._name == FILE:
            self._ended = True
        else:
            self.fields[self._name.decode("latin-1")] = self._value.decode("utf-8", "replace")
