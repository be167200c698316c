"""A browser without a window that looks at a real server; where there is none, tests are skipped.

with open_browser() as browser, look(browser, server, "/learn") as page:
    page.get_by_role("heading", level=1).wait_for()
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.serving import Server

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next((path for name in _NAMES if (path := shutil.which(name))), None)

WIDE = (1280, 800)
PHONE = (390, 844)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Chromium, for a `with` block; the test is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip(f"no browser found: {', '.join(_NAMES)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def look(
    browser: Browser, server: Server, path: str, lang: str = "en", size: tuple[int, int] = WIDE
) -> Iterator[Page]:
    """A page, in a browser profile of its own; scripts that fail and requests that do make the test fail.

    Args:
        browser: the browser.
        server: the server.
        path: of the page.
        lang: ``"en"`` or ``"zh"``, the reader's language.
        size: width and height of the window, in pixels.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="zh-CN" if lang == "zh" else "en-GB",
        has_touch=width < 500,
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status == 500 else None)
    try:
        page.goto(server.url + path)
        yield page
    finally:
        context.close()
    assert wrong == []
