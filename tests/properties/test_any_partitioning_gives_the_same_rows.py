"""However partitions are interleaved, the members arrive at the rows of one pass over the log."""

import asyncio
from functools import cache
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.organizations.change_settings import ChangeCheckoutLook
from kernel.discount import Duration, PriceOff
from projections.all_views import VIEWS
from projections.engine import Pass
from projections.streamed.private import ACROSS, KEYED
from tests.billing_facts import Histories, a_whole_life
from tests.billing_world import World, at
from tests.catalog_life import Shop, a_whole_catalog
from tests.checkouts import Buyer
from tests.memory_store import MemoryStore
from tests.properties.test_any_batching_gives_the_same_rows import Rows
from wire.stream import partition_of


class Member(Rows):
    """One kind of member; partitions share rows and counts, but not what they remember."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.passes = {}

    def take(self, partition, batch):
        running = self.passes.setdefault(partition, self.kind.new_pass())
        self.project(running, batch)

    @property
    def for_all(self):
        rows, counts = self.result
        shared = {key: row for key, row in rows.items() if key[0] not in self.kind.own}
        return shared, counts


@cache
def shop_log():
    """Sales with discounts, through checkouts whose look changes in between."""
    world = World(at(2025, 1, 31))
    world.monthly()
    customers = [f"customer {number}" for number in range(6)]
    new = NewDiscount(name="Ten", off=PriceOff(percentage=10), duration=Duration.FOREVER)
    world.do(CreateDiscount(seed=uuid4(), code="SAVE", new=new))
    for number, name in enumerate(customers):
        world.customer(name, card="works")
        world.do(ChangeCheckoutLook(changes={"customization": {"color": str(number)}}))
        Buyer(world, customer_id=name, discount_code="SAVE").pays()
        Buyer(world, customer_id=name)
    return world.store.log


@cache
def lives_log():
    histories = Histories()
    for number in range(4):
        a_whole_life(histories, f"customer {number}")
    store = MemoryStore()
    asyncio.run(histories.append_to(store))
    return store.log


@cache
def catalog_log():
    shop = Shop()
    asyncio.run(a_whole_catalog(shop))
    return shop.store.log


LOGS = st.sampled_from([shop_log, lives_log, catalog_log])


@settings(max_examples=40, deadline=None)
@given(LOGS, st.data())
def test_rows_do_not_depend_on_who_reads_what_when(made, data):
    log = made()
    whole, keyed, across = Rows(), Member(KEYED), Member(ACROSS)
    whole.project(Pass(VIEWS), log)
    across.take(None, log)
    left = {}
    for recorded in log:
        left.setdefault(partition_of(recorded.owner), []).append(recorded)
    while left:
        partition = data.draw(st.sampled_from(sorted(left)))
        size = data.draw(st.integers(1, len(left[partition])))
        if data.draw(st.booleans()):
            keyed.passes.pop(partition, None)  # another member takes it up
        keyed.take(partition, left[partition][:size])
        if not (rest := left.pop(partition)[size:]):
            continue
        left[partition] = rest
    rows, counts = whole.result
    (mine, counted), (others, counted_across) = keyed.for_all, across.for_all
    assert mine | others == rows
    assert counted | counted_across == counts


def test_the_shop_needs_a_reader_of_all_partitions():
    """Otherwise the property above would hold without it."""
    names = {recorded.name for recorded in shop_log()}
    assert {"checkout.session_created.v1", "discount.redeemed.v1"} <= names
    assert len({partition_of(recorded.owner) for recorded in shop_log()}) > 3
