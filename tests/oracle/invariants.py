"""What holds in every state of the engine's books (cases, global invariants)."""


def check(books):
    """Sums of lines, totals and balances; nothing is owed below zero."""
    for bill in books["bills"]:
        subtotal, discount, tax = bill["totals"]
        starting, applied, due, ending = bill["balance"]
        assert sum(bill["lines"]) == subtotal
        assert bill["total"] - (subtotal - discount) in {0, tax}
        assert due >= 0
        assert starting + applied == ending
        assert due + applied == bill["total"]
        assert due == 0 or ending == 0
        assert 0 <= discount <= sum(line for line in bill["lines"] if line > 0)
        assert bill["total"] >= 0 or bill["status"] == "PAID"
    moved = sum(bill["balance"][1] for bill in books["bills"])
    assert sum(books["balances"].values()) == moved
    paid = [b["balance"][2] for b in books["bills"] if b["status"] == "PAID" and b["balance"][2]]
    assert sorted(paid) == sorted(payment["gross"] for payment in books["payments"])
    for sub in books["subscriptions"]:
        assert sub["status"] == "past_due" or not (sub.get("retry") or sub.get("give_up"))
