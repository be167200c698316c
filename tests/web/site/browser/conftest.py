"""A site as `tengen site` writes it, on a plain file server, and people who open it in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.browser.pages import browsing
from tests.web.site.browser.visits import PATH, SiteOpener, SiteVisit, site_of
from tests.web.site.hosting import hosted


@pytest.fixture(scope="session")
def written(pytestconfig: pytest.Config) -> Path:
    """The folder of the site."""
    pytest.importorskip("brotli", reason="the extra site is not installed")
    pytest.importorskip("ziglang", reason="ziglang, which compiles the kernels, is not installed")
    if not Path("node_modules", "pyodide").is_dir():
        pytest.skip("Pyodide is not installed: make lint does it where npm is")
    return site_of(pytestconfig)


@pytest.fixture(scope="package")
def plain(written: Path) -> Iterator[str]:
    """The address of the site on a host that adds no headers."""
    with hosted(written, PATH) as url:
        yield url


@pytest.fixture(scope="package")
def isolated(written: Path) -> Iterator[str]:
    """The address of the site on a host whose pages are isolated from other origins."""
    with hosted(written, PATH, isolated=True) as url:
        yield url


# Not for the session: as long as Playwright is there, no other test of this process can run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser."""
    with browsing() as running:
        yield running


@pytest.fixture
def visit(browser: Browser, plain: str) -> Iterator[SiteOpener]:
    """Opens the site for one person more; at the end nothing may have gone wrong in any page."""
    visits: list[SiteVisit] = []

    def opened(path: str = "/", url: str = plain, **options: Any) -> SiteVisit:
        visits.append(SiteVisit(browser, url, path, **options))
        return visits[-1]

    yield opened
    for one in visits:
        one.close()
