"""What is sold once, given back, and changed by hand (design 8 and 13, cases 82 to 87)."""

from fractions import Fraction

from tests.oracle import rules
from tests.oracle.offers import offer
from tests.oracle.records import Payment, Sub


class Once:
    """The part of the ledger that knows charges and refunds."""

    def _charge_once(self, step):
        sold = offer("once", "ONE_TIME", "USD")
        if step.amount:
            sold = sold.at(step.amount)
        if step.inclusive is not None:
            sold = sold.with_tax(inclusive=step.inclusive)
        sub = Sub(None, sold, None, "active", self.now, self.now)
        bill = self._bill(sub)
        if bill.due and self._attempt(sub, bill) != "paid":
            self._withdraw(bill)
            bill.of = None
            return False
        sub.activated = [None] if bill.due else []
        sub.number = bill.of = len(self.subs)
        self.subs.append(sub)
        return True

    def _adjust(self, step):
        """The next invoice uses it, what is open stays as it is."""
        self.books.move(step.currency, step.units)

    def _refund(self, step):
        """Gross; the method gets back first what it had paid, the balance the rest."""
        bill = self.books.bills[step.bill]
        rest = bill.left
        units = rest if step.units is None else step.units
        if bill.is_open or bill.is_dropped or not 0 < units <= rest:
            return False
        charged = min(bill.due, bill.total) if bill.method else 0
        to_method = min(units, charged - bill.refunded_to_method)
        if to_method and not bill.method.takes_back:
            return False
        bill.refunded += units
        bill.refunded_to_method += to_method
        tax = rules.rounded(bill.tax * Fraction(bill.refunded, bill.total)) - bill.refunded_tax
        bill.refunded_tax += tax
        if to_method:
            self.books.payments.append(Payment(-to_method, bill.currency, {}, -tax))
        if units > to_method:
            self.books.move(bill.currency, to_method - units)
        return True
