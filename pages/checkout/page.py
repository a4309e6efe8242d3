"""The checkout page: choosing, entering, paying, and what came of it (spec: Checkout session).

A form stands for one attempt at the price it shows: sent twice, or from two tabs, it buys once.
The outcome is told by a page of its own, so that reloading sends nothing. Without script the page
works with the same forms; with script it also asks for prices as the buyer types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from aggregates.checkout.events import Status
from commands.checkout.authenticate_checkout import AuthenticateCheckout
from commands.checkout.standing import redirect_url
from kernel.errors import Conflict, Invalid, NotReady, Refused
from kernel.ports.payments import Authentication
from pages import forms
from pages.checkout import buying
from pages.checkout.entered import Problems, by_field, changes_of
from pages.checkout.shown import buyer_values, choice_values, filled, summary_values
from pages.checkout.visit import Visit, visit_of
from pages.language import address, in_words
from pages.policy import ALWAYS
from pages.rendering import fragment
from pages.sealed import sealed_page
from wire.http.errors import status_of


FORM = "checkout"
MOST_FIELDS = 400
LOOK_AGAIN_SECONDS = 3
SCRIPT = "checkout.js"
UNSOLD = (Conflict, Invalid, NotReady)
"""Why something cannot be bought."""
SAFE_IN_ADDRESSES = ":/%#?=@[]!$&'()*+,;~"


async def show(request: Request) -> Response:
    """The form, or what became of the session."""
    visit = await visit_of(request)
    session = visit.now.session
    match visit.now.status:
        case Status.SUCCESS:
            return _completed(visit)
        case Status.EXPIRED:
            return _told(visit, "expired", status=410)
        case Status.PROCESSING if session.awaits_authentication:
            return await _authentication(visit)
        case Status.PROCESSING:
            headers = {"Refresh": str(LOOK_AGAIN_SECONDS)}
            return _told(visit, "checking", headers=headers)
        case _:
            return await form_page(visit, failed=session.failure is not None)


async def act(request: Request) -> Response:
    """Keep what was entered; pay, if that is the button that was pressed."""
    visit = await visit_of(request)
    form = await forms.fields(request, MOST_FIELDS)
    forms.require_ours(request, visit.tenant, form.get("seal", ""), FORM, visit.session_id)
    action = form.get("action", buying.PAY)
    if visit.now.status is not Status.OPEN:
        if action == "another" and visit.now.session.awaits_authentication:
            await _answered(visit, approved=False)
        return await _settled(visit)
    if action == buying.PAY and form.get("attempt") != str(visit.now.attempt):
        return await _redirect(visit)
    try:
        problems = await buying.keep(visit, form)
        if not problems and action == buying.PAY:
            problems = await buying.pay(await visit.again(), form)
    except UNSOLD as refused:
        alert = visit.look.language.refusal(refused.code, refused.message)
        return await _unless_over(visit, form, {}, alert)
    if problems:
        return await _unless_over(visit, form, problems)
    return await (_settled(visit) if action == buying.PAY else _redirect(visit))


async def price(request: Request) -> Response:
    """The same page in parts, at the price of what stands in the form, for its script."""
    visit = await visit_of(request)
    form = await forms.fields(request, MOST_FIELDS)
    forms.require_ours(request, visit.tenant, form.get("seal", ""), FORM, visit.session_id)
    if visit.now.status is not Status.OPEN:
        return JSONResponse({"over": True}, headers=ALWAYS)
    try:
        request.app.state.prices.take(request, visit.session_id)
        if form.get("keep"):
            wrong = await buying.keep(visit, form)
            parts = await _parts(await visit.again(), {}, wrong)
        else:
            changes, wrong = changes_of(buying.as_asked(visit, form))
            buying.count_codes(visit, changes)
            parts = await _parts(visit, changes, wrong)
        return JSONResponse(parts, headers=ALWAYS)
    except Refused as refused:
        alert = visit.look.language.refusal(refused.code, refused.message)
        return JSONResponse({"alert": alert}, headers=ALWAYS)


ROUTES = [
    Route(f"/checkout/{{session}}{path}", endpoint, methods=[method])
    for path, endpoint, method in (
        ("", show, "GET"),
        ("/", show, "GET"),
        ("", act, "POST"),
        ("/", act, "POST"),
        ("/price", price, "POST"),
    )
]


async def form_page(
    visit: Visit,
    form: Mapping[str, str] | None = None,
    problems: Problems | None = None,
    *,
    alert: str = "",
    failed: bool = False,
    status: int = 200,
) -> Response:
    """The form with all that is chosen, entered and wrong; or why this cannot be bought."""
    language, now = visit.look.language, visit.now
    try:
        quote = await visit.quote()
    except UNSOLD as refused:
        return await _not_for_sale(visit, refused)
    failure = now.failure if failed else None
    found = by_field(quote.problems) | (problems or {})
    values = {
        **choice_values(language, now, quote),
        **summary_values(language, quote),
        **buyer_values(language, now),
        "filled": filled(language, now, form or {}),
        "problems": {name: in_words(language, said) for name, said in found.items()},
        "alert": alert,
        "failure": failure and language.refusal(failure.code, failure.message),
        "attempt": now.attempt,
        "way": (form or {}).get("way", ""),
        "cards": visit.tenant.payments.saves_cards,
        "cancel_url": now.session.terms.cancel_url,
        "price_path": address(visit.request, f"/checkout/{visit.session_id}/price"),
    }
    return _page(visit, "checkout/checkout.html", values, status=status, scripts=(SCRIPT,))


async def _parts(visit: Visit, changes: Mapping[str, Any], wrong: Problems) -> dict[str, Any]:
    language = visit.look.language
    quote = await visit.quote(changes)
    found = by_field(quote.problems) | wrong
    summary = summary_values(language, quote)
    told = {name: in_words(language, said) for name, said in found.items()}
    values = {**choice_values(language, visit.now, quote), **summary, "problems": told}
    return {
        "choice": fragment(visit.look, "checkout/choice.html", values),
        "summary": fragment(visit.look, "checkout/summary.html", values),
        "problems": told,
        "due": f"{language.say('checkout.due_today')}: {summary['due']}",
        **{name: summary[name] for name in ("pay", "needs_card", "token")},
    }


async def _not_for_sale(visit: Visit, refused: Refused) -> Response:
    """Why what was chosen cannot be bought now, unless the session ended meanwhile."""
    if (await visit.again()).now.status is not Status.OPEN:
        return await _redirect(visit)
    reason = visit.look.language.refusal(refused.code, refused.message)
    return _told(visit, "unavailable", status=status_of(refused), reason=reason)


def _completed(visit: Visit) -> Response:
    """Thanks, and on to the merchant's page.

    A page of its own and not a redirect: no page whose form led here may send one elsewhere.
    """
    url = redirect_url(visit.now.session)
    headers = {} if url is None else {"Refresh": f"0; url={quote(url, safe=SAFE_IN_ADDRESSES)}"}
    return _told(visit, "done", headers=headers, onward=url)


async def _authentication(visit: Visit) -> Response:
    """What the buyer said to the bank; or the way there."""
    key, provider = visit.now.challenge or "", visit.services.payments
    answer = await provider.authentication(key)
    if answer is not Authentication.WAITING:
        await _answered(visit, approved=answer is Authentication.CONFIRMED)
        return await _settled(visit)
    back = address(visit.request)
    return _told(visit, "confirm", challenge=await provider.challenge(key, back))


async def _answered(visit: Visit, *, approved: bool) -> None:
    await visit.does(
        AuthenticateCheckout(
            session_id=visit.session_id, attempt=visit.now.attempt, approved=approved
        )
    )


async def _unless_over(
    visit: Visit, form: Mapping[str, str], problems: Problems, alert: str = ""
) -> Response:
    """The form again with what is wrong; what is over or under way is told by its own page."""
    visit = await visit.again()
    if visit.now.status is not Status.OPEN:
        return await _redirect(visit)
    status = 409 if alert else 400
    return await form_page(visit, form, problems, alert=alert, status=status)


async def _settled(visit: Visit) -> Response:
    """Wait for what comes of the attempt, and lead to the page that tells it."""
    await buying.wait(visit)
    return await _redirect(visit)


async def _redirect(visit: Visit) -> Response:
    path = f"/checkout/{visit.session_id}/"
    return RedirectResponse(address(visit.request, path), 303, ALWAYS)


def _told(
    visit: Visit,
    stand: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **more: str | None,
) -> Response:
    """How the session stands, in words; ``more`` is a reason, or an address to go on to."""
    values = {
        **dict.fromkeys(("reason", "challenge", "onward")),
        **more,
        "stand": stand,
        "merchant": visit.look.brand.name,
        "cancel_url": visit.now.session.terms.cancel_url,
    }
    return _page(visit, "checkout/told.html", values, status=status, headers=headers)


def _page(visit: Visit, template: str, values: Mapping[str, Any], **options: Any) -> Response:
    """Every form of a session may send what any other may."""
    about = (FORM, visit.session_id)
    return sealed_page(visit.look, visit.tenant, template, values, *about, **options)
