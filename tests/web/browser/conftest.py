"""What tests in a real browser have in common: the browser, a server, and people who open the app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.looking import Readers
from tests.web.browser.pages import Opener, Visit, browsing
from tests.web.serving import Server, serve


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the engine compiled; visitors are told apart by the browser's contexts."""
    with serve(Path(tmp_path_factory.mktemp("games")), warm_up=True) as running:
        yield running


# Not for the session: as long as Playwright is there, no other test of this process can run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser."""
    with browsing() as running:
        yield running


@pytest.fixture(scope="package")
def readers(server: Server, browser: Browser) -> Readers:
    """Those who look at pages, and leave nothing behind."""
    return Readers(browser, server)


@pytest.fixture
def visit(server: Server, browser: Browser) -> Iterator[Opener]:
    """Opens the app for one person more; at the end nothing may have gone wrong in any page."""
    visits: list[Visit] = []

    def opened(path: str = "/", url: str = server.url, **options: Any) -> Visit:
        visits.append(Visit(browser, url, path, **options))
        return visits[-1]

    yield opened
    for one in visits:
        one.close()


@pytest.fixture
def desk(visit: Opener) -> Opener:
    """Opens the analysis for one person more, and waits until it shows a position."""

    def opened(path: str = "/analyse", **options: Any) -> Visit:
        me = visit(path, **options)
        expect(me.page.locator(".facts")).not_to_be_empty()
        return me

    return opened
