"""The site over a database that an earlier version of it has left in the browser."""

from __future__ import annotations

import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from playwright.sync_api import Browser

from tengen.web.database.connection import alembic_config, open_engine, set_pragma
from tengen.web.transport.settings import DATABASE_FILE, ServerSettings
from tests.assets.browser import needs_browser
from tests.web.site.browser.visits import ASK, PATH
from tests.web.site.page import opened_page

pytestmark = [needs_browser, pytest.mark.long]

FORMER = "0003"
GAME = {"rules": "freestyle", "size": 15, "black": "human", "white": "human"}

KEEP = """async ([name, text]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("pages");
  await new Promise((done) => (request.onsuccess = done));
  const transaction = request.result.transaction("pages", "readwrite");
  const store = transaction.objectStore("pages");
  for (let page = 0; page * 4096 < bytes.length; page++)
    store.put(bytes.slice(page * 4096, (page + 1) * 4096), page);
  store.put(bytes.length, "size");
  await new Promise((done) => (transaction.oncomplete = done));
  request.result.close();
}"""


async def played(folder: Path) -> str:
    """Play a move in a game that is stored in a folder, and return the game's ID."""
    async with opened_page(folder) as page:
        _, made = await page.ask("POST", "/api/games", GAME)
        hello = {"type": "hello", "tokens": list(made["seats"].values())}
        socket = await page.connect(f"/api/games/{made['id']}/live", hello)
        await socket.hear()
        socket.send({"type": "move", "id": 1, "point": "h8", "ply": 0})
        await socket.hear(lambda message: message["type"] == "change" and message["state"].get("ply") == 1)
        return str(made["id"])


def former_database(folder: Path) -> bytes:
    """Return the database of a folder as an earlier version would have it."""
    engine = open_engine(ServerSettings(data=folder))
    with engine.begin() as connection:
        command.downgrade(alembic_config(connection), FORMER)
    with engine.connect() as connection:
        set_pragma(connection, "journal_mode", "DELETE")
    engine.dispose()
    return (folder / DATABASE_FILE).read_bytes()


def test_its_games_are_there(browser: Browser, plain: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads:  # Playwright has an event loop in this one
        game = threads.submit(asyncio.run, played(tmp_path)).result()
    kept = base64.b64encode(former_database(tmp_path)).decode()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{plain}/files.json")
    page.evaluate(KEEP, [f"tengen {PATH}/", kept])
    page.goto(f"{plain}/learn/")
    page.wait_for_selector("main > *")
    status, state = page.evaluate(ASK, f"/api/games/{game}")
    context.close()
    assert (status, state["moves"]) == (200, ["h8"])
