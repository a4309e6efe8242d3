"""Writes about the caller's organization (spec: Organization settings)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from fastapi import APIRouter, Response
from pydantic.alias_generators import to_camel

from commands.organizations.change_settings import ChangeCheckoutLook, ChangeSettings
from kernel.custom_fields import CustomField
from kernel.errors import InvalidFields
from kernel.file_keys import Area
from kernel.postal import Address
from kernel.settings import FixedFee, TaxRate
from projections.organizations import CHECKOUT_SETTINGS, ORGANIZATION_SETTINGS
from wire.organization import CheckoutSettingsIn, FeeScheduleIn, SettingsIn, exact
from write_api import answers
from write_api.uploads import taken
from write_api.write import ServerWrite


router = APIRouter(prefix="/organizations", tags=["Organization"])
PICTURES = {"light_logo", "dark_logo", "favicon", "background_image"}


@router.patch("/settings/")
async def change_settings(body: SettingsIn, write: ServerWrite) -> Response:
    """Change the named settings; lists are replaced as a whole, fees one by one."""
    changes = _named(body)
    changes.pop("fee_schedule", None)
    if body.tax_rates is not None:
        changes["tax_rates"] = _tax_rates(body)
    if body.address is not None:
        changes["address"] = Address(**body.address.model_dump())
    if body.dunning_schedule is not None:
        changes["dunning_schedule"] = tuple(body.dunning_schedule)
    command = ChangeSettings(changes=changes, fees=_fees(body.fee_schedule))
    return await write(command, answers.row(ORGANIZATION_SETTINGS, write.tenant.organization))


@router.patch("/checkout-settings/")
async def change_checkout_settings(body: CheckoutSettingsIn, write: ServerWrite) -> Response:
    """Change the named parts of how hosted pages look and what they ask; null clears one."""
    changes = {name: getattr(body, name) for name in body.model_fields_set}
    if "customization" in changes:
        changes["customization"] = changes["customization"] or {}
    if "custom_fields" in changes:
        changes["custom_fields"] = _custom_fields(body)
    for name in PICTURES & changes.keys():
        changes[name] = await _kept(write, name, changes[name])
    command = ChangeCheckoutLook(changes=changes)
    return await write(command, answers.row(CHECKOUT_SETTINGS, write.tenant.organization))


async def _kept(write: ServerWrite, name: str, picture: str | None) -> str | None:
    """An https address as it is, an upload where it is kept."""
    if not picture or picture.startswith("https://"):
        return picture
    [key] = await taken(write, [picture], Area.PUBLIC, to_camel(name))
    return str(key)


def _custom_fields(body: CheckoutSettingsIn) -> tuple[CustomField, ...]:
    return tuple(
        CustomField(
            key=field.key,
            label=field.label,
            type=field.type,
            required=field.required,
            options=field.options,
        )
        for field in body.custom_fields or ()
    )


def _named(body: SettingsIn | FeeScheduleIn) -> dict[str, Any]:
    named = ((name, getattr(body, name)) for name in body.model_fields_set)
    return {name: value for name, value in named if value is not None}


def _tax_rates(body: SettingsIn) -> tuple[TaxRate, ...]:
    rates = tuple(
        TaxRate(
            country=rate.country,
            percent=exact(rate.percent),
            tax_code=rate.tax_code,
            name=rate.name,
        )
        for rate in body.tax_rates or ()
    )
    if len({(rate.country, rate.tax_code) for rate in rates}) < len(rates):
        raise InvalidFields({"taxRates": ["One rate per country and tax code."]})
    return rates


def _fees(body: FeeScheduleIn | None) -> Mapping[str, Any]:
    if body is None:
        return {}
    changes = {
        name: exact(value) if isinstance(value, Decimal) else value
        for name, value in _named(body).items()
    }
    if body.fixed_units is not None:
        changes["fixed_units"] = tuple(
            FixedFee(currency=currency, units=units)
            for currency, units in sorted(body.fixed_units.items())
        )
    return changes
