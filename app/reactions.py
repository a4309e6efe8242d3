"""The reactions that bill, as the runners drive them."""

from __future__ import annotations

from commands.bus import Bus
from kernel.ports.payments import PaymentProvider
from subscribers import assess_fees, collect_payments, collect_with_new_methods, reconcile_payments
from subscribers.reacting import Reactor, Tenants
from subscribers.runner import Reaction


def billing_reactions(bus: Bus, tenants: Tenants, provider: PaymentProvider) -> list[Reaction]:
    """Everything that follows from invoices and payments by itself."""

    def reactor(name: str) -> Reactor:
        return Reactor(name, bus, tenants)

    return [
        collect_payments.CollectPayments(reactor(collect_payments.NAME), provider).reaction,
        reconcile_payments.ReconcilePayments(reactor(reconcile_payments.NAME), provider).reaction,
        collect_with_new_methods.CollectWithNewMethods(
            reactor(collect_with_new_methods.NAME)
        ).reaction,
        assess_fees.AssessFees(reactor(assess_fees.NAME)).reaction,
    ]
