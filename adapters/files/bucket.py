"""Files in a bucket that speaks S3: browsers upload to it and read from it directly.

Needs ``boto3`` (``pip install boto3``). Credentials are found as that library always finds them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit

from adapters.cannot_start import CannotStart
from kernel.file_keys import FileKey
from kernel.ports.files import LINK_VALID, MOST_BYTES, TICKET_VALID, UploadTicket
from kernel.tenant import Tenant


@dataclass(frozen=True, slots=True)
class Bucket:
    """Which one, and where; no endpoint: that of the region."""

    name: str
    endpoint: str | None = None
    region: str | None = None


class BucketFiles:
    """Implements kernel.ports.files.FileStore. Objects are named ``<organization>/<key>``.

    What is uploaded and taken by nobody stays under ``<organization>/tmp/``: let a lifecycle rule
    of the bucket delete that after a day.
    """

    def __init__(self, bucket: Bucket) -> None:
        """Raises CannotStart when boto3 is not installed."""
        try:
            import boto3  # noqa: PLC0415 optional
            from botocore.config import Config  # noqa: PLC0415 as above
        except ImportError:
            raise CannotStart("files in a bucket need boto3: pip install boto3") from None
        self._bucket = bucket.name
        self._s3: Any = boto3.client(
            "s3",
            endpoint_url=bucket.endpoint,
            region_name=bucket.region,
            config=Config(signature_version="s3v4"),
        )

    def ticket(
        self, tenant: Tenant, key: FileKey, content_type: str, now: datetime
    ) -> UploadTicket:
        """The bucket's own kind of form."""
        del now  # the bucket goes by its own clock
        made = self._s3.generate_presigned_post(
            self._bucket,
            _named(tenant, key),
            Fields={"Content-Type": content_type},
            Conditions=[{"Content-Type": content_type}, ["content-length-range", 0, MOST_BYTES]],
            ExpiresIn=int(TICKET_VALID.total_seconds()),
        )
        return UploadTicket(made["url"], made["fields"])

    async def keep(self, tenant: Tenant, key: FileKey, kept: FileKey) -> bool:
        """Copy, then delete: in between the file is there twice; what is kept already stays."""
        return await asyncio.to_thread(self._keep, _named(tenant, key), _named(tenant, kept))

    def link(self, tenant: Tenant, key: FileKey, now: datetime) -> str:
        """An address of the bucket that saves the file under its name."""
        del now
        address: str = self._s3.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket,
                "Key": _named(tenant, key),
                "ResponseContentDisposition": f"attachment; filename*=UTF-8''{quote(key.name)}",
            },
            ExpiresIn=int(LINK_VALID.total_seconds()),
        )
        return address

    def origins(self) -> tuple[str, ...]:
        """That of the bucket: a policy has to name where a picture is sent on to."""
        params = {"Bucket": self._bucket, "Key": "any"}
        parts = urlsplit(self._s3.generate_presigned_url("get_object", Params=params))
        return (f"{parts.scheme}://{parts.netloc}",)

    def _keep(self, source: str, target: str) -> bool:
        kept = self._is_there(target)
        if not self._is_there(source):
            return kept
        if not kept:
            self._s3.copy_object(
                Bucket=self._bucket, Key=target, CopySource={"Bucket": self._bucket, "Key": source}
            )
        self._s3.delete_object(Bucket=self._bucket, Key=source)
        return True

    def _is_there(self, name: str) -> bool:
        try:
            self._s3.head_object(Bucket=self._bucket, Key=name)
        except self._s3.exceptions.ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return False
            raise
        return True


def _named(tenant: Tenant, key: FileKey) -> str:
    return f"{tenant.organization}/{key}"
