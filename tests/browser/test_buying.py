"""The checkout page in a real browser: choose, enter, pay, and come back to the shop."""

import re

import pytest
from playwright.sync_api import expect

from tests.catalog_requests import PRODUCT, SEATS, USD_MONTHLY
from tests.processes import until


VISA = "4242 4242 4242 4242"
DECLINED = "4000 0000 0000 0002"
AUTHENTICATE = "4000 0025 0000 3155"
YEARLY = {"chargePeriod": "YEARLY", "priceData": {"amount": "200.00"}}
MONTHLY = {"chargePeriod": "MONTHLY", "priceData": {"amount": "20.00"}}
BOTH = {"charges": [MONTHLY, YEARLY]}
TRIED = {"freeTrial": True, "trialPeriod": 7}


@pytest.fixture(scope="module")
def taxed(site):
    """The merchant takes tax in two countries, and has a color."""
    rates = [
        {"country": "DE", "percent": "19", "name": "MwSt."},
        {"country": "FR", "percent": "20"},
    ]
    site.patch("/organizations/settings/", {"taxRates": rates})
    look = {"brandName": "Kellerei", "customization": {"primaryColor": "#6b2a4a"}}
    site.patch("/organizations/checkout-settings/", look)
    return site


def fills_in(shown, email, country="DE"):
    shown.page.select_option('[name="country"]', country)
    return shown.fills(email=email, name="Ada Lovelace", city="Berlin", postal_code="10115")


def customer_of(site, email):
    [found] = until(lambda: site.get("/customers/", search=email)["results"])
    return found["customerId"]


def subscriptions_of(site, email):
    customer = customer_of(site, email)
    return until(lambda: site.get("/subscriptions/", customer_id=customer)["results"])


def has_bought(site, email, status="active"):
    """Once, and with this status in the end."""
    return until(lambda: [each["status"] for each in subscriptions_of(site, email)] == [status])


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("script", [True, False])
def test_a_declined_card_is_told_and_another_one_buys(taxed, window, size, script):
    email = f"{size}-{script}@example.com"
    shown = window(taxed.checkout(taxed.plan(BOTH)), size=size, script=script)
    fills_in(shown, email).pays_with(DECLINED)
    pay = shown.page.locator("#pay")
    if script:
        expect(pay).to_have_text("Pay $23.80")
        pay.click()
    else:
        pay.click()
        shown.shows("The price is not what was shown").shows("Pay $23.80")
        shown.pays_with(DECLINED).page.locator("#pay").click()
    shown.shows("The card was declined. Nothing was charged.")
    expect(shown.page.locator("#email")).to_have_value(email)
    shown.pays_with(VISA).page.locator("#pay").click()
    shown.shows("Shop /thanks?order=7").shows("sent by nobody")
    assert has_bought(taxed, email)


