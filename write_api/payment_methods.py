"""Writes about saved payment methods (wire 15, design 13)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.payment_method.decide import PaymentMethodNotFound
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.payment_methods.change_payment_method import ChangePaymentMethod
from commands.payment_methods.remove_payment_method import RemovePaymentMethod
from kernel.errors import InvalidFields
from kernel.ports.payments import CardNumber
from projections.payment_methods import PAYMENT_METHODS, numbered
from wire.payment_method import CardIn, PaymentMethodChangesIn, PaymentMethodIn
from write_api import answers
from write_api.write import Answer, Done, ServerWrite, Write


router = APIRouter(prefix="/payment-methods", tags=["Payment methods"])


@router.post("/", status_code=201)
async def add(body: PaymentMethodIn, write: ServerWrite) -> Response:
    """Save a test card, or what a token of the provider stands for."""
    method_id = write.id("payment-method")

    async def command() -> AddPaymentMethod:
        return AddPaymentMethod(
            customer_id=body.customer_id,
            method_id=method_id,
            provider=write.tenant.payments.name,
            saved=await write.services.payments.save(_source(body, write), str(method_id)),
            make_default=body.is_default,
        )

    return await write(command, answers.row(PAYMENT_METHODS, method_id, status=201))


@router.patch("/{number}/")
async def change(number: int, body: PaymentMethodChangesIn, write: ServerWrite) -> Response:
    """Make a method the default, or note the new expiry of its card."""
    if body.is_default is False:
        raise InvalidFields({"isDefault": ["Make another method the default instead."]})

    async def command() -> ChangePaymentMethod:
        if card := body.card:
            _must_be_ahead(card.exp_month, card.exp_year, write.services.reader.clock.now())
        customer, method_id = await _method(write, number)
        return ChangePaymentMethod(
            customer=customer,
            method_id=method_id,
            make_default=bool(body.is_default),
            card={} if body.card is None else body.card.model_dump(),
        )

    return await write(command, _row(number))


@router.delete("/{number}/", status_code=204)
async def remove(number: int, write: ServerWrite) -> Response:
    """Forget a method; the newest of the others becomes the default if it was that."""

    async def command() -> RemovePaymentMethod:
        customer, method_id = await _method(write, number)
        return RemovePaymentMethod(customer=customer, method_id=method_id)

    return await write(command, answers.nothing())


def _source(body: PaymentMethodIn, write: Write) -> CardNumber | str:
    write.tenant.payments.require()
    if (body.card is None) == (body.token is None):
        raise InvalidFields({"card": ["Give either a card or a token."]})
    if body.token is not None:
        return body.token
    return _card(body.card, write.services.reader.clock.now()) if body.card else ""


def _card(card: CardIn, now: datetime) -> CardNumber:
    _must_be_ahead(card.exp_month, card.exp_year, now)
    return CardNumber(
        number=card.number, exp_month=card.exp_month, exp_year=card.exp_year, cvc=card.cvc or ""
    )


def _must_be_ahead(month: int, year: int, now: datetime) -> None:
    if (year, month) < (now.year, now.month):
        raise InvalidFields({"card.expYear": ["The card has expired."]})


async def _method(write: Write, number: int) -> tuple[UUID, UUID]:
    """The customer and the method behind the id that clients use."""
    where = numbered(number)
    found = await write.services.reader.rows(
        "SELECT t.customer_stream, t.id FROM payment_methods t"
        f" WHERE t.organization = %s AND {where.sql}",
        (write.tenant.organization, *where.parameters),
    )
    if not found:
        raise PaymentMethodNotFound
    return found[0][0], found[0][1]


def _row(number: int) -> Answer:
    async def answer(done: Done) -> Response:
        body = await done.reader.first(PAYMENT_METHODS, done.tenant, numbered(number))
        if body is None:
            raise PaymentMethodNotFound
        return Response(body, media_type="application/json")

    return answer
