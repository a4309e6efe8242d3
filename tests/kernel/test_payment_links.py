"""Links to payment pages: read back what was signed, believe nothing else."""

from dataclasses import replace
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from kernel.payment_link import PATH, is_genuine, payment_link, read
from kernel.tenant import Environment, Tenant


ACME = Tenant(UUID(int=1), "acme", b"a secret", Environment.SANDBOX)
OTHER = replace(ACME, organization=UUID(int=2))
INVOICE = UUID(int=3)


def token(tenant=ACME):
    address = payment_link("https://pay.example", tenant, INVOICE)
    assert address.startswith(f"https://pay.example{PATH}")
    return address.rpartition("/")[2]


def test_a_link_names_its_invoice():
    claimed = read(token())
    assert (claimed.organization, claimed.invoice) == (ACME.organization, INVOICE)
    assert is_genuine(claimed, ACME)


def test_a_link_is_for_ever_the_same():
    assert token() == token()


def test_another_organization_or_secret_or_invoice_is_not_believed():
    claimed = read(token())
    assert not is_genuine(claimed, OTHER)
    assert not is_genuine(claimed, replace(ACME, secret=b"another"))
    assert not is_genuine(replace(claimed, invoice=UUID(int=4)), ACME)


@given(st.text(max_size=120))
def test_any_other_text_is_no_link(text):
    claimed = read(text)
    assert claimed is None or not is_genuine(claimed, ACME)