def test_the_price_follows_what_is_chosen_and_entered(taxed, window, pictures):
    shown = window(taxed.checkout(taxed.plan(BOTH)))
    due = shown.page.locator(".total")
    expect(due).to_contain_text("$20.00")
    shown.is_accessible().picture(pictures, "checkout")
    shown.page.get_by_label("Yearly").check()
    expect(due).to_contain_text("$200.00")
    shown.page.select_option('[name="country"]', "DE")
    expect(due).to_contain_text("$238.00")
    shown.shows("MwSt. 19%").shows("Renews every year until you cancel.")
    shown.page.get_by_text("Buying for a business?").click()
    shown.fills(tax_id="nonsense").page.keyboard.press("Tab")
    problem = shown.page.locator("#tax_id-problem")
    expect(problem).to_have_text("This is not a valid tax id of the country.")
    expect(shown.page.locator("#tax_id")).to_have_attribute("aria-invalid", "true")
    shown.is_accessible()
    shown.fills(tax_id="DE136695976").page.keyboard.press("Tab")
    expect(due).to_contain_text("$200.00")
    expect(problem).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_a_discount_code_is_tried_taken_and_taken_off(taxed, window, script):
    code = f"WELCOME{script}".upper()
    body = {"name": "Welcome", "code": code, "discountType": "PERCENTAGE", "percentageOff": 25}
    taxed.post("/discount/", body | {"duration": "ONCE"})
    shown = window(taxed.checkout(taxed.plan()), script=script)
    shown.fills(discount_code="NOSUCH").presses("Apply").shows("There is no such discount code.")
    shown.fills(discount_code=code).presses("Apply").shows(f"{code} (25%)")
    expect(shown.page.locator(".total")).to_contain_text("$15.00")
    shown.presses("Remove")
    expect(shown.page.locator(".total")).to_contain_text("$20.00")
    shown.fills(discount_code=code).presses("Apply").shows(f"{code} (25%)")
    fills_in(shown, f"{code}@example.com".lower())
    shown.pays_with(VISA)
    if script:
        expect(shown.page.locator("#pay")).to_have_text("Pay $17.85")
    shown.page.locator("#pay").click()
    if not script:
        shown.shows("look at it again").pays_with(VISA).page.locator("#pay").click()
    shown.shows("Shop /thanks")


def sells_seats(site):
    """Two plans of one product, one of them by the seat."""
    product = site.post("/catalog/products/", PRODUCT | {"name": "Kellerbuch"})
    seats = site.post("/catalog/features/", SEATS)
    per_seat = {
        "feature": seats["id"],
        "charges": [
            {
                "chargePeriod": "MONTHLY",
                "priceData": {"amount": "5.00"},
                "advanced": {"minQuantity": 1, "maxQuantity": 20},
            }
        ],
    }
    small = site.plan(name="Solo", product=product, description="For one cellar")
    big = site.plan(
        USD_MONTHLY, per_seat, name="Team", product=product, description="For all who help"
    )
    return small, big, f"q.{seats['identifier']}"


@pytest.mark.parametrize("script", [True, False])
def test_another_plan_has_quantities_and_a_saved_card_pays(taxed, window, script, pictures):
    small, big, seats = sells_seats(taxed)
    customer = taxed.customer(billingAddress={"country": "US"})
    card = {"number": "5555555555554444", "expMonth": 4, "expYear": 2040, "cvc": "123"}
    taxed.post("/payment-methods/", {"customerId": customer, "card": card})
    plans = f"{small['identifier']},{big['identifier']}"
    shown = window(taxed.checkout(small, customerId=customer, plansEnabled=plans), script=script)
    total, page = shown.page.locator(".total"), shown.page
    expect(total).to_contain_text("$20.00")
    page.get_by_label("Team").check()
    if not script:
        shown.page.get_by_role("button", name="Update the price").first.click()
    expect(total).to_contain_text("$25.00")
    shown.fills(**{seats: "3"})
    if not script:
        shown.page.get_by_role("button", name="Update the price").first.click()
    expect(total).to_contain_text("$35.00")
    expect(page.get_by_label("Mastercard •••• 4444")).to_be_checked()
    if script:
        expect(page.locator("#number")).to_be_hidden()
        shown.is_accessible().picture(pictures, "checkout-plans")
        shown.fills(**{seats: "50"}).page.keyboard.press("Tab")
        expect(page.locator("#plan-problem")).not_to_be_empty()
        shown.fills(**{seats: "3"}).page.keyboard.press("Tab")
        expect(page.locator("#plan-problem")).to_be_hidden()
    page.locator("#pay").click()
    shown.shows("Shop /thanks")
    [bought] = until(lambda: taxed.get("/subscriptions/", customer_id=customer)["results"])
    assert (bought["status"], bought["plan"]["name"], bought["amount"]) == (
        "active",
        "Team",
        "35.00",
    )


