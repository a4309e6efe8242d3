"""Where an engine lives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adapters.files.bucket import Bucket, BucketFiles
from adapters.files.disk import DiskFiles
from aggregates.webhook_endpoint.target import TargetRules
from app.kafka_settings import KafkaSettings
from kernel.tenant import Environment
from wire.http.rate_limits import RateLimits


PRODUCTION_RATE = 100
"""Calls a second that one key may make of one process, unless BILLSTREAM_RATE_LIMIT says else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an engine lives: its database, its environment and the address it is reached at."""

    database_url: str
    environment: Environment
    master_key: bytes
    files: Path | Bucket
    base_url: str = "http://127.0.0.1:8000"
    private_webhooks: bool = False
    rate_limit: int | None = None
    country_header: str | None = None
    kafka: KafkaSettings | None = None
    views_database_url: str | None = None
    """Where views are read, if that is not beside the log (ADR 18)."""

    def rate_limits(self) -> RateLimits | None:
        """Buckets for one process; None: unlimited, as the sandbox is unless told otherwise."""
        sandbox = self.environment is Environment.SANDBOX
        rate = (0 if sandbox else PRODUCTION_RATE) if self.rate_limit is None else self.rate_limit
        return RateLimits(rate) if rate else None

    def file_store(self) -> DiskFiles | BucketFiles:
        """Where uploaded files are kept: a folder, unless a bucket is named."""
        if isinstance(self.files, Bucket):
            return BucketFiles(self.files)
        return DiskFiles(self.files, self.base_url)

    @property
    def read_url(self) -> str:
        """The database in which views are read."""
        return self.views_database_url or self.database_url

    @property
    def webhook_targets(self) -> TargetRules:
        """Where webhooks may go (design 9)."""
        sandbox = self.environment is Environment.SANDBOX
        return TargetRules(allow_http=sandbox, allow_private=self.private_webhooks)
