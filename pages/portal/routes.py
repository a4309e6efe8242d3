"""Every address of the portal (design 13: Links)."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.routing import Route

from kernel.portal import PATH
from pages.portal import (
    details,
    files,
    invoices,
    leaving,
    licenses,
    newest_version,
    pausing,
    payment_methods,
    plan_change,
    subscriptions,
)
from pages.portal.entrance import Endpoint, Page, entrance, exchange, for_customers, sign_out


ONE = "subscriptions/{subscription}/"
METHOD = "payment-methods/{number}/"
PAGES: dict[str, dict[str, Page]] = {
    "sign-out/": {"POST": sign_out},
    ONE: {"GET": subscriptions.one},
    f"{ONE}reactivate/": {"POST": subscriptions.reactivate},
    f"{ONE}resume/": {"POST": subscriptions.resume},
    f"{ONE}pause/": {"GET": pausing.show, "POST": pausing.pause},
    f"{ONE}cancel/": {"GET": leaving.why, "POST": leaving.stay_or_leave},
    f"{ONE}cancel/accept/": {"POST": leaving.accept},
    f"{ONE}cancel/leave/": {"POST": leaving.leave},
    f"{ONE}plan/": {"GET": plan_change.choose, "POST": plan_change.change},
    f"{ONE}plan/review/": {"GET": plan_change.review},
    f"{ONE}newest/": {"GET": newest_version.show, "POST": newest_version.migrate},
    f"{ONE}files/{{file}}/": {"GET": files.download},
    "licenses/{license}/instances/{instance}/release/": {"POST": licenses.release},
    "invoices/": {"GET": invoices.listed},
    "invoices/{number}/pdf/": {"GET": invoices.printed},
    "payment-methods/": {"GET": payment_methods.listed},
    "payment-methods/add/": {"GET": payment_methods.show_form, "POST": payment_methods.add},
    f"{METHOD}default/": {"POST": payment_methods.make_default},
    f"{METHOD}remove/": {"POST": payment_methods.remove},
    "details/": {"GET": details.show, "POST": details.change},
}
"""The pages for whoever is signed in, by what follows the organization's slug."""


def _served() -> Iterator[tuple[str, str, Endpoint]]:
    root = f"{PATH}{{slug}}/"
    yield root, "GET", entrance(subscriptions.home)
    yield root, "POST", exchange
    for path, methods in PAGES.items():
        for method, page in methods.items():
            yield f"{root}{path}", method, for_customers(page)


ROUTES = [
    Route(spelled, endpoint, methods=[method])
    for path, method, endpoint in _served()
    for spelled in (path, path.rstrip("/"))
]
"""With and without the slash at the end, never a redirect (design 13: Paths)."""
