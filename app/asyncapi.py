"""AsyncAPI 3 of the event stream: its Kafka topic, and the same over HTTP (design 10)."""

from __future__ import annotations

from typing import Any

from aggregates.catalog import FACTS, UPCASTS
from app.fact_schemas import FOLDER
from wire.cloud_event import MEDIA_TYPE


Document = dict[str, Any]
PARTITIONS = 24
NAMES = sorted({*FACTS, *UPCASTS})
ENVIRONMENTS = {"environment": {"enum": ["sandbox", "production"]}}


def document() -> Document:
    """The whole document; messages are named like facts, their data is in ``facts/``."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "billstream events",
            "version": "1.0.0",
            "description": (
                "Every fact of the log, once, in the order of its position. A customer's facts"
                " have one key and so one partition. Fields are added to a version, never taken"
                " away; readers ignore what they do not know."
            ),
        },
        "defaultContentType": MEDIA_TYPE,
        "servers": _servers(),
        "channels": {"events": _topic(), "feed": _feed(), "live": _live()},
        "operations": {
            channel: {
                "action": "send",
                "channel": {"$ref": f"#/channels/{channel}"},
                "summary": summary,
            }
            for channel, summary in (
                ("events", "Publish each fact to Kafka."),
                ("feed", "Answer a page of facts."),
                ("live", "Send each fact as it happens."),
            )
        },
        "components": {"messages": {name: _message(name) for name in NAMES}},
    }


def _servers() -> Document:
    return {
        "kafka": {
            "host": "{bootstrap}",
            "protocol": "kafka",
            "description": "The broker that BILLSTREAM_KAFKA_BOOTSTRAP names.",
            "variables": {"bootstrap": {"default": "localhost:9092"}},
        },
        "core": {
            "host": "{host}",
            "pathname": "/api/v1",
            "protocol": "http",
            "description": "The core API, with a server key.",
            "variables": {"host": {"default": "localhost:8000"}},
        },
    }


def _topic() -> Document:
    return {
        "address": "billstream.{environment}.events",
        "parameters": ENVIRONMENTS,
        "servers": [{"$ref": "#/servers/kafka"}],
        "messages": _messages(),
        "bindings": {
            "kafka": {
                "partitions": PARTITIONS,
                "topicConfiguration": {"cleanup.policy": ["delete"], "retention.ms": -1},
            }
        },
    }


def _feed() -> Document:
    return {
        "address": "/events/",
        "servers": [{"$ref": "#/servers/core"}],
        "description": "Pages of JSON, or NDJSON; openapi.json has the parameters.",
        "messages": _messages(),
        "bindings": {"http": {"bindingVersion": "0.3.0"}},
    }


def _live() -> Document:
    return {
        "address": "/events/stream/",
        "servers": [{"$ref": "#/servers/core"}],
        "description": "Server-Sent Events; the id of a message is its position.",
        "messages": _messages(),
        "bindings": {"http": {"bindingVersion": "0.3.0"}},
    }


def _messages() -> Document:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in NAMES}


def _message(name: str) -> Document:
    return {
        "name": name,
        "contentType": MEDIA_TYPE,
        "payload": {
            "allOf": [
                {"$ref": "cloud-event.json"},
                {
                    "type": "object",
                    "properties": {
                        "type": {"const": name},
                        "data": {"$ref": f"{FOLDER}/{name}.json"},
                    },
                },
            ]
        },
    }
