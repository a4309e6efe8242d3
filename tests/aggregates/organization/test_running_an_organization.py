"""Organizations: one per slug, settings with the defaults that are written down."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from uuid import UUID

import pytest

from aggregates.organization import decide
from aggregates.organization.events import CheckoutLook, RetentionSettingsChanged
from aggregates.organization.state import ORGANIZATION, Organization, organization_id
from kernel.errors import InvalidFields
from kernel.money import Money
from kernel.retention import Feedback, OfferType, RetentionOffer, RetentionSettings
from kernel.settings import FeeSchedule, ProrationBehavior, Settings, percent
from tests.story import Given


MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)


def created(slug="acme", *, merchant_of_record=False, state=None):
    return decide.create(
        state or Organization(),
        slug=slug,
        merchant_of_record=merchant_of_record,
        secret_id=UUID(int=9),
        at=MARCH_1,
    )


def existing():
    return ORGANIZATION.of(created(merchant_of_record=True))


def test_a_tenant_begins_with_the_default_settings():
    state = existing()
    assert state.merchant_of_record
    assert state.settings == Settings()
    behaviors = (
        state.settings.update_subscription_proration_behavior,
        state.settings.migrate_subscription_proration_behavior,
    )
    assert behaviors == (
        ProrationBehavior.IMMEDIATE_CHARGE,
        ProrationBehavior.PRORATE_NEXT_INVOICE,
    )
    assert state.settings.dunning_schedule == (1, 2, 3, 5, 7, 9, 11, 14)


def test_a_slug_is_taken_once_and_names_its_stream():
    with pytest.raises(decide.OrganizationAlreadyExists):
        created(state=existing())
    assert organization_id("acme") == organization_id("acme")
    assert organization_id("acme") != organization_id("acme-2")


@pytest.mark.parametrize("slug", ["", "-a", "Acme", "a b", "a" * 64, "a\n", "ä"])
def test_a_slug_is_plain(slug):
    with pytest.raises(decide.InvalidSlug):
        created(slug)


def test_settings_change_as_a_whole_and_only_when_they_change():
    state = existing()
    wanted = replace(state.settings, one_subscription_per_product=True)
    facts = decide.change_settings(state, settings=wanted, at=MARCH_1)
    after = ORGANIZATION.evolve(state, facts[0])
    assert after.settings == wanted
    assert decide.change_settings(after, settings=wanted, at=MARCH_1) == []


def test_the_look_of_hosted_pages_changes_only_when_it_changes():
    state = existing()
    wanted = CheckoutLook(brand_name="Acme", customization={"radius": 4})
    facts = decide.change_look(state, look=wanted, at=MARCH_1)
    after = ORGANIZATION.evolve(state, facts[0])
    assert after.look == wanted
    assert decide.change_look(after, look=wanted, at=MARCH_1) == []


def test_nothing_changes_of_what_does_not_exist():
    with pytest.raises(decide.OrganizationNotFound):
        decide.change_settings(Organization(), settings=Settings(), at=MARCH_1)
    with pytest.raises(decide.OrganizationNotFound):
        decide.change_look(Organization(), look=CheckoutLook(), at=MARCH_1)


def test_percentages_are_exact():
    assert percent("2.9") == Fraction(29, 1000)
    assert percent("0") == 0


def test_fixed_fees_are_those_of_the_currency_or_nothing():
    fees = FeeSchedule()
    assert fees.fixed("GBP") == Money(35, "GBP")
    assert fees.fixed("KWD") == Money(0, "KWD")


def test_what_leaving_customers_are_offered_changes_once():
    chosen = RetentionSettings(enabled=True, support_url="https://help.example.com")
    changed = RetentionSettingsChanged(settings=chosen, occurred_at=MARCH_1)
    story = Given(ORGANIZATION, *created()).when(
        decide.change_retention, retention=chosen, at=MARCH_1
    )
    story.then(changed).when(decide.change_retention, retention=chosen, at=MARCH_1).then_nothing()


def test_support_leads_somewhere():
    offer = RetentionOffer(feedback=Feedback.OTHER, type=OfferType.SUPPORT)
    nowhere = RetentionSettings(offers=(offer,))
    story = Given(ORGANIZATION, *created())
    story.when(decide.change_retention, retention=nowhere, at=MARCH_1).then_refused(InvalidFields)
