"""A look at a page of a real server.

with look(browser, server, "/learn") as page:
    page.get_by_role("heading", level=1).wait_for()
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.web.serving import Server

WIDE = (1280, 800)
PHONE = (390, 844)


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
