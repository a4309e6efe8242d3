"""One-time charges (wire 19, design 8)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.invoice.events import InvoicePaymentFailed
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.invoicing import invoice_of
from commands.bus import Bus
from commands.charges.create_charge import CreateCharge
from kernel.errors import Invalid, InvalidFields, UpstreamSilent
from projections.subscriptions import SUBSCRIPTIONS
from wire.charge import ChargeIn, ChargeOut, charge_out
from wire.http import errors
from wire.http.documented import gives
from write_api.answers import ViewsBehind
from write_api.outcomes import settled
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/charges", tags=["Charges"])


class PaymentRefused(Invalid):
    """The payment was declined."""

    code = "payment_refused"


class OutcomeUnknown(UpstreamSilent):
    """The payment provider has not answered; ask again with the same Idempotency-Key."""

    code = "payment_outcome_unknown"


@router.post("/", status_code=201, responses=gives(ChargeOut, 201))
async def create(body: ChargeIn, write: ServerWrite) -> Response:
    """Charge the customer's saved payment method once for a plan.

    The answer waits for the payment, at most 8 s. Declined or in need of authentication: 400, and
    nothing was sold. Unknown: 504; the same Idempotency-Key gives the final answer later.
    """
    if body.custom_amount is not None and body.currency_code is None:
        raise InvalidFields({"currencyCode": ["This field is required with customAmount."]})
    charge_id = write.id("charge")
    command = CreateCharge(
        subscription_id=charge_id,
        customer_id=body.customer_id,
        plan=body.plan_identifier,
        period=body.charge_period,
        currency=body.currency_code,
        quantities=body.quantities,
        custom_amount=body.custom_amount,
        tax_behavior=body.tax_behavior,
    )
    bus = write.services.bus
    return await write(command, settled(bus, _charged(bus, charge_id), firm=True))


def _charged(bus: Bus, charge_id: UUID) -> Answer:
    """The record; why the payment failed, which is kept like it; or that nobody knows yet."""

    async def answer(done: Done) -> Response:
        state = SUBSCRIPTION.of((await bus.store.load(charge_id)).facts)
        if state.status is Status.INCOMPLETE:
            raise OutcomeUnknown
        if state.status is Status.INCOMPLETE_EXPIRED:
            return errors.answer(await _refusal(bus, charge_id))
        body = await done.reader.find(SUBSCRIPTIONS, done.tenant, charge_id)
        if body is None:
            raise ViewsBehind
        return Response(charge_out(body), 201, media_type="application/json")

    return answer


async def _refusal(bus: Bus, charge_id: UUID) -> PaymentRefused:
    facts = (await bus.store.load(invoice_of(charge_id, None))).facts
    failed = [fact.failure for fact in facts if isinstance(fact, InvoicePaymentFailed)]
    return PaymentRefused(failed[-1].message if failed else None)
