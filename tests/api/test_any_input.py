"""Random requests against every endpoint that our OpenAPI names: never a 5xx (issue: Bad input)."""

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from app import documents
from tests.catalog_requests import PRODUCT, SEATS, priced
from tests.engines import SERVER_KEY
from tests.served import served


EXAMPLES = 10
STREAM_SECONDS = 5
"""A stream that was begun is listened to for so long."""

CORE, EDGE = documents.core(), documents.edge()
OPERATIONS = [
    pytest.param(document, path, method, id=f"{method} {path.removeprefix('/api/v1')}")
    for document in (CORE, EDGE)
    for path, methods in document["paths"].items()
    for method in methods
]
BOUNDED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


# The generator of requests draws from ``random`` itself, which Hypothesis would rather not see.
pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")


@pytest.fixture(scope="module")
def addresses(module_database_url):
    with served(module_database_url) as found:
        yield found


@pytest.fixture(scope="module")
def real(addresses):
    """Ids of things that are there, by the name of the path parameter."""
    core = f"{addresses[0]}/api/v1"
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {SERVER_KEY}"

        def make(path, body):
            answer = session.post(f"{core}{path}", json=body, timeout=60)
            assert answer.status_code in {200, 201}, answer.text
            return answer.json()

        make("/customers/", {"customerId": "ada", "email": "ada@example.com"})
        method = make("/payment-methods/", {"customerId": "ada", "token": "tok_visa"})
        product = make("/catalog/products/", PRODUCT)
        plan = make("/catalog/plans/", {"name": "Pro", "product": product["id"]})
        make(f"/catalog/plans/{plan['identifier']}/prices/bulk/", priced())
        make(f"/catalog/plans/{plan['identifier']}/publish/", {})
        sale = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
        endpoint = {"url": "http://127.0.0.1:9/", "events": ["customer.created"]}
        clock = {"name": "c", "frozenTime": "2040-01-31T00:00:00Z"}
        return {
            "customer_id": "ada",
            "number": method["id"],
            "product_id": product["id"],
            "identifier": plan["identifier"],
            "subscription_id": make("/subscriptions/create/", sale)["id"],
            "feature_id": make("/catalog/features/", SEATS)["id"],
            "key_id": make("/organizations/keys/", {"kind": "client"})["id"],
            "test_clock_id": make("/test-clocks/", clock)["id"],
            "endpoint_id": make("/webhook/endpoints/", endpoint)["id"],
        }


@pytest.mark.parametrize(("document", "path", "method"), OPERATIONS)
def test_any_request_is_answered_without_a_server_error(addresses, real, document, path, method):
    operation = schemathesis.openapi.from_dict(document)[path][method]
    cases = st.one_of(
        operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
        operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
    )
    address = addresses[0] if document is CORE else addresses[1]

    @BOUNDED
    @given(case=cases, known=st.booleans())
    def answered(case, known):
        if known:
            parameters = dict(case.path_parameters or {})
            case.path_parameters = parameters | {k: v for k, v in real.items() if k in parameters}
        headers = {"Authorization": f"Bearer {SERVER_KEY}"}
        patience = STREAM_SECONDS if path.endswith("/stream/") else 60
        answer = case.call(base_url=address, headers=headers, timeout=patience)
        assert answer.status_code < 500, f"{answer.status_code} {answer.text[:500]}"
        if answer.status_code >= 400 and method != "head":
            assert isinstance(answer.json(), dict), answer.text[:500]

    answered()
