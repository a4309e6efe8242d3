"""A browser window as a visitor has it: wide or narrow, light or dark, with script or without."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


PATIENCE = 40_000  # ms; what a page waits for takes as long as the machine is busy
GRAVE = {"serious", "critical"}
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}

expect.set_options(timeout=PATIENCE)


class Window:
    """One profile with one page, and what the page complained about."""

    def __init__(
        self, browser, address, *, size="desktop", dark=False, script=True, language="en-US"
    ):
        self.complaints = []
        self.script = script
        self.address = address
        self._context = browser.new_context(
            base_url=address,
            viewport=dict(zip(("width", "height"), SIZES[size], strict=True)),
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            locale=language,
            reduced_motion="reduce",
            is_mobile=size == "phone",
            has_touch=size == "phone",
        )
        self._context.set_default_timeout(PATIENCE)
        self.page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message):
        if message.type in {"error", "warning"} and "status of 4" not in message.text:
            self.complaints.append(message.text)

    def opens(self, path):
        self.page.goto(path)
        return self

    def another_tab(self, path):
        """A second page of the same profile."""
        page = self._context.new_page()
        page.goto(path)
        return page

    def fills(self, **fields):
        """Type into the fields with these names."""
        for name, value in fields.items():
            self.page.locator(f'[name="{name}"]:visible').fill(value)
        return self

    def pays_with(self, number):
        return self.fills(number=number, expiry="04 / 40", cvc="123")

    def presses(self, name):
        self.page.get_by_role("button", name=name).click()
        return self

    def presses_link(self, name):
        self.page.get_by_role("link", name=name).first.click()
        return self

    def shows(self, text):
        """Wait until it does."""
        expect(self.page.locator("body")).to_contain_text(text)
        return self

    def is_accessible(self):
        """Axe finds nothing serious; the page does not scroll sideways. Axe is a script."""
        assert self.script
        violations = Axe().run(self.page).response["violations"]
        grave = [
            (each["id"], [node["html"] for node in each["nodes"]])
            for each in violations
            if each["impact"] in GRAVE
        ]
        assert grave == [], grave
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        return self

    def picture(self, folder, name):
        """Keep how it looks in all sizes and both lights, if pictures are wanted."""
        if folder is None:
            return self
        for size, (width, height) in SIZES.items():
            self.page.set_viewport_size({"width": width, "height": height})
            for light in ("light", "dark"):
                self.page.emulate_media(color_scheme=light)
                path = folder / f"{name}-{size}-{light}.png"
                self.page.screenshot(path=path, full_page=True, animations="disabled")
        return self

    def close(self):
        self._context.close()
