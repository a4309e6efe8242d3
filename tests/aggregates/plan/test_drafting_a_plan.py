"""Edits of a plan go to a draft; what is published never changes."""

from dataclasses import replace

from aggregates.plan import decide
from aggregates.plan.events import (
    PlanArchived,
    PlanDraftDiscarded,
    PlanDraftReworded,
    PlanEntitlementChanged,
    PlanEntitlementRemoved,
    PlanWording,
)
from aggregates.plan.state import PLAN
from tests.catalog_builders import (
    FEATURES,
    MARCH_1,
    MARCH_2,
    NAMED_PRO,
    ON_SALE,
    PLAN_ID,
    PRODUCT,
    SEATS,
    SSO,
    created,
    draft_opened,
    entitled,
    granted,
    price,
    priced,
    published,
)
from tests.story import Given


RENAMED = PlanWording(name="Professional")


def reworded(version, wording=RENAMED, at=MARCH_2):
    return PlanDraftReworded(plan_id=PLAN_ID, version=version, wording=wording, occurred_at=at)


def test_a_plan_begins_as_a_draft_of_version_one():
    story = (
        Given(PLAN)
        .when(
            decide.create,
            at=MARCH_1,
            plan_id=PLAN_ID,
            identifier="pro",
            product=PRODUCT,
            wording=NAMED_PRO,
        )
        .then(created())
    )
    assert story.state.newest.number == 1
    assert story.state.published is None


def test_an_identifier_is_taken_for_ever():
    archived = PlanArchived(plan_id=PLAN_ID, occurred_at=MARCH_1)
    again = {
        "at": MARCH_2,
        "plan_id": PLAN_ID,
        "identifier": "pro",
        "product": PRODUCT,
        "wording": NAMED_PRO,
    }
    Given(PLAN, created()).when(decide.create, **again).then_refused(decide.PlanExists)
    Given(PLAN, created(), archived).when(decide.create, **again).then_refused(decide.PlanExists)


def test_a_draft_is_changed_in_place():
    Given(PLAN, created()).when(decide.reword, at=MARCH_2, wording=RENAMED).then(reworded(1))


def test_the_same_words_change_nothing():
    Given(PLAN, *ON_SALE).when(decide.reword, at=MARCH_2, wording=NAMED_PRO).then_nothing()


def test_a_published_version_is_copied_before_it_is_changed():
    story = (
        Given(PLAN, *ON_SALE)
        .when(decide.reword, at=MARCH_2, wording=RENAMED)
        .then(draft_opened(2), reworded(2))
    )
    first, second = story.state.versions
    assert first == PLAN.of(ON_SALE).newest
    assert (second.prices, second.entitlements) == (first.prices, first.entitlements)
    assert story.state.published == first


def test_a_second_change_stays_in_the_draft():
    Given(PLAN, *ON_SALE, draft_opened(2), reworded(2)).when(
        decide.set_prices, at=MARCH_2, prices=[price(currency="EUR")], features={}
    ).then(replace(priced(price(currency="EUR"), version=2, at=MARCH_2), features=()))


def test_the_same_prices_change_nothing():
    Given(PLAN, *ON_SALE).when(
        decide.set_prices, at=MARCH_2, prices=[price()], features=FEATURES
    ).then_nothing()


def test_granting_a_feature_drafts():
    Given(PLAN, *ON_SALE).when(
        decide.add_entitlements, at=MARCH_2, entitlements=[granted(SEATS, 5)]
    ).then(draft_opened(2), entitled(granted(SEATS, 5), version=2, at=MARCH_2))


def test_granting_what_is_granted_changes_nothing_even_when_it_was_renamed_since():
    renamed = replace(SSO, name="SAML", modified_on=MARCH_2)
    Given(PLAN, *ON_SALE).when(
        decide.add_entitlements, at=MARCH_2, entitlements=[granted(renamed)]
    ).then_nothing()


def test_changing_an_entitlement_drafts():
    off = granted(SSO, value=False)
    changed = PlanEntitlementChanged(
        plan_id=PLAN_ID, version=2, entitlement=off, occurred_at=MARCH_2
    )
    story = (
        Given(PLAN, *ON_SALE)
        .when(decide.change_entitlement, at=MARCH_2, entitlement=off)
        .then(draft_opened(2), changed)
    )
    assert story.state.newest.entitlements == (off,)
    assert story.state.published.entitlements == (granted(SSO),)


def test_removing_an_entitlement_drafts():
    removed = PlanEntitlementRemoved(
        plan_id=PLAN_ID,
        version=2,
        feature_id=SSO.id,
        feature_identifier="sso",
        occurred_at=MARCH_2,
    )
    story = (
        Given(PLAN, *ON_SALE)
        .when(decide.remove_entitlement, at=MARCH_2, feature="sso")
        .then(draft_opened(2), removed)
    )
    assert story.state.newest.entitlements == ()


def test_what_is_not_granted_can_neither_be_changed_nor_removed():
    given = Given(PLAN, *ON_SALE)
    missing = decide.EntitlementNotFound
    given.when(decide.remove_entitlement, at=MARCH_2, feature="seats").then_refused(missing)
    given.when(decide.change_entitlement, at=MARCH_2, entitlement=granted(SEATS, 5)).then_refused(
        missing
    )


def test_a_discarded_draft_leaves_the_published_version():
    discarded = PlanDraftDiscarded(plan_id=PLAN_ID, version=2, occurred_at=MARCH_2)
    story = (
        Given(PLAN, *ON_SALE, draft_opened(2), reworded(2))
        .when(decide.discard, at=MARCH_2)
        .then(discarded)
    )
    assert story.state.versions == PLAN.of(ON_SALE).versions
    story.when(decide.reword, at=MARCH_2, wording=RENAMED).then(draft_opened(2), reworded(2))


def test_only_a_draft_over_a_published_version_is_discarded():
    Given(PLAN, *ON_SALE).when(decide.discard, at=MARCH_2).then_refused(decide.PlanHasNoDraft)
    Given(PLAN, created()).when(decide.discard, at=MARCH_2).then_refused(decide.PlanNeverPublished)


def test_an_archived_plan_refuses_every_change():
    archived = PlanArchived(plan_id=PLAN_ID, occurred_at=MARCH_1)
    gone = Given(PLAN, *ON_SALE, archived)
    refusal = decide.PlanAlreadyArchived
    gone.when(decide.archive, at=MARCH_2).then_refused(refusal)
    gone.when(decide.reword, at=MARCH_2, wording=RENAMED).then_refused(refusal)
    gone.when(decide.set_prices, at=MARCH_2, prices=[], features={}).then_refused(refusal)
    gone.when(decide.discard, at=MARCH_2).then_refused(refusal)


def test_a_plan_that_never_was_is_not_found():
    Given(PLAN).when(decide.archive, at=MARCH_2).then_refused(decide.PlanNotFound)
    Given(PLAN).when(decide.discard, at=MARCH_2).then_refused(decide.PlanNotFound)


def test_archiving_keeps_every_version_for_its_subscribers():
    archived = PlanArchived(plan_id=PLAN_ID, occurred_at=MARCH_2)
    story = Given(PLAN, *ON_SALE).when(decide.archive, at=MARCH_2).then(archived)
    assert story.state.version(1) == PLAN.of(ON_SALE).version(1)
    assert published() in story.facts
