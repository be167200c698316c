"""A written site below a path of a plain host: offline, in several tabs, and in a new version.

A worker that answers at once stands for the app, whose Python takes long to load.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.site.conftest import pyodide, site
from tests.web.site.hosting import hosted

__all__ = ["pyodide", "site"]  # fixtures

pytestmark = pytest.mark.long

PATIENCE = 20_000  # milliseconds
WORKER = """
onmessage = ({ data }) => {
  if (data.kind === "load") {
    postMessage({ kind: "progress", done: 0.5 });
    setTimeout(() => postMessage({ kind: "ready" }), 300);
  }
  if (data.kind !== "request") return;
  const body = new TextEncoder().encode(JSON.stringify({ error: { key: "error.web.missing" } }));
  postMessage({ kind: "response", id: data.id, status: 404, headers: {}, body });
};
"""
INSTALLED = "navigator.serviceWorker.ready.then(() => true)"


def replace(folder: Path, name: str, text: str) -> None:
    """Change a file of a site, which is a new version then."""
    (folder / name).write_text(text, "utf-8")
    described = json.loads((folder / "files.json").read_text("utf-8"))
    data, old = text.encode(), described["version"]
    described["files"][name] = [len(data), hashlib.sha256(data).hexdigest()]
    described["version"] = hashlib.sha256(json.dumps(described["files"]).encode()).hexdigest()
    (folder / "files.json").write_text(json.dumps(described), "utf-8")
    worker = folder / "service_worker.js"
    worker.write_text(worker.read_text("utf-8").replace(old, described["version"]), "utf-8")


@pytest.fixture
def folder(site: Path, tmp_path: Path) -> Path:
    """A site of its own for a test, with the worker that answers at once."""
    copied = tmp_path / "five"
    shutil.copytree(site, copied)
    replace(copied, "static/browser/app_worker.js", WORKER)
    return copied


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    """The address of its root."""
    with hosted(folder, "/five") as root:
        yield f"{root}/"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has not been here before."""
    opened = browser.new_context(locale="en-GB")
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


def ready(page: Page) -> None:
    """Wait until the app is there, and nothing is said of it."""
    expect(page.locator("#site")).to_be_attached(timeout=PATIENCE)
    expect(page.locator("#site > *")).to_have_count(0, timeout=PATIENCE)


def visited(context: BrowserContext, url: str) -> Page:
    """A page whose files the browser has kept."""
    page = context.new_page()
    page.goto(url)
    ready(page)
    assert page.evaluate(INSTALLED)
    return page


def test_after_the_first_visit_it_works_without_a_network(context: BrowserContext, url: str) -> None:
    page = visited(context, url)
    assert not page.evaluate("crossOriginIsolated")
    context.set_offline(True)
    page.reload()
    expect(page.locator(".board svg")).to_be_visible()
    assert page.evaluate("crossOriginIsolated")
    page.goto(f"{url}learn/lines")
    assert page.url == f"{url}learn/lines/"
    expect(page.locator("article.learn h1")).to_be_visible()
    page.locator("#header > nav").get_by_text("Puzzles").click()
    page.wait_for_url(f"{url}puzzles/")
    page.goto(f"{url}no/such/page")
    expect(page.locator("#start")).to_have_attribute("href", url)


def test_what_needs_a_server_is_not_shown(context: BrowserContext, url: str) -> None:
    page = visited(context, url)
    expect(page.locator("#header > nav a")).to_have_text(
        ["Play", "Watch", "Analyse", "Learn", "Puzzles", "My games"]
    )
    assert page.get_by_text("A friend by link").count() == 0
    page.goto(f"{url}privacy/")
    expect(page.locator("article")).to_contain_text("runs entirely in this browser")


def test_one_tab_has_the_app_and_another_one_may_take_it(context: BrowserContext, url: str) -> None:
    one = visited(context, url)
    two = context.new_page()
    two.goto(f"{url}privacy/")
    expect(two.locator("#site")).to_contain_text("open in another tab")
    two.get_by_role("button", name="Use it here").click()
    ready(two)
    expect(one.locator("#site")).to_contain_text("open in another tab")
    two.close()
    ready(one)


def test_a_new_version_waits_until_the_reader_agrees(
    context: BrowserContext, url: str, folder: Path
) -> None:
    page = visited(context, url)
    sheet = folder / "static" / "shared" / "app.css"
    replace(folder, "static/shared/app.css", sheet.read_text("utf-8") + "\nbody { --new: 1 }\n")
    page.reload()
    expect(page.locator("#site")).to_contain_text("A new version", timeout=PATIENCE)
    new = "getComputedStyle(document.body).getPropertyValue('--new')"
    assert page.evaluate(new) == ""
    page.get_by_role("button", name="Reload").click()
    page.wait_for_function(f"() => {new} === '1'")
    assert (
        page.evaluate("caches.keys().then((names) => names.filter((name) => name.includes('five')).length)")
        == 1
    )


def test_an_old_browser_is_told(context: BrowserContext, url: str) -> None:
    page = context.new_page()
    page.add_init_script("delete window.WebAssembly")
    page.goto(url)
    expect(page.locator("#outdated")).to_be_visible()
    expect(page.locator("#outdated")).to_contain_text("too old")
