"""A portal session: issued, exchanged once, tied to one customer under one email address."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from aggregates.customer.state import Details
from aggregates.portal_session.refusals import LinkNotValid, NotSignedIn
from aggregates.portal_session.token import digest_of, read, spell
from commands.customers.archive_customer import ArchiveCustomer
from commands.customers.change_customer import ChangeCustomer
from commands.customers.create_customer import CreateCustomer
from commands.portal.act_as_customer import ActAsCustomer
from commands.portal.issue_portal_session import IssuePortalSession
from commands.portal.signing_in import (
    EndPortalSession,
    ExchangePortalToken,
    LookAtPortalSession,
    LookAtPortalToken,
)
from commands.test_clocks.advance_test_clock import AdvanceTestClock
from commands.test_clocks.create_test_clock import CreateTestClock
from kernel.errors import InvalidFields
from kernel.tenant import Environment, Tenant
from tests.billing_world import World, at


TOKEN, COOKIE = digest_of("token"), digest_of("cookie")
NOW = at(2026, 3, 1)


class Portal(World):
    """A world in which one customer may sign in."""

    def __init__(self, **fields):
        super().__init__(NOW)
        self.customer("ada", email="ada@example.com", **fields)

    def customer(self, customer_id="ada", email=None, **fields):
        details = Details(name="Ada", email=email)
        self.do(CreateCustomer(customer_id=customer_id, details=details, **fields))

    def issue(self, customer_id="ada"):
        session = uuid4()
        self.do(IssuePortalSession(session_id=session, customer_id=customer_id, digest=TOKEN))
        return session

    def exchange(self, session, token=TOKEN, cookie=COOKIE):
        self.do(ExchangePortalToken(session_id=session, token=token, cookie=cookie))
        return session

    def looks(self, command):
        return self.run(self.bus.preview(command, self.context()))

    def who(self, session, cookie=COOKIE):
        return self.looks(LookAtPortalSession(session_id=session, cookie=cookie)).customer_id

    def change(self, **changes):
        self.do(ChangeCustomer(customer_id="ada", changes=changes))

    def later(self, **distance):
        self.clock.at += timedelta(**distance)


def refused(portal, session):
    """Nobody is behind this session, whichever way it is used."""
    before = len(portal.store.log)
    with pytest.raises(NotSignedIn):
        portal.who(session)
    change = ChangeCustomer(customer_id="ada", changes={"name": "Eve"})
    with pytest.raises(NotSignedIn):
        portal.do(ActAsCustomer(session_id=session, command=change))
    assert len(portal.store.log) == before
    return True


def test_a_token_is_two_uuids():
    session, secret = uuid4(), uuid4()
    token = spell(session, secret)
    assert (read(token).session, read(token).secret) == (session, str(secret))
    for wrong in ("", token + "x", token[4:], token.upper(), token.replace(":", "-"), "cpt-:"):
        assert read(wrong) is None


def test_a_token_is_exchanged_for_a_session():
    portal = Portal()
    session = portal.issue()
    look = LookAtPortalToken(session_id=session, token=TOKEN)
    assert portal.looks(look).email == "ada@example.com"
    assert refused(portal, session)
    portal.exchange(session)
    assert portal.who(session) == "ada"
    assert portal.names()[-2:] == ["portal.session_issued", "portal.session_started"]
    assert (
        portal.store.log[-1].owner
        == portal.store.log[-2].owner
        == portal.looks(LookAtPortalSession(session_id=session, cookie=COOKIE)).id
    )


def test_no_fact_and_no_clear_text_tells_the_secrets():
    portal = Portal()
    portal.exchange(portal.issue())
    issued, started = portal.store.log[-2:]
    assert (issued.fact.digest, started.fact.digest) == (TOKEN, COOKIE)
    assert "token" not in repr(portal.store.log[-2:]).replace("portal_token", "")


@pytest.mark.parametrize("customer_id", ["nobody", "silent", "gone"])
def test_unknown_archived_and_mailless_customers_get_no_session(customer_id):
    portal = Portal()
    portal.customer("silent")
    portal.customer("gone", email="gone@example.com")
    portal.do(ArchiveCustomer(customer_id="gone"))
    before = len(portal.store.log)
    with pytest.raises(InvalidFields) as refusal:
        portal.issue(customer_id)
    assert list(refusal.value.fields) == ["customerId"]
    assert len(portal.store.log) == before


def test_a_token_works_once():
    portal = Portal()
    session = portal.exchange(portal.issue())
    for cookie in (COOKIE, digest_of("other")):
        with pytest.raises(LinkNotValid):
            portal.exchange(session, cookie=cookie)
    with pytest.raises(LinkNotValid):
        portal.looks(LookAtPortalToken(session_id=session, token=TOKEN))
    assert portal.who(session) == "ada"


def test_a_token_lives_a_quarter_of_an_hour():
    portal = Portal()
    in_time, late = portal.issue(), portal.issue()
    portal.later(minutes=15, microseconds=-1)
    portal.exchange(in_time)
    portal.later(microseconds=1)
    with pytest.raises(LinkNotValid):
        portal.exchange(late)


def test_a_session_lives_four_hours():
    portal = Portal()
    session = portal.exchange(portal.issue())
    portal.later(hours=4, microseconds=-1)
    assert portal.who(session) == "ada"
    portal.later(microseconds=1)
    assert refused(portal, session)


def test_a_wrong_secret_opens_nothing():
    portal = Portal()
    session = portal.issue()
    for wrong in (digest_of("guess"), COOKIE, "", TOKEN[:-1]):
        with pytest.raises(LinkNotValid):
            portal.exchange(session, token=wrong)
    with pytest.raises(LinkNotValid):
        portal.exchange(uuid4())
    portal.exchange(session)
    for wrong in (digest_of("guess"), TOKEN, ""):
        with pytest.raises(NotSignedIn):
            portal.who(session, wrong)
        with pytest.raises(NotSignedIn):
            portal.do(EndPortalSession(session_id=session, cookie=wrong))


def test_another_email_address_ends_token_and_session_for_good():
    portal = Portal()
    waiting, session = portal.issue(), portal.exchange(portal.issue())
    portal.change(name="Ada Lovelace", tax_id="1")
    assert portal.who(session) == "ada"
    portal.change(email="new@example.com")
    portal.change(email="ada@example.com")
    assert refused(portal, session)
    with pytest.raises(LinkNotValid):
        portal.exchange(waiting)
    assert portal.who(portal.exchange(portal.issue())) == "ada"


def test_a_customer_without_email_or_archived_is_out():
    portal = Portal()
    session = portal.exchange(portal.issue())
    portal.change(email=None)
    assert refused(portal, session)
    portal.change(email="ada@example.com")
    session = portal.exchange(portal.issue())
    portal.do(ArchiveCustomer(customer_id="ada"))
    assert refused(portal, session)


def test_signing_out_ends_this_session_alone():
    portal = Portal()
    here, elsewhere = portal.exchange(portal.issue()), portal.exchange(portal.issue())
    assert len(portal.do(EndPortalSession(session_id=here, cookie=COOKIE))) == 1
    assert portal.do(EndPortalSession(session_id=here, cookie=COOKIE)) == []
    assert refused(portal, here)
    assert portal.who(elsewhere) == "ada"


def test_a_session_of_another_organization_is_none():
    portal = Portal()
    session, waiting = portal.exchange(portal.issue()), portal.issue()
    mine = portal.tenant
    portal.tenant = Tenant(UUID(int=101), "other", b"another secret", Environment.SANDBOX)
    assert refused(portal, session)
    with pytest.raises(LinkNotValid):
        portal.exchange(waiting)
    with pytest.raises(LinkNotValid):
        portal.looks(LookAtPortalToken(session_id=waiting, token=TOKEN))
    portal.tenant = mine
    assert portal.who(session) == "ada"


def test_expiry_is_in_real_time_whatever_clock_the_customer_lives_on():
    portal = Portal()
    clock = uuid4()
    begun = at(2030, 1, 31)
    portal.do(CreateTestClock(test_clock_id=clock, name="far", frozen_time=begun))
    portal.customer("eve", email="eve@example.com", test_clock_id=clock)
    session = portal.exchange(portal.issue("eve"))
    issued, started = portal.store.log[-2:]
    assert (issued.fact.occurred_at, started.fact.occurred_at) == (begun, begun)
    assert issued.fact.expires_at == NOW + timedelta(minutes=15)
    assert started.fact.expires_at == NOW + timedelta(hours=4)
    portal.do(AdvanceTestClock(test_clock_id=clock, target=at(2031)))
    assert portal.who(session) == "eve"
