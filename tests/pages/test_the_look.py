"""Brand, language and policy of hosted pages: what is shown is checked, what is not is left out."""

import json
import re
from string import Formatter

import pytest

from adapters.files.disk import DiskFiles
from aggregates.checkout import decide as checkouts
from aggregates.discount import redeem
from aggregates.plan import pricing as plans
from commands import plan_terms
from commands.billing import selling
from commands.checkout import complete_checkout, pricing
from commands.portal import act_as_customer, offered_plans
from kernel.errors import Refused
from pages.brand import DARK_GROUND, LIGHT_GROUND
from pages.colors import BLACK, READABLE, WHITE, Color, on, readable
from pages.language import FOLDER, NAMES, words
from tests.engines import ORGANIZATION, running
from tests.pages.portal_browser import Browser
from tests.pages.test_paying_by_link import owing


TEXTS = {
    f"{path.stem}.{key}": texts
    for path in FOLDER.glob("*.json")
    for key, texts in json.loads(path.read_text()).items()
}
LOOK = {
    "brandName": "Kellerei <b>Süd</b>",
    "lightLogo": "https://pictures.example/light.svg",
    "darkLogo": "https://pictures.example/dark.svg",
    "favicon": 'https://pictures.example/"><script>',
    "backgroundImage": "https://elsewhere.example/wall.jpg",
    "customization": {
        "primaryColor": "#0a7",
        "corners": "round",
        "termsUrl": "https://kellerei.example/terms",
        "privacyUrl": "javascript:alert(1)",
    },
}


@pytest.mark.parametrize("key", TEXTS)
def test_every_text_is_there_in_every_language_with_the_same_places(key):
    texts = TEXTS[key]
    assert set(texts) == set(NAMES)
    assert all(text.strip() for text in texts.values())
    places = {frozenset(name for _, name, _, _ in Formatter().parse(t)) for t in texts.values()}
    assert len({place - {None} for place in places}) == 1


def test_templates_name_only_texts_that_exist():
    said = {
        key
        for path in FOLDER.parent.glob("**/*.[hp]*")
        if path.suffix in {".html", ".py"}
        for key in re.findall(r"""(?:\bt|say|tn)\(\s*["']([\w.]+)["']\s*[,)]""", path.read_text())
    }
    known = words("en")
    assert [key for key in said if key not in known and f"{key}.other" not in known] == []


REFUSING = (
    *(checkouts, redeem, selling, plans, plan_terms, complete_checkout, pricing),
    *(act_as_customer, offered_plans),
)
NOT_TO_BUYERS = {"unknown_customer", "unknown_plan_version"}


@pytest.mark.parametrize("module", REFUSING, ids=lambda module: module.__name__)
def test_what_is_refused_to_buyers_is_said_in_their_language(module):
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    ours = [each for each in classes if each.__module__ == module.__name__]
    codes = {each.code for each in ours if issubclass(each, Refused)}
    assert codes
    assert {f"refused.{code}" for code in codes - NOT_TO_BUYERS} <= TEXTS.keys()


@pytest.mark.anyio
async def test_pictures_may_come_from_where_uploads_are_kept(database_url, monkeypatch):
    """A logo in a bucket is sent on to: a policy that names only the pages would block it."""
    monkeypatch.setattr(DiskFiles, "origins", lambda _: ("https://bucket.example",))
    async with running(database_url) as (engine, client):
        browser = Browser(engine)
        page = await browser.opens("/portal/default/")
        assert "img-src 'self';" in page.headers["content-security-policy"]
        look = {"lightLogo": "https://pictures.example/light.svg"}
        await client.patch("/organizations/checkout-settings/", json=look)
        page = await browser.opens("/portal/default/")
        allowed = "img-src 'self' https://bucket.example https://pictures.example;"
        assert allowed in page.headers["content-security-policy"]
        await browser.close()


@pytest.mark.parametrize("text", ["#fff", "#000", "#ffee00", "#0a7", "#24507e", "#7f7f7f"])
@pytest.mark.parametrize("ground", [WHITE, BLACK, Color(28, 32, 36)])
def test_any_color_is_made_readable(text, ground):
    color = Color.parse(text)
    assert readable(color, ground).contrast(ground) >= READABLE
    assert color.contrast(on(color)) >= READABLE


def test_a_brand_can_be_read_on_every_ground_of_the_pages():
    sheet = (FOLDER.parent / "static" / "style.css").read_text()
    light, dark = sheet.split("@media (prefers-color-scheme: dark)")[:2]
    for rules, hardest, least in ((light, LIGHT_GROUND, min), (dark, DARK_GROUND, max)):
        named = re.findall(r"--(?:ground|sheet|well): (#[0-9a-f]{6});", rules)
        grounds = [Color.parse(text) for text in named[:3]]
        assert least(grounds, key=lambda color: color.luminance) == hardest


@pytest.mark.parametrize("text", ["red", "#12", "#1234567", "#ggg", "url(x)", "#fff;}", None, 7])
def test_what_is_no_color_is_none(text):
    assert Color.parse(text) is None


@pytest.mark.anyio
async def test_the_brand_is_shown_as_far_as_it_is_safe(database_url):
    async with owing(database_url) as (engine, client, browser):
        answer = await client.patch("/organizations/checkout-settings/", json=LOOK)
        assert answer.status_code == 200, answer.text
        await engine.positions.wait(await engine.store.head(), 60)
        page = (await browser.opens(browser.path)).text
        assert 'alt="Kellerei &lt;b&gt;Süd&lt;/b&gt;"' in page
        assert "https://pictures.example/light.svg" in page
        assert "https://kellerei.example/terms" in page
        assert "javascript:" not in page
        assert "<script" not in page
        policy = browser.page.headers["content-security-policy"]
        assert "img-src 'self' https://elsewhere.example https://pictures.example;" in policy
        style = await browser.http.get(f"/pages/brand/{ORGANIZATION}.css")
        assert style.headers["content-type"].startswith("text/css")
        assert "--accent: #00aa77" in style.text
        assert "--round: 1.5rem" in style.text
        assert 'url("https://elsewhere.example/wall.jpg")' in style.text
        for wrong in ("x", "00000000-0000-4000-8000-000000000000"):
            assert (await browser.http.get(f"/pages/brand/{wrong}.css")).status_code == 404


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("query", "accepted", "spoken", "said"),
    [
        ("", None, "en", "Pay this invoice"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de-AT", "Diese Rechnung bezahlen"),
        ("", "tlh, en;q=0.2, fr-CA;q=0.7", "fr-CA", "Payer cette facture"),
        ("?locale=es", "de", "es", "Pagar esta factura"),
        ("?locale=../../etc", "xx;q=a,,;q=", "en", "Pay this invoice"),
    ],
)
async def test_the_page_speaks_the_language_of_its_visitor(
    database_url, query, accepted, spoken, said
):
    async with owing(database_url) as (_, _, browser):
        browser.http.headers["accept-language"] = accepted or ""
        page = (await browser.opens(browser.path + query)).text
        assert f'<html lang="{spoken}"' in page
        assert said in page
        await browser.pays("4000 0000 0000 0002")
        assert f'<html lang="{spoken}"' in browser.page.text
        assert words(spoken[:2])["refused.card_declined"] in browser.text


@pytest.mark.anyio
async def test_another_language_keeps_the_rest_of_the_address(database_url):
    async with owing(database_url) as (_, _, browser):
        page = (await browser.opens(f"{browser.path}?from=mail&locale=fr&x=%22%3E%3Cb")).text
        assert "?from=mail&amp;x=%22%3E%3Cb&amp;locale=de" in page