@pytest.mark.parametrize("card", [VISA, AUTHENTICATE])
def test_a_trial_begins_without_a_charge(taxed, window, card, pictures):
    email = f"trial-{card[-4:]}@example.com"
    shown = window(taxed.checkout(taxed.plan(price=TRIED)))
    shown.shows("7 days free").shows("Then $20.00 per month. Cancel any time before.")
    fills_in(shown, email).shows("Then $23.80 per month")
    expect(shown.page.locator(".total")).to_contain_text("$0.00")
    shown.is_accessible().picture(pictures if card == VISA else None, "checkout-trial")
    shown.pays_with(card).page.locator("#pay").click()
    if card == AUTHENTICATE:
        shown.page.get_by_role("link", name="Confirm with the bank").click()
        shown.shows("Nothing is charged now").presses("Confirm the payment")
    shown.shows("Shop /thanks")
    assert has_bought(taxed, email, "trialing")


@pytest.mark.parametrize("script", [True, False])
def test_the_bank_asks_is_refused_and_then_confirmed(taxed, window, script, pictures):
    email = f"bank-{script}@example.com"
    plan = taxed.plan()
    shown = window(taxed.checkout(plan, email=email, defaultBillingCountry="DE"), script=script)
    shown.pays_with(AUTHENTICATE).page.locator("#pay").click()
    shown.shows("Confirm with your bank")
    if script:
        shown.is_accessible().picture(pictures, "checkout-confirm")
    shown.page.get_by_role("link", name="Confirm with the bank").click()
    shown.presses("Refuse").shows("The payment was not confirmed.")
    shown.pays_with(AUTHENTICATE).page.locator("#pay").click()
    shown.shows("Confirm with your bank").presses("Use another card")
    shown.pays_with(AUTHENTICATE).page.locator("#pay").click()
    shown.page.get_by_role("link", name="Confirm with the bank").click()
    shown.presses("Confirm the payment").shows("Shop /thanks")
    assert has_bought(taxed, email)


def test_something_free_needs_no_card(taxed, window):
    product = taxed.post("/catalog/products/", {"name": "Orbit", "taxCode": "saas"})
    plan = taxed.post("/catalog/plans/", {"name": "Free", "product": product["id"]})
    path = f"/catalog/plans/{plan['identifier']}"
    free = {"priceType": "FREE", "currency": "USD", "chargeCatalogPrice": []}
    taxed.post(f"{path}/prices/bulk/", {"prices": [free]})
    taxed.post(f"{path}/publish/")
    url = taxed.checkout(plan, chargePeriod="ONE_TIME", email="free@example.com", lockEmail=True)
    shown = window(url)
    shown.shows("Nothing to pay.").is_accessible()
    expect(shown.page.locator("#email")).to_have_attribute("readonly", "")
    expect(shown.page.locator("#number")).to_be_hidden()
    shown.page.select_option('[name="country"]', "US")
    shown.presses("Complete the order").shows("Shop /thanks")


def test_two_tabs_and_an_impatient_buyer_buy_once(taxed, window):
    email = "impatient@example.com"
    url = taxed.checkout(taxed.plan(), email=email, defaultBillingCountry="DE")
    shown = window(url)
    tab = shown.another_tab(url)
    shown.pays_with(VISA)
    for name, value in (("number", VISA), ("expiry", "04/40"), ("cvc", "123")):
        tab.fill(f"#{name}", value)
    shown.page.locator("#pay").dblclick()
    tab.locator("#pay").click()
    shown.shows("Shop /thanks")
    expect(tab.locator("body")).to_contain_text("Shop /thanks")
    assert has_bought(taxed, email)
    [subscription] = subscriptions_of(taxed, email)
    assert taxed.get("/invoices/", subscription_id=subscription["id"])["count"] == 1


