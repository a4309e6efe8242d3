"""The same lives over HTTP and PostgreSQL, each on a test clock."""

import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis.stateful import run_state_machine_as_test

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.engines import running
from tests.oracle.lives import Lives
from tests.oracle.over_http import Blocking, OverHttp
from tests.oracle.shop import Shop


@pytest.mark.timeout(0)
def test_random_lives_over_http(database_url, lives_over_http):
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running(database_url)) as (engine, client),
    ):
        shop = portal.call(Shop.opened, client)
        processed_by_all = {}

        class LivesOverHttp(Lives):
            """One organization: what it has processed is not that of one life alone."""

            processed = processed_by_all
            can_crash = can_script = False

            @staticmethod
            def make(start, *, twice, tax):
                del twice
                return Blocking(portal, OverHttp(shop, start, tax=tax))

        run_state_machine_as_test(LivesOverHttp, settings=lives_over_http)
        verified = portal.call(verify, with_views(database_url), engine.store, VIEWS, None, quiet)
        assert verified.differing == 0, "replayed views differ from those that lived"


def quiet(*_):
    """Progress that nobody watches."""
