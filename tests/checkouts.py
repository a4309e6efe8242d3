"""A buyer at a checkout, in memory: what a hosted page does, without the page."""

from uuid import uuid4

from aggregates.checkout.state import CHECKOUT
from commands.checkout.authenticate_checkout import AuthenticateCheckout
from commands.checkout.change_checkout import ChangeCheckout
from commands.checkout.complete_checkout import CompleteCheckout, NewCard
from commands.checkout.create_checkout import CreateCheckout
from commands.checkout.quote_checkout import QuoteCheckout
from kernel.checkout_link import new_session_id, stream_of
from kernel.interval import ChargePeriod
from kernel.ports.payments import Instrument, SavedInstrument


VISA = Instrument(type="card", brand="visa", last4="4242", exp_month=4, exp_year=2040)


class Buyer:
    """One browser tab on one session."""

    def __init__(self, world, session_id=None, **fields):
        self.world = world
        self.session_id = session_id or new_session_id(world.tenant, uuid4())
        if session_id is None:
            known = {"customer_id": "ada", "plan": "pro", "period": ChargePeriod.MONTHLY}
            known |= {"email": "ada@example.com"}
            world.do(CreateCheckout(session_id=self.session_id, **known | fields))

    @property
    def session(self):
        return self.world.state(CHECKOUT, self.stream)

    @property
    def stream(self):
        return stream_of(self.world.tenant, self.session_id)

    def enters(self, **changes):
        return self.world.do(ChangeCheckout(session_id=self.session_id, changes=changes))

    def quote(self, **changes):
        command = QuoteCheckout(session_id=self.session_id, changes=changes)
        return self.world.run(self.world.bus.preview(command, self.world.context()))

    def command(self, card="works", attempt=None, **fields):
        new = None
        if card is not None:
            new = NewCard(uuid4(), "scripted", SavedInstrument(reference=card, instrument=VISA))
        number = attempt or self.session.attempts + 1
        return CompleteCheckout(session_id=self.session_id, attempt=number, card=new, **fields)

    def pays(self, card="works", **fields):
        return self.world.do(self.command(card, **fields))

    def confirms(self, *, approved=True):
        number = self.session.attempts
        command = AuthenticateCheckout(
            session_id=self.session_id, attempt=number, approved=approved
        )
        return self.world.do(command)
