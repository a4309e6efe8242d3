"""A browser without JavaScript in the customer portal, and a merchant who sells to its user."""

import re
from contextlib import asynccontextmanager
from html import unescape

import httpx

from tests.catalog_requests import create_plan, create_product, priced
from tests.engines import running


VISA = "4242 4242 4242 4242"
MASTERCARD = "5555 5555 5555 4444"
DECLINED = "4000 0000 0000 0002"
HOST = "https://billing.example"
PLANS = {"Pro": {"MONTHLY": "20.00", "YEARLY": "200.00"}, "Max": {"MONTHLY": "50.00"}}
LICENSED = {"enabled": True, "activationLimitEnabled": True, "activationLimit": 3}
HIDDEN = re.compile(r'<input type="hidden" name="([\w.-]+)" value="([^"]*)"')


class Form:
    """A form as it stands on a page: where it goes, and what it carries hidden."""

    def __init__(self, page, html):
        action = re.search(r'<form[^>]*action="([^"]*)"', html)
        self.path = unescape(action[1]) if action else page.url.path
        self.html = html
        self.hidden = {name: unescape(value) for name, value in HIDDEN.findall(html)}


class Browser:
    """One browser window: cookies, forms, redirects."""

    def __init__(self, engine):
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(engine.pages_app()), base_url=HOST, follow_redirects=True
        )
        self.page = None

    async def opens(self, path):
        self.page = await self.http.get(path.replace("http://127.0.0.1:8000", HOST))
        return self.page

    def form(self, button):
        """The form with this button."""
        for html in re.findall(r"<form.*?</form>", self.page.text, re.DOTALL):
            if re.search(rf"<button[^>]*>\s*{re.escape(button)}", html):
                return Form(self.page, html)
        raise AssertionError(f"no button {button!r} in: {self.text}")

    async def presses(self, button, **fields):
        form = self.form(button)
        return await self.sends(form, **fields)

    async def sends(self, form, **fields):
        self.page = await self.http.post(form.path, data=form.hidden | fields)
        return self.page

    async def follows(self, link):
        address = re.search(rf'href="([^"]+)"[^>]*>\s*{re.escape(link)}\s*<', self.page.text)
        assert address, f"no link {link!r} in: {self.text}"
        return await self.opens(unescape(address[1]))

    @property
    def text(self):
        plain = re.sub(r"<style.*?</style>|<[^>]+>", " ", self.page.text, flags=re.DOTALL)
        return " ".join(unescape(plain).split())

    async def close(self):
        await self.http.aclose()


async def token_of(client, name="ada"):
    answer = await client.post("/portal/session/", json={"customerId": name})
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]


async def sign_in(engine, client, name="ada", slug="default"):
    browser = Browser(engine)
    await browser.opens(f"/portal/{slug}/?token={await token_of(client, name)}")
    await browser.presses("Continue")
    assert browser.page.status_code == 200, browser.text
    return browser


async def plans(client):
    """Pro at 20 and Max at 50 dollars a month, Pro also by the year, of one product."""
    product = await create_product(client)
    for name, prices in (
        ("Pro", {"MONTHLY": "20.00", "YEARLY": "200.00"}),
        ("Max", {"MONTHLY": "50.00"}),
    ):
        plan = await create_plan(client, product, name=name, license=LICENSED)
        charges = [
            {"chargePeriod": period, "priceData": {"amount": amount}}
            for period, amount in prices.items()
        ]
        path = f"/catalog/plans/{plan['identifier']}"
        body = priced({"charges": charges})
        assert (await client.post(f"{path}/prices/bulk/", json=body)).status_code == 200
        assert (await client.post(f"{path}/publish/")).status_code == 200


async def customer(client, name, card=VISA, **fields):
    body = {"customerId": name, "name": name.title(), "email": f"{name}@example.com", **fields}
    assert (await client.post("/customers/", json=body)).status_code == 201
    if card:
        number = {"number": card, "expMonth": 4, "expYear": 2040, "cvc": "123"}
        body = {"customerId": name, "card": number}
        assert (await client.post("/payment-methods/", json=body)).status_code == 201


async def subscribe(client, name, plan="pro"):
    body = {"customerId": name, "planIdentifier": plan, "chargePeriod": "MONTHLY"}
    answer = await client.post("/subscriptions/create/", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def device(client, name, called="Laptop"):
    """An instance that uses the customer's license."""
    [found] = (await client.get(f"/licenses/?customer_id={name}")).json()["results"]
    body = {"licenseKey": found["licenseKey"], "instanceName": called}
    answer = await client.post("/license/activate/", json=body)
    assert answer.status_code == 200, answer.text
    return found["id"], answer.json()["instanceId"]


@asynccontextmanager
async def subscribed(database_url, *names, **fields):
    """Customers with a subscription each; a window in which the first of them is signed in."""
    names = names or ("ada",)
    async with running(database_url) as (engine, client):
        await plans(client)
        ids = {}
        for name in names:
            await customer(client, name, **fields)
            ids[name] = await subscribe(client, name)
        browser = await sign_in(engine, client, names[0])
        try:
            yield engine, client, browser, ids
        finally:
            await browser.close()
