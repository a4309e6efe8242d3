"""What holds in every state of the engine's books (cases, global invariants)."""

from itertools import pairwise


def check(books):
    """Sums of lines, totals, balances and payments; time that is billed once."""
    for bill in books["bills"]:
        check_bill(bill)
    check_money(books)
    for number, sub in enumerate(books["subscriptions"]):
        bills = [bill for bill in books["bills"] if bill["of"] == number]
        assert sub["status"] == "past_due" or not (sub.get("retry") or sub.get("give_up"))
        check_credits(bills)
        if "pauses" in sub:
            check_time(sub, [bill for bill in bills if bill["period"]])


def check_bill(bill):
    """One invoice adds up; nothing is owed below zero; no more is refunded than was paid."""
    subtotal, discount, tax = bill["totals"]
    starting, applied, due, ending = bill["balance"]
    assert sum(bill["lines"]) == subtotal
    assert bill["total"] - (subtotal - discount) in {0, tax}
    assert due >= 0
    assert starting + applied == ending
    assert due + applied == bill["total"]
    assert due == 0 or ending <= 0 or applied == 0  # a change that nobody paid took nothing
    assert 0 <= discount <= sum(line for line in bill["lines"] if line > 0)
    assert bill["total"] >= 0 or bill["status"] == "PAID"
    assert 0 <= bill["refunded"] <= (max(0, bill["total"]) if bill["status"] == "PAID" else 0)


def check_money(books):
    """Entries are balances, payments are what was due, and no more goes back than came."""
    for currency, balance in books["balances"].items():
        assert sum(books["entries"].get(currency, ())) == balance
    paid = [b["balance"][2] for b in books["bills"] if b["status"] == "PAID" and b["balance"][2]]
    grosses = [payment["gross"] for payment in books["payments"]]
    assert sorted(paid) == sorted(gross for gross in grosses if gross > 0)
    back = -sum(gross for gross in grosses if gross < 0)
    assert back <= sum(bill["refunded"] for bill in books["bills"])


def check_credits(bills):
    """Never more is credited and refunded than was billed, in all and in tax."""
    assert sum(bill["totals"][2] for bill in bills) >= 0
    assert sum(bill["total"] - bill["refunded"] for bill in bills) >= 0


def check_time(sub, bills):
    """Whole periods follow each other without a gap, pauses aside, up to the present one.

    They overlap only where a new cycle began, whose invoice credits the rest of the old one, and
    lie apart only where nothing recurred in between.
    """
    periods = [bill["period"] for bill in bills]
    if periods and sub["activated"]:
        periods[0] = sub["activated"][0]  # what is paid late begins then
    ends = [stretched(period, sub["pauses"]) for period in periods]
    for (before, after), end in zip(pairwise(periods), ends, strict=False):
        was_free = any(before[0] <= at <= after[0] for at in sub["freed"])
        assert before[0] <= after[0]
        assert after[0] <= end or was_free
    if bills and sub["status"] in {"active", "past_due"} and sub["period"]:
        assert sub["period"][1] == ends[-1]


def stretched(period, pauses):
    """When a period ended that pauses interrupted."""
    start, end = period
    for since, until in pauses:
        if start <= since < end:
            end += until - since
    return end
