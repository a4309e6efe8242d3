"""``docs/reference/events.md``: written from the one table of webhook events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from aggregates.catalog import FACTS
from kernel.event_kinds import EventKind
from projections.webhooks.announcement import Announcement
from projections.webhooks.kinds import ANNOUNCEMENTS
from subscribers.webhooks.schedule import DELAYS, JITTER


HEAD = """# Webhook events

An endpoint gets every kind it names in `events`; `*` stands for all of them, those of later
releases included. A delivery is a POST of compact JSON:

| Field | Meaning |
|---|---|
| `id` | the event, the same on every retry and resend; also the header `webhook-id` |
| `type` | its kind |
| `created_at` | when it happened, on the customer's test clock if there is one |
| `data.object` | the resource as of that moment; its `object` names the type |
| `data.previous_attributes` | on updates: what changed, as it was before |

In `customer` and `payment_method` objects `customer_id` is the id that the client chose; in
`checkout_session`, `order` and `invoice` objects it is the internal uuid, and the chosen one is
`customer.customer_id`.

## Order

Deliveries of one customer to one endpoint are made one after the other, in the order in which
things happened; the next begins when the one before has succeeded or was given up. Different
customers and different endpoints do not wait for one another.

| What happens | Events, in order |
|---|---|
| a subscription is created | `subscription.created`, `invoice.created`, `order.created` |
| its first payment comes in | `invoice.paid`, `order.updated`, `subscription.updated` |
| it is created and nothing is due | `subscription.created`, `invoice.created`, `invoice.paid`, \
`order.created` |
| a trial starts | `subscription.created`, `order.created` |
| it ends | `subscription.updated`, `invoice.created`, `order.created` |
| a period begins | `subscription.updated`, `invoice.created`, `order.created` |
| and is paid | `invoice.paid`, `order.updated` |
| a payment fails | `invoice.payment_failed`, `subscription.updated` when it becomes past due |
| the plan, the period or a quantity changes | `subscription.plan_changed`, \
`subscription.updated`, `invoice.created`, `order.created` when something is due |
| a checkout is being paid | `invoice.created`, `order.created` |
| and is completed | `checkout.completed`, `payment_method.created`, `invoice.paid`, \
`order.updated`, `subscription.created` |
| a one-time charge | `invoice.created`, `order.created`, `invoice.paid`, `order.updated`, \
`subscription.created` |
| money is given back | `refund.created`, `refund.updated`, `order.refunded` |
| the end is scheduled | `subscription.updated` |
| the end comes | `subscription.cancelled` |
"""

DELIVERY = """
## Delivery

Any 2xx answer within 15 s is a success; redirects are not followed. After a failure the delivery is
made again after {delays},
each stretched by up to {jitter} %, then given up. `Retry-After` puts it off, up to a day; with 429
and 503 for the whole endpoint. 410 disables the endpoint, and so do 120 hours without a success.
What waits for a disabled endpoint goes out when it is enabled again; what happens meanwhile does
not wait for it: send that stretch again.

| Scheme | Secret | `webhook-signature` |
|---|---|---|
| `STANDARD` | `whsec_` and the base64 of the key | `v1,` and the base64 of the HMAC-SHA256, one \
for each secret; a rotated secret signs beside the new one for 24 hours, the last four at most |
| `HEX` | opaque; the whole text is the key | `v1,` and the lower-case hex of the HMAC-SHA256; a \
rotated secret signs alone at once |

What is signed is `<webhook-id>.<webhook-timestamp>.<body>`, anew for each attempt.

`POST /webhook/logs/{{id}}/resend/` sends one event again at once, outside the order of its
customer. `POST /webhook/endpoints/{{id}}/replay/` with `from` and `to`, or `fromPosition` and
`toPosition`, sends a stretch of history again, after what waits already, whether or not it was ever
sent before. Both keep the ids of the events: a receiver that remembers ids does nothing twice.

`GET /webhook/endpoints/{{id}}/statistics/` tells how an endpoint fares: what came through, what
waits and since when it fails. `GET /webhook/logs/` can be narrowed by `endpoint`, `event_id`,
`event_type` and `is_success`. Of an endpoint that is disabled for its failures the operator hears,
too, by a line to watch for: `billstream.operator: webhook_endpoint_disabled`.
"""


def text() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_kinds(), DELIVERY.format(delays=_delays(), jitter=_percent())])


def _kinds() -> Iterator[str]:
    yield "## Kinds\n"
    yield "| Kind | Sent when | `previous_attributes` |"
    yield "|---|---|---|"
    sent = _by_kind()
    for kind in EventKind:
        lines = sent[kind]
        when = "; ".join(dict.fromkeys(line.note for _, line in lines))
        previous = "yes" if any(line.update for _, line in lines) else ""
        yield f"| `{kind}` | {when} | {previous} |"
    yield "\n## Facts\n"
    yield "| Fact of the event stream | Announces, in order |"
    yield "|---|---|"
    names = {fact: name for name, fact in FACTS.items()}
    for fact, announced in ANNOUNCEMENTS.items():
        yield f"| `{names[fact]}` | {', '.join(f'`{line.kind}`' for line in announced)} |"


def _by_kind() -> dict[EventKind, list[tuple[type, Announcement]]]:
    sent: dict[EventKind, list[tuple[type, Announcement]]] = defaultdict(list)
    for fact, lines in ANNOUNCEMENTS.items():
        for line in lines:
            sent[line.kind].append((fact, line))
    return sent


def _delays() -> str:
    words = []
    for delay in DELAYS:
        seconds = int(delay.total_seconds())
        unit, name = next((u, n) for u, n in ((3600, "h"), (60, "min"), (1, "s")) if seconds >= u)
        words.append(f"{seconds // unit} {name}")
    return ", ".join(words)


def _percent() -> int:
    return round(JITTER * 100)
