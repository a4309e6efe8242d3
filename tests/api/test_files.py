"""Files from the ticket to the buyer's disk, over real sockets."""

import httpx
import pytest

from tests.engines import CLIENT_KEY, SERVER_KEY
from tests.served import served


pytestmark = [pytest.mark.anyio, pytest.mark.postgres]
PDF = b"%PDF-1.7 " + b"x" * 3_000_000
PNG = b"\x89PNG\r\n\x1a\n" + b"y" * 100


class Merchant:
    """The API with a server key, and the pages as anybody reaches them."""

    def __init__(self, api, anybody):
        self.api, self.anybody = api, anybody

    async def ticket(self, name="handbook.pdf", kind="application/pdf", **headers):
        body = {"fileName": name, "fileType": kind}
        answer = await self.api.post("/media/", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def send(self, ticket, content, **changed):
        fields = {**ticket["fields"], **changed}
        files = {"file": ("whatever", content, "application/octet-stream")}
        return await self.anybody.post(ticket["url"], data=fields, files=files)

    async def uploaded(self, name="handbook.pdf", content=PDF):
        ticket = await self.ticket(name)
        answer = await self.send(ticket, content)
        assert answer.status_code == 204, answer.text
        return ticket["fileKey"]

    async def post(self, path, status=201, **body):
        answer = await self.api.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def product(self, **more):
        return await self.post("/catalog/products/", name="Orbit", taxCode="ebook", **more)

    async def plan_with(self, *keys):
        product = (await self.product())["id"]
        plan = await self.post("/catalog/plans/", name="Pro", product=product, fileKeys=keys)
        charge = {"chargePeriod": "MONTHLY", "priceData": {"amount": 30}}
        row = {"feature": None, "priceModel": "FLAT", "charges": [charge]}
        price = {"priceType": "PAID", "currency": "USD", "chargeCatalogPrice": [row]}
        await self.post("/catalog/plans/pro/prices/bulk/", 200, prices=[price])
        await self.post("/catalog/plans/pro/publish/", 200)
        return plan

    async def sold(self):
        await self.post("/customers/", customerId="ada")
        method = {"customerId": "ada", "token": "tok_visa", "isDefault": True}
        await self.post("/payment-methods/", **method)
        terms = {"customerId": "ada", "planIdentifier": "pro", "chargePeriod": "MONTHLY"}
        return await self.post("/subscriptions/create/", **terms)


@pytest.fixture
async def merchant(database_url):
    headers = {"Authorization": f"Bearer {SERVER_KEY}"}
    with served(database_url) as (core, _):
        async with (
            httpx.AsyncClient(base_url=f"{core}/api/v1", headers=headers, timeout=30) as client,
            httpx.AsyncClient(timeout=30) as anybody,
        ):
            yield Merchant(client, anybody)


async def test_a_buyer_downloads_what_the_merchant_uploaded(merchant):
    plan = await merchant.plan_with(await merchant.uploaded())
    [file] = (await merchant.sold())["files"]
    assert list(file) == ["id", "name", "ordering", "enabled", "downloadUrl"]
    assert (file["name"], file["ordering"], file["enabled"]) == ("handbook.pdf", 0, True)
    assert plan["files"][0]["id"] == file["id"]
    moved = await merchant.anybody.get(file["downloadUrl"])
    assert moved.status_code == 302
    got = await merchant.anybody.get(moved.headers["location"])
    assert got.content == PDF
    assert got.headers["content-type"] == "application/pdf"
    assert got.headers["content-disposition"] == 'attachment; filename="handbook.pdf"'
    assert "sandbox" in got.headers["content-security-policy"]
    part = await merchant.anybody.get(moved.headers["location"], headers={"Range": "bytes=0-7"})
    assert (part.status_code, part.content) == (206, PDF[:8])


async def test_a_buyers_link_ends_with_the_access_and_the_merchants_does_not(merchant):
    plan = await merchant.plan_with(await merchant.uploaded())
    sold = await merchant.sold()
    link, path = sold["files"][0]["downloadUrl"], f"/subscriptions/{sold['id']}"

    async def answers(url):
        return (await merchant.anybody.get(url)).status_code

    await merchant.post(f"{path}/pause/", 200, pauseMonths=1)
    assert await answers(link) == 404
    await merchant.post(f"{path}/resume/", 200)
    assert await answers(link) == 302
    await merchant.post(f"{path}/cancel/", 200)
    assert await answers(link) == 302
    await merchant.post(f"{path}/cancel/", 200, cancellationType="IMMEDIATE")
    ended = (await merchant.api.get(f"{path}/")).json()
    for url in (link, ended["files"][0]["downloadUrl"]):
        assert await answers(url) == 404
    assert await answers(plan["files"][0]["downloadUrl"]) == 302


async def test_a_link_without_its_token_gives_nothing(merchant):
    await merchant.plan_with(await merchant.uploaded())
    [file] = (await merchant.sold())["files"]
    url = httpx.URL(file["downloadUrl"])
    token = url.params["token"]
    last = "1" if token.endswith("0") else "0"
    for wrong in ("", "x", token[:-1] + last, token.replace(".", "", 1)):
        answer = await merchant.anybody.get(url.copy_set_param("token", wrong))
        assert answer.status_code == 404, wrong
    moved = httpx.URL((await merchant.anybody.get(url)).headers["location"])
    for broken in (
        moved.copy_with(query=None),
        moved.copy_set_param("until", "99999999999"),
        moved.copy_set_param("signature", "0" * 64),
    ):
        assert (await merchant.anybody.get(broken)).status_code == 404


async def test_files_are_renamed_ordered_switched_off_and_removed(merchant):
    first, second = await merchant.uploaded("a.pdf"), await merchant.uploaded("b.pdf")
    plan = await merchant.plan_with(first, second)
    a, b = (file["id"] for file in plan["files"])
    changed = await merchant.api.patch(
        f"/catalog/plans/pro/file/{a}/", json={"name": "z.pdf", "ordering": 9}
    )
    assert changed.status_code == 200, changed.text
    assert (changed.json()["name"], changed.json()["ordering"]) == ("z.pdf", 9)
    names = [file["name"] for file in (await newest(merchant))["files"]]
    assert names == ["b.pdf", "z.pdf"]
    assert (await merchant.api.delete(f"/catalog/plans/pro/file/{b}/")).status_code == 204
    off = await merchant.api.patch(f"/catalog/plans/pro/file/{a}/", json={"enabled": False})
    assert off.json()["enabled"] is False
    assert (await newest(merchant))["version"] == 2
    await merchant.post("/catalog/plans/pro/publish/", 200)
    assert (await merchant.sold())["files"] == []
    assert (await merchant.anybody.get(off.json()["downloadUrl"])).status_code == 404
    for method in ("PATCH", "DELETE"):
        gone = await merchant.api.request(method, f"/catalog/plans/pro/file/{b}/", json={})
        assert gone.status_code == 404


async def newest(merchant):
    return (await merchant.api.get("/catalog/plans/pro/")).json()


async def test_more_files_are_added_once_however_often_they_are_named(merchant):
    key, more = await merchant.uploaded("a.pdf"), await merchant.uploaded("b.pdf")
    await merchant.plan_with(key)
    for _ in range(2):
        changed = await merchant.api.patch("/catalog/plans/pro/", json={"fileKeys": [key, more]})
        assert [file["name"] for file in changed.json()["files"]] == ["a.pdf", "b.pdf"]


async def test_images_are_shown_to_anybody(merchant):
    keys = [await merchant.uploaded(name, PNG) for name in ("one.png", "two.png")]
    product = await merchant.product(imageKeys=keys)
    one, two = product["images"]
    assert list(one) == ["id", "name", "image", "ordering", "thumbnail", "enabled"]
    shown = await merchant.anybody.get(one["image"])
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    assert shown.headers["content-disposition"].startswith("inline")
    base = f"/catalog/products/{product['id']}/image/"
    for image in (one, two):
        chosen = await merchant.api.patch(f"{base}{image['id']}/", json={"thumbnail": True})
        assert chosen.json()["thumbnail"] is True
    now = (await merchant.api.get(f"/catalog/products/{product['id']}/")).json()["images"]
    assert [image["thumbnail"] for image in now] == [False, True]
    assert (await merchant.api.delete(f"{base}{one['id']}/")).status_code == 204
    now = (await merchant.api.get(f"/catalog/products/{product['id']}/")).json()["images"]
    assert [image["id"] for image in now] == [two["id"]]
    assert (await merchant.api.delete(f"{base}{one['id']}/")).status_code == 404


async def test_a_picture_is_a_picture_whatever_the_machine_knows(merchant, monkeypatch):
    """No table of media types is needed: slim machines have none."""
    monkeypatch.setattr("mimetypes.guess_type", lambda _: (None, None))
    product = await merchant.product(imageKeys=[await merchant.uploaded("one.WebP", PNG)])
    shown = await merchant.anybody.get(product["images"][0]["image"])
    assert shown.headers["content-type"] == "image/webp"
    assert shown.headers["content-disposition"].startswith("inline")
    path = f"/catalog/products/{product['id']}/"
    for name in ("page.html", "handbook.pdf", "png"):
        key = await merchant.uploaded(name, b"<script>")
        for where, field, value in (
            (path, "imageKeys", [key]),
            (path, "fileKeys", [key]),
            ("/organizations/checkout-settings/", "favicon", key),
        ):
            refused = await merchant.api.patch(where, json={field: value})
            assert refused.status_code == 400
            assert "is no picture" in refused.json()[field][0]


async def test_a_product_has_ten_images_at_most(merchant):
    keys = [await merchant.uploaded(f"{number}.png", PNG) for number in range(11)]
    body = {"name": "Orbit", "taxCode": "saas", "imageKeys": keys[:10]}
    product = await merchant.post("/catalog/products/", **body)
    answer = await merchant.api.patch(
        f"/catalog/products/{product['id']}/", json={"fileKeys": keys[10:]}
    )
    assert (answer.status_code, list(answer.json())) == (400, ["imageKeys"])


async def test_a_script_in_a_picture_is_never_run(merchant):
    key = await merchant.uploaded("logo.svg", b"<svg><script>alert(1)</script></svg>")
    changed = await merchant.api.patch(
        "/organizations/checkout-settings/", json={"lightLogo": key, "brandName": "Orbit"}
    )
    logo = changed.json()["lightLogo"]
    shown = await merchant.anybody.get(logo)
    assert shown.status_code == 200
    assert shown.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert shown.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/catalog/products/", {"name": "O", "taxCode": "saas"}, "imageKeys"),
        ("/organizations/checkout-settings/", {}, "darkLogo"),
    ],
)
async def test_what_was_not_uploaded_is_refused(merchant, path, body, field):
    nothing = (await merchant.ticket())["fileKey"]
    for key in (nothing, "tmp/x/y", "../../etc/passwd", f"files/{nothing[4:]}"):
        value = [key] if field.endswith("Keys") else key
        method = "PATCH" if "settings" in path else "POST"
        answer = await merchant.api.request(method, path, json={**body, field: value})
        assert (answer.status_code, list(answer.json())) == (400, [field]), key


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"fileType": "text/plain"}, "fileName"),
        ({"fileName": "a.txt"}, "fileType"),
        ({"fileName": "../a.txt", "fileType": "text/plain"}, "fileName"),
        ({"fileName": "a\x1f.txt", "fileType": "text/plain"}, "fileName"),
        ({"fileName": "a.txt", "fileType": "text"}, "fileType"),
    ],
)
async def test_a_ticket_needs_a_plain_name_and_a_type(merchant, body, field):
    answer = await merchant.api.post("/media/", json=body)
    assert (answer.status_code, list(answer.json())) == (400, [field])


