"""What the browser keeps for a written site: saved to a file, read, deleted, and not kept.

A worker that knows the games of one file stands for the app, whose own part is tested in `tests/web/site`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser.test_site import PATIENCE, context, pyodide, ready, replace, site, url

__all__ = ["context", "pyodide", "site", "url"]  # fixtures

pytestmark = pytest.mark.long

GAME = {"id": "g" * 22, "session": {"format": "tengen-session"}}
WORKER = """
const GAME = %s;
onmessage = ({ data }) => {
  if (data.kind === "load") {
    postMessage({ kind: "ready" });
    if (data.base.includes("unsaved")) postMessage({ kind: "unsaved" });
  }
  if (data.kind !== "request") return;
  const respond = (status, value) => {
    const body = new TextEncoder().encode(JSON.stringify(value));
    postMessage({ kind: "response", id: data.id, status, headers: {}, body });
  };
  if (data.path !== "/api/data") respond(404, { error: { key: "error.web.missing" } });
  else if (data.method === "GET") {
    // Its database is open, as the app's is.
    indexedDB.open(`tengen ${location.pathname.split("static/")[0]}`).onsuccess = ({ target }) => {
      self.database = target.result;
      respond(200, { games: [GAME] });
    };
  } else {
    const { games } = JSON.parse(new TextDecoder().decode(data.body));
    const added = games.map(({ id }) => id);
    if (games.every(({ session }) => session)) respond(200, { added, renewed: [] });
    else respond(422, { error: { key: "error.web.field_missing", values: { field: "session" } } });
  }
};
"""
KEPT = "Object.entries(localStorage)"
DATABASES = "indexedDB.databases().then((all) => all.map(({ name }) => name))"


@pytest.fixture
def folder(site: Path, tmp_path: Path) -> Path:
    """A site with the worker that knows one game."""
    copied = tmp_path / "five"
    shutil.copytree(site, copied)
    replace(copied, "static/browser/app_worker.js", WORKER % json.dumps(GAME))
    return copied


def privacy(context: BrowserContext, url: str, kept: dict[str, Any] | None = None) -> Page:
    """The page on which one saves and reads, in a browser that keeps something."""
    page = context.new_page()
    page.goto(f"{url}privacy/")
    for name, value in (kept or {}).items():
        page.evaluate("([name, value]) => localStorage.setItem(name, value)", [name, json.dumps(value)])
    page.reload()
    ready(page)
    expect(page.locator("#data-file")).to_be_attached()
    return page


def told(page: Page, text: str) -> None:
    """See that a page says something, and load it anew, so that it may say it again."""
    expect(page.locator(".toast", has_text=text)).to_be_visible()
    page.reload()
    ready(page)
    expect(page.locator("#data-file")).to_be_attached()


def saved(page: Page) -> Any:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save everything to a file").click()
    return json.loads(download.value.path().read_text("utf-8"))


def read(page: Page, data: Any) -> None:
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    page.locator("#data-file").set_input_files(
        {"name": "tengen.json", "mimeType": "application/json", "buffer": content}
    )


def test_all_is_saved_to_a_file_and_read_in_another_browser(context: BrowserContext, url: str) -> None:
    kept = {"tengen": {"theme": "dark"}, "tengen.puzzles": {"one": "solved"}}
    page = privacy(context, url, kept)
    page.locator("#header > nav").get_by_text("My games").click()
    page.get_by_role("link", name="Save all to a file").click()
    page.wait_for_url("**/privacy/")
    data = saved(page)
    assert (data["format"], data["version"], data["games"]) == ("tengen-data", 1, [GAME])
    page.evaluate("localStorage.clear()")
    told(page, "Saved to tengen-")
    read(page, data)
    told(page, "The file has been read: 1 new game, 0 games updated.")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    found = dict(page.evaluate(KEPT))
    assert {name: json.loads(found[name]) for name in kept} == kept


def test_settings_are_replaced_only_when_that_is_wanted(context: BrowserContext, url: str) -> None:
    page = privacy(context, url, {"tengen": {"theme": "light"}, "tengen.learn": {"lines": "read"}})
    data = saved(page)
    data["settings"], data["chapters"] = {"theme": "dark"}, {"lines": "solved"}
    before = page.evaluate(KEPT)
    read(page, data)
    expect(page.locator("dialog[open]")).to_contain_text("Use the settings in the file?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Read a file…")).to_be_enabled()
    assert page.evaluate(KEPT) == before
    read(page, data)
    page.locator("dialog[open]").get_by_role("button", name="Keep mine").click()
    told(page, "1 new game")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert json.loads(dict(page.evaluate(KEPT))["tengen.learn"]) == {"lines": "solved"}
    read(page, data)
    page.locator("dialog[open]").get_by_role("button", name="Use those in the file").click()
    told(page, "1 new game")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_damaged_file_changes_nothing(context: BrowserContext, url: str) -> None:
    page = privacy(context, url, {"tengen.puzzles": {"one": "helped"}})
    data = {**saved(page), "puzzles": {"two": "solved"}}
    before = page.evaluate(KEPT)
    for damaged in (b"\x89PNG", json.dumps(data).encode()[:-9], {**data, "games": [{"id": "g" * 22}]}):
        read(page, damaged)
        told(page, "does not hold Tengen data, or it is damaged. Nothing has been changed.")
    read(page, {**data, "version": 2})
    told(page, "a newer version of Tengen")
    assert page.evaluate(KEPT) == before


def test_all_is_deleted_even_if_another_tab_has_it_open(context: BrowserContext, url: str) -> None:
    other = privacy(context, url, {"tengen": {"theme": "dark"}, "notes": "of another site of this host"})
    saved(other)
    assert other.evaluate(DATABASES) == ["tengen /five/"]
    page = context.new_page()
    page.goto(f"{url}privacy/")
    expect(page.locator("#site")).to_contain_text("open in another tab")
    page.get_by_role("button", name="Delete my data").click()
    page.locator("dialog[open]").get_by_role("button", name="Delete my data").click()
    expect(page.locator(".privacy-done")).to_have_text("Your data has been deleted.", timeout=PATIENCE)
    assert [name for name, _ in page.evaluate(KEPT)] == ["notes"]
    assert page.evaluate(DATABASES) == []


def test_a_browser_that_keeps_no_games_says_how_to_save_them(
    context: BrowserContext, url: str, folder: Path
) -> None:
    replace(
        folder, "static/browser/app_worker.js", (WORKER % json.dumps(GAME)).replace('"unsaved")', '"")')
    )
    page = context.new_page()
    page.goto(url)
    notice = page.locator(".site-notice")
    expect(notice).to_contain_text("This browser does not keep your games", timeout=PATIENCE)
    notice.get_by_role("button", name="Save to a file").click()
    page.wait_for_url("**/privacy/")
    expect(notice).to_have_count(0)
    assert saved(page)["games"] == [GAME]


def test_the_browser_is_asked_to_keep_it_when_there_is_something_to_lose(
    context: BrowserContext, url: str
) -> None:
    context.add_init_script("""
      window.asked = 0;
      StorageManager.prototype.persisted = async () => false;
      StorageManager.prototype.persist = async () => Boolean(++window.asked);
    """)
    page = privacy(context, url, {"tengen": {"theme": "dark"}})
    expect(page.locator("article")).to_contain_text("may delete your data")
    settings = f"import('{url}static/shared/settings.js')"
    page.evaluate(f"{settings}.then(({{ createSettings }}) => createSettings().set('sound', false))")
    assert page.evaluate("asked") == 0
    for game in ("one", "other"):
        page.evaluate(f"{settings}.then(({{ keepTokens }}) => keepTokens('{game}', ['token']))")
    page.wait_for_function("() => window.asked > 0")
    assert page.evaluate("asked") == 1
