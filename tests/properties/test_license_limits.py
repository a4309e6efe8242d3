"""Whatever happens to a license: places are never more than allowed, names never twice."""

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.license import decide
from aggregates.license.decide import Instance, Key
from aggregates.license.events import ReleaseReason
from aggregates.license.refusals import ActivationLimitReached, InstanceNotFound
from aggregates.license.state import LICENSE
from tests.aggregates.license.test_using_a_license import issued
from tests.builders import MARCH_15


INSTANCES = st.integers(1, 6).map(lambda number: UUID(int=number))
NAMES = st.sampled_from([None, "laptop", "phone", "tablet"])
STEPS = st.one_of(
    st.tuples(st.just("activate"), INSTANCES, NAMES),
    st.tuples(st.just("deactivate"), INSTANCES),
    st.tuples(st.just("limit"), st.integers(0, 4)),
    st.tuples(st.just("regenerate")),
)


class Model:
    """Places as anybody would keep them."""

    def __init__(self, limit):
        self.limit = limit
        self.places = {}

    def activate(self, instance, name):
        known = instance in self.places or (name and name in self.places.values())
        if known:
            return None
        if self.limit and len(self.places) >= self.limit:
            return ActivationLimitReached
        self.places[instance] = name
        return None

    def deactivate(self, instance):
        if instance not in self.places:
            return InstanceNotFound
        del self.places[instance]
        return None

    def regenerate(self):
        self.places = {}

    def set_limit(self, limit):
        self.limit = limit


def decided(state, step):
    match step:
        case ("activate", instance, name):
            wanted = Instance(id=instance, name=name)
            return decide.activate(state, wanted, has_access=True, at=MARCH_15)
        case ("deactivate", instance):
            reason = ReleaseReason.DEACTIVATED
            return decide.deactivate(state, instance, reason=reason, at=MARCH_15)
        case ("limit", limit):
            return decide.change_limit(state, limit, at=MARCH_15)
        case _:
            key = Key(UUID(int=state.keys), "KEY")
            return decide.regenerate_key(state, key, at=MARCH_15)


def expected(model, step):
    word, *rest = step
    act = {"activate": model.activate, "deactivate": model.deactivate, "limit": model.set_limit}
    return act.get(word, model.regenerate)(*rest)


@given(limit=st.integers(0, 3), steps=st.lists(STEPS, max_size=40))
@settings(deadline=None)
def test_any_life_of_a_license(limit, steps):
    facts, model = [issued(activation_limit=limit)], Model(limit)
    for step in steps:
        state = LICENSE.of(facts)
        refusal, before = expected(model, step), len(state.instances)
        if refusal is not None:
            with pytest.raises(refusal):
                decided(state, step)
            continue
        new = decided(state, step)
        facts += new
        now = LICENSE.of(facts)
        assert dict(now.instances) == model.places
        names = [name for name in now.instances.values() if name]
        assert len(names) == len(set(names))
        if now.limit and len(now.instances) > before:
            assert len(now.instances) <= now.limit
        if new and step[0] in {"activate", "deactivate"}:
            assert new[0].usage == len(now.instances)
        if step[0] == "activate":
            assert decided(now, step) == []
