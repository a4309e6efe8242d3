"""The whole engine over HTTP and PostgreSQL, driven by the same steps on a test clock."""

from datetime import UTC, timedelta
from uuid import UUID, uuid4

from kernel.timer import TimerKind
from projections.timers import timer_id
from tests.oracle.http_books import Books
from tests.oracle.offers import (
    TOLD,
    VERSIONS,
)
from tests.oracle.rules import COUNTRIES
from tests.oracle.steps import (
    Accept,
    Cancel,
    Card,
    Charge,
    Migrate,
    Pause,
    Publish,
    Reactivate,
    Refund,
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
    "no-refunds": "refund-fails",
}


def text(instant):
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


class OverHttp(Books):
    """One customer on a test clock of its own."""

    def __init__(self, shop, now, *, tax=0):
        self.shop, self.client, self.now, self.tax = shop, shop.client, now, tax
        self.version, self.aged = 1, None
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
        if answer.status_code in {400, 409}:
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
            Refund: self._refund,
            Charge: self._charge_once,
            Accept: self._accept,
            Publish: self._publish,
            Migrate: self._migrate,
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
            "planIdentifier": await self._plan(step.plan),
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
        if step.custom:
            body["customAmount"] = step.custom
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
            "planIdentifier": await self._plan(step.plan),
            "chargePeriod": step.period,
            "prorationBehavior": step.behavior,
        }
        if step.seats is not None:
            body["features"] = [{"identifier": "seats", "quantity": step.seats}]
        if step.trial is not None:
            end = self.now + timedelta(days=step.trial)
            body["trialEnd"] = text(end) if step.trial else "now"
        if step.waits:
            body["paymentBehavior"] = "activate_on_payment"
        return await self._post(self._path(step, "update"), body)

    async def _plan(self, name):
        """The plan that ages is one of this life alone: others would see its new versions."""
        if name == "aged" and self.aged is None:
            self.aged = f"aged-{uuid4()}"
            await self.shop.sell(self.aged, VERSIONS[0])
            for offers in VERSIONS[1 : self.version]:
                await self.shop.publish(self.aged, offers)
        return self.aged if name == "aged" else name

    async def _publish(self, step):
        del step
        if self.version < len(VERSIONS):
            self.version += 1
            if self.aged:
                await self.shop.publish(self.aged, VERSIONS[self.version - 1])
        return {}

    async def _migrate(self, step):
        body = {"updateFeatures": step.features, "updatePricing": step.pricing}
        return await self._post(self._path(step, "migrate"), body)

    async def _accept(self, step):
        body = {"offerType": step.offer, "cancellationFeedback": TOLD[step.offer]}
        if step.months:
            body["pauseMonths"] = step.months
        return await self._post(self._path(step, "retention/accept"), body)

    async def _refund(self, step):
        invoices = await self._every("/invoices/", customer_id=self.customer)
        wanted = invoices[-1 - step.bill]["id"]
        orders = await self._every("/orders/", search=self.customer)
        order = next((order["id"] for order in orders if order["invoiceId"] == wanted), None)
        body = {"orderId": order}
        if step.units is not None:
            body["amountUnits"] = step.units
        return order and await self._post("/refunds/", body)

    async def _charge_once(self, step):
        body = {
            "planIdentifier": "once",
            "chargePeriod": "ONE_TIME",
            "customerId": self.customer,
            "currencyCode": "USD",
        }
        if step.amount:
            body["customAmount"] = step.amount
        if step.inclusive is not None:
            body["taxBehavior"] = "INCLUSIVE" if step.inclusive else "EXCLUSIVE"
        answer = await self._post("/charges/", body)
        if answer:
            self.subs.append(answer["id"])
        return answer

    async def _until(self, step):
        return await self._advance(step.instant)

    async def _advance(self, instant):
        self.now = instant
        return await self._post(
            f"/test-clocks/{self.clock}/advance/", {"frozenTime": text(instant)}
        )


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
        hidden = {"ends", "retry", "give_up", "pauses", "activated", "freed"}
        subs = [
            {key: value for key, value in sub.items() if key not in hidden}
            for sub in books["subscriptions"]
        ]
        for sub in subs:
            sub["period"] = sub["period"] and tuple(
                at.replace(microsecond=0) for at in sub["period"]
            )
        bills = [bill | {"period": None, "credited": None} for bill in books["bills"]]
        return books | {"subscriptions": subs, "bills": bills}
