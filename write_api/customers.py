"""Writes about customers (wire 17)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from aggregates.customer.state import Details
from commands.customers.archive_customer import ArchiveCustomer
from commands.customers.change_customer import ChangeCustomer
from commands.customers.create_customer import CreateCustomer
from kernel.postal import Address
from projections.customers import CUSTOMERS
from wire.customer import CustomerChangesIn, CustomerIn, CustomerOut
from wire.http.documented import gives
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/customers", tags=["Customers"])


@router.post("/", status_code=201, responses=gives(CustomerOut, 201))
async def create(body: CustomerIn, write: ServerWrite) -> Response:
    """Create a customer; the customerId can never be used again."""
    command = CreateCustomer(
        customer_id=body.customer_id,
        details=Details(**_details(body)),
        test_clock_id=body.test_clock_id,
    )
    return await write(command, answers.row(CUSTOMERS, status=201))


@router.patch("/{customer_id:path}/", responses=gives(CustomerOut))
async def change(customer_id: str, body: CustomerChangesIn, write: ServerWrite) -> Response:
    """Change the named details; metadata and address are replaced as a whole."""
    named = body.model_fields_set
    changes = {name: value for name, value in _details(body).items() if name in named}
    stream = write.natural_id("customer", customer_id)
    command = ChangeCustomer(customer_id=customer_id, changes=changes)
    return await write(command, answers.row(CUSTOMERS, stream))


@router.delete("/{customer_id:path}/", status_code=204)
async def archive(customer_id: str, write: ServerWrite) -> Response:
    """Archive a customer without a running subscription; the id stays taken."""
    return await write(ArchiveCustomer(customer_id=customer_id), answers.nothing())


def _details(body: CustomerChangesIn) -> dict[str, Any]:
    address = body.billing_address
    return {
        "name": body.name,
        "email": body.email,
        "billing_address": None if address is None else Address(**address.model_dump()),
        "tax_id": body.tax_id,
        "metadata": body.metadata or {},
    }
