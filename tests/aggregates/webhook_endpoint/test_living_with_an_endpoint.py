"""A webhook endpoint is created, changed, disabled, enabled, rotated and deleted."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregates.webhook_endpoint import decide
from aggregates.webhook_endpoint.decide import WebhookEndpointExists, WebhookEndpointNotFound
from aggregates.webhook_endpoint.events import (
    DisabledReason,
    RetiredSecret,
    SignatureScheme,
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)
from aggregates.webhook_endpoint.secret import secret_text
from aggregates.webhook_endpoint.state import WEBHOOK_ENDPOINT, Status
from aggregates.webhook_endpoint.target import TargetRules
from kernel.errors import InvalidFields


SANDBOX = TargetRules(allow_http=True, allow_private=True)
MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
ENDPOINT = UUID(int=1)
FIRST, SECOND, THIRD = UUID(int=11), UUID(int=12), UUID(int=13)

created = WebhookEndpointCreated(
    endpoint_id=ENDPOINT,
    url="https://hooks.example.com/",
    events=("invoice.paid",),
    enabled=True,
    signature_scheme=SignatureScheme.STANDARD,
    secret_id=FIRST,
    occurred_at=MARCH_1,
)
deleted = WebhookEndpointDeleted(endpoint_id=ENDPOINT, occurred_at=MARCH_1)


def state(*facts):
    return WEBHOOK_ENDPOINT.of(facts)


def test_an_endpoint_is_created_as_asked():
    twice = replace(created, events=("invoice.paid", "invoice.paid"))
    assert decide.create(state(), twice, SANDBOX) == [created]


def test_an_id_is_used_once():
    with pytest.raises(WebhookEndpointExists):
        decide.create(state(created), created, SANDBOX)


def test_a_bad_address_is_no_endpoint():
    with pytest.raises(InvalidFields):
        decide.create(state(), replace(created, url="nowhere"), SANDBOX)


def test_moving_records_the_new_address_once():
    moved = decide.move(state(created), "https://other.example.com/", SANDBOX, at=MARCH_1)
    assert moved == [
        WebhookEndpointMoved(
            endpoint_id=ENDPOINT, url="https://other.example.com/", occurred_at=MARCH_1
        )
    ]
    after = state(created, *moved)
    assert decide.move(after, "https://other.example.com/", SANDBOX, at=MARCH_1) == []


def test_the_order_of_the_kinds_means_nothing():
    wide = decide.subscribe(state(created), ["order.created", "invoice.paid"], at=MARCH_1)
    assert wide == [
        WebhookEndpointSubscribed(
            endpoint_id=ENDPOINT, events=("order.created", "invoice.paid"), occurred_at=MARCH_1
        )
    ]
    again = decide.subscribe(state(created, *wide), ["invoice.paid", "order.created"], at=MARCH_1)
    assert again == []


def test_switching_twice_changes_nothing():
    off = decide.switch(state(created), enabled=False, at=MARCH_1)
    assert off == [
        WebhookEndpointDisabled(
            endpoint_id=ENDPOINT, reason=DisabledReason.MERCHANT, occurred_at=MARCH_1
        )
    ]
    assert decide.switch(state(created, *off), enabled=False, at=MARCH_1) == []
    on = decide.switch(state(created, *off), enabled=True, at=MARCH_1 + HOUR)
    assert on == [WebhookEndpointEnabled(endpoint_id=ENDPOINT, occurred_at=MARCH_1 + HOUR)]
    assert state(created, *off, *on).status is Status.ENABLED


def test_an_endpoint_that_is_gone_is_disabled_once():
    gone = decide.give_up(state(created), DisabledReason.GONE, seen_since=MARCH_1, at=MARCH_1)
    assert gone == [
        WebhookEndpointDisabled(
            endpoint_id=ENDPOINT, reason=DisabledReason.GONE, occurred_at=MARCH_1
        )
    ]
    after = state(created, *gone)
    assert decide.give_up(after, DisabledReason.GONE, seen_since=MARCH_1, at=MARCH_1) == []


@pytest.mark.parametrize(
    "later",
    [
        WebhookEndpointEnabled(endpoint_id=ENDPOINT, occurred_at=MARCH_1 + HOUR),
        WebhookEndpointMoved(
            endpoint_id=ENDPOINT, url="https://b.test/", occurred_at=MARCH_1 + HOUR
        ),
    ],
)
def test_what_was_seen_before_the_merchant_acted_does_not_disable(later):
    after = state(created, later)
    late = decide.give_up(after, DisabledReason.FAILING, seen_since=MARCH_1, at=MARCH_1 + 2 * HOUR)
    assert late == []


def test_a_standard_secret_overlaps_for_a_day():
    rotated = decide.rotate_secret(state(created), SECOND, at=MARCH_1)
    assert rotated == [
        WebhookSecretRotated(
            endpoint_id=ENDPOINT,
            secret_id=SECOND,
            retired=(RetiredSecret(FIRST, MARCH_1 + 24 * HOUR),),
            occurred_at=MARCH_1,
        )
    ]


def test_two_rotations_in_a_day_leave_three_secrets_signing():
    once = decide.rotate_secret(state(created), SECOND, at=MARCH_1)
    twice = decide.rotate_secret(state(created, *once), THIRD, at=MARCH_1 + HOUR)
    assert twice[0].retired == (
        RetiredSecret(SECOND, MARCH_1 + 25 * HOUR),
        RetiredSecret(FIRST, MARCH_1 + 24 * HOUR),
    )


def test_a_secret_is_forgotten_a_day_after_its_rotation():
    once = decide.rotate_secret(state(created), SECOND, at=MARCH_1)
    later = decide.rotate_secret(state(created, *once), THIRD, at=MARCH_1 + 24 * HOUR)
    assert [old.secret_id for old in later[0].retired] == [SECOND]


def test_a_hex_secret_signs_alone_at_once():
    opaque = replace(created, signature_scheme=SignatureScheme.HEX)
    assert decide.rotate_secret(state(opaque), SECOND, at=MARCH_1)[0].retired == ()


def test_the_same_rotation_twice_is_one():
    once = decide.rotate_secret(state(created), SECOND, at=MARCH_1)
    assert decide.rotate_secret(state(created, *once), SECOND, at=MARCH_1) == []


def test_the_scheme_stays():
    decide.keep_scheme(state(created), SignatureScheme.STANDARD)
    with pytest.raises(InvalidFields):
        decide.keep_scheme(state(created), SignatureScheme.HEX)


@pytest.mark.parametrize("before", [(), (created, deleted)])
@pytest.mark.parametrize(
    "ask",
    [
        lambda s: decide.move(s, "https://b.test/", SANDBOX, at=MARCH_1),
        lambda s: decide.subscribe(s, ["*"], at=MARCH_1),
        lambda s: decide.switch(s, enabled=True, at=MARCH_1),
        lambda s: decide.rotate_secret(s, SECOND, at=MARCH_1),
        lambda s: decide.keep_scheme(s, SignatureScheme.STANDARD),
        lambda s: decide.delete(s, at=MARCH_1),
    ],
)
def test_what_does_not_exist_cannot_be_changed(before, ask):
    with pytest.raises(WebhookEndpointNotFound):
        ask(state(*before))


def test_deleting_ends_it():
    assert decide.delete(state(created), at=MARCH_1) == [deleted]
    assert state(created, deleted).status is Status.DELETED


def test_a_standard_secret_is_the_base64_of_its_key():
    assert secret_text(SignatureScheme.STANDARD, bytes(32)) == "whsec_" + "A" * 43 + "="


def test_a_hex_secret_is_an_opaque_text():
    assert secret_text(SignatureScheme.HEX, b"\xff" * 32) == "bs_whsec_" + "_" * 42 + "8"


def test_a_short_seed_is_refused():
    with pytest.raises(ValueError, match="32"):
        secret_text(SignatureScheme.STANDARD, bytes(31))


FACTS = st.lists(
    st.sampled_from(
        [
            created,
            deleted,
            WebhookEndpointMoved(endpoint_id=ENDPOINT, url="https://b.test/", occurred_at=MARCH_1),
            WebhookEndpointSubscribed(endpoint_id=ENDPOINT, events=("*",), occurred_at=MARCH_1),
            WebhookEndpointEnabled(endpoint_id=ENDPOINT, occurred_at=MARCH_1),
            WebhookEndpointDisabled(
                endpoint_id=ENDPOINT, reason=DisabledReason.GONE, occurred_at=MARCH_1
            ),
            WebhookSecretRotated(
                endpoint_id=ENDPOINT, secret_id=SECOND, retired=(), occurred_at=MARCH_1
            ),
        ]
    )
)


@given(FACTS)
def test_any_history_folds(facts):
    assert WEBHOOK_ENDPOINT.of(facts).status in Status
