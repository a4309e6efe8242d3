"""Pricing pages in a real browser: hosted, and drawn into a merchant's page of another origin."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.catalog_requests import PRODUCT, SEATS


def charges(**amounts):
    rows = [{"chargePeriod": p, "priceData": {"amount": a}} for p, a in amounts.items()]
    return {"charges": rows}


def feature(site, name, **fields):
    return site.post("/catalog/features/", {"name": name, "featureType": "BOOLEAN"} | fields)


def plan(site, product, name, price, grants, **fields):
    body = {"name": name, "product": product["id"], **fields}
    made = site.post("/catalog/plans/", body)
    path = f"/catalog/plans/{made['identifier']}"
    site.post(f"{path}/prices/bulk/", {"prices": [price]})
    rows = [{"feature": each["id"], "details": {"value": value}} for each, value in grants]
    site.post(f"{path}/features/", {"planEntitlements": rows})
    site.post(f"{path}/publish/")
    return made


@pytest.fixture(scope="module")
def sold(site):
    """Three plans: free, per month or year with seats, on request."""
    site.patch("/organizations/checkout-settings/", {"brandName": "Orbit Labs"})
    product = site.post("/catalog/products/", PRODUCT | {"name": "Orbit"})
    seats = feature(site, **SEATS)
    projects = feature(site, "Projects", featureType="CUSTOMIZABLE")
    sso = feature(site, "Single sign-on", description="SAML and OpenID Connect")
    audit = feature(site, "Audit log")

    def costs(kind, *rows, **more):
        price = {"priceType": kind, "currency": "USD", "chargeCatalogPrice": list(rows)}
        return price | more

    plans = [
        plan(
            site,
            product,
            "Starter",
            costs("FREE"),
            [(projects, 3), (seats, 1), (sso, False)],
            description="For trying things out on your own.",
        ),
        plan(
            site,
            product,
            "Team",
            costs(
                "PAID",
                charges(MONTHLY="24.00", YEARLY="240.00"),
                {"feature": seats["id"]} | charges(MONTHLY="4.50", YEARLY="45.00"),
                freeTrial=True,
                trialPeriod=14,
            ),
            [(projects, 50), (seats, 5), (sso, True), (audit, False)],
            description="For people who build together.",
        ),
        plan(
            site,
            product,
            "Enterprise",
            costs("CUSTOM"),
            [(projects, 1000), (sso, True), (audit, True)],
            description="For companies with rules of their own.",
        ),
    ]
    return product, plans


def offering(site, sold, **fields):
    _, plans = sold
    rows = [{"identifier": each["identifier"]} for each in plans]
    rows[1] |= {"shouldHighlight": True, "includes": "All of Starter, and"}
    rows[2]["features"] = [{"identifier": "single-sign-on", "displayTooltipDescription": True}]
    periods = [
        {"chargePeriod": "MONTHLY"},
        {"chargePeriod": "YEARLY", "promoCaption": "2 months free"},
    ]
    body = {"name": "Prices", "plans": rows, "billingPeriods": periods} | fields
    table = site.post("/monetization/pricing-tables/", body)
    words = {"name": "Simple prices", "description": "Start for free. Pay when it pays off."}
    return site.post("/monetization/offerings/", words | {"pricingTableId": table["id"]})["id"]


@pytest.mark.parametrize("script", [True, False])
def test_the_period_is_switched_without_script(site, window, sold, script):
    made = offering(site, sold)
    page = window(f"/pricing/{made}/", script=script).shows("Simple prices").page
    expect(page.get_by_text("$24", exact=True)).to_be_visible()
    expect(page.get_by_text("$240", exact=True)).to_be_hidden()
    page.get_by_text("Yearly").click()
    expect(page.get_by_text("$240", exact=True)).to_be_visible()
    expect(page.get_by_text("$24", exact=True)).to_be_hidden()
    expect(page.get_by_text("+ $45 per seat")).to_be_visible()
    link = page.get_by_role("link", name="Try Team")
    product, _ = sold
    address = link.get_attribute("href")
    assert address.startswith(f"/sandbox/buy/{product['id']}/?plan_identifier=team")
    assert "charge_period=YEARLY" in address
    assert f"offering_id={made}" in address


def test_choosing_a_plan_leads_to_its_checkout_at_the_price_shown(site, window, sold):
    shown = window(f"/pricing/{offering(site, sold)}/")
    shown.page.get_by_text("Yearly").click()
    shown.page.get_by_role("link", name="Try Team").click()
    shown.presses("Continue to checkout")
    expect(shown.page).to_have_url(re.compile("/checkout/cs_"))
    shown.shows("Team").shows("$285.00").is_accessible()  # 240 and one seat


def test_the_keyboard_switches_the_period(site, window, sold):
    page = window(f"/pricing/{offering(site, sold)}/").page
    page.get_by_role("radio", name="Monthly").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Yearly")).to_be_checked()
    expect(page.get_by_text("$240", exact=True)).to_be_visible()


OWN_LOOK = {
    "style": {
        "primaryColor": "#0f766e",
        "cardBackgroundColor": "#f0fdfa",
        "priceColor": "#134e4a",
        "buttonBackgroundColor": "#0f766e",
        "buttonHoverBackgroundColor": "#115e59",
    },
    "typography": {"priceFontSize": 44},
    "layout": {"gap": 16, "align": "start"},
}


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_is_accessible(site, window, sold, size, dark, pictures):
    keeps = pictures if (size, dark) == ("desktop", False) else None
    usual = window(f"/pricing/{offering(site, sold)}/", size=size, dark=dark).shows("Recommended")
    usual.is_accessible().picture(keeps, "pricing")
    own = window(f"/pricing/{offering(site, sold, **OWN_LOOK)}/", size=size, dark=dark)
    own.shows("Recommended").is_accessible().picture(keeps, "pricing-own-colors")
    empty = window(f"/pricing/{offering(site, sold, plans=[])}/", size=size, dark=dark)
    empty.shows("There are no plans yet").is_accessible().picture(keeps, "pricing-empty")


PAGE = """<!doctype html><html lang="{lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<title>A shop</title><link rel="icon" href="data:,"></head><body><main>
<h1>Our prices</h1>
<script src="{core}/pricing/embed.js" data-offering="{offering}" {more}></script>
<p class="bs-price">A class of the shop's own.</p></main></body></html>"""
POLICY = "default-src 'none'; img-src data:; script-src {core}; connect-src {core}; {more}"


