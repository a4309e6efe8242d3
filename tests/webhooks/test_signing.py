"""Signatures against vectors computed by other tools, and against the receivers' own checks."""

import hmac
from datetime import UTC, datetime
from uuid import UUID

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from aggregates.webhook_endpoint.events import SignatureScheme
from subscribers.webhooks.signing import signed_headers


STANDARD, HEX = SignatureScheme.STANDARD, SignatureScheme.HEX
EVENT = UUID("0c3a8b57-9d0e-5b7e-8f5f-0d7f2c1f4a11")
AT = datetime(2026, 3, 1, 12, 0, 0, 999_999, tzinfo=UTC)
BODY = '{"id":"0c3a8b57-9d0e-5b7e-8f5f-0d7f2c1f4a11","data":{"name":"Zoë"}}'.encode()

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + "B" * 43 + "="
OPAQUE = "bs_whsec_l4mGJr-0fKxXz_2Jf3PqYw"


def test_the_published_vector_of_standard_webhooks():
    at = datetime.fromtimestamp(1614265330, UTC)
    published = Webhook(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, '{"test": 2432232314}')
    assert published == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_standard_signature_is_the_hmac_under_the_decoded_key():
    headers = signed_headers(STANDARD, [SECRET], event=EVENT, body=BODY, at=AT)
    assert headers == {
        "webhook-id": "0c3a8b57-9d0e-5b7e-8f5f-0d7f2c1f4a11",
        "webhook-timestamp": "1772366400",
        "webhook-signature": "v1,4FeLROgJrYWp9CiBeNpjyauEqeIoDL4yyMpB4KgeRfQ=",
    }


def test_a_hex_signature_is_the_hmac_under_the_whole_secret_text():
    headers = signed_headers(HEX, [OPAQUE], event=EVENT, body=BODY, at=AT)
    expected = "65b52d685823b07569407f0c230f20b44d980e73644dbfc1d7ed419663684fab"
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_both_secrets_verify_while_they_overlap():
    at = datetime.now(UTC)
    headers = signed_headers(STANDARD, [OTHER, SECRET], event=EVENT, body=BODY, at=at)
    assert len(headers["webhook-signature"].split(" ")) == 2
    for secret in (OTHER, SECRET):
        assert Webhook(secret).verify(BODY, headers)["data"] == {"name": "Zoë"}


def test_a_changed_body_does_not_verify():
    headers = signed_headers(STANDARD, [SECRET], event=EVENT, body=BODY, at=datetime.now(UTC))
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(BODY + b" ", headers)


def test_a_hex_header_holds_one_signature():
    headers = signed_headers(HEX, [OPAQUE, "older"], event=EVENT, body=BODY, at=AT)
    version, digest = headers["webhook-signature"].split(",")
    signed = b"%s.1772366400.%s" % (str(EVENT).encode(), BODY)
    assert version == "v1"
    assert hmac.compare_digest(hmac.digest(OPAQUE.encode(), signed, "sha256").hex(), digest)


def test_each_attempt_is_signed_anew():
    first = signed_headers(STANDARD, [SECRET], event=EVENT, body=BODY, at=AT)
    later = signed_headers(STANDARD, [SECRET], event=EVENT, body=BODY, at=AT.replace(minute=5))
    assert first["webhook-id"] == later["webhook-id"]
    assert first["webhook-signature"] != later["webhook-signature"]
    assert int(later["webhook-timestamp"]) - int(first["webhook-timestamp"]) == 300
