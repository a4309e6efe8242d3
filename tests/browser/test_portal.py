"""The customer portal in a real browser: signing in, changing, leaving, paying; by keyboard too."""

import re
import time

import httpx
import pytest
from playwright.sync_api import expect

from tests.catalog_requests import PRODUCT, SEATS, priced


VISA = "4242 4242 4242 4242"
MASTERCARD = "5555 5555 5555 4444"
AUTHENTICATE = "4000 0025 0000 3155"
DECLINED = "4000 0000 0000 0002"
PROJECTS = {
    "name": "Projects",
    "featureDetails": {"units": {"singular": "project", "plural": "projects"}},
}
OFFERS = [
    {
        "cancellationFeedback": "TOO_EXPENSIVE",
        "offerType": "DISCOUNT",
        "percentageOff": 25,
        "billingCycles": 2,
    },
    {"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1, 2, 3]},
    {
        "cancellationFeedback": "TOO_COMPLEX",
        "offerType": "SUPPORT",
        "url": "https://help.example/talk",
    },
]


def charged(**amounts):
    return {
        "charges": [
            {"chargePeriod": period, "priceData": {"amount": amount}}
            for period, amount in amounts.items()
        ]
    }


@pytest.fixture
def sold(site):
    """A customer of two plans' product who has the smaller one, and what was sold."""
    product = site.post("/catalog/products/", PRODUCT)
    plan = on_sale(
        site,
        product,
        charged(MONTHLY="20.00", YEARLY="200.00"),
        name="Pro",
        description="For one person who means it.",
        links=[{"name": "Handbook", "url": "https://docs.example/handbook"}],
        license={"enabled": True, "activationLimitEnabled": True, "activationLimit": 3},
        fileKeys=[uploaded(site, "Handbook, 2nd edition.pdf"), uploaded(site, "Orbit-4.2.dmg")],
    )
    prices = charged(MONTHLY="50.00", YEARLY="500.00")
    on_sale(site, product, prices, name="Max", description="For a whole team.")
    site.patch("/organizations/checkout-settings/", {"brandName": "Orbit Labs"})
    site.patch("/organizations/retention-settings/", {"enabled": True, "offers": OFFERS})

    def sell(card=VISA):
        customer = site.customer()
        save(site, customer, card)
        body = {
            "customerId": customer,
            "planIdentifier": plan["identifier"],
            "chargePeriod": "MONTHLY",
        }
        return customer, site.post("/subscriptions/create/", body)["id"]

    return sell


def uploaded(site, name, content=b"%PDF-1.7 the handbook"):
    """The key of a file that is there to be sold."""
    ticket = site.post("/media/", {"fileName": name, "fileType": "application/pdf"})
    sent = {"file": (name, content, "application/pdf")}
    assert (
        httpx.post(ticket["url"], data=ticket["fields"], files=sent, timeout=60).status_code == 204
    )
    return ticket["fileKey"]


def on_sale(site, product, prices, **fields):
    """A published plan that grants a few features."""
    plan = site.post("/catalog/plans/", {"product": product["id"], **fields})
    path = f"/catalog/plans/{plan['identifier']}"
    site.post(f"{path}/prices/bulk/", priced(prices))
    projects = site.post("/catalog/features/", {**SEATS, **PROJECTS})
    access = site.post("/catalog/features/", {"name": "API access", "featureType": "BOOLEAN"})
    granted = [
        {"feature": projects["id"], "details": {"value": 25}},
        {"feature": access["id"], "details": {"value": True}},
    ]
    site.post(f"{path}/features/", {"planEntitlements": granted})
    site.post(f"{path}/publish/")
    return plan


def save(site, customer, number):
    card = {"number": number, "expMonth": 4, "expYear": 2040, "cvc": "123"}
    site.post("/payment-methods/", {"customerId": customer, "card": card, "isDefault": True})


def uses(site, subscription, name):
    """A device on which the customer activates the license key."""
    [found] = site.get("/licenses/", subscription_id=subscription)["results"]
    body = {"licenseKey": found["licenseKey"], "instanceName": name}
    site.post("/license/activate/", body)


def enters(site, window, customer, **wishes):
    """The link from the merchant, the button, and the first page behind it."""
    session = site.post("/portal/session/", {"customerId": customer})
    path = f"/portal/default/?token={session['token']}"
    shown = window(path, **wishes)
    return shown.presses("Continue")


def opens(shown, link):
    """Another page: a click alone does not wait for it."""
    with shown.page.expect_navigation():
        shown.page.get_by_role("link", name=link).first.click()
    return shown


def until(holds):
    """Wait for what the views show a moment later."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def record(site, subscription):
    return site.get(f"/subscriptions/{subscription}/")


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("script", [True, False])
def test_another_plan_for_what_was_shown(site, window, sold, size, script):
    customer, subscription = sold()
    shown = enters(site, window, customer, size=size, script=script)
    shown.shows("$20.00 per month")
    assert "token" not in shown.page.url
    opens(opens(shown, "Manage"), "Change plan")
    shown.page.get_by_text("$50.00 per month").click()
    shown.presses("Continue").shows("Change to Max")
    amount = re.search(r"Pay \$([\d.]+) and change", shown.page.inner_text("main"))[1]
    shown.presses(f"Pay ${amount} and change").shows("Your plan is changed.")
    until(lambda: record(site, subscription)["amount"] == "50.00")
    newest = site.get("/invoices/", customer_id=customer)["results"][0]
    assert (newest["amountTotal"], newest["status"]) == (amount, "PAID")


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("script", [True, False])
def test_an_offer_is_accepted_or_one_leaves(site, window, sold, size, script):
    customer, subscription = sold()
    shown = enters(site, window, customer, size=size, script=script)
    opens(opens(shown, "Manage"), "Cancel subscription")
    shown.page.get_by_text("It is too expensive").click()
    shown.presses("Continue").shows("Stay, and pay 25% less")
    shown.presses("Stay with the discount").shows("Glad you stay.")
    until(lambda: record(site, subscription)["canceledAt"] is None)
    opens(shown, "Cancel subscription")
    shown.page.get_by_text("I use another service now").click()
    shown.fills(comment="It was good while it lasted.")
    shown.presses("Continue").shows("Cancel at the end of the period?")
    shown.presses("Cancel subscription").shows("Ends soon")
    until(lambda: record(site, subscription)["canceledAt"])
    left = record(site, subscription)
    assert left["cancellationReason"] == "CANCELLED_BY_CUSTOMER"
    assert left["cancellationFeedback"] == "SWITCHED_SERVICE"
    assert left["cancellationComment"] == "It was good while it lasted."
    shown.presses("Keep the subscription").shows("Your subscription goes on.")
    until(lambda: record(site, subscription)["canceledAt"] is None)


def test_a_device_makes_room_for_another(site, window, sold):
    customer, subscription = sold()
    uses(site, subscription, "Laptop")
    shown = enters(site, window, customer)
    opens(shown, "Manage").shows("In use: 1 of 3")
    shown.presses("Deactivate Laptop").shows("its place is free").shows("In use: 0 of 3")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_failed_invoice_is_paid_from_the_list(site, window, sold, size):
    customer, subscription = sold(card=DECLINED)
    shown = enters(site, window, customer, size=size)
    shown.shows("Waiting for payment")
    opens(shown, "Invoices").shows("Payment failed")
    opens(shown, re.compile("^Pay INV"))
    shown.pays_with(VISA).presses("Pay $20.00").shows("Paid. Thank you.")
    until(lambda: record(site, subscription)["status"] == "active")


def test_a_bank_that_asks_is_answered_on_the_way(site, window, sold):
    customer, subscription = sold()
    shown = enters(site, window, customer)
    opens(opens(shown, "Payment methods"), "Add a card")
    shown.pays_with(AUTHENTICATE).presses("Save card").shows("The card is saved.")
    opens(opens(opens(shown, "Subscriptions"), "Manage"), "Change plan")
    shown.page.get_by_text("$50.00 per month").click()
    shown.presses("Continue").shows("Change to Max")
    shown.presses(re.compile(r"Pay \$[\d.]+ and change")).shows("the payment did not go through")
    opens(shown, "See the invoices")
    opens(shown, re.compile("^Pay INV")).shows("The bank wants you to confirm this payment")
    opens(shown, "Confirm with the bank").shows("Test bank")
    shown.presses("Confirm the payment").shows("Paid. Thank you.")
    until(lambda: record(site, subscription)["status"] == "active")


@pytest.mark.parametrize("script", [True, False])
def test_a_card_is_added_made_default_and_the_old_one_removed(site, window, sold, script):
    customer, _ = sold()
    shown = enters(site, window, customer, script=script)
    opens(opens(shown, "Payment methods"), "Add a card")
    shown.page.get_by_label("Use this card from now on").uncheck()
    shown.pays_with(MASTERCARD).presses("Save card").shows("The card is saved.")
    shown.presses("Make default •••• 4444").shows("This method is charged from now on.")
    shown.page.get_by_text("Remove •••• 4242").click()
    shown.presses("Yes, remove it").shows("The payment method is removed.")
    [left] = site.get("/payment-methods/", customer_id=customer)["results"]
    assert (left["methodData"]["last4"], left["isDefault"]) == ("4444", True)


def test_an_invoice_is_downloaded(site, window, sold):
    customer, _ = sold()
    shown = enters(site, window, customer)
    opens(shown, "Invoices")
    with shown.page.expect_download() as download:
        shown.page.get_by_role("link", name=re.compile("^PDF")).click()
    assert re.fullmatch(r"INV-[\w-]+\.pdf", download.value.suggested_filename)


def test_a_file_of_the_plan_is_downloaded_while_there_is_access(site, window):
    key = uploaded(site, "handbook.pdf")
    plan = site.plan(charged(MONTHLY="20.00"), name="Book", fileKeys=[key])
    customer = site.customer()
    save(site, customer, VISA)
    body = {"planIdentifier": plan["identifier"], "chargePeriod": "MONTHLY"}
    sold = site.post("/subscriptions/create/", {**body, "customerId": customer})
    shown = enters(site, window, customer)
    opens(shown, "Manage")
    with shown.page.expect_download() as download:
        shown.page.get_by_role("link", name="handbook.pdf").click()
    assert download.value.path().read_bytes() == b"%PDF-1.7 the handbook"
    [file] = sold["files"]
    path = f"/portal/default/subscriptions/{sold['id']}/files/"
    shown.opens(f"{path}{sold['id']}/").shows("There is nothing here")
    site.post(f"/subscriptions/{sold['id']}/cancel/", {"cancellationType": "IMMEDIATE"})
    shown.opens(f"{path}{file['id']}/").shows("There is nothing here")


def test_the_keyboard_is_enough_to_leave(site, window, sold):
    customer, subscription = sold()
    session = site.post("/portal/session/", {"customerId": customer})
    shown = window(f"/portal/default/?token={session['token']}")
    page = shown.page

    def reaches(text):
        """Press Tab until something with this text has the focus."""
        for _ in range(40):
            page.keyboard.press("Tab")
            if text in page.evaluate("document.activeElement.textContent"):
                return
            if text == page.evaluate("document.activeElement.value"):
                return
        raise AssertionError(f"the keyboard does not reach {text!r}")

    for step in ("Continue", "Manage", "Cancel subscription"):
        reaches(step)
        with page.expect_navigation():
            page.keyboard.press("Enter")
    reaches("TOO_EXPENSIVE")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    reaches("Continue")
    page.keyboard.press("Enter")
    shown.shows("Cancel at the end of the period?")
    reaches("Cancel subscription")
    page.keyboard.press("Enter")
    shown.shows("Ends soon")
    until(lambda: record(site, subscription)["cancellationFeedback"] == "MISSING_FEATURES")


def test_after_signing_out_going_back_shows_nothing(site, window, sold):
    customer, _ = sold()
    shown = enters(site, window, customer).shows("$20.00 per month")
    shown.presses("Sign out").shows("You have signed out")
    shown.page.go_back()
    expect(shown.page.locator("body")).not_to_contain_text("$20.00 per month")
    shown.opens("/portal/default/invoices/").shows("You are not signed in")


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_page_is_accessible(site, window, sold, size, dark, pictures):
    keeps = pictures if (size, dark) == ("desktop", False) else None
    customer, subscription = sold()
    for name in ("Laptop in the study", "Old tower"):
        uses(site, subscription, name)
    session = site.post("/portal/session/", {"customerId": customer})
    shown = window(f"/portal/default/?token={session['token']}", size=size, dark=dark)

    def looks(name=None):
        shown.is_accessible()
        if name:
            shown.picture(keeps, f"portal-{name}")

    looks("entrance")
    shown.presses("Continue").shows("Next payment on")
    looks("home")
    opens(shown, "Manage").shows("Change plan")
    looks("subscription")
    opens(shown, "Change plan").shows("$500.00 per year")
    looks("plans")
    shown.page.get_by_text("$500.00 per year").click()
    shown.presses("Continue").shows("To pay today")
    looks("review")
    opens(shown, "Orbit Pro")
    opens(shown, "Cancel subscription").shows("Why do you want to leave?")
    looks("why")
    shown.page.get_by_text("It is too expensive").click()
    shown.presses("Continue").shows("Stay, and pay 25% less")
    looks("discount")
    shown.page.go_back()
    opens(shown, "Orbit Pro")
    opens(shown, "Pause").shows("Take a break instead")
    looks("pause")
    opens(shown, "Not now")
    opens(shown, "Cancel subscription")
    shown.page.get_by_text("Another reason").click()
    shown.presses("Continue").shows("Cancel at the end of the period?")
    looks("leave")
    shown.presses("Cancel subscription").shows("Ends soon")
    looks("ending")
    opens(shown, "Invoices").shows("Paid")
    looks("invoices")
    opens(shown, "Payment methods")
    save(site, customer, MASTERCARD)
    opens(shown, "Payment methods").shows("Make default")
    looks("methods")
    opens(shown, "Add a card").shows("Card number")
    shown.pays_with("4242 4242 4242 4241").presses("Save card").shows("Check the card number.")
    looks("card")
    opens(shown, "Billing details").shows("Tax id")
    looks("details")
    shown.presses("Sign out").shows("You have signed out")
    looks("signed-out")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_empty_rooms_and_other_languages_are_accessible(site, window, size, pictures):
    keeps = pictures if size == "desktop" else None
    customer = site.customer()
    shown = enters(site, window, customer, size=size).shows("No subscriptions yet")
    shown.is_accessible().picture(keeps, "portal-empty")
    opens(shown, "Payment methods").shows("No payment method yet").is_accessible()
    opens(shown, "Invoices").shows("No invoices yet").is_accessible()
    for name in ("Deutsch", "Français", "Español"):
        opens(shown, name)
        for section in shown.page.locator("nav.tabs a").all_inner_texts():
            opens(shown, section).is_accessible()
