"""What the page shows of a quote: choices, sums and wording, in the buyer's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from commands.checkout.offering import PlanOption
from commands.checkout.quote_checkout import Quote
from commands.checkout.standing import Standing
from kernel.custom_fields import FieldType
from kernel.interval import INTERVALS
from kernel.money import Money
from pages.checkout.entered import CUSTOM, QUANTITY, SECRETS
from pages.countries import countries
from pages.recurring import per_period
from wire.brands import brand
from wire.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """A line of the summary; ``kind`` is its style."""

    label: str
    amount: str
    kind: str = ""


def choice_values(language: Language, now: Standing, quote: Quote) -> dict[str, Any]:
    """Plans, periods and quantities, as far as there is anything to choose."""
    chosen = next((o for o in quote.options if o.identifier == quote.plan.identifier), None)
    fixed = now.session.terms.custom_amount is not None or chosen is None
    plans = [] if fixed else [_plan(language, option, quote) for option in quote.options]
    periods = [] if fixed or chosen is None else list(_periods(language, chosen, quote))
    return {
        "plans": plans if len(plans) > 1 else [],
        "periods": periods if len(periods) > 1 else [],
        "quantities": [] if fixed or chosen is None else chosen.features,
        "quantity_prefix": QUANTITY,
        "discounts": now.session.terms.discounts_enabled and quote.plan.identifier != "",
        "code": now.session.selection.discount_code or "",
    }


def summary_values(language: Language, quote: Quote) -> dict[str, Any]:
    """What is bought and what it comes to."""
    tried = quote.trial_days > 0
    recurs = quote.period in INTERVALS
    return {
        "product": quote.product.name,
        "plan": quote.plan.name,
        "headline": language.count_of("checkout.days_free", quote.trial_days)
        if tried
        else language.money(quote.due),
        "headline_note": _note(language, quote, tried=tried, recurs=recurs),
        "lines": [_line(language, line.name, line.quantity, line.amount) for line in quote.lines],
        "sums": list(_sums(language, quote, tried=tried)),
        "pay": _button(language, quote, tried=tried),
        "due": language.money(quote.due),
        "needs_card": quote.needs_card,
        "token": quote.token,
    }


def filled(language: Language, now: Standing, form: Mapping[str, str]) -> dict[str, str]:
    """What stands in the fields: what was just entered, else what the session holds."""
    details = now.session.details
    address = details.billing_address
    kept = {
        "email": details.email,
        "name": details.name,
        "tax_id": details.tax_id,
        "country": address and address.country,
        "line1": address and address.line1,
        "city": address and address.city,
        "state": address and address.state,
        "postal_code": address and address.postal_code,
        **{f"{CUSTOM}{field.key}": "" for field in now.custom_fields},
        **dict(_answers(language, now)),
    }
    entered = {name: value for name, value in form.items() if name not in SECRETS}
    return {name: value or "" for name, value in kept.items()} | entered


def buyer_values(language: Language, now: Standing) -> dict[str, Any]:
    """What is asked of the buyer."""
    return {
        "locked_email": now.session.terms.lock_email and bool(now.session.details.email),
        "countries": countries(language.locale),
        "custom_fields": now.custom_fields,
        "custom_prefix": CUSTOM,
        "saved": [
            (
                str(method.id),
                brand(method.instrument.brand or method.instrument.type),
                method.instrument.last4,
            )
            for method in now.saved
        ],
    }


def _plan(language: Language, option: PlanOption, quote: Quote) -> dict[str, Any]:
    period = quote.period if quote.period in option.amounts else next(iter(option.amounts), None)
    price = "" if period is None else per_period(language, option.amounts[period], period)
    return {
        "identifier": option.identifier,
        "name": option.name,
        "description": option.description,
        "price": price,
        "chosen": option.identifier == quote.plan.identifier,
    }


def _periods(language: Language, chosen: PlanOption, quote: Quote) -> Iterator[dict[str, Any]]:
    for period in chosen.periods:
        amount = chosen.amounts.get(period)
        yield {
            "value": period.value,
            "name": language.say(f"period.{period.value}"),
            "price": "" if amount is None else per_period(language, amount, period),
            "chosen": period is quote.period,
        }


def _line(language: Language, name: str, quantity: int, amount: Money) -> Sum:
    counted = f"{name} × {language.count(quantity)}" if quantity != 1 else name  # noqa: RUF001
    return Sum(label=counted, amount=language.money(amount))


def _sums(language: Language, quote: Quote, *, tried: bool) -> Iterator[Sum]:
    say, money = language.say, language.money
    for discount in quote.discounts:
        off = discount.off.percentage
        rate = f" ({language.percentage(str(off))})" if off is not None else ""
        label = f"{discount.code or discount.name}{rate}"
        yield Sum(label=label, amount=money(-discount.amount), kind="off")
    for tax in quote.taxes:
        rate = language.percentage(tax.terms.percent if tax.terms.rate else "0")
        name = f"{tax.terms.name or say('checkout.tax')} {rate}"
        if tax.terms.is_inclusive:
            name = say("checkout.included", tax=name)
        yield Sum(label=name, amount=money(tax.amount))
    if quote.credit.units:
        yield Sum(label=say("checkout.credit"), amount=money(-quote.credit), kind="off")
    if tried and quote.trial_ends_at is not None:
        day = language.day(quote.trial_ends_at)
        later = Money(quote.totals.total.units - quote.credit.units, quote.currency)
        yield Sum(label=say("checkout.due_on", day=day), amount=money(later), kind="later")
    yield Sum(label=say("checkout.due_today"), amount=money(quote.due), kind="total")


def _note(language: Language, quote: Quote, *, tried: bool, recurs: bool) -> str:
    """A discount may end before the renewals do: it neither names their price nor hides them."""
    if tried and quote.trial_ends_at is not None and not quote.discounts:
        amount = per_period(language, quote.totals.total, quote.period)
        return language.say("checkout.then", amount=amount)
    if recurs and quote.totals.subtotal.units:
        return language.say(f"checkout.renews.{quote.period.value}")
    return language.say("checkout.once") if quote.due.units else language.say("checkout.free")


def _button(language: Language, quote: Quote, *, tried: bool) -> str:
    if tried:
        return language.say("checkout.start_trial")
    if quote.due.units:
        return language.say("checkout.pay", amount=language.money(quote.due))
    return language.say("checkout.complete")


def _answers(language: Language, now: Standing) -> Iterator[tuple[str, str]]:
    """What was answered, as it is typed here."""
    types = {field.key: field.type for field in now.custom_fields}
    for key, value in now.session.details.custom_fields.items():
        text = str(value)
        if types.get(key) is FieldType.NUMBER:
            text = language.typed(text)
        if isinstance(value, bool):
            text = "on" if value else ""
        yield f"{CUSTOM}{key}", text
