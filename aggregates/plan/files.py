"""The files that come with a plan: added, renamed, ordered, switched off, removed (wire 18.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from kernel.errors import InvalidFields, NotFound
from kernel.file_keys import FileKey
from kernel.offer import PlanFile


MOST_FILES = 50
Files = tuple[PlanFile, ...]


class PlanFileNotFound(NotFound):
    """The plan has no such file."""

    code = "plan_file_not_found"


def with_uploads(files: Files, uploads: Sequence[FileKey]) -> Files:
    """Add uploads at the end; one that is there already stays as it is. Raises InvalidFields."""
    known = {file.id for file in files}
    new = [upload for upload in dict.fromkeys(uploads) if upload.id not in known]
    if len(files) + len(new) > MOST_FILES:
        raise InvalidFields({"fileKeys": [f"A plan has at most {MOST_FILES} files."]})
    last = max((file.ordering for file in files), default=-1)
    added = (
        PlanFile(id=upload.id, key=str(upload), name=upload.name, ordering=last + number)
        for number, upload in enumerate(new, 1)
    )
    return (*files, *added)


def with_changes(files: Files, file_id: UUID, changes: Mapping[str, Any]) -> Files:
    """Change name, ordering or enabled of one. Raises PlanFileNotFound."""
    known = find(files, file_id)
    return tuple(replace(file, **changes) if file is known else file for file in files)


def without(files: Files, file_id: UUID) -> Files:
    """Remove one. Raises PlanFileNotFound."""
    known = find(files, file_id)
    return tuple(file for file in files if file is not known)


def find(files: Files, file_id: UUID) -> PlanFile:
    """One file. Raises PlanFileNotFound."""
    for file in files:
        if file.id == file_id:
            return file
    raise PlanFileNotFound
