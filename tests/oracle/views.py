"""What a ledger says, in the words in which the engine's books are read."""


def books_of(ledger):
    """Everything that has to agree."""
    return {
        "subscriptions": [_sub(ledger, sub) for sub in ledger.subs],
        "bills": [_bill(ledger, bill) for bill in ledger.books.bills],
        "payments": [_payment(payment) for payment in ledger.books.payments],
        "balances": dict(ledger.books.balances),
        "entries": entries_of(ledger.books.entries),
    }


def entries_of(moves):
    """All changes of each balance, in order."""
    found = {}
    for currency, units in moves:
        found.setdefault(currency, []).append(units)
    return found


def _sub(ledger, sub):
    dead = sub.is_over or sub.status in {"incomplete", "paused"}
    return {
        "status": sub.status,
        "period": None if dead else ledger.period(sub),
        "ends": sub.ends_at,
        "retry": sub.retry_at,
        "give_up": sub.give_up_at,
        "pauses": list(sub.pauses),
        "activated": list(sub.activated),
        "freed": list(sub.freed),
    }


def _bill(ledger, bill):
    waiting = [sub.pending.bill for sub in ledger.subs if sub.pending]
    stands = not bill.is_withdrawn and all(bill is not each for each in waiting)
    return {
        "of": bill.of,
        "lines": sorted(bill.lines),
        "totals": [bill.subtotal, bill.discount, bill.tax],
        "total": bill.total,
        "balance": [bill.starting, bill.applied, bill.due, bill.ending],
        "status": bill.status,
        "attempts": bill.attempts,
        "refunded": bill.refunded,
        "credited": bill.credited,
        "period": bill.period if stands else None,
    }


def _payment(payment):
    return {
        "gross": payment.gross,
        "currency": payment.currency,
        "fee": payment.fee,
        "tax": payment.tax,
        "net": payment.gross - sum(payment.fee.values()) - payment.tax,
    }


def differences(expected, found):
    """Where two books differ: path, what the oracle says, what the engine says."""
    if expected == found:
        return []
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = [*expected, *(key for key in found if key not in expected)]
        return [
            (f"{key}.{path}".rstrip("."), *rest)
            for key in keys
            for path, *rest in differences(expected.get(key), found.get(key))
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            (f"{index}.{path}".rstrip("."), *rest)
            for index, pair in enumerate(zip(expected, found, strict=True))
            for path, *rest in differences(*pair)
        ]
    return [("", expected, found)]
