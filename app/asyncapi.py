"""AsyncAPI 3 of the event stream: its Kafka topic, and the same over HTTP (design 10)."""

from __future__ import annotations

from typing import Any

from aggregates.catalog import FACTS, UPCASTS
from app.fact_schemas import FOLDER
from projections.changed import RESOURCES
from wire.cloud_event import MEDIA_TYPE
from wire.stream import HEARTBEAT, PARTITIONS, RESOURCE_PARTITIONS


Document = dict[str, Any]
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
        "channels": {
            "events": _topic(),
            "resources": _resource_topics(),
            "feed": _feed(),
            "live": _live(),
        },
        "operations": {
            channel: {
                "action": "send",
                "channel": {"$ref": f"#/channels/{channel}"},
                "summary": summary,
            }
            for channel, summary in (
                ("events", "Publish each fact to Kafka."),
                ("resources", "Publish the newest body of each resource to Kafka."),
                ("feed", "Answer a page of facts."),
                ("live", "Send each fact as it happens."),
            )
        },
        "components": {
            "messages": {
                **{name: _message(name) for name in NAMES},
                HEARTBEAT: _heartbeat(),
                "resource": _resource(),
            }
        },
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
        "messages": {**_messages(), HEARTBEAT: {"$ref": f"#/components/messages/{HEARTBEAT}"}},
        "bindings": {
            "kafka": {
                "partitions": PARTITIONS,
                "topicConfiguration": {"cleanup.policy": ["delete"], "retention.ms": -1},
            }
        },
    }


def _resource_topics() -> Document:
    return {
        "address": "billstream.{environment}.{resource}",
        "parameters": {**ENVIRONMENTS, "resource": {"enum": sorted(RESOURCES)}},
        "servers": [{"$ref": "#/servers/kafka"}],
        "messages": {"resource": {"$ref": "#/components/messages/resource"}},
        "bindings": {
            "kafka": {
                "partitions": RESOURCE_PARTITIONS,
                "topicConfiguration": {"cleanup.policy": ["compact"]},
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


def _heartbeat() -> Document:
    return {
        "name": HEARTBEAT,
        "summary": "Every fact up to this position that belongs in this partition precedes it.",
        "contentType": MEDIA_TYPE,
        "payload": {
            "type": "object",
            "required": ["specversion", "id", "source", "type", "data"],
            "properties": {
                "type": {"const": HEARTBEAT},
                "data": {
                    "type": "object",
                    "required": ["position"],
                    "properties": {"position": {"type": "integer"}},
                },
            },
        },
    }


def _resource() -> Document:
    return {
        "name": "resource",
        "summary": "A resource as GET shows it, without links and license keys; null: it is gone.",
        "contentType": "application/json",
        "payload": {"type": ["object", "null"]},
    }
