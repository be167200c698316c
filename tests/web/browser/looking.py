"""A look at a page of a real server.

with readers.look("/learn") as page:
    page.get_by_role("heading", level=1).wait_for()
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tengen.words.languages import language
from tests.web.browser.pages import PATIENCE
from tests.web.serving import Server

WIDE = (1280, 800)
PHONE = (390, 844)

_GO = """(path) => {
  for (const page of document.querySelectorAll("main > .page")) page.dataset.left = "";
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def go(page: Page, path: str) -> None:
    """Go from one page of the app to another as by its links, and wait until that is there.

    What is loaded already stays loaded: to open a page anew takes several times as long.
    """
    page.evaluate(_GO, path)
    expect(page.locator("main > .page:not([data-left]) > *").first).to_be_attached()


class Readers:
    """Those who look: one for each language and window, who goes from page to page.

    Args:
        browser: the browser.
        server: the server.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._url = server.url
        self._pages: dict[tuple[str, tuple[int, int]], Page] = {}
        self._wrong: list[str] = []

    @contextmanager
    def look(
        self, path: str, lang: str = "en", size: tuple[int, int] = WIDE, anew: bool = False
    ) -> Iterator[Page]:
        """A page; scripts that fail and a server that does make the test fail.

        Nothing is kept in the browser when it begins. A page that a test has failed on is not used again.

        Args:
            path: of the page.
            lang: the reader's language, no draft.
            size: width and height of the window, in pixels.
            anew: whether it is opened by its address, without the answers that a page remembers.
        """
        page = self._pages.pop((lang, size), None) or self._reader(lang, size)
        if anew or page.url == "about:blank":
            page.goto(self._url + path)
        else:
            go(page, path)
        yield page
        page.unroute_all(behavior="ignoreErrors")
        page.set_default_timeout(PATIENCE)
        page.mouse.move(0, 0)
        go(page, "/nowhere")
        page.evaluate("localStorage.clear()")
        page.context.clear_cookies()
        wrong, self._wrong = self._wrong, []
        assert wrong == []
        self._pages[lang, size] = page

    def _reader(self, lang: str, size: tuple[int, int]) -> Page:
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            locale=language(lang).locale,
            has_touch=width < 500,
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self._wrong.append(str(error)))
        page.on("console", self._said)
        return page

    def _said(self, message: ConsoleMessage) -> None:
        """What the browser itself tells of an answer is in the console."""
        if message.type == "error" and "status of 500" in message.text:
            self._wrong.append(f"{message.text} {message.location['url']}")
