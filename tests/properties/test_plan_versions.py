"""Whatever is done to a plan, a published version never changes and drafts stay in line."""

from hypothesis import given
from hypothesis import strategies as st

from aggregates.plan import decide
from aggregates.plan.events import PlanWording
from aggregates.plan.state import PLAN
from kernel.errors import Refused
from kernel.ports.payments import SIMULATED
from tests.catalog_builders import (
    FEATURES,
    MARCH_2,
    PROJECTS,
    SEATS,
    charge,
    created,
    granted,
    price,
    row,
)


AT = {"at": MARCH_2}
words = st.sampled_from(["Pro", "Team", "Business"]).map(
    lambda name: (decide.reword, {"wording": PlanWording(name=name)})
)
prices = st.tuples(st.sampled_from(["USD", "EUR"]), st.integers(1, 3)).map(
    lambda drawn: (
        decide.set_prices,
        {
            "prices": [price(row(charge(str(drawn[1]), currency=drawn[0])), currency=drawn[0])],
            "features": FEATURES,
        },
    )
)
grants = st.tuples(st.sampled_from([SEATS, PROJECTS]), st.integers(0, 2)).map(
    lambda drawn: (decide.add_entitlements, {"entitlements": [granted(*drawn)]})
)
changes = st.tuples(st.sampled_from([SEATS, PROJECTS]), st.integers(0, 2)).map(
    lambda drawn: (decide.change_entitlement, {"entitlement": granted(*drawn)})
)
removals = st.sampled_from(["seats", "projects"]).map(
    lambda feature: (decide.remove_entitlement, {"feature": feature})
)
publishing = st.just((decide.publish, {"default_currency": None, "provider": SIMULATED}))
discarding = st.just((decide.discard, {}))
steps = st.lists(
    st.one_of(words, prices, grants, changes, removals, publishing, discarding), max_size=30
)


def contents(version):
    return (version.wording, version.prices, version.entitlements)


@given(steps)
def test_published_versions_never_change(steps):
    state = PLAN.of([created()])
    sold = {}
    for decision, arguments in steps:
        try:
            facts = decision(state, **AT, **arguments)
        except Refused:
            continue
        state = _after(state, facts)
        for version in state.versions:
            if version.is_published:
                assert sold.setdefault(version.number, contents(version)) == contents(version)
        assert set(sold) <= {version.number for version in state.versions}
        assert [v.number for v in state.versions] == list(range(1, len(state.versions) + 1))
        assert all(v.is_published for v in state.versions[:-1])


@given(steps)
def test_an_edit_that_is_discarded_leaves_no_trace(steps):
    on_sale = _after(PLAN.of([created()]), _published())
    state = on_sale
    for decision, arguments in steps:
        if decision in (decide.publish, decide.discard):
            continue
        try:
            state = _after(state, decision(state, **AT, **arguments))
        except Refused:
            continue
    if not state.newest.is_published:
        state = _after(state, decide.discard(state, **AT))
    assert state == on_sale


def _after(state, facts):
    for fact in facts:
        state = PLAN.evolve(state, fact)
    return state


def _published():
    state = PLAN.of([created()])
    priced = decide.set_prices(state, **AT, prices=[price()], features={})
    state = _after(state, priced)
    return [*priced, *decide.publish(state, **AT, default_currency=None, provider=SIMULATED)]
