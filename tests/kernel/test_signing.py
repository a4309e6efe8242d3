"""What is signed stays what it is: clients hold links, streams are found by natural ids."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel import signed_link
from kernel.checkout_link import new_session_id
from kernel.ids import natural_id
from kernel.payment_link import payment_link
from kernel.preview_token import Previewed, PreviewOutdated, sign, verify
from kernel.signing import same, signature, spell, unspell
from kernel.tenant import Environment, Tenant
from pages.forms import seal


ACME = Tenant(UUID(int=1), "acme", b"a secret", Environment.SANDBOX)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def held():
    """One of each that clients, browsers and the log hold."""
    yield str(natural_id(ACME.secret, "customer", "cus_1"))
    yield payment_link("", ACME, UUID(int=3))
    yield new_session_id(ACME, UUID(int=4))
    yield signed_link.signature(ACME, "download", "a", signed_link.until(NOON, timedelta(hours=1)))
    yield sign(ACME.secret, "a subscription", Previewed(NOON, bytes(16)))
    yield seal(ACME, "somebody", "payment", 1)


HELD = [
    "cf66ccd2-7e03-201a-74e1-4bf0ae5f4472",
    "/pay/AAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAANH7zGG1t7qbwvXCIvLaFzJV53_PM6ru_rhIhyvauQYjQ",
    "cs_0000000000000000000001LTvqJexnkOEEQcpWjLednbS",
    "bd50285ec6cb4f8d871e5dc00ae46065529c131937c1b49155c5a866b9e44de0",
    "AAZL9TWvEAAAAAAAAAAAAAAAAAAAAAAAv3ZP0CGoYlV9X2mViqAStQ",
    "c87701262c94f6edf4591a0a3044fb767fb6e903d7b35b98d48cff628565ffe1",
]
"""As they were first handed out."""


@pytest.mark.parametrize(("now", "ever"), list(zip(held(), HELD, strict=True)))
def test_what_was_handed_out_holds_for_ever(now, ever):
    assert now == ever


@given(st.binary(max_size=70))
def test_bytes_come_back_from_their_one_spelling(content):
    assert unspell(spell(content)) == content


@given(st.text(max_size=70))
def test_any_other_text_is_no_spelling(text):
    content = unspell(text)
    assert content is None or spell(content) == text


def test_what_is_signed_for_one_purpose_is_not_for_another():
    signed = signature(b"a secret", "payment link", b"x")
    assert same(signed, signature(b"a secret", "payment link", b"x"))
    assert not same(signed, signature(b"a secret", "page form", b"x"))
    assert not same(signed, signature(b"another", "payment link", b"x"))


@pytest.mark.parametrize("token", ["", "=", "ä", "\ud800", "A" * 56])
def test_any_other_text_is_no_preview(token):
    with pytest.raises(PreviewOutdated):
        verify(b"a secret", "a subscription", token)
