"""A buyer at a checkout of a whole engine: what the hosted page asks of it, without the page."""

from uuid import uuid4

from commands.awaiting import checkout, outcome
from commands.checkout.authenticate_checkout import AuthenticateCheckout
from commands.checkout.change_checkout import ChangeCheckout
from commands.checkout.complete_checkout import CompleteCheckout, NewCard
from commands.checkout.quote_checkout import QuoteCheckout
from commands.checkout.standing import standing
from commands.context import Context
from kernel.ports.payments import CardNumber
from tests.engines import TENANT


SALE = {
    "planIdentifier": "pro",
    "chargePeriod": "MONTHLY",
    "successUrl": "https://shop.example/thanks",
    "customerId": "ada",
    "email": "ada@example.com",
}


async def begin(client, **fields):
    """A session of the API. Its id."""
    body = {name: value for name, value in (SALE | fields).items() if value is not None}
    answer = await client.post("/checkout/", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["checkoutSessionId"]


class HostedBuyer:
    def __init__(self, engine, session_id):
        self.engine = engine
        self.session_id = session_id

    async def do(self, command):
        return await self.engine.bus.dispatch(command, context())

    async def standing(self):
        now = self.engine.clock.now()
        return await standing(self.engine.bus, TENANT, self.session_id, now)

    async def quote(self, **changes):
        command = QuoteCheckout(session_id=self.session_id, changes=changes)
        return await self.engine.bus.preview(command, context())

    async def enters(self, **changes):
        return await self.do(ChangeCheckout(session_id=self.session_id, changes=changes))

    async def command(self, number, attempt=None):
        card = None
        if number is not None:
            key = uuid4()
            typed = CardNumber(number=number.replace(" ", ""), exp_month=4, exp_year=2090)
            saved = await self.engine.payments.save(typed, str(key))
            card = NewCard(key, "simulated", saved)
        attempt = attempt or (await self.standing()).attempt
        return CompleteCheckout(session_id=self.session_id, attempt=attempt, card=card)

    async def pays(self, number=None):
        command = await self.command(number)
        await self.do(command)
        return await self.waits(command.attempt)

    async def confirms(self, *, approved=True):
        now = await self.standing()
        attempt = now.attempt
        await self.engine.payments.confirm(now.challenge, confirmed=approved)
        answer = AuthenticateCheckout(
            session_id=self.session_id, attempt=attempt, approved=approved
        )
        await self.do(answer)
        return await self.waits(attempt)

    async def waits(self, attempt):
        """What became of an attempt, once the views show it."""
        await outcome(self.engine.bus, checkout(TENANT, self.session_id, attempt))
        await self.engine.positions.wait(await self.engine.store.head(), 60)
        return await self.standing()


def context():
    number = uuid4()
    return Context(tenant=TENANT, actor="buyer", command_id=number, correlation_id=number)
