"""The settings of the event stream: ``BILLSTREAM_KAFKA_...``."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from adapters.kafka.access import CONNECTION, Access


OWN = frozenset(
    {"bootstrap", "topic_prefix", "replication_factor", "compression_type", "lease_seconds"}
)
"""What is no setting of the client's connection."""


class KafkaSettings(BaseModel):
    """Each field is the variable of its name: ``BILLSTREAM_KAFKA_BOOTSTRAP`` and so on.

    From ``security_protocol`` on they are handed to the client as they are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bootstrap: str
    topic_prefix: str = Field("billstream", pattern=r"^[A-Za-z0-9._-]{1,100}$")
    replication_factor: int = Field(-1, ge=-1)
    """Of topics that are made; -1: the brokers' default."""
    compression_type: str | None = Field(None, pattern="^(gzip|snappy|lz4|zstd)$")
    lease_seconds: float = Field(15, ge=1, le=600)
    """After so long without a sign of life another publisher takes over."""
    security_protocol: str | None = None
    ssl_cafile: str | None = None
    ssl_certfile: str | None = None
    ssl_keyfile: str | None = None
    ssl_password: SecretStr | None = None
    ssl_crlfile: str | None = None
    ssl_ciphers: str | None = None
    ssl_check_hostname: bool | None = None
    sasl_mechanism: str | None = None
    sasl_plain_username: str | None = None
    sasl_plain_password: SecretStr | None = None
    sasl_kerberos_service_name: str | None = None
    sasl_kerberos_domain_name: str | None = None

    @property
    def access(self) -> Access:
        """How the adapter reaches the brokers."""
        given = self.model_dump(exclude=set(OWN), exclude_none=True)
        options: dict[str, Any] = {
            name: value.get_secret_value() if isinstance(value, SecretStr) else value
            for name, value in given.items()
        }
        servers = [server.strip() for server in self.bootstrap.split(",")]
        return Access(
            options={**CONNECTION, "bootstrap_servers": servers, **options},
            replication=self.replication_factor or -1,
            compression=self.compression_type,
        )
