"""The processes that tests start are listened to."""

from tests.processes import Process, until


def test_a_process_that_says_more_than_a_pipe_holds_goes_on():
    process = Process("builtins", module="pydoc")
    until(lambda: process.popen.poll() is not None)
    assert process.end() == 0
    assert len(process.text) > 100_000
