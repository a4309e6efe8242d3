"""The one table of what each kind of timer asks for.

Every command is keyed by what it is (the renewal for the period that starts then) and looks at the
state first: too early, too late or the second time it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from commands.checkout.expire_checkout import AbandonCheckout, ExpireCheckout
from commands.licenses.expire_license import ExpireLicense
from commands.subscriptions.end_subscription import EndSubscription
from commands.subscriptions.end_trial import EndTrial
from commands.subscriptions.expire_incomplete_subscription import ExpireIncompleteSubscription
from commands.subscriptions.pause_subscription import EndPause
from commands.subscriptions.remind_of_trial_end import RemindOfTrialEnd
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.retry_payments import GiveUpCollection, RetryPayments
from kernel.timer import Timer, TimerKind


COMMANDS: Final[Mapping[TimerKind, Callable[[Timer], Any]]] = {
    TimerKind.TRIAL_REMINDER: lambda timer: RemindOfTrialEnd(subscription_id=timer.subject),
    TimerKind.RESUME: lambda timer: EndPause(subscription_id=timer.subject),
    TimerKind.CANCELLATION: lambda timer: EndSubscription(subscription_id=timer.subject),
    TimerKind.UNPAID_CANCELLATION: lambda timer: GiveUpCollection(subscription_id=timer.subject),
    TimerKind.PAYMENT_RETRY: lambda timer: RetryPayments(subscription_id=timer.subject),
    TimerKind.INCOMPLETE_EXPIRY: lambda timer: ExpireIncompleteSubscription(
        subscription_id=timer.subject
    ),
    TimerKind.CHECKOUT_EXPIRY: lambda timer: ExpireCheckout(session=timer.subject),
    TimerKind.CHECKOUT_ABANDONMENT: lambda timer: AbandonCheckout(session=timer.subject),
    TimerKind.TRIAL_END: lambda timer: EndTrial(subscription_id=timer.subject),
    TimerKind.RENEWAL: lambda timer: RenewSubscription(
        subscription_id=timer.subject, period_start=timer.due_at
    ),
    TimerKind.LICENSE_EXPIRY: lambda timer: ExpireLicense(license_id=timer.subject),
}
"""What is not here is not a command: a payment of unknown outcome is asked after outside."""
