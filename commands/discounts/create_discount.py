"""Make a discount (design 13)."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from itertools import count
from uuid import UUID

from aggregates.discount import decide
from aggregates.discount.decide import NewDiscount, NotMerchantOfRecord
from aggregates.discount.events import AppliesTo, CatalogName
from aggregates.discount.state import DISCOUNT
from aggregates.organization.state import ORGANIZATION
from aggregates.plan.state import PLAN
from aggregates.product.state import PRODUCT, Product
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.ids import derived_id
from kernel.interval import ChargePeriod


GENERATED_LENGTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """A product by identifier or id, optionally one plan of it and one period."""

    product: str
    plan: str | None = None
    period: ChargePeriod | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDiscount:
    """``code`` None: one is made from ``seed``."""

    seed: UUID
    code: str | None
    new: NewDiscount
    applies_to: tuple[Restriction, ...] = ()


@handles(CreateDiscount)
async def create_discount(work: UnitOfWork, command: CreateDiscount) -> UUID:
    """The discount's id. Raises NotMerchantOfRecord, DiscountCodeTaken, InvalidFields."""
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    if not organization.merchant_of_record:
        raise NotMerchantOfRecord
    code = command.code or await _free_code(work, command.seed)
    stream = discount_of(work, code)
    state = await work.load(DISCOUNT, stream)
    rows = [await _row(work, wanted) for wanted in command.applies_to]
    at = work.instant()
    facts = decide.create(state, stream, code, command.new, applies_to=tuple(rows), at=at)
    work.record(stream, facts, owner=work.tenant.organization)
    return stream


def discount_of(work: UnitOfWork, code: str) -> UUID:
    """The stream of a code, in whatever case it is typed."""
    return work.natural_id("discount", code.upper())


async def _free_code(work: UnitOfWork, seed: UUID) -> str:
    for number in count():
        digits = b32encode(derived_id(seed, "code", number).bytes).decode()
        code = digits[:GENERATED_LENGTH]
        if (await work.load(DISCOUNT, discount_of(work, code))).created is None:
            return code
    raise AssertionError


async def _row(work: UnitOfWork, wanted: Restriction) -> AppliesTo:
    product = await _product(work, wanted.product)
    name = CatalogName(id=product.id, identifier=product.identifier, name=product.wording.name)
    if wanted.plan is None:
        return AppliesTo(product=name, period=wanted.period)
    plan = await load_own(work, PLAN, _stream(work, "plan", wanted.plan))
    if plan.product is None or plan.product.id != product.id:
        message = f"There is no plan {wanted.plan!r} of the product {product.identifier!r}."
        raise InvalidFields({"appliesTo": [message]})
    called = plan.newest.wording.name if plan.newest else plan.identifier
    return AppliesTo(
        product=name,
        plan=CatalogName(id=plan.id, identifier=plan.identifier, name=called),
        period=wanted.period,
    )


async def _product(work: UnitOfWork, wanted: str) -> Product:
    product = await load_own(work, PRODUCT, _stream(work, "product", wanted))
    if not product.identifier:
        raise InvalidFields({"appliesTo": [f"There is no product {wanted!r}."]})
    return product


def _stream(work: UnitOfWork, kind: str, wanted: str) -> UUID:
    try:
        return UUID(wanted)
    except ValueError:
        return work.natural_id(kind, wanted)
