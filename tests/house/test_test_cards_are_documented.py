"""The page of test cards shows exactly the methods that the simulator knows."""

import re
from pathlib import Path

from adapters.payments.instruments import BY_NAME, CARDS


PAGE = Path(__file__).parents[2] / "docs/reference/test-cards.md"


def test_every_test_card_is_in_the_table_and_no_other():
    rows = re.findall(r"^\| ([\d ]+) \| `tok_([a-z0-9-]+)` \|", PAGE.read_text(), re.MULTILINE)
    shown = {(number.replace(" ", ""), name) for number, name in rows}
    assert shown == {(card.number, card.name) for card in CARDS}


def test_every_other_method_is_named():
    assert set(re.findall(r"`tok_([a-z0-9-]+)`", PAGE.read_text())) == set(BY_NAME)
