"""What a record of a subscription shows of its contract and its trial."""

from __future__ import annotations

from datetime import datetime

import msgspec

from aggregates.subscription.contract import Contract
from kernel.interval import ChargePeriod, Period
from kernel.sale import BillingType
from projections import copies
from projections.table import Doc
from wire.ids import id_text
from wire.times import instant


def contract_of(contract: Contract, anchor: datetime) -> Doc:
    terms = contract.terms
    one_time = terms.period is ChargePeriod.ONE_TIME
    return {
        "charge_period": terms.period.value,
        "billing_type": (BillingType.ONE_TIME if one_time else BillingType.SUBSCRIPTION).value,
        "amount_units": contract.amount.units,
        "currency": contract.amount.currency,
        "is_custom_pricing": contract.is_custom_pricing,
        "product": copies.product(terms.product),
        "plan_uuid": id_text(terms.plan.id),
        "plan": {
            "id": id_text(terms.plan.id),
            "identifier": terms.plan.identifier,
            "name": terms.plan.name,
            "version": terms.plan.version,
            "feature_version": contract.feature_version,
            "description": terms.plan.description,
        },
        "features": [copies.entitlement(granted) for granted in terms.entitlements],
        "files": _files(contract),
        "links": [{"name": link.name, "url": link.url} for link in terms.plan.links],
        "anchor": instant(anchor),
    }


def _files(contract: Contract) -> str:
    """As JSON: they are read with links that hold for a while."""
    plan = contract.terms.plan
    return msgspec.json.encode({"plan": plan.identifier, "files": plan.files}).decode()


def trial_of(trial: Period | None) -> Doc:
    start = None if trial is None else instant(trial.start)
    return {"trial_start": start, "trial_end": None if trial is None else instant(trial.end)}
