"""What must be nowhere afterwards: card numbers, security codes, and addresses that are secret."""

import logging

import psycopg
from psycopg import sql

from tests.browser.test_buying import customer_of


VISA = "4242 4242 4242 4242"
CODE = "9173"
COLUMNS = """
    SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
"""


def everything_in(database_url):
    """All columns of all tables, as text."""
    with psycopg.connect(database_url) as db:
        for schema, table, column, kind in db.execute(COLUMNS).fetchall():
            shown = "encode({}, 'escape')" if kind == "bytea" else "{}::text"
            query = sql.SQL(f"SELECT {shown} FROM {{}}").format(
                sql.Identifier(column), sql.Identifier(schema, table)
            )
            for (text,) in db.execute(query):
                yield text or ""


def test_nothing_secret_is_logged_or_stored(site, window, module_database_url, caplog):
    caplog.set_level(logging.DEBUG)
    checkout = site.checkout(site.plan(), email="secret@example.com")
    shown = window(checkout).fills(number=VISA, expiry="04/40", cvc=CODE)
    shown.page.locator("#pay").click()
    shown.shows("Shop /thanks")
    customer_of(site, "secret@example.com")
    invoice = site.unpaid_invoice()
    paying = window(invoice["paymentLink"]).fills(number=VISA, expiry="04/40", cvc=CODE)
    paying.presses("Pay $20.00").shows("Paid. Thank you.")
    window(f"{checkout}nonsense/").shows("There is nothing here")
    logged = caplog.text
    for secret in (
        *(VISA, VISA.replace(" ", ""), f'"{CODE}"', f"cvc={CODE}"),
        checkout.rstrip("/").rpartition("/")[2],
        invoice["paymentLink"].rpartition("/")[2],
    ):
        assert secret not in logged, secret
    kept = "\n".join(everything_in(module_database_url))
    assert "4242" in kept
    for secret in (VISA, VISA.replace(" ", ""), CODE + '"', f"cvc={CODE}"):
        assert secret not in kept, secret
