"""The engine of pages in the browser, with and without memory that workers share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.engine_in_pages import folder_of, native_searches, served

pytest.importorskip("wasmtime")

pytestmark = pytest.mark.long

ENGINE = """
const { Engine } = await import("/static/engine/client.js");
const started = (options) => new Engine(new URL("/engine/", location.href).href, options);
const all = async (searching, heard = () => {}) => {
  const infos = [];
  for await (const info of searching) { infos.push(info); heard(info, infos); }
  return infos;
};
const FREESTYLE = { family: "freestyle", size: 15, moves: [112, 128] };
"""


@pytest.fixture(scope="module")
def folder(pytestconfig: pytest.Config) -> Path:
    return folder_of(pytestconfig)


@pytest.fixture(scope="module", params=[False, True], ids=["not isolated", "isolated"])
def page(request: pytest.FixtureRequest, folder: Path, browser: Browser) -> Iterator[Page]:
    """An empty page whose origin has the engine's files."""
    with served(folder, isolated=request.param) as url:
        opened = browser.new_page()
        opened.goto(url)
        assert opened.evaluate("crossOriginIsolated") is request.param
        yield opened
        opened.close()


def driven(page: Page, script: str, given: Any = None) -> Any:
    """What a script of the page returns; it may use `started`, `all` and `FREESTYLE`."""
    return page.evaluate(f"async (given) => {{ {ENGINE} {script} }}", given)


def test_every_depth_is_that_of_native_kernels(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = native_searches(monkeypatch)
    found = driven(
        page,
        """
        const engine = started();
        const found = [];
        for (const { position, limit, lines, handicap } of given) {
          const infos = await all(engine.search(position, limit, { lines, handicap }));
          found.push(infos.map(({ seconds, ...rest }) => rest));
        }
        engine.close();
        return found;
        """,
        searches,
    )
    for one, infos in zip(searches, found, strict=True):
        assert infos == json.loads(json.dumps(one["infos"])), one["position"]


def test_a_search_ends_when_it_is_stopped(page: Page) -> None:
    """Deep in an iteration too; what waits behind it comes next."""
    first, later, seconds = driven(
        page,
        """
        const engine = started();
        await engine.ready;
        const stopping = new AbortController();
        let stopped = 0;
        setTimeout(() => { stopped = performance.now(); stopping.abort(); }, 2000);
        const searching = all(engine.search(FREESTYLE, {}, { signal: stopping.signal }));
        const waiting = all(engine.search(FREESTYLE, { depth: 3 }));
        const first = await searching;
        const seconds = (performance.now() - stopped) / 1000;
        const later = await waiting;
        engine.close();
        return [first, later, seconds];
        """,
    )
    assert first[-1]["depth"] > 3
    assert later[-1]["depth"] == 3
    assert seconds < 2


def test_whoever_leaves_the_loop_stops_the_search(page: Page) -> None:
    depths = driven(
        page,
        """
        const engine = started(), depths = [];
        for await (const info of engine.search(FREESTYLE)) if (info.depth === 2) break;
        for await (const info of engine.search(FREESTYLE, { depth: 2 })) depths.push(info.depth);
        const stopping = new AbortController();
        stopping.abort();
        depths.push((await all(engine.search(FREESTYLE, {}, { signal: stopping.signal }))).length > 0);
        engine.close();
        return depths;
        """,
    )
    assert depths[:2] == [1, 2]


def test_several_threads_search_a_time(page: Page) -> None:
    """Where memory cannot be shared, one does."""
    seconds, infos, isolated = driven(
        page,
        """
        const engine = started({ threads: 2, megabytes: 4 });
        await engine.ready;
        await engine.situation(FREESTYLE);
        const began = performance.now();
        const infos = await all(engine.search(FREESTYLE, { seconds: 1 }));
        const seconds = (performance.now() - began) / 1000;
        const more = await all(engine.search({ ...FREESTYLE, moves: [112, 128, 113] }, { seconds: 0.5 }));
        engine.close();
        return [seconds, [...infos, ...more], crossOriginIsolated];
        """,
    )
    assert infos[-1]["depth"] > 2
    assert seconds < 5
    assert isolated in (True, False)


def test_an_isolated_page_whose_browser_does_not_share_memory(folder: Path, browser: Browser) -> None:
    """As in WebKitGTK: it says that it is isolated, and has no SharedArrayBuffer."""
    with served(folder, isolated=True) as url:
        page = browser.new_page()
        page.add_init_script("delete globalThis.SharedArrayBuffer;")
        page.goto(url)
        isolated, infos = driven(
            page,
            """
            const engine = started({ threads: 2 });
            const infos = await all(engine.search(FREESTYLE, { depth: 3 }));
            engine.close();
            return [[crossOriginIsolated, engine.threads], infos];
            """,
        )
        page.close()
    assert isolated == [True, 0]
    assert infos[-1]["depth"] == 3


def test_fouls_and_errors(page: Page) -> None:
    situation, error, missing = driven(
        page,
        """
        const engine = started();
        const at = (x, y) => y * 15 + x;
        const moves = [at(5, 7), 0, at(6, 7), 2, at(7, 5), 4, at(7, 6), 14];
        const situation = await engine.situation({ family: "renju", size: 15, moves });
        const text = (promise) => promise.then(() => "", (error) => error.message);
        const error = await text(engine.situation({ ...FREESTYLE, moves: [1, 1] }));
        const missing = await text(new Engine(new URL("/none/", location.href).href).ready);
        engine.close();
        return [situation, error, missing];
        """,
    )
    fouls = {"forbidden": [112], "kinds": ["double-three"]}
    assert situation == {"turn": 0, "won": False, "full": False, **fouls}
    assert "occupied" in error
    assert missing
