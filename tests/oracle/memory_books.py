"""What the books of the engine in memory say, in the words of ``views.books_of``."""

from aggregates.balance.events import BalanceChanged
from aggregates.balance.state import BALANCE, balance_id
from aggregates.order.state import ORDER
from aggregates.subscription.changes import SubscriptionPlanChanged
from aggregates.subscription.events import SubscriptionActivated
from aggregates.subscription.pauses import SubscriptionResumed
from aggregates.transaction.events import TransactionRefunded, TransactionSucceeded
from tests.oracle.views import entries_of


class Books:
    """Reads states and facts."""

    @staticmethod
    def tie(number, kind):
        """The older subscription comes first."""
        del kind
        return number

    @staticmethod
    def seen(books):
        """Nothing is hidden here."""
        return books

    def books(self):
        """The same words as ``views.books_of`` gives for a ledger."""
        facts = [recorded.fact for recorded in self.world.store.log]
        created = self.bills()
        moves = [fact.amount for fact in facts if isinstance(fact, BalanceChanged)]
        paid = [f for f in facts if isinstance(f, (TransactionSucceeded, TransactionRefunded))]
        taken = sum(money.units for money in self.world.provider.charged.values())
        assert taken == sum(f.payment.amount.units for f in paid if f.payment.amount.units > 0)
        used = {fact.totals.total.currency for fact in created} | {m.currency for m in moves}
        return {
            "subscriptions": [self._sub(number) for number in self.subs],
            "bills": [self._bill(fact) for fact in created],
            "payments": [self._payment(fact) for fact in paid],
            "balances": {currency: self._balance(currency) for currency in used},
            "entries": entries_of((money.currency, money.units) for money in moves),
        }

    def bills(self):
        """All invoices, as they were made."""
        return self.world.invoices()

    def _sub(self, number):
        state = self.world.subscription(number)
        live = state.status.value not in {"canceled", "incomplete_expired", "incomplete", "paused"}
        period = state.period if live else None
        return {
            "status": state.status.value,
            "period": (period.start, period.end) if period else None,
            "ends": state.ending.ends_at if state.ending else None,
            "retry": state.dunning.next_retry_at if state.dunning else None,
            "give_up": state.dunning.cancel_at if state.dunning else None,
            "pauses": [
                (fact.paused.start, fact.paused.end)
                for fact in self._facts_of(number, SubscriptionResumed)
            ],
            "activated": [
                fact.period and (fact.period.start, fact.period.end)
                for fact in self._facts_of(number, SubscriptionActivated)
            ],
            "freed": [
                fact.occurred_at
                for fact in self._facts_of(number, SubscriptionPlanChanged)
                if fact.period is None
            ],
        }

    def _bill(self, fact):
        state = self.world.invoice(fact.invoice_id)
        totals, use = fact.totals, state.created.balance
        return {
            "of": self._number(fact.sale.subscription.id),
            "lines": sorted(line.amount.units for line in fact.lines),
            "totals": [m.units for m in (totals.subtotal, totals.discount, totals.tax)],
            "total": totals.total.units,
            "balance": [m.units for m in (use.starting, use.applied, use.due, use.ending)],
            "status": state.status.value,
            "attempts": state.attempts,
            "refunded": self._refunded(fact),
            "credited": state.credited,
            "period": self._whole(fact),
        }

    def _facts_of(self, stream, kind):
        return [fact for fact in self.world.store.facts_of(stream) if isinstance(fact, kind)]

    def _whole(self, fact):
        """The period that an invoice bills as a whole, if it does and holds."""
        state = self.world.subscription(fact.sale.subscription.id)
        waiting = (state.pending.invoice_id,) if state.pending else ()
        if fact.invoice_id in (*state.dropped, *waiting):
            return None
        whole = [line for line in fact.lines if line.feature is None and not line.is_prorated]
        period = whole[0].period if whole else None
        return period and (period.start, period.end)

    def _number(self, subscription):
        """Sales that never came about have none."""
        return self.subs.index(subscription) if subscription in self.subs else None

    def _refunded(self, fact):
        """What the order of an invoice has given back."""
        refunds = self.world.state(ORDER, fact.order_id).refunds if fact.order_id else {}
        return sum(shares.amount.units for shares in refunds.values())

    def _payment(self, fact):
        parts = getattr(fact, "components", ())
        return {
            "gross": fact.payment.amount.units,
            "currency": fact.payment.amount.currency,
            "fee": {p.name.value: p.amount.units for p in parts if p.amount.units},
            "tax": fact.payment.tax.units,
            "net": fact.net.units,
        }

    def _balance(self, currency):
        return self.world.state(BALANCE, balance_id(self.customer, currency)).units
