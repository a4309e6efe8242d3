"""The shortest life on which oracle and engine still disagree: each step that can go goes."""

from tests.oracle.life import Disagreement, Life


def shortened(found, make):
    """The last disagreement of a life of that method that has no step in vain."""
    start, steps, tax = found.kept
    position = len(steps) - 1
    while position > 0:
        fewer = [*steps[:position], *steps[position + 1 :]]
        if again := disagreement(start, fewer, tax, make):
            found, steps = again, fewer
        position -= 1
    return found


def disagreement(start, steps, tax, make):
    """How a life ends that way; None where it cannot be lived at all, or is lived in peace."""
    life = Life(start, make(start, tax=tax), tax)
    try:
        for step in steps:
            life.do(step)
    except Disagreement as found:
        return found
    except (IndexError, KeyError):
        return None
    return None
