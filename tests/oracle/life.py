"""One life, lived in the engine and in the oracle at once."""

from tests.oracle import invariants
from tests.oracle.ledger import Ledger
from tests.oracle.steps import Crash
from tests.oracle.views import books_of, differences


class Disagreement(AssertionError):
    """Where they differ, and the life as ``kept.py`` takes it."""

    def __init__(self, differs, *kept):
        super().__init__(f"{differs}\nkeep: {kept!r}")
        self.kept = kept


class Life:
    """One engine and one ledger, in step."""

    def __init__(self, start, engine, tax=0, processed=None):
        self.start, self.engine, self.tax = start, engine, tax
        self.ledger = Ledger(start, tax, engine.tie)
        if processed is not None:
            self.ledger.books.processed = processed
        self.steps = []

    def do(self, step):
        self.steps.append(step)
        accepted = isinstance(step, Crash) or self.ledger.do(step)
        try:
            assert self.engine.do(step) is accepted, f"oracle: {'yes' if accepted else 'no'}"
            self.compare()
        except Exception as error:
            differs = f"{type(error).__name__} {error}"
            raise Disagreement(differs, self.start, self.steps, self.tax) from error

    def compare(self):
        found = self.engine.books()
        told = [
            f"{path}: oracle {expected}, engine {got}"
            for path, expected, got in differences(self.engine.seen(books_of(self.ledger)), found)
        ]
        assert not told, "\n".join(told)
        invariants.check(found)
