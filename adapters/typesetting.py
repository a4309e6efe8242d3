"""Typst behind our port: templates from files, fonts from packages, no network."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import typst


THREADS = 2
"""A page takes milliseconds; more threads would only take the processor from the APIs."""

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_FONTS = ("FiraGO_Regular", "FiraGO_Bold", "FiraGO_Italic")


class TypstTypesetter:
    """Sets templates of one folder, on threads of its own."""

    def __init__(self, templates: Path) -> None:
        """``templates`` holds ``<name>.typ`` files."""
        self._templates = templates
        self._threads = ThreadPoolExecutor(THREADS, "typesetting")

    async def pdf(self, template: str, texts: Mapping[str, Any]) -> bytes:
        """The document as PDF."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._set, template, texts)

    def close(self) -> None:
        """Let go of the threads; what is being set is finished first."""
        self._threads.shutdown()

    def _set(self, template: str, texts: Mapping[str, Any]) -> bytes:
        compiler = typst.Compiler(
            root=self._templates, font_paths=self._fonts, ignore_system_fonts=True
        )
        made = compiler.compile(
            self._templates / f"{template}.typ",
            format="pdf",
            sys_inputs={"texts": json.dumps(texts, ensure_ascii=False)},
            timestamp=EPOCH,
        )
        if not isinstance(made, bytes):
            raise TypeError(f"{template} was not set as one document")
        return made

    @cached_property
    def _fonts(self) -> typst.Fonts:
        with tempfile.TemporaryDirectory(prefix="billstream-fonts-") as folder:
            for name in _FONTS:
                font = import_module(f"pymupdf_fonts.{name}").fontbuffer
                (Path(folder) / f"{name}.ttf").write_bytes(font)
            fonts = typst.Fonts(
                include_system_fonts=False,
                include_embedded_fonts=False,
                font_paths=[folder, str(files("noto_cjk_sans_otc"))],
            )
            # read now: the folder does not stay
            probe = b'#set text(font: ("FiraGO", "Noto Sans CJK SC"))\nA *A* _A_ \xe4\xb8\x80'
            typst.compile(probe, font_paths=fonts, ignore_system_fonts=True, format="pdf")
            return fonts
