"""The shapes of webhook bodies, and what they say about the state before."""

import json
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from wire.webhooks.envelope import envelope, is_silent, previous_attributes
from wire.webhooks.invoice import invoice_object
from wire.webhooks.order import order_object
from wire.webhooks.subscription import subscription_object


AT = "2026-02-07T06:02:05.123456Z"
CUSTOMER = {
    "id": "3f0c1c2e-0000-4000-8000-000000000001",
    "customer_id": "ada",
    "name": "Ada",
    "email": "ada@example.com",
    "billing_address": {"country": "GB", "postal_code": "N1"},
}
SOLD = {
    "id": "0b2f6a4a-0000-4000-8000-00000000000a",
    "organization": "0b2f6a4a-0000-4000-8000-00000000000b",
    "customer_uuid": CUSTOMER["id"],
    "customer": CUSTOMER,
    "subscription": "0b2f6a4a-0000-4000-8000-00000000000c",
    "product": {"id": "p", "identifier": "app", "name": "App", "tax_code": "SAAS"},
    "plan": {"id": "q", "identifier": "pro", "name": "Pro", "version": 3, "description": ""},
    "currency": "JPY",
    "amount_total_units": 1000,
    "created_on": AT,
    "modified_on": AT,
}
INVOICE = {
    **SOLD,
    "number": "INV-20260207060205-ABCDE",
    "order_number": "ORD-20260207060205-ABCDE",
    "status": "PAYMENT_FAILED",
    "paid_at": None,
    "due_at": AT,
    "attempt_count": 2,
    "next_payment_attempt": AT,
    "failure": {"kind": "declined", "code": "declined", "message": "No.", "method_type": "card"},
}
ORDER = {
    **SOLD,
    "number": "ORD-20260207060205-ABCDE",
    "status": "COMPLETE",
    "billing_type": "SUBSCRIPTION",
    "is_renewal": True,
    "paid_at": AT,
    "features": [],
}
SUBSCRIPTION = {
    **SOLD,
    "status": "active",
    "amount_units": 999,
    "currency": "USD",
    "charge_period": "THREE_MONTHS",
    "started_at": AT,
    "ends_at": None,
    "period_start": AT,
    "period_end": AT,
    "trial_start": None,
    "trial_end": None,
    "resumes_at": None,
    "features": [],
    "canceled_at": None,
    "cancellation_reason": None,
    "cancellation_feedback": None,
    "cancellation_comment": None,
}


def test_an_invoice_names_the_customer_by_the_internal_id():
    shown = invoice_object(INVOICE, CUSTOMER, "https://pay.example/x")
    assert shown["customer_id"] == CUSTOMER["id"]
    assert shown["customer"]["customer_id"] == "ada"
    assert shown["order_id"] == "ORD-20260207060205-ABCDE"
    assert (shown["amount_total"], shown["amount_total_units"]) == ("1000", 1000)
    assert "plan" not in shown


def test_an_invoice_has_its_newer_fields_in_both_spellings():
    shown = invoice_object(INVOICE, CUSTOMER, "https://pay.example/x")
    assert shown["payment_link"] == shown["paymentLink"] == "https://pay.example/x"
    assert shown["attempt_count"] == shown["attemptCount"] == 2
    assert shown["next_payment_attempt"] == shown["nextPaymentAttempt"] == "2026-02-07T06:02:05Z"
    assert shown["failureDetails"]["paymentMethodType"] == "card"
    assert shown["failure_details"]["payment_method_type"] == "card"


def test_an_order_names_the_customer_by_the_internal_id():
    shown = order_object(ORDER, CUSTOMER)
    assert shown["customer_id"] == CUSTOMER["id"]
    assert shown["subscription_id"] == SOLD["subscription"]
    assert shown["is_renewal"] is True
    assert shown["plan"] == {"name": "Pro", "version": 3, "identifier": "pro"}


def test_a_subscription_shows_its_terms():
    shown = subscription_object(SUBSCRIPTION, CUSTOMER)
    assert (shown["amount"], shown["amount_units"], shown["currency"]) == ("9.99", 999, "USD")
    assert shown["recurrence"] == "3 month"
    assert shown["start_date"] == "2026-02-07"
    assert shown["billing_period_end_time"] == "2026-02-07T06:02:05Z"
    assert shown["customer"]["billing_address"]["postal_code"] == "N1"
    assert shown["customer"]["billing_address"]["line1"] is None


def test_the_envelope_leaves_out_previous_attributes_unless_given():
    event = UUID(int=0)
    plain = envelope(event, "order.created", created_at=AT, shown={"a": 1}, previous=None)
    assert json.loads(plain) == {
        "id": str(event),
        "type": "order.created",
        "created_at": "2026-02-07T06:02:05Z",
        "data": {"object": {"a": 1}},
    }
    full = envelope(event, "order.updated", created_at=AT, shown={"a": 1}, previous={"a": 0})
    assert json.loads(full)["data"]["previous_attributes"] == {"a": 0}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["id", "status", "name", "modified_on", "features", "metadata"])


@given(st.data(), st.sets(KEYS, min_size=1))
def test_previous_attributes_over_the_new_object_give_the_old_one(data, keys):
    before = {key: data.draw(VALUES) for key in sorted(keys)}
    after = {key: data.draw(st.one_of(st.just(before[key]), VALUES)) for key in sorted(keys)}
    previous = previous_attributes(before, after)
    assert {**after, **previous} == before
    assert all(after[key] != value for key, value in previous.items())
    assert is_silent(previous) == (
        {**before, "modified_on": 0} == {**after, "modified_on": 0} or previous == {}
    )


@given(
    st.fixed_dictionaries(
        {
            "status": st.sampled_from(["trialing", "active", "past_due", "canceled"]),
            "amount_units": st.integers(0, 10**9),
            "ends_at": st.sampled_from([None, AT]),
            "modified_on": st.sampled_from([AT, "2026-03-01T00:00:00.000000Z"]),
        }
    )
)
def test_the_old_subscription_can_be_told_from_the_new_event(changes):
    before = subscription_object(SUBSCRIPTION, CUSTOMER)
    after = subscription_object({**SUBSCRIPTION, **changes}, CUSTOMER)
    assert {**after, **previous_attributes(before, after)} == before