async def test_a_ticket_is_for_its_own_upload_alone(merchant):
    one, other = await merchant.ticket("a.pdf"), await merchant.ticket("b.pdf")
    for changed in (
        {"key": other["fileKey"]},
        {"signature": other["fields"]["signature"]},
        {"policy": ""},
        {"policy": "AAAA"},
        {"signature": ""},
        {"Content-Type": "text/html"},
    ):
        answer = await merchant.send(one, b"x", **changed)
        assert answer.status_code == 403, changed
        assert answer.json()["code"] == "upload_ticket_refused"
        assert answer.headers["access-control-allow-origin"] == "*"
    no_form = await merchant.anybody.post(one["url"], content=b"x")
    assert (no_form.status_code, no_form.json()["code"]) == (400, "malformed_upload")
    no_file = await merchant.anybody.post(
        one["url"], files={name: (None, value) for name, value in one["fields"].items()}
    )
    assert no_file.status_code == 400


async def test_the_same_idempotency_key_is_one_file(merchant):
    keys = {(await merchant.ticket(**{"Idempotency-Key": "k"}))["fileKey"] for _ in range(2)}
    assert len(keys) == 1


async def test_only_a_server_key_gets_a_ticket(merchant):
    body = {"fileName": "a.txt", "fileType": "text/plain"}
    headers = {"Authorization": f"Bearer {CLIENT_KEY}"}
    assert (await merchant.api.post("/media/", json=body, headers=headers)).status_code == 403


async def test_an_upload_that_breaks_off_leaves_nothing(merchant):
    ticket = await merchant.ticket()

    async def half():
        form = httpx.Request("POST", ticket["url"], data=ticket["fields"], files={"file": PDF})
        whole = form.read()
        yield whole[: len(whole) // 2]

    kind = httpx.Request("POST", ticket["url"], files={"file": PDF}).headers["content-type"]
    broken = await merchant.anybody.post(
        ticket["url"], content=half(), headers={"Content-Type": kind}
    )
    assert broken.status_code == 400
    body = {"name": "Orbit", "taxCode": "saas", "imageKeys": [ticket["fileKey"]]}
    assert (await merchant.api.post("/catalog/products/", json=body)).status_code == 400
