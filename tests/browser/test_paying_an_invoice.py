"""The invoice page in a real browser: paying, failing, trying again; by keyboard, on a phone."""

import pytest

from tests.processes import until


VISA = "4242 4242 4242 4242"
DECLINED = "4000 0000 0000 0002"
AUTHENTICATE = "4000 0025 0000 3155"


def becomes(site, invoice, status):
    """The views follow the page within moments."""
    return until(lambda: site.get(f"/invoices/{invoice['id']}/")["status"] == status)


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("script", [True, False])
def test_a_declined_card_is_told_and_another_one_pays(site, window, size, script):
    invoice = site.unpaid_invoice()
    shown = window(invoice["paymentLink"], size=size, script=script)
    shown.pays_with(DECLINED).presses("Pay $20.00")
    shown.shows("The card was declined. Nothing was charged.")
    shown.pays_with(VISA).presses("Pay $20.00").shows("Paid. Thank you.")
    assert becomes(site, invoice, "PAID")


def test_the_keyboard_is_enough(site, window):
    invoice = site.unpaid_invoice()
    page = window(invoice["paymentLink"]).page
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    page.keyboard.press("Enter")
    for text in (VISA, "04/40", "123"):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.get_by_text("Paid. Thank you.").wait_for()
    assert becomes(site, invoice, "PAID")


@pytest.mark.parametrize("script", [True, False])
def test_the_bank_asks_and_a_confirmed_payment_goes_on(site, window, script):
    invoice = site.unpaid_invoice()
    shown = window(invoice["paymentLink"], script=script)
    shown.pays_with(AUTHENTICATE).presses("Pay $20.00")
    shown.shows("The bank wants you to confirm this payment")
    shown.page.get_by_role("link", name="Confirm with the bank").click()
    asked = shown.shows("Test bank").page.url
    shown.presses("Confirm the payment").shows("Paid. Thank you.")
    shown.opens(asked).shows("Paid. Thank you.")
    assert becomes(site, invoice, "PAID")
    assert site.get(f"/invoices/{invoice['id']}/")["attemptCount"] == 2


def test_what_the_bank_was_refused_is_not_charged(site, window, pictures):
    invoice = site.unpaid_invoice()
    shown = window(invoice["paymentLink"])
    shown.pays_with(AUTHENTICATE).presses("Pay $20.00")
    shown.shows("The bank wants you to confirm").is_accessible().picture(pictures, "pay-confirm")
    shown.page.get_by_role("link", name="Confirm with the bank").click()
    shown.shows("Test bank").is_accessible().picture(pictures, "bank")
    shown.presses("Refuse").shows("The payment was not confirmed with the bank").is_accessible()
    assert becomes(site, invoice, "OPEN")
    shown.pays_with(AUTHENTICATE).presses("Pay $20.00")
    shown.page.get_by_role("link", name="Confirm with the bank").click()
    shown.presses("Confirm the payment").shows("Paid. Thank you.")
    assert becomes(site, invoice, "PAID")


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_state_is_accessible(site, window, size, dark, pictures):
    invoice = site.unpaid_invoice(card=DECLINED)
    keeps = pictures if (size, dark) == ("desktop", False) else None
    shown = window(invoice["paymentLink"], size=size, dark=dark)
    shown.shows("The last payment did not go through").is_accessible().picture(keeps, "pay-failed")
    fresh = window(site.unpaid_invoice()["paymentLink"], size=size, dark=dark)
    fresh.is_accessible().picture(keeps, "pay")
    fresh.pays_with("4242 4242 4242 4241").presses("Pay $20.00").shows("Check the card number.")
    fresh.is_accessible().picture(keeps, "pay-mistyped")
    fresh.pays_with(VISA).presses("Pay $20.00").shows("Paid. Thank you.")
    fresh.is_accessible().picture(keeps, "pay-paid")
    lost = window("/pay/nowhere", size=size, dark=dark)
    lost.shows("There is nothing here").is_accessible().picture(keeps, "not-found")
