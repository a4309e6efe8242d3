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
