"""What is sold to all lives over HTTP, and on what terms."""

from dataclasses import dataclass

from httpx import AsyncClient

from tests.catalog_requests import create_feature, create_plan, create_product
from tests.oracle.offers import (
    ACCEPTANCES,
    CYCLES_TO_STAY,
    DURATIONS,
    OFFERS,
    PERCENT_TO_STAY,
    TOLD,
    WITHIN_MONTHS,
)
from tests.oracle.rules import COUNTRIES


RETENTION = {
    "enabled": True,
    "supportUrl": "https://help.example.com/",
    "repeatPolicy": {"maxAcceptances": ACCEPTANCES, "withinMonths": WITHIN_MONTHS},
    "offers": [
        {
            "cancellationFeedback": TOLD["DISCOUNT"],
            "offerType": "DISCOUNT",
            "percentageOff": PERCENT_TO_STAY,
            "billingCycles": CYCLES_TO_STAY,
        },
        {
            "cancellationFeedback": TOLD["PAUSE"],
            "offerType": "PAUSE",
            "durations": list(DURATIONS),
        },
        {"cancellationFeedback": TOLD["SUPPORT"], "offerType": "SUPPORT"},
    ],
}


@dataclass(frozen=True)
class Shop:
    """What is sold to all lives: the product and the feature that is sold by the piece."""

    client: AsyncClient
    product: dict
    seats: dict

    @classmethod
    async def opened(cls, client):
        """All offers, sold by one product, and the tax of each country."""
        rates = [{"country": land, "percent": n} for n, land in COUNTRIES.items() if n]
        answer = await client.patch("/organizations/settings/", json={"taxRates": rates})
        assert answer.status_code == 200, answer.text
        answer = await client.patch("/organizations/retention-settings/", json=RETENTION)
        assert answer.status_code == 200, answer.text
        product = await create_product(client)
        shop = cls(client, product, await create_feature(client, identifier="seats"))
        for plan in dict.fromkeys(offer.plan for offer in OFFERS):
            await shop.sell(plan, [offer for offer in OFFERS if offer.plan == plan])
        return shop

    async def sell(self, plan, offers):
        """A plan that is new."""
        await create_plan(self.client, self.product, identifier=plan, name=plan.title())
        await self.publish(plan, offers)

    async def publish(self, plan, offers):
        """The next version of a plan."""
        prices = [
            _price([offer for offer in offers if offer.currency == currency], self.seats["id"])
            for currency in dict.fromkeys(offer.currency for offer in offers)
        ]
        path = f"/catalog/plans/{plan}"
        answer = await self.client.post(f"{path}/prices/bulk/", json={"prices": prices})
        assert answer.status_code == 200, answer.text
        answer = await self.client.post(f"{path}/publish/")
        assert answer.status_code == 200, answer.text


def _price(offers, seats):
    first = offers[0]
    rows = [_row(None, ((offer.period, offer.base) for offer in offers))]
    if first.seat is not None:
        rows.append(_row(seats, ((offer.period, offer.seat) for offer in offers)))
    return {
        "currency": first.currency,
        "priceType": "FREE" if first.plan == "free" else "PAID",
        "freeTrial": bool(first.trial_days),
        "trialPeriod": first.trial_days or 7,
        "taxBehavior": "INCLUSIVE" if first.inclusive else "EXCLUSIVE",
        "chargeCatalogPrice": rows,
    }


def _row(feature, amounts):
    charges = [
        {"chargePeriod": period, "priceData": {"amount": amount}} for period, amount in amounts
    ]
    return {"feature": feature, "priceModel": "FLAT", "charges": charges}
