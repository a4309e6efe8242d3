"""The whole engine over HTTP and PostgreSQL, driven by the same steps on a test clock."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from kernel.timer import TimerKind
from projections.timers import timer_id
from tests.catalog_requests import create_feature, create_plan, create_product
from tests.oracle.offers import OFFERS
from tests.oracle.rules import COUNTRIES, EXPONENTS
from tests.oracle.steps import (
    Cancel,
    Card,
    Pause,
    Reactivate,
    Resume,
    Subscribe,
    Until,
    Update,
)


TOKENS = {
    "works": "visa",
    "works-de": "visa-de",
    "sepa": "sepa-debit",
    "debit-0": "sepa-debit-declined",
}


def text(instant):
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def units(amount, currency):
    return int(Decimal(str(amount)).scaleb(EXPONENTS[currency]))


async def load_catalog(client):
    """All offers, sold by one product, and the tax of each country."""
    rates = [
        {"country": land, "percent": percent} for percent, land in COUNTRIES.items() if percent
    ]
    answer = await client.patch("/organizations/settings/", json={"taxRates": rates})
    assert answer.status_code == 200, answer.text
    product = await create_product(client)
    seats = await create_feature(client, identifier="seats")
    for plan in dict.fromkeys(offer.plan for offer in OFFERS):
        await create_plan(client, product, identifier=plan, name=plan.title())
        offers = [offer for offer in OFFERS if offer.plan == plan]
        prices = [
            _price([offer for offer in offers if offer.currency == currency], seats["id"])
            for currency in dict.fromkeys(offer.currency for offer in offers)
        ]
        path = f"/catalog/plans/{plan}"
        answer = await client.post(f"{path}/prices/bulk/", json={"prices": prices})
        assert answer.status_code == 200, answer.text
        answer = await client.post(f"{path}/publish/")
        assert answer.status_code == 200, answer.text


def _price(offers, seats):
    first = offers[0]
    rows = [_row(None, ((offer.period, offer.base) for offer in offers))]
    if first.seat is not None:
        rows.append(_row(seats, ((offer.period, offer.seat) for offer in offers)))
    return {
        "currency": first.currency,
        "priceType": "FREE" if first.plan == "free" else "PAID",
        "freeTrial": bool(first.trial_days),
        "trialPeriod": first.trial_days or 7,
        "taxBehavior": "INCLUSIVE" if first.currency == "EUR" else "EXCLUSIVE",
        "chargeCatalogPrice": rows,
    }


def _row(feature, amounts):
    charges = [
        {"chargePeriod": period, "priceData": {"amount": amount}} for period, amount in amounts
    ]
    return {"feature": feature, "priceModel": "FLAT", "charges": charges}


class OverHttp:
    """One customer on a test clock of its own."""

    def __init__(self, client, now, *, tax=0):
        self.client, self.now, self.tax = client, now, tax
        self.customer, self.clock = f"life-{uuid4()}", None
        self.subs = []

    async def begin(self):
        clock = await self._post("/test-clocks/", {"frozenTime": text(self.now)})
        self.clock = clock["id"]
        body = {
            "customerId": self.customer,
            "testClockId": self.clock,
            "billingAddress": {"country": COUNTRIES[self.tax]},
        }
        await self._post("/customers/", body)

    async def _post(self, path, body=None):
        answer = await self.client.post(path, json=body)
        if answer.status_code == 400:
            return None
        assert answer.status_code in {200, 201}, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    async def do(self, step):
        """False when it is refused."""
        acts = {
            Card: self._card,
            Subscribe: self._subscribe,
            Cancel: self._cancel,
            Reactivate: lambda step: self._post(self._path(step, "reactivate")),
            Until: self._until,
            Update: self._update,
            Pause: lambda step: self._post(self._path(step, "pause"), {"pauseMonths": step.months}),
            Resume: lambda step: self._post(self._path(step, "resume")),
        }
        accepted = await acts[type(step)](step) is not None
        if accepted and not isinstance(step, Until):
            await self._advance(self.now)
        return accepted

    def _path(self, step, what):
        return f"/subscriptions/{self.subs[step.number]}/{what}/"

    async def _card(self, step):
        name = TOKENS.get(step.behavior, step.behavior)
        body = {"customerId": self.customer, "token": f"tok_{name}", "isDefault": True}
        return await self._post("/payment-methods/", body)

    async def _subscribe(self, step):
        body = {
            "planIdentifier": step.plan,
            "chargePeriod": step.period,
            "customerId": self.customer,
            "currencyCode": step.currency,
            "billPastPeriods": step.bill_past,
        }
        if step.seats is not None:
            body["features"] = [{"identifier": "seats", "quantity": step.seats}]
        if step.days_ago:
            body["startDate"] = text(self.now - timedelta(days=step.days_ago))
        if step.trial_days is not None:
            end = self.now + timedelta(days=step.trial_days)
            body["trialEnd"] = text(end) if step.trial_days else "now"
        if step.discount:
            body["discountCode"] = await self._coupon(step.discount, step.currency)
        answer = await self._post("/subscriptions/create/", body)
        self.subs.append(answer["id"])
        return answer

    async def _coupon(self, off, currency):
        """The code of a discount that nobody else has."""
        body = {"discountType": "PERCENTAGE", "percentageOff": off.percent}
        if not off.percent:
            body = {"discountType": "FIXED", "amountOffUnits": off.units, "currency": currency}
        body["duration"] = {None: "FOREVER", 1: "ONCE"}.get(off.cycles, "REPEATING")
        if body["duration"] == "REPEATING":
            body["durationInCycles"] = off.cycles
        return (await self._post("/discount/", body))["code"]

    async def _cancel(self, step):
        body = {"cancellationType": step.type, "creditUnusedTime": step.credit}
        if step.on:
            body["cancellationDate"] = step.on.isoformat()
        return await self._post(self._path(step, "cancel"), body)

    async def _update(self, step):
        body = {
            "planIdentifier": step.plan,
            "chargePeriod": step.period,
            "prorationBehavior": step.behavior,
        }
        if step.seats is not None:
            body["features"] = [{"identifier": "seats", "quantity": step.seats}]
        return await self._post(self._path(step, "update"), body)

    async def _until(self, step):
        return await self._advance(step.instant)

    async def _advance(self, instant):
        self.now = instant
        return await self._post(
            f"/test-clocks/{self.clock}/advance/", {"frozenTime": text(instant)}
        )

    # What came of it

    async def books(self):
        """The same words as ``views.books_of`` gives for a ledger."""
        invoices = await self._every("/invoices/", customer_id=self.customer)
        transactions = await self._every("/transaction/", search=self.customer, status="success")
        balance = (await self.client.get(f"/customers/{self.customer}/balance/")).json()["balances"]
        known = {entry["currency"]: entry["balanceUnits"] for entry in balance}
        billed = {invoice["currency"] for invoice in invoices}
        return {
            "subscriptions": [await self._sub(number) for number in self.subs],
            "bills": [self._bill(invoice) for invoice in reversed(invoices)],
            "payments": [_payment(transaction) for transaction in reversed(transactions)],
            "balances": {currency: known.get(currency, 0) for currency in billed},
        }

    async def _every(self, path, **query):
        found, page = [], 1
        while page:
            answer = await self.client.get(path, params=query | {"page": page, "page_size": 100})
            assert answer.status_code == 200, answer.text
            found += answer.json()["results"]
            page = page + 1 if answer.json()["next"] else None
        return found

    async def _sub(self, number):
        record = (await self.client.get(f"/subscriptions/{number}/")).json()
        status = record["status"]
        start, end = record["billingPeriodStartTime"], record["billingPeriodEndTime"]
        dead = status in {"canceled", "incomplete_expired", "incomplete", "paused"}
        period = None if dead or start is None else (_instant(start), _instant(end))
        return {"status": status, "period": period}

    def _bill(self, invoice):
        currency, details = invoice["currency"], invoice["details"]
        names = ("startingBalance", "appliedBalance", "amountDue", "endingBalance")
        totals = ("amountSubtotalUnits", "amountDiscountUnits", "amountTaxUnits")
        return {
            "of": self.subs.index(invoice["subscription"]["id"]),
            "lines": sorted(units(line["subTotal"], currency) for line in details["lines"]),
            "totals": [invoice[name] for name in totals],
            "total": invoice["amountTotalUnits"],
            "balance": [units(details[name], currency) for name in names],
            "status": invoice["status"],
            "attempts": invoice["attemptCount"],
        }


def _instant(shown):
    return datetime.fromisoformat(shown)


def _payment(transaction):
    currency = transaction["currency"].upper()
    parts = transaction["morFeeBreakdown"]
    return {
        "gross": units(transaction["amountTotal"], currency),
        "currency": currency,
        "fee": {part["name"]: part["valueUnits"] for part in parts if part["valueUnits"]},
        "tax": units(transaction["collectedTax"], currency),
        "net": units(transaction["netPayout"], currency),
    }


class Blocking:
    """The same for those who cannot wait: a machine that draws steps."""

    def __init__(self, portal, engine):
        self._portal, self._engine = portal, engine
        portal.call(engine.begin)

    def do(self, step):
        return self._portal.call(self._engine.do, step)

    def tie(self, number, kind):
        """Equal timers come in the order of their ids; what is just being made has none yet."""
        known = self._engine.subs[number : number + 1]
        return timer_id(UUID(known[0]), TimerKind(kind)) if known else UUID(int=number)

    def books(self):
        return self._portal.call(self._engine.books)

    @staticmethod
    def seen(books):
        """What a client can read of a ledger: whole seconds, and no plans for the future."""
        hidden = {"ends", "retry", "give_up"}
        subs = [
            {key: value for key, value in sub.items() if key not in hidden}
            for sub in books["subscriptions"]
        ]
        for sub in subs:
            sub["period"] = sub["period"] and tuple(
                at.replace(microsecond=0) for at in sub["period"]
            )
        return books | {"subscriptions": subs}
