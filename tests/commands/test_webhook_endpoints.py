"""Commands about webhook endpoints: secrets stay out of facts, tenants out of each other's way."""

import asyncio
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from aggregates.organization.events import OrganizationSettingsChanged
from aggregates.webhook_endpoint.decide import WebhookEndpointNotFound
from aggregates.webhook_endpoint.events import (
    DisabledReason,
    SignatureScheme,
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)
from aggregates.webhook_endpoint.target import TargetRules
from commands.bus import Bus
from commands.context import Context
from commands.webhooks.change_webhook_endpoint import ChangeWebhookEndpoint
from commands.webhooks.create_webhook_endpoint import CreateWebhookEndpoint
from commands.webhooks.delete_webhook_endpoint import DeleteWebhookEndpoint
from commands.webhooks.give_up_webhook_endpoint import GiveUpWebhookEndpoint
from commands.webhooks.rotate_webhook_secret import RotateWebhookSecret
from kernel.errors import InvalidFields
from kernel.ports.event_store import Append, NewFact
from kernel.settings import Settings, WebhookSignature
from kernel.tenant import Environment, Tenant
from tests.memory_store import MemoryStore


MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)
ENDPOINT = UUID(int=1)
ORGANIZATION = UUID(int=100)
SANDBOX = TargetRules(allow_http=True, allow_private=True)


class Clock:
    def __init__(self):
        self.at = MARCH_1

    def now(self):
        return self.at


class World:
    """A bus over a store in memory, spoken to as one organization or another."""

    def __init__(self):
        self.store = MemoryStore()
        self.clock = Clock()
        self.bus = Bus(self.store, self.clock)

    def do(self, command, organization=ORGANIZATION, command_id=None):
        tenant = Tenant(organization, "default", b"secret", Environment.SANDBOX)
        number = command_id or uuid4()
        context = Context(tenant=tenant, actor="operator", command_id=number, correlation_id=number)
        outcome = asyncio.run(self.bus.dispatch(command, context))
        return [new.fact for new in outcome.facts]


@pytest.fixture
def world():
    return World()


def create(scheme=None, **changes):
    asked = {
        "endpoint_id": ENDPOINT,
        "url": "http://127.0.0.1:9/hook",
        "events": ("invoice.paid",),
        "enabled": True,
        "signature_scheme": scheme,
        "secret_seed": bytes(32),
        "rules": SANDBOX,
    }
    return CreateWebhookEndpoint(**{**asked, **changes})


def change(**changes):
    nothing = dict.fromkeys(("url", "events", "enabled", "signature_scheme"))
    return ChangeWebhookEndpoint(endpoint_id=ENDPOINT, rules=SANDBOX, **{**nothing, **changes})


def test_the_secret_is_kept_beside_the_facts_and_never_in_them(world):
    (fact,) = world.do(create())
    assert isinstance(fact, WebhookEndpointCreated)
    text = world.store.secrets[fact.secret_id].decode()
    assert text.startswith("whsec_")
    assert all(text not in str(getattr(fact, field.name)) for field in fields(fact))


def test_the_organization_says_which_scheme_endpoints_get(world):
    changed = OrganizationSettingsChanged(
        settings=Settings(webhook_signature_scheme=WebhookSignature.HEX), occurred_at=MARCH_1
    )
    new = NewFact(ORGANIZATION, 0, ORGANIZATION, changed)
    number = uuid4()
    settings = Append(
        organization=ORGANIZATION,
        command_id=number,
        correlation_id=number,
        actor="operator",
        facts=(new,),
    )
    asyncio.run(world.store.append(settings))
    (fact,) = world.do(create())
    assert fact.signature_scheme is SignatureScheme.HEX


def test_without_settings_it_is_standard_webhooks(world):
    (fact,) = world.do(create())
    assert fact.signature_scheme is SignatureScheme.STANDARD


