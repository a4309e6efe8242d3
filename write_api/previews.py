"""What previews look like on the wire (spec: Subscription update preview response)."""

from __future__ import annotations

from aggregates.invoice.decide import Draft
from commands.subscriptions.preview_update import Preview
from wire.amounts import number
from wire.subscription_changes import NextInvoiceOut, PreviewOut
from wire.times import instant, seconds


def preview_out(preview: Preview) -> PreviewOut:
    """Spec: Subscription update preview response."""
    recurring, now, following = preview.recurring, preview.immediately, preview.next_invoice
    return {
        "previewId": preview.preview_id,
        "currency": recurring.currency.lower(),
        "recurringAmount": number(recurring.units, recurring.currency),
        "recurringAmountUnits": recurring.units,
        "amountChargedImmediately": number(now.units, now.currency),
        "amountChargedImmediatelyUnits": now.units,
        "nextInvoice": None if following is None else next_invoice_out(following),
    }


def next_invoice_out(draft: Draft) -> NextInvoiceOut:
    """Lines before discounts and tax; what is due after all."""
    due = draft.balance.due
    at = None if draft.period is None else instant(draft.period.start)
    return {
        "amountDue": number(due.units, due.currency),
        "amountDueUnits": due.units,
        "nextPaymentAttempt": seconds(at),
        "lineItems": [
            {
                "description": f"{line.name}: {line.description}",
                "amount": number(line.amount.units, line.amount.currency),
                "amountUnits": line.amount.units,
            }
            for line in draft.lines
        ],
    }
