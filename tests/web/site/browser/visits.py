"""The real site: written once, and opened by people."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, expect

import tengen
from tengen.web.site import writer
from tests.web.browser.desk import at, tab
from tests.web.browser.looking import go
from tests.web.browser.pages import PATIENCE, Visit

PATH = "/clubs/five"
"""The path below which the site lies on its host."""

KEEPING = 90.0
"""Seconds in which the memory of Python is kept, on a busy machine."""

WON_BY_THREATS = "/analyse/?rules=freestyle&size=15&moves=h8a1i9a15i7o1h7g10#ply=8"
"""Analysis of a position that Black, to move, wins by threats."""

SEND = """
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const { send } = await import(loaded.find((name) => name.endsWith("/shared/connection.js")));
"""
"""The beginning of a function in a page that asks its application, by `send`."""

ASK = f"""async (path) => {{{SEND}
  const answer = await send(path, {{}});
  return [answer.status, await answer.json()];
}}"""
"""Asks the application of a page: the status of the answer, and what is in it."""


def site_of(config: pytest.Config) -> Path:
    """The folder of the site, written from the sources as they are; it is kept from run to run."""
    assert config.cache is not None
    folder = config.cache.mkdir("site")
    with FileLock(folder / "lock"):
        site = folder / _digest()
        if not site.is_dir():
            for old in folder.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            with pytest.MonkeyPatch.context() as patch:
                # A plain host sends no compressed copies, and to make them takes long.
                patch.setattr(writer, "_copies", lambda *_: iter(()))
                writer.write_site(site, None, lambda _: None)
    return site


def _digest() -> str:
    """A digest of all that the site is written from."""
    digest = hashlib.sha256()
    package = Path(tengen.__file__).parent
    for file in sorted(package.rglob("*")):
        if file.is_file() and file.suffix not in {".pyc", ".so"}:
            digest.update(f"{file.relative_to(package)} {file.stat().st_size}\n".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class SiteVisit(Visit):
    """Somebody who has opened the site.

    Args:
        browser: the browser.
        url: the address of the site.
        path: the page to open.
        kept: whether the browser keeps the site for the next visit, and isolates its pages then.
        options: those of `Visit`.
    """

    def __init__(
        self, browser: Browser, url: str, path: str = "/", kept: bool = True, **options: Any
    ) -> None:
        self._url = url
        self._kept = kept
        super().__init__(browser, url, path, **options)

    def _watch(self) -> None:
        super()._watch()
        if not self._kept:
            # As in a page without HTTPS.
            self.context.add_init_script("delete Navigator.prototype.serviceWorker")

    def python_is_there(self) -> None:
        """Wait until the application answers."""
        assert self.page.evaluate(ASK, "/api/games")[0] == 200
        self.sees(".site-loading", 0)

    def is_kept(self) -> None:
        """Wait until the browser keeps the whole site."""
        state = "navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')"
        self.page.wait_for_function(state, timeout=PATIENCE)

    def keeps_memory(self) -> bool:
        """Whether the browser keeps the memory of Python, with which the next visit begins."""
        script = "caches.open('tengen python').then((cache) => cache.keys()).then(({ length }) => length)"
        return bool(self.page.evaluate(script) == 3)  # and two archives of packages

    def will_keep_memory(self) -> None:
        """Wait until the browser keeps the memory of Python."""
        deadline = time.monotonic() + KEEPING
        while not self.keeps_memory():
            assert time.monotonic() < deadline
            self.page.wait_for_timeout(500)

    def open(self, path: str) -> None:
        """Open a page by its address, which loads the application anew."""
        # In Firefox a page may not have loaded as long as files that its workers ask for are held.
        self.page.goto(self._url + path, wait_until="domcontentloaded")
        expect(self.page.locator("main > *").first).to_be_attached()

    def go(self, path: str) -> None:
        """Go to a page as by its links, and away from it first, if it is shown."""
        if urlsplit(self.page.url).path == PATH + urlsplit(path).path:
            go(self.page, PATH + ("/privacy/" if path != "/privacy/" else "/learn/"))
        go(self.page, PATH + path)

    def finds_win_by_threats(self) -> None:
        """Search the position of `WON_BY_THREATS`, which the page shows, and wait for the win."""
        at(self, 8)
        panel = tab(self, "engine")
        panel.get_by_label("Which threats are allowed?").select_option("vct")
        panel.get_by_role("button", name="For Black").click()
        expect(panel.locator(".vcf-answer")).to_contain_text("Black wins by threats in")

    def is_isolated(self) -> bool:
        """Whether memory can be shared between workers."""
        found: bool = self.page.evaluate("crossOriginIsolated")
        return found

    def fits(self) -> None:
        """Check that nothing has to be scrolled sideways."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, self.page.url


SiteOpener = Callable[..., SiteVisit]
"""Opens the site for one person more: the path of a page, and options of `SiteVisit`."""
