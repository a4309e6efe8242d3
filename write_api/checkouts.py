"""Writes about checkout sessions (spec: POST /checkout/, wire 16.1)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from aggregates.checkout.events import Origins
from commands.checkout.create_checkout import CreateCheckout
from kernel.checkout_link import checkout_url, new_session_id
from kernel.errors import InvalidFields
from wire.checkout import CheckoutIn, CheckoutOut
from wire.http.documented import gives
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/checkout", tags=["Checkout"])

REQUIRED = ["This field is required with customAmount."]


@router.post("/", status_code=201, responses=gives(CheckoutOut, 201))
async def create(body: CheckoutIn, write: ServerWrite) -> Response:
    """Make a hosted page on which a buyer buys a plan; a customer who is not known is created.

    What the buyer pays in is ``currencyCode``, else the currency of the buyer's country, if the
    plan is priced in it. The session expires after the setting ``checkoutExpiryHours``.
    """
    _require_custom_price(body)
    session_id = new_session_id(write.tenant, write.command_id)
    command = CreateCheckout(
        session_id=session_id,
        customer_id=body.customer_id or f"cus_{write.id('customer').hex}",
        plan=body.plan_identifier,
        period=body.charge_period,
        quantities=body.quantities,
        plans=body.plans_enabled,
        periods=body.billing_periods_enabled,
        currency=body.currency_code,
        custom_amount=body.custom_amount,
        tax_behavior=body.tax_behavior,
        trial_days=body.trial_period,
        discount_code=body.discount_code,
        discounts_enabled=body.discounts_enabled,
        email=body.email,
        lock_email=body.lock_email,
        country=write.services.countries.of(body.ip_address) if body.ip_address else None,
        default_country=body.default_billing_country,
        success_url=body.success_url,
        cancel_url=body.cancel_url,
        metadata=body.metadata or {},
        shown_in=_origins(body),
    )
    url = checkout_url(write.services.reader.base_url, session_id)
    shown = {"checkoutUrl": url, "checkoutSessionId": session_id}
    return await write(command, answers.content(shown, status=201))


def _require_custom_price(body: CheckoutIn) -> None:
    if body.custom_amount is None:
        return
    named = {"taxBehavior": body.tax_behavior, "currencyCode": body.currency_code}
    if problems := {name: REQUIRED for name, value in named.items() if value is None}:
        raise InvalidFields(problems)


def _origins(body: CheckoutIn) -> Origins:
    """A table and its rule count only without an offering (wire 16.1)."""
    if body.offering_id is not None:
        return Origins(offering=body.offering_id)
    return Origins(pricing_table=body.pricing_table_id, rule=body.rule_id)
