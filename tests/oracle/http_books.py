"""What the books of the engine say over HTTP, in the words of ``views.books_of``."""

from datetime import datetime
from decimal import Decimal

from tests.oracle.rules import EXPONENTS
from tests.oracle.views import entries_of


def units(amount, currency):
    return int(Decimal(str(amount)).scaleb(EXPONENTS[currency]))


class Books:
    """Reads what a client can read."""

    @property
    def _balance(self):
        return f"/customers/{self.customer}/balance/"

    async def books(self):
        """The same words as ``views.books_of`` gives for a ledger."""
        invoices = await self._every("/invoices/", customer_id=self.customer)
        transactions = await self._every("/transaction/", search=self.customer, status="success")
        orders = await self._every("/orders/", search=self.customer)
        refunded = {order["invoiceId"]: order["refundedTotalUnits"] for order in orders}
        balance = await self.client.get(self._balance, params={"page_size": 100})
        known = {each["currency"]: each["balanceUnits"] for each in balance.json()["balances"]}
        moves = await self._every(self._balance)
        billed = {invoice["currency"] for invoice in invoices}
        return {
            "subscriptions": [await self._sub(number) for number in self.subs],
            "bills": [self._bill(invoice, refunded) for invoice in reversed(invoices)],
            "payments": [_payment(transaction) for transaction in reversed(transactions)],
            "balances": {currency: known.get(currency, 0) for currency in billed},
            "entries": entries_of((m["currency"], m["amountUnits"]) for m in reversed(moves)),
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

    def _bill(self, invoice, refunded):
        currency, details = invoice["currency"], invoice["details"]
        names = ("startingBalance", "appliedBalance", "amountDue", "endingBalance")
        totals = ("amountSubtotalUnits", "amountDiscountUnits", "amountTaxUnits")
        return {
            "of": self._number(invoice["subscription"]["id"]),
            "lines": sorted(units(line["subTotal"], currency) for line in details["lines"]),
            "totals": [invoice[name] for name in totals],
            "total": invoice["amountTotalUnits"],
            "balance": [units(details[name], currency) for name in names],
            "status": invoice["status"],
            "attempts": invoice["attemptCount"],
            "refunded": refunded.get(invoice["id"], 0),
            "period": None,
            "credited": None,
        }

    def _number(self, subscription):
        """Sales that never came about have none."""
        return self.subs.index(subscription) if subscription in self.subs else None


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
