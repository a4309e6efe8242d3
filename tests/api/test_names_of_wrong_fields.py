"""A refusal names the field as the client wrote it, never a detail of our validator."""

import pytest

from tests.catalog_requests import create_plan, create_product
from tests.engines import running


pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/subscriptions/create/", {"trialEnd": "someday"}, "trialEnd"),
        ("/subscriptions/create/", {"trialEnd": []}, "trialEnd"),
        ("/subscriptions/create/", {"features": "x"}, "features"),
        (
            "/catalog/plans/pro/features/",
            {"planEntitlements": [{"feature": "x", "details": {"value": "x"}}]},
            "planEntitlements.0.details.value",
        ),
    ],
)
async def test_a_field_of_several_types_is_one_field(database_url, path, body, field):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        answer = await client.post(path, json=body)
        assert answer.status_code == 400
        fields = answer.json()
        assert field in fields
        assert not [name for name in fields if "[" in name or name.startswith(f"{field}.")]
        assert "tuple" not in answer.text


async def test_what_may_be_sent_is_told_in_the_words_of_clients(database_url):
    async with running(database_url) as (_, client):
        answer = await client.post("/charges/", json={"taxBehavior": "UNSPECIFIED"})
        assert answer.json()["taxBehavior"] == ["Input should be 'INCLUSIVE' or 'EXCLUSIVE'"]
        answer = await client.post("/refunds/", json={"reason": "DASHBOARD_INITIATED"})
        known = "'DUPLICATE', 'FRAUDULENT', 'REQUESTED_BY_CUSTOMER' or 'OTHER'"
        assert answer.json()["reason"] == [f"Input should be {known}"]
        settings = {
            "feeSchedule": {"fixedUnits": {"XXX": 1}},
            "taxRates": [{"country": "DE", "percent": 7, "taxCode": "potatoes"}],
        }
        answer = await client.patch("/organizations/settings/", json=settings)
        wrong = answer.json()
        assert wrong.keys() == {"feeSchedule.fixedUnits.XXX", "taxRates.0.taxCode"}
        assert "ebook" in wrong["taxRates.0.taxCode"][0]