@pytest.fixture
def shop(site):
    """Serves a merchant's page that embeds an offering, from an origin of its own."""
    pages, servers = {}, []

    class Shop(BaseHTTPRequestHandler):
        def do_GET(self):
            body, policy = pages["now"]
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            """Say nothing."""

    def opened(made, *, lang="en", scheme="light dark", more="", policy=""):
        words = {"core": site.address, "offering": made, "lang": lang, "scheme": scheme}
        pages["now"] = (
            PAGE.format(**words, more=more),
            POLICY.format(core=site.address, more=policy),
        )
        server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/"

    yield opened
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("policy", ["", "require-trusted-types-for 'script'"])
def test_one_line_draws_the_table_in_another_page_under_a_strict_policy(
    site, window, sold, shop, policy
):
    made = offering(site, sold)
    page = window(shop(made, policy=policy, more='data-customer-id="ada"')).page
    table = page.locator(".billstream-pricing")
    expect(table.get_by_text("$24", exact=True)).to_be_visible()
    table.get_by_text("Yearly").click()
    expect(table.get_by_text("$240", exact=True)).to_be_visible()
    address = table.get_by_role("link", name="Try Team").get_attribute("href")
    assert address.startswith(f"{site.address}/sandbox/buy/")
    assert "customer_id=ada" in address
    size = "e => getComputedStyle(e).display"
    assert page.locator("main > .bs-price").evaluate(size) == "block"
    assert table.locator(".bs-price").first.evaluate(size) == "flex"


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_embedded_table_is_accessible_and_speaks_the_pages_language(
    site, window, sold, shop, size, dark, pictures
):
    shown = window(shop(offering(site, sold), lang="de"), size=size, dark=dark)
    expect(shown.page.get_by_text("Empfohlen")).to_be_visible()
    keeps = pictures if (size, dark) == ("desktop", False) else None
    shown.is_accessible().picture(keeps, "pricing-embedded")


def test_a_light_page_stays_light_and_an_unknown_offering_says_so(site, window, sold, shop):
    page = window(shop(offering(site, sold), scheme="light"), dark=True).page
    card = page.locator(".bs-plan").first
    expect(card).to_be_visible()
    assert card.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
    missing = window()
    tells = "addEventListener('billstream:failed', () => { document.title = 'No table' })"
    missing.page.add_init_script(tells)
    missing.page.goto(shop("00000000-0000-4000-8000-000000000001"))
    expect(missing.page).to_have_title("No table")
    expect(missing.page.locator(".billstream-pricing")).to_be_empty()
    assert [text for text in missing.complaints if "pricing table: 404" not in text] == []
    missing.complaints.clear()
