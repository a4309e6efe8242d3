"""Given facts, when something is decided, then these facts follow: tests without a store."""

from typing import Any

import pytest

from kernel.fold import Fold


class Given:
    """A history of one stream."""

    def __init__(self, fold: Fold[Any], *facts: Any) -> None:
        self.fold = fold
        self.facts = list(facts)

    @property
    def state(self) -> Any:
        return self.fold.of(self.facts)

    def when(self, decide: Any, **arguments: Any) -> "When":
        return When(self, lambda: decide(self.state, **arguments))


class When:
    """A decision that is about to be taken."""

    def __init__(self, given: Given, decide: Any) -> None:
        self.given = given
        self.decide = decide

    def then(self, *facts: Any) -> Given:
        assert self.decide() == list(facts)
        return Given(self.given.fold, *self.given.facts, *facts)

    def then_nothing(self) -> Given:
        return self.then()

    def then_refused(self, refusal: type[Exception], match: str | None = None) -> None:
        with pytest.raises(refusal, match=match):
            self.decide()
