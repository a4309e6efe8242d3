"""The event stream over HTTP: every fact once, in order, narrowed as asked, nothing personal."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from adapters import fact_stream
from tests.billing_facts import JAN_31, Buyer
from tests.engines import CLIENT_KEY


pytestmark = pytest.mark.anyio

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"


async def pages(client, **params):
    """All events, page by page, as a consumer fetches them."""
    found, address = [], "/events/"
    while address:
        answer = await client.get(address, params=params)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page["events"]
        address, params = page["next"], None
    return found


def life(happened):
    one = Buyer(happened).subscribes()
    sold = one.is_billed(at=JAN_31)
    sold.is_paid(at=JAN_31)
    return one


async def test_pages_hold_every_fact_once_in_order(happened, reading):
    life(happened)
    async with reading(happened) as client:
        whole = await pages(client)
        steps = await pages(client, limit=2)
    ids = [int(event["id"]) for event in whole]
    assert ids == sorted(set(ids))
    assert steps == whole
    assert {"customer.created.v2", "invoice.paid.v1"} <= {event["type"] for event in whole}


async def test_an_empty_page_tells_where_to_go_on(happened, reading):
    life(happened)
    async with reading(happened) as client:
        head = (await client.get("/events/")).json()["position"]
        end = (await client.get("/events/", params={"after": head})).json()
        now = (await client.get("/events/", params={"after": "now"})).json()
        beyond = (await client.get("/events/", params={"after": head + 5})).json()
    assert end == now == {"events": [], "position": head, "next": None}
    assert beyond["position"] == head + 5


async def test_a_selection_that_is_rare_is_found_stretch_by_stretch(happened, reading, monkeypatch):
    monkeypatch.setattr(fact_stream, "SCAN", 2)
    life(happened)
    async with reading(happened) as client:
        paid = await pages(client, types="invoice.paid.v1")
    assert [event["type"] for event in paid] == ["invoice.paid.v1"]


async def test_lines_are_the_same_events(happened, reading):
    life(happened)
    async with reading(happened) as client:
        lines = await client.get("/events/", headers={"Accept": "application/x-ndjson"})
        assert lines.headers["content-type"].startswith("application/x-ndjson")
        assert [json.loads(line) for line in lines.text.splitlines()] == await pages(client)


async def test_types_and_things_narrow(happened, reading):
    life(happened)
    async with reading(happened) as client:
        whole = await pages(client)
        for types in ("invoice.*", "invoice.paid", "invoice.paid.v1, order.*"):
            words = [word.strip().removesuffix("*") for word in types.split(",")]
            assert await pages(client, types=types) == [
                event for event in whole if event["type"].startswith(tuple(words))
            ]
        adas = await pages(client, customer_id="ada")
        assert adas == [event for event in whole if event["owner"] == adas[0]["owner"]]
        assert len({event["type"].split(".")[0] for event in adas}) > 2
        subject = adas[-1]["subject"]
        assert await pages(client, stream=subject) == [
            event for event in whole if event["subject"] == subject
        ]
        assert await pages(client, customer_id="nobody") == []
        assert await pages(client, customer_id="") == [], "an empty id is nobody's, not everybody's"


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"types": "invoice.payed"}, "types", "invoice.paid"),
        ({"types": "inwoice.*"}, "types", "invoice.*"),
        ({"after": "-1"}, "after", ""),
        ({"after": "yesterday"}, "after", ""),
        ({"after": "\u0663"}, "after", ""),
        ({"limit": "0"}, "limit", ""),
        ({"limit": "1001"}, "limit", ""),
        ({"stream": "x"}, "stream", ""),
    ],
)
async def test_a_question_that_makes_no_sense_is_told_why(happened, reading, params, field, words):
    async with reading(happened) as client:
        answer = await client.get("/events/", params=params)
        assert (answer.status_code, list(answer.json())) == (400, [field])
        assert words in answer.text
        streamed = await client.get("/events/stream/", headers={"Last-Event-ID": "x"})
        assert (streamed.status_code, list(streamed.json())) == (400, ["Last-Event-ID"])


async def test_nothing_personal_is_in_clear(happened, reading):
    life(happened)
    async with reading(happened) as client:
        told = (await client.get("/events/")).text
    assert "ada@example.com" not in told
    assert '"sealed":"' in told


async def test_events_are_as_their_schemas_say(happened, reading):
    life(happened)
    envelope = Draft202012Validator(json.loads((REFERENCE / "cloud-event.json").read_text()))
    async with reading(happened) as client:
        for event in await pages(client):
            envelope.validate(event)
            schema = json.loads((REFERENCE / "facts" / f"{event['type']}.json").read_text())
            Draft202012Validator(schema).validate(event["data"])


async def test_only_a_server_key_reads_it(happened, reading):
    async with reading(happened) as client:
        for path in ("/events/", "/events/stream/"):
            as_client = {"Authorization": f"Bearer {CLIENT_KEY}"}
            assert (await client.get(path, headers=as_client)).status_code == 403
            assert (await client.get(path, headers={"Authorization": ""})).status_code == 401
            assert (await client.post(path)).status_code == 405
