"""The settings of a process: one frozen model over the environment, read once at start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from adapters.cannot_start import CannotStart
from adapters.files.bucket import Bucket
from app.kafka_settings import KafkaSettings
from kernel.tenant import Environment


ROOT = Path(__file__).resolve().parent.parent
PREFIX = "BILLSTREAM_"
KAFKA = "kafka_"


class Settings(BaseModel):
    """Each field is the variable of its name: ``BILLSTREAM_DATABASE_URL`` and so on."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    environment: Environment = Environment.SANDBOX
    data_dir: Path = ROOT / ".billstream"
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    edge_port: int = Field(8001, ge=0, le=65535)
    workers: int = Field(0, ge=0, le=64)
    database_url: str | None = None
    views_database_url: str | None = None
    """Where views that are fed from Kafka are kept, and read by the APIs that only read."""
    kafka: KafkaSettings | None = None
    """Where the stream goes: all of ``BILLSTREAM_KAFKA_...``; None without a bootstrap."""
    server_key: SecretStr | None = None
    client_key: SecretStr | None = None
    master_key: SecretStr | None = None
    """Wraps the data keys, 32 bytes in base64; unset: kept in ``<data-dir>/master.key``."""
    public_url: str | None = None
    """Where links to hosted pages point; unset: the address of the pages."""
    private_webhooks: bool = False
    rate_limit: int | None = Field(None, ge=0)
    """Calls a second and key; 0: no limit; unset: none in the sandbox, 100 in production."""

    files_dir: Path | None = None
    """Where uploaded files are kept, shared by all processes; unset: ``<data-dir>/files``."""
    s3_bucket: str | None = None
    """A bucket for uploaded files instead; the account is found as boto3 finds it."""
    s3_endpoint: str | None = None
    s3_region: str | None = None
    country_header: str | None = None
    """The header in which a trusted proxy names the visitor's country; unset: by address."""

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().resolve()

    @property
    def bucket(self) -> Bucket | None:
        """Where uploaded files are kept, if not in a folder."""
        if self.s3_bucket is None:
            return None
        return Bucket(self.s3_bucket, self.s3_endpoint, self.s3_region)

    @property
    def base_url(self) -> str:
        """The address of core API and pages, as clients see it, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")


def read(variables: Mapping[str, str] = os.environ, /, **options: Any) -> Settings:
    """The settings of the environment, overridden by the options that are not None.

    :raises CannotStart: naming the variable that is wrong.
    """
    named = {
        key.removeprefix(PREFIX).lower(): value
        for key, value in variables.items()
        if key.startswith(PREFIX) and value
    }
    given = {key: value for key, value in options.items() if value is not None}
    kafka = {key.removeprefix(KAFKA): named.pop(key) for key in [*named] if key.startswith(KAFKA)}
    if "bootstrap" in kafka:
        given["kafka"] = kafka
    try:
        return Settings(**{**named, **given})
    except ValidationError as error:
        faults = [
            f"{PREFIX}{'_'.join(map(str, fault['loc'])).upper()}: {fault['msg']}"
            for fault in error.errors()
        ]
        raise CannotStart("\n".join(faults)) from None
