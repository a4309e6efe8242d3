"""Whatever is reported, what the subscriptions bear is what the customer used."""

from hypothesis import given
from hypothesis import strategies as st

from kernel.usage import Behaviour, Share, split


LIMITS = st.lists(st.none() | st.integers(0, 50), min_size=1, max_size=5)
REPORTS = st.lists(
    st.tuples(st.just(Behaviour.SET), st.integers(0, 200))
    | st.tuples(st.just(Behaviour.DELTA), st.integers(-100, 100)),
    max_size=20,
)


@given(LIMITS, REPORTS)
def test_the_sum_of_the_parts_is_the_usage(limits, reports):
    total, used = 0, [0] * len(limits)
    for behaviour, value in reports:
        total = value if behaviour is Behaviour.SET else max(0, total + value)
        shares = [Share(units, limit) for units, limit in zip(used, limits, strict=True)]
        used = split(shares, behaviour, value)
        assert sum(used) == total
        assert min(used) >= 0


@given(LIMITS, st.lists(st.integers(0, 100), max_size=20))
def test_nobody_bears_more_than_its_limit_but_the_last(limits, values):
    used = [0] * len(limits)
    for value in values:
        shares = [Share(units, limit) for units, limit in zip(used, limits, strict=True)]
        used = split(shares, Behaviour.DELTA, value)
    for n, (units, limit) in enumerate(zip(used[:-1], limits[:-1], strict=True)):
        assert limit is None or units <= limit
        full = limit is not None and units == limit
        assert full or not any(used[n + 1 :]), "the older one is filled first"


@given(LIMITS, st.lists(st.integers(0, 100), max_size=9), st.data())
def test_what_is_added_in_parts_is_split_like_the_whole(limits, values, data):
    def after(reports):
        used = [0] * len(limits)
        for value in reports:
            shares = [Share(units, limit) for units, limit in zip(used, limits, strict=True)]
            used = split(shares, Behaviour.DELTA, value)
        return used

    shuffled = data.draw(st.permutations(values))
    assert after(values) == after(shuffled) == after([sum(values)])
