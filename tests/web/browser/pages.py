"""A page of the app in a real browser, used as a person would: by points and by what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    expect,
    sync_playwright,
)

from tests.assets.browser import BROWSER, FIREFOX

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LYING = {"width": 844, "height": 390}
"""A phone that lies."""

PATIENCE = 60_000
"""Milliseconds until something expected must be there: the machine may be busy."""

expect.set_options(timeout=PATIENCE)

PLACE = """async ([x, y]) => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  // A clock of the test's own has no such entries; then the address of the link holds.
  const link = document.querySelector("link[href$='/board_layout.js']");
  const module = loaded.find((name) => name.endsWith("/board_layout.js")) ?? link.href;
  const { layout, centre, showsSigns } = await import(module);
  const svg = document.querySelector(".board svg");
  const [width, height, k] = JSON.parse(document.querySelector(".table").dataset.shape);
  const { coordinates = true, coordinateStyle } = JSON.parse(localStorage.getItem("tengen") ?? "{}");
  const plan = layout(width, height, showsSigns(width, height, k), coordinates, coordinateStyle);
  const [left, top] = centre(plan, [x, y]);
  const place = new DOMPoint(left, top).matrixTransform(svg.getScreenCTM());
  return [place.x, place.y];
}"""
"""Where a point of the board, given by its column and row from 0, is on the screen."""


_LONGER = """{
  const soon = window.setTimeout;
  window.setTimeout = (act, delay = 0, ...given) =>
    soon(act, delay >= 3000 && act.name !== "open" ? 30 * delay : delay, ...given);
}"""
"""What goes away after some seconds, such as a toast, stays for minutes: a busy machine may look late.

A lost connection is tried again as soon as ever.
"""


_CUT_OFF = """() => [...document.querySelectorAll("button, .button")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `cut off: ${one.innerText} (${one.className})`)"""
"""The buttons that are too narrow for what is written on them."""


@contextmanager
def browsing() -> Iterator[Browser]:
    """The browser, for a `with` block."""
    # One process for all pages: to start one for each would take a fifth of a visit's time.
    options = ["--no-sandbox", "--renderer-process-limit=1"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=BROWSER, args=options) as browser,
    ):
        yield browser


@contextmanager
def browsing_in_firefox() -> Iterator[Browser]:
    """Firefox, for a `with` block.

    It has no touch screen, and without a network no service worker: whoever tests that stops the server.
    """
    with (
        sync_playwright() as playwright,
        playwright.firefox.launch(channel="moz-firefox", executable_path=FIREFOX) as browser,
    ):
        yield browser


class Visit:
    """Somebody who has opened the app.

    Args:
        browser: the browser.
        url: address of the server.
        path: the page to open.
        game: what was chosen for games before, as settings.js keeps it.
        lang: the language that was chosen.
        options: of the browser's context, such as ``locale`` and ``has_touch``.

    Attributes:
        context: the browser's context: cookies and storage of this person.
        page: the page.
        faults: what went wrong in it: errors of scripts, failed requests.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        path: str = "/",
        game: dict[str, Any] | None = None,
        lang: str = "",
        **options: Any,
    ) -> None:
        self.context: BrowserContext = browser.new_context(
            **{"viewport": WIDE, "locale": "en-GB", "reduced_motion": "reduce"} | options
        )
        self.context.set_default_timeout(PATIENCE)
        self.touch = bool(options.get("has_touch"))
        self.faults: list[str] = []
        kept = json.dumps(json.dumps({"game": game or {}, "sound": False, "lang": lang}))
        # Firefox runs this in the empty page, too, which has no storage.
        self.context.add_init_script(f"if (origin !== 'null') localStorage.tengen ??= {kept}")
        self.context.add_init_script(_LONGER)
        self.page: Page = self.context.new_page()
        self._watch()
        self.page.goto(url + path)
        expect(self.page.locator("main > *").first).to_be_attached()

    def _watch(self) -> None:
        """Keep what goes wrong; of failed requests the browser tells in the console.

        To hear of every answer, some sixty for a page, took a tenth of a visit's time.
        """

        def said(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.faults.append(message.text)

        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", said)

    def place(self, name: str) -> tuple[float, float]:
        """Where a point is on the screen."""
        expect(self.page.locator(".table[data-shape] .board svg")).to_be_visible()
        match = re.fullmatch(r"([a-z])([0-9]+)", name)
        assert match is not None
        x, y = self.page.evaluate(PLACE, [ord(match[1]) - ord("a"), int(match[2]) - 1])
        return x, y

    def play(self, *names: str) -> None:
        """Click, or tap, points one after the other, and wait until a stone stands on each."""
        for name in names:
            self.choose(name)
            move = self.moves().filter(has_text=re.compile(rf"{name}\s*$"))
            expect(move).to_have_count(1)

    def choose(self, name: str) -> None:
        """Click, or tap, a point."""
        x, y = self.place(name)
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def moves(self) -> Locator:
        """The entries of the list of moves."""
        return self.page.locator(".moves li")

    def shows(self, count: int) -> None:
        """Wait until so many moves have been played."""
        expect(self.moves()).to_have_count(count)

    def says(self, text: str | re.Pattern[str]) -> None:
        """Wait until the line of the state says something."""
        expect(self.page.locator(".status p")).to_contain_text(text)

    def button(self, name: str) -> Locator:
        """A button by what is written on it."""
        return self.page.get_by_role("button", name=name, exact=True)

    def speak(self, locale: str) -> None:
        """Choose a language in the menu of languages."""
        self.page.locator("#lang").click()
        self.page.locator(f'#languages [lang="{locale}"]').click()

    def press(self, keys: str) -> None:
        """Press keys one after the other."""
        for key in keys.split():
            self.page.keyboard.press(key)

    def sees(self, locator: str, count: int | None = None) -> Locator:
        """Wait until something is on the page."""
        found = self.page.locator(locator)
        if count is None:
            expect(found.first).to_be_visible()
        else:
            expect(found).to_have_count(count)
        return found

    def close(self) -> None:
        """Close the page; nothing may have gone wrong in it, and no button's words may be cut off."""
        if not self.page.is_closed():
            self.faults += self.page.evaluate(_CUT_OFF)
        self.context.close()
        assert self.faults == [], self.faults


def held(page: Page | BrowserContext, pattern: str) -> Callable[[], None]:
    """Keep requests waiting until what is returned is called; then the newest goes first."""
    waiting: list[Route] = []
    released = False

    def keep(route: Route) -> None:
        if released:
            route.continue_()
        else:
            waiting.append(route)

    def release() -> None:
        nonlocal released
        released = True
        for route in reversed(waiting):
            route.continue_()

    page.route(pattern, keep)
    return release


Opener = Callable[..., Visit]
"""Opens a page for one person more: its path, and options of `Visit`."""

__all__ = ["PHONE", "WIDE", "Opener", "Visit", "browsing", "held"]
