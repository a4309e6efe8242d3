"""Names of files: plain ones, in one spelling, and links that hold until an instant."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel import file_keys, plan_file_link, signed_link
from kernel.file_keys import Area, FileKey
from kernel.tenant import Environment, Tenant


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TENANT = Tenant(UUID(int=1), "default", b"secret", Environment.SANDBOX)
OTHER = Tenant(UUID(int=2), "other", b"another secret", Environment.SANDBOX)
FILE, READER = UUID(int=7), UUID(int=8)


def test_a_key_is_read_as_it_is_spelled():
    key = FileKey(Area.TEMPORARY, UUID(int=7), "Handbook (2nd).pdf")
    assert file_keys.read(str(key)) == key
    assert str(key.moved(Area.FILES)) == f"files/{UUID(int=7)}/Handbook (2nd).pdf"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tmp/x/name",
        f"tmp/{FILE}/",
        f"tmp/{FILE}/..",
        f"tmp/{FILE}/a/b",
        f"tmp/{FILE}/a\\b",
        f"tmp/{FILE}/.hidden",
        f"tmp/{FILE}/a\x00b",
        f"tmp/{FILE}/ a",
        f"etc/{FILE}/a",
        f"tmp/{FILE.hex}/a",
        f"tmp/{{{FILE}}}/a",
        f"tmp/{FILE}/{'x' * 201}",
    ],
)
def test_what_is_no_key_is_none(text):
    assert file_keys.read(text) is None


@given(st.text(max_size=300))
def test_any_text_is_a_key_in_one_spelling_or_none(text):
    key = file_keys.read(text)
    assert key is None or str(key) == text


def test_a_link_holds_until_its_end_for_what_it_is_about():
    until = signed_link.until(NOW, timedelta(minutes=5))
    signed = signed_link.signature(TENANT, "download", "files/a", until)

    def holds(tenant=TENANT, purpose="download", about="files/a", end=until, at=NOW):
        return signed_link.holds(tenant, purpose, about, until=str(end), signed=signed, now=at)

    assert holds()
    assert holds(at=NOW + timedelta(minutes=5, seconds=-1))
    assert not holds(at=NOW + timedelta(minutes=5))
    assert not holds(tenant=OTHER)
    assert not holds(purpose="upload")
    assert not holds(about="files/b")
    assert not holds(end=until + 1)


@given(until=st.text(max_size=20), signed=st.text(max_size=80))
def test_no_text_opens_a_link(until, signed):
    assert not signed_link.holds(TENANT, "download", "a", until=until, signed=signed, now=NOW)


def test_a_token_is_for_one_file_and_a_quarter_of_an_hour():
    url = plan_file_link.download_url("https://b.example", TENANT, "pro", FILE, READER, NOW)
    claimed = plan_file_link.read(url.partition("token=")[2])
    assert claimed.organization == TENANT.organization

    def genuine(tenant=TENANT, plan="pro", file=FILE, at=NOW):
        return plan_file_link.is_genuine(claimed, tenant, plan, file, at)

    assert genuine()
    assert not genuine(at=NOW + timedelta(minutes=15))
    assert not genuine(plan="basic")
    assert not genuine(file=READER)
    assert not genuine(tenant=OTHER)


@given(st.text(max_size=200))
def test_any_text_is_a_token_or_none(text):
    claimed = plan_file_link.read(text)
    assert claimed is None or not plan_file_link.is_genuine(claimed, TENANT, "pro", FILE, NOW)
