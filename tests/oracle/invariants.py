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
        assert 0 <= bill["refunded"] <= (max(0, bill["total"]) if bill["status"] == "PAID" else 0)
    for currency, balance in books["balances"].items():
        assert sum(books["entries"].get(currency, ())) == balance
    paid = [b["balance"][2] for b in books["bills"] if b["status"] == "PAID" and b["balance"][2]]
    grosses = [payment["gross"] for payment in books["payments"]]
    assert sorted(paid) == sorted(gross for gross in grosses if gross > 0)
    assert -sum(gross for gross in grosses if gross < 0) <= sum(
        b["refunded"] for b in books["bills"]
    )
    for sub in books["subscriptions"]:
        assert sub["status"] == "past_due" or not (sub.get("retry") or sub.get("give_up"))
