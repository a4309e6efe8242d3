"""Why a process ends before it serves: said to the operator, without a trace."""


class CannotStart(Exception):
    """The surroundings lack something; the message says what and how to mend it."""
