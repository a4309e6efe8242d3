"""The numbered cases of billing that are to come out right, and where each is proven.

A case is proven by a test that names it (``case_88``, ``cases_15_and_16``, id ``case 10``), or by
the test that stands here beside its number. What waits says for what.
"""

ROWS = """
1 2 4 7 10 14
15 16 18 19 20
23 24 25 26 28 29 30 32 33 34 36 37 39 40 41 42 43 45 46 47 48 49 50 51
53 54 56 57 59 60 61 62 64 66 68 69 70 71
72 73 74 76 77 78 79 80 81
82 83 85 87 88 89 90 91 92 94
96 98 100 100b 102 103 105 107 108 109
110 111 113 114 116 118 119 121 123 124 125
""".split()

API = "tests/api/"
PROVEN_BY = {
    "108": API
    + "test_reading_subscriptions.py::test_a_replaced_record_is_seen_by_its_status_alone",
    "110": API
    + "test_idempotency_keys.py::test_the_same_request_has_the_same_bytes_in_any_process",
    "111": API + "test_idempotency_keys.py::test_another_request_under_the_same_key_is_422",
    "113": API + "test_webhook_endpoints.py::test_a_day_later_a_repeated_request_shows_no_secret",
    "118": "tests/commands/test_crashes.py::test_killed_once_at_any_statement",
    "119": "tests/replay/test_replaying_views.py::test_views_that_were_dropped_come_back_the_same",
    "121": "tests/adapters/test_library_recorder.py::test_an_old_version_is_upcast_on_reading",
    "123": "tests/webhooks/test_delivering.py"
    "::test_a_rotated_standard_secret_signs_beside_the_new_one",
    "124": API + "test_customers.py::test_ten_writes_in_a_row_are_all_listed",
    "125": API + "test_production.py::test_keys_of_the_sandbox_and_test_clocks_are_refused",
}

WAITING: dict[str, str] = {}