def test_the_client_may_say_which_scheme_it_wants(world):
    (fact,) = world.do(create(SignatureScheme.HEX))
    assert fact.signature_scheme is SignatureScheme.HEX
    assert world.store.secrets[fact.secret_id].startswith(b"bs_whsec_")


def test_a_refused_endpoint_leaves_nothing_behind(world):
    with pytest.raises(InvalidFields):
        world.do(create(events=("payment.failed",)))
    assert world.store.log == []
    assert world.store.secrets == {}


def test_one_change_may_be_several_facts_in_one_append(world):
    world.do(create())
    facts = world.do(change(url="http://127.0.0.1:10/", events=("*",), enabled=False))
    assert [type(fact) for fact in facts] == [
        WebhookEndpointMoved,
        WebhookEndpointSubscribed,
        WebhookEndpointDisabled,
    ]


def test_a_change_is_whole_or_not_at_all(world):
    world.do(create())
    with pytest.raises(InvalidFields):
        world.do(change(url="http://127.0.0.1:10/", events=("unknown",)))
    assert len(world.store.log) == 1


def test_a_change_that_changes_nothing_records_nothing(world):
    world.do(create())
    assert world.do(change(enabled=True, events=("invoice.paid",))) == []


def test_rotating_keeps_the_new_secret_beside_the_old_one(world):
    (created,) = world.do(create())
    (rotated,) = world.do(RotateWebhookSecret(endpoint_id=ENDPOINT, secret_seed=b"x" * 32))
    assert isinstance(rotated, WebhookSecretRotated)
    assert set(world.store.secrets) == {created.secret_id, rotated.secret_id}
    assert world.store.secrets[created.secret_id] != world.store.secrets[rotated.secret_id]


def test_a_deleted_endpoint_is_gone(world):
    world.do(create())
    (fact,) = world.do(DeleteWebhookEndpoint(endpoint_id=ENDPOINT))
    assert isinstance(fact, WebhookEndpointDeleted)
    with pytest.raises(WebhookEndpointNotFound):
        world.do(DeleteWebhookEndpoint(endpoint_id=ENDPOINT))


@pytest.mark.parametrize(
    "command",
    [
        change(enabled=False),
        RotateWebhookSecret(endpoint_id=ENDPOINT, secret_seed=bytes(32)),
        DeleteWebhookEndpoint(endpoint_id=ENDPOINT),
    ],
)
def test_other_organizations_do_not_see_an_endpoint(world, command):
    world.do(create())
    with pytest.raises(WebhookEndpointNotFound):
        world.do(command, organization=UUID(int=200))
    assert len(world.store.log) == 1


def test_an_endpoint_that_refuses_is_given_up_once(world):
    world.do(create())
    world.clock.at = MARCH_1 + timedelta(days=6)
    give_up = GiveUpWebhookEndpoint(
        endpoint_id=ENDPOINT,
        reason=DisabledReason.FAILING,
        seen_since=MARCH_1 + timedelta(days=1),
    )
    (fact,) = world.do(give_up)
    assert fact.reason is DisabledReason.FAILING
    assert world.do(give_up) == []


def test_an_endpoint_enabled_since_is_not_given_up(world):
    world.do(create())
    world.clock.at = MARCH_1 + timedelta(days=6)
    world.do(change(enabled=False))
    world.do(change(enabled=True))
    give_up = GiveUpWebhookEndpoint(
        endpoint_id=ENDPOINT,
        reason=DisabledReason.FAILING,
        seen_since=MARCH_1 + timedelta(days=1),
    )
    assert world.do(give_up) == []


def test_giving_up_what_was_deleted_changes_nothing(world):
    world.do(create())
    world.do(DeleteWebhookEndpoint(endpoint_id=ENDPOINT))
    give_up = GiveUpWebhookEndpoint(
        endpoint_id=ENDPOINT, reason=DisabledReason.GONE, seen_since=MARCH_1
    )
    assert world.do(give_up) == []