def test_the_keyboard_is_enough(taxed, window):
    url = taxed.checkout(taxed.plan(), discountsEnabled=False)
    page = window(url).page
    page.locator("#content").focus()
    typed = {
        "email": "keys@example.com",
        "name": "Ada",
        "country": "Germany",
        "number": VISA,
        "expiry": "0440",
        "cvc": "123",
    }
    for _ in range(20):
        page.keyboard.press("Tab")
        name = page.locator(":focus").get_attribute("name") or ""
        page.keyboard.type(typed.pop(name, ""))
        if not typed:
            break
    assert typed == {}
    expect(page.locator("#pay")).to_have_text("Pay $23.80")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_contain_text("Shop /thanks")


def test_what_is_wrong_stands_next_to_its_field(taxed, window, pictures):
    fields = [
        {"key": "size", "label": "Company size", "type": "DROPDOWN", "options": ["1", "2 to 10"]},
        {"key": "terms", "label": "I accept the terms", "type": "CHECKBOX", "required": True},
    ]
    taxed.patch("/organizations/checkout-settings/", {"customFields": fields})
    shown = window(taxed.checkout(taxed.plan(BOTH)), script=False)
    shown.page.locator("form").evaluate("form => form.noValidate = true")
    shown.fills(email="nonsense", number="4242", expiry="01/20", cvc="x")
    shown.page.locator("#pay").click()
    shown.shows("Please look at the marked fields.").shows("Enter an email address, such as")
    expect(shown.page.locator("#email")).to_have_value("nonsense")
    expect(shown.page.locator("#email")).to_have_attribute("aria-describedby", "email-problem")
    expect(shown.page.locator("#number")).to_have_value("")
    scripted = window(shown.page.url)
    scripted.shows("I accept the terms").is_accessible()
    scripted.fills(email="nonsense").page.keyboard.press("Tab")
    scripted.shows("Enter an email address, such as").is_accessible()
    scripted.picture(pictures, "checkout-problems")
    taxed.patch("/organizations/checkout-settings/", {"customFields": []})


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("dark", [True, False])
def test_it_is_accessible_in_every_light_and_language(taxed, window, size, dark):
    shown = window(taxed.checkout(taxed.plan(BOTH)), size=size, dark=dark, language="de-DE")
    shown.shows("20,00 $ pro Monat").shows("Rechnungsadresse").is_accessible()
    expect(shown.page.locator("html")).to_have_attribute("lang", re.compile("^de"))


def test_an_expired_session_says_so(taxed, window, pictures):
    clock = taxed.post("/test-clocks/", {"frozenTime": "2026-01-01T00:00:00Z"})
    customer = taxed.customer(testClockId=clock["id"])
    url = taxed.checkout(taxed.plan(), customerId=customer)
    taxed.post(f"/test-clocks/{clock['id']}/advance/", {"frozenTime": "2026-01-03T00:00:00Z"})
    shown = window(url).shows("This page has expired").shows("Back to Kellerei")
    shown.is_accessible().picture(pictures, "checkout-expired")
    assert "sent by nobody" in shown.presses_link("Back to Kellerei").page.content()


@pytest.mark.parametrize("script", [True, False])
def test_a_link_on_the_merchants_site_sells_and_thanks(taxed, window, script, pictures):
    plan = taxed.plan()
    product = taxed.get(f"/catalog/plans/{plan['identifier']}/")["product"]
    email = f"link-{script}@example.com"
    shown = window(f"/buy/{product}/?discounts_enabled=false", script=script)
    if script:
        shown.is_accessible().picture(pictures, "buy")
    shown.page.locator("main button").click()
    fills_in(shown, email)
    if script:
        expect(shown.page.locator("#pay")).to_have_text("Pay $23.80")
    else:
        shown.page.get_by_role("button", name="Update the price").first.click()
    shown.pays_with(VISA).page.locator("#pay").click()
    shown.shows("Thank you").shows("Your order is complete.")
    if script:
        shown.is_accessible().picture(pictures, "checkout-done")
    assert has_bought(taxed, email)
