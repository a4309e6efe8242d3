"""The fields of every object in webhooks (wire 27.4), and what each may be."""

import re


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ORDER = re.compile(r"ORD-\d{14}-[A-Z0-9]{5}")
INVOICE = re.compile(r"INV-\d{14}-[A-Z0-9]{5}")
SESSION = re.compile(r"cs_[0-9A-Za-z]{45}")
SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
MICROSECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MONEY = re.compile(r"-?\d+\.\d\d")
CURRENCY = re.compile(r"[A-Z]{3}")
NOTHING = type(None)

LINES = ("line1", "line2", "city", "state", "postal_code", "country")
ADDRESS = dict.fromkeys(LINES, (str, NOTHING))
CUSTOMER_COPY = {
    "id": UUID,
    "name": (str, NOTHING),
    "email": (str, NOTHING),
    "customer_id": str,
    "billing_address": [ADDRESS, {}],
}
COMMON = {
    "object": str,
    "customer": CUSTOMER_COPY,
    "organization": UUID,
    "created_on": SECONDS,
    "modified_on": SECONDS,
}
PRODUCT = {"product": {"id": UUID, "name": str}}
PLAN = {"plan": {"name": str, "version": int, "identifier": str}}
FAILURE = {"code": str, "message": str}

OBJECTS = {
    "checkout_session": {
        **(COMMON | PRODUCT | PLAN),
        "id": SESSION,
        "status": re.compile("success"),
        "checkout_type": re.compile("ONE_TIME|SUBSCRIPTION"),
        "customer_id": UUID,
        "amount": MONEY,
        "amount_units": int,
        "currency": CURRENCY,
        "discount_code": str,
        "features": (NOTHING, list),
        "billing_address": [ADDRESS, {}],
        "metadata": dict,
        "data": {
            "name": (str, NOTHING),
            "email": (str, NOTHING),
            "referer": (str, NOTHING),
            "cancel_url": (str, NOTHING),
            "success_url": (str, NOTHING),
            "tax_behavior": (str, NOTHING),
            "discounts_enabled": bool,
        },
    },
    "customer": {
        "object": str,
        "id": UUID,
        "customer_id": str,
        "name": (str, NOTHING),
        "email": (str, NOTHING),
        "details": dict,
        "metadata": dict,
        "billing_address": [ADDRESS, {}],
        "subscriptions": int,
        "organization": UUID,
        "created_on": MICROSECONDS,
        "modified_on": MICROSECONDS,
    },
    "order": {
        **(COMMON | PRODUCT | PLAN),
        "id": ORDER,
        "status": str,
        "billing_type": re.compile("ONE_TIME|SUBSCRIPTION"),
        "customer_id": UUID,
        "is_renewal": bool,
        "paid_at": [SECONDS, NOTHING],
        "amount_total": MONEY,
        "amount_total_units": int,
        "currency": CURRENCY,
        "subscription_id": UUID,
        "features": list,
    },
    "subscription": {
        **(COMMON | PRODUCT | PLAN),
        "id": UUID,
        "status": str,
        "amount": MONEY,
        "amount_units": int,
        "currency": CURRENCY,
        "recurrence": re.compile(r"\d+ (day|week|month|year)|"),
        "start_date": DAY,
        "end_date": [DAY, NOTHING],
        "billing_period_start_time": [SECONDS, NOTHING],
        "billing_period_end_time": [SECONDS, NOTHING],
        "trial_start": [SECONDS, NOTHING],
        "trial_end": [SECONDS, NOTHING],
        "resumes_at": [SECONDS, NOTHING],
        "features": list,
        "canceled_at": [SECONDS, NOTHING],
        "cancellation_reason": (str, NOTHING),
        "cancellation_feedback": (str, NOTHING),
        "cancellation_comment": (str, NOTHING),
    },
    "invoice": {
        **(COMMON | PRODUCT),
        "id": INVOICE,
        "status": re.compile("OPEN|PAID|PAYMENT_FAILED"),
        "paid_at": [SECONDS, NOTHING],
        "amount_total": MONEY,
        "amount_total_units": int,
        "currency": CURRENCY,
        "due_date": SECONDS,
        "order_id": ORDER,
        "customer_id": UUID,
        "subscription_id": UUID,
        "payment_link": (str, NOTHING),
        "attempt_count": int,
        "next_payment_attempt": [SECONDS, NOTHING],
        "failure_details": [FAILURE | {"payment_method_type": (str, NOTHING)}, NOTHING],
        "paymentLink": (str, NOTHING),
        "attemptCount": int,
        "nextPaymentAttempt": [SECONDS, NOTHING],
        "failureDetails": [FAILURE | {"paymentMethodType": (str, NOTHING)}, NOTHING],
    },
    "refund": {
        **COMMON,
        "id": UUID,
        "status": re.compile("PROCESSING|SUCCEEDED|FAILED"),
        "amount": MONEY,
        "amount_units": int,
        "currency": CURRENCY,
        "reason": str,
        "failure_reason": (str, NOTHING),
        "order_id": ORDER,
        "subscription_id": [UUID, NOTHING],
    },
    "payment_method": {
        "object": str,
        "id": int,
        "customer_id": str,
        "method_type": str,
        "method_data": {
            "brand": str,
            "last4": str,
            "exp_month": int,
            "exp_year": int,
            "funding": (str, NOTHING),
            "country": (str, NOTHING),
        },
        "is_default": bool,
        "status": str,
        "customer": CUSTOMER_COPY,
        "organization": UUID,
    },
}
INTERNAL = {"checkout_session", "order", "invoice"}
"""Their `customer_id` is the internal uuid; that of the others the id that the client chose."""


def complaints(value, rule, where):
    """What of a value is not as its rule says."""
    if isinstance(rule, list):
        each = [complaints(value, one, where) for one in rule]
        return [] if [] in each else [c for found in each for c in found]
    if isinstance(rule, dict):
        if not isinstance(value, dict) or value.keys() != rule.keys():
            return [f"{where} is {value!r}, not {sorted(rule)}"]
        return [c for key in rule for c in complaints(value[key], rule[key], f"{where}.{key}")]
    if isinstance(rule, re.Pattern):
        right = isinstance(value, str) and rule.fullmatch(value)
    else:
        kinds = rule if isinstance(rule, tuple) else (rule,)
        right = type(value) in kinds
    return [] if right else [f"{where} is {value!r}, not {rule}"]
