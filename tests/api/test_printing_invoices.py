"""Invoices as PDF over HTTP."""

import json

import pytest

from adapters.typesetting import TypstTypesetter
from tests.billing_facts import JAN_31, Buyer, usd


pytestmark = pytest.mark.anyio


async def test_an_invoice_comes_as_a_document_with_a_name(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    async with reading(happened) as client:
        answers = [await client.get(f"/invoices/{sold.invoice_number}/pdf/") for _ in range(2)]
        after = await client.get(f"/invoices/{sold.invoice_number}/pdf")
    for answer in (*answers, after):
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        named = f'inline; filename="{sold.invoice_number}.pdf"'
        assert answer.headers["content-disposition"] == named
        assert answer.content == answers[0].content
        assert answer.content.startswith(b"%PDF-")


async def test_what_changes_changes_the_document(happened, reading):
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    async with reading(happened) as client:
        owed = (await client.get(f"/invoices/{sold.invoice_number}/pdf/")).content
    happened.commands.clear()
    sold.is_paid(at=JAN_31)
    async with reading(happened) as client:
        paid = (await client.get(f"/invoices/{sold.invoice_number}/pdf/")).content
    assert owed != paid


async def test_what_is_due_is_less_what_credit_took_off_since(happened, reading, monkeypatch):
    async def only_texts(_, template, texts):
        return json.dumps([template, texts]).encode()

    monkeypatch.setattr(TypstTypesetter, "pdf", only_texts)
    sold = Buyer(happened).subscribes().is_billed(at=JAN_31)
    sold.is_lowered(usd(500), at=JAN_31)
    async with reading(happened) as client:
        printed = await client.get(f"/invoices/{sold.invoice_number}/pdf/")
    _, texts = printed.json()
    assert texts["headline"] == ["Amount due", "US$24.99"]
    assert texts["sums"][-1] == ["Applied balance", "-US$5.00"]
    assert texts["ends"] == [["Amount due", "US$24.99"]]


async def test_an_unknown_invoice_has_none(happened, reading):
    Buyer(happened)
    async with reading(happened) as client:
        for unknown in ("INV-20260131103015-ZZZZZ", "x"):
            answer = await client.get(f"/invoices/{unknown}/pdf/")
            assert (answer.status_code, answer.json()["code"]) == (404, "invoice_not_found")
