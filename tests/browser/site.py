"""A merchant's backend: an HTTP client with a server key, and what it sets up before a sale."""

from itertools import count

import httpx

from tests.catalog_requests import PRODUCT, priced
from tests.engines import SERVER_KEY


class Site:
    """The API at an address; names are new for each customer, so that tests do not meet.

    ``shop`` is the merchant's own site, to which buyers come back.
    """

    def __init__(self, address, shop):
        self.address = address
        self.shop = shop
        self._numbers = count(1)
        self._api = httpx.Client(
            base_url=f"{address}/api/v1",
            headers={"Authorization": f"Bearer {SERVER_KEY}"},
            timeout=60,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._api.close()

    def get(self, path, **query):
        answer = self._api.get(path, params=query)
        assert answer.is_success, answer.text
        return answer.json()

    def post(self, path, body=None):
        answer = self._api.post(path, json=body or {})
        assert answer.is_success, answer.text
        return answer.json()

    def patch(self, path, body):
        answer = self._api.patch(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def plan(self, *rows, name="Pro", product=None, price=None, **fields):
        """A published plan, at 20 dollars a month unless said otherwise."""
        product = product or self.post("/catalog/products/", PRODUCT)
        plan = self.post("/catalog/plans/", {"name": name, "product": product["id"], **fields})
        path = f"/catalog/plans/{plan['identifier']}"
        self.post(f"{path}/prices/bulk/", priced(*rows, **(price or {})))
        self.post(f"{path}/publish/")
        return plan

    def customer(self, **fields):
        """A new customer; its customerId."""
        name = f"customer-{next(self._numbers)}"
        body = {"customerId": name, "name": "Ada Lovelace", "email": f"{name}@example.com"}
        return self.post("/customers/", body | fields)["customerId"]

    def unpaid_invoice(self, card=None):
        """The invoice of a subscription that waits for its first payment."""
        plan, customer = self.plan(), self.customer()
        if card:
            body = {"number": card, "expMonth": 4, "expYear": 2040, "cvc": "123"}
            self.post("/payment-methods/", {"customerId": customer, "card": body})
        self.post(
            "/subscriptions/create/",
            {
                "customerId": customer,
                "planIdentifier": plan["identifier"],
                "chargePeriod": "MONTHLY",
            },
        )
        return self.invoice_of(customer)

    def checkout(self, plan, **fields):
        """The address of a checkout for the plan, monthly unless said otherwise."""
        body = {
            "planIdentifier": plan["identifier"],
            "chargePeriod": "MONTHLY",
            "successUrl": f"{self.shop}/thanks?order=7",
            "cancelUrl": f"{self.shop}/prices",
        }
        return self.post("/checkout/", body | fields)["checkoutUrl"]

    def invoice_of(self, customer):
        [invoice] = self.get("/invoices/", customer_id=customer)["results"]
        return invoice
