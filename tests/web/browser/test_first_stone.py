"""Games that begin before Python is there: pages, the kernels in their worker, and an app that is late."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tengen.web.browser import early_game
from tengen.web.site.engine_levels import engine_levels
from tests.web.browser.pages import Visit
from tests.web.engine_in_pages import folder_of
from tests.web.serving import Server, serve

pytest.importorskip("wasmtime")

pytestmark = pytest.mark.long

CONNECTION = """
import { createEarlyGames } from "../browser/early_games.js";

let begin = () => {};
const python = new Promise((resolve) => (begin = resolve));
const app = {
  send: async (path, init) => (await python, fetch(path, init)),
  connect: (path) => new WebSocket(location.origin.replace("http", "ws") + path),
};
const early = createEarlyGames(new URL("/", location.href).href, app);
early.warm();
Object.assign(window, { early, pythonIsThere: () => (begin(), early.follow({ name: "ready", done: 1 })) });

export const isRemote = false;
export const showConnection = (context) => void context.learn("site");
export const send = (path, init) => early.send(path, init) ?? app.send(path, init);
export const connect = (path) => early.connect(path) ?? app.connect(path);
"""
"""The connection of a page whose app is a server that nothing reaches until `pythonIsThere` is called."""


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    """A server that has the route which else only the app in a page has."""
    with serve(warm_up=True) as running:
        running.app.include_router(early_game.router)
        yield running


class EarlyVisit(Visit):
    """Somebody who opens a page whose app is late.

    Args:
        engine: the folder of the files of the engine in a page.
    """

    def __init__(self, engine: Path, browser: Browser, url: str, **options: Any) -> None:
        self._engine = engine
        super().__init__(browser, url, bypass_csp=True, **options)

    def _watch(self) -> None:
        super()._watch()
        script = {"content_type": "text/javascript", "body": CONNECTION}
        self.context.route("**/shared/connection.js*", lambda route: route.fulfill(**script))
        self.context.route("**/engine/*", self._serve)

    def _serve(self, route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name == "worker.js":
            # A worker has a policy of its own, which allows no WebAssembly on a server.
            route.fulfill(content_type="text/javascript", body=route.fetch().text())
        elif "/static/" in route.request.url:
            route.continue_()
        elif name == "levels.json":
            route.fulfill(content_type="application/json", body=json.dumps(engine_levels()))
        else:
            route.fulfill(path=self._engine / name)

    def reopen(self, url: str) -> None:
        """Close the tab, and open another one."""
        self.page.close()
        self.page = self.context.new_page()
        self._watch()
        self.page.goto(url)

    def says_nothing_of_games(self) -> None:
        """See that games are neither listed nor said to be missing."""
        expect(self.page.locator(".games-note")).to_contain_text("Loading your games")

    def go_on(self) -> None:
        """Let the app be there, and take the game over."""
        self.page.evaluate("pythonIsThere()")


@pytest.fixture
def open_early(
    app: Server, browser: Browser, pytestconfig: pytest.Config
) -> Iterator[Callable[..., EarlyVisit]]:
    visits: list[EarlyVisit] = []

    def opened(**game: Any) -> EarlyVisit:
        visits.append(EarlyVisit(folder_of(pytestconfig), browser, app.url, game=game))
        return visits[-1]

    yield opened
    for visit in visits:
        visit.close()


Opener = Callable[..., EarlyVisit]


def test_the_kernels_answer_and_the_app_goes_on(open_early: Opener) -> None:
    me = open_early(opponent="level:4")
    me.play("h8")
    me.shows(2)
    me.says("Your turn")
    me.play("d4")
    me.shows(4)
    before = me.page.locator(".moves").inner_text()
    address = me.page.url
    assert re.search(r"/g/[\w-]{22}$", address)
    me.go_on()
    assert me.page.locator(".moves").inner_text() == before
    me.play("d12")
    me.shows(6)
    me.page.locator("#act-back").click()
    me.shows(4)
    assert me.page.locator(".moves").inner_text() == before
    # The app has the game: the page can be loaded anew, and it is on the list.
    kept = "[sessionStorage, localStorage].flatMap((one) => Object.keys(one))"
    assert not [name for name in me.page.evaluate(kept) if name.startswith("tengen.early")]
    found = me.page.evaluate("fetch('/api/games').then((answer) => answer.json())")
    assert [game["id"] for game in found["games"]] == [address.rpartition("/")[2]]


def test_a_page_that_is_loaded_anew_goes_on_with_its_game(open_early: Opener) -> None:
    me = open_early(opponent="level:4", rules="renju")
    me.play("h8")
    me.shows(2)
    me.page.reload()
    me.shows(2)
    me.play("d4")
    me.shows(4)
    me.page.reload()
    me.go_on()
    me.shows(4)
    me.play("d12")
    me.shows(6)


def test_a_tab_that_is_closed_loses_nothing(open_early: Opener) -> None:
    me = open_early(opponent="level:4")
    me.play("h8")
    me.shows(2)
    address = me.page.url
    me.reopen(address)
    me.shows(2)
    me.play("d4")
    me.shows(4)
    # The app hears of it although another page is opened, which waits for that.
    me.reopen(address.partition("/g/")[0] + "/games")
    me.says_nothing_of_games()
    me.go_on()
    me.sees(".games-row", 1)
    me.page.goto(address)
    me.go_on()
    me.shows(4)


def test_a_take_back_waits_for_the_app(open_early: Opener) -> None:
    me = open_early(opponent="level:5", colour="white")
    me.button("Start").click()
    me.shows(1)
    me.play("h9")
    me.shows(3)
    me.page.locator("#act-back").click()
    me.page.evaluate("early.follow({ name: 'loading', done: 0.4 })")
    me.says("40%")
    me.go_on()
    me.shows(1)
    me.says("Your turn")


def test_a_level_that_needs_python_waits_with_the_first_stone(open_early: Opener) -> None:
    me = open_early(opponent="level:1")
    me.play("h8")
    me.page.evaluate("early.follow({ name: 'loading', done: 0.25 })")
    me.says("25%")
    me.go_on()
    me.shows(2)
    me.says("Your turn")


def test_the_app_tells_how_it_ended(open_early: Opener) -> None:
    """Fouls are refused by the kernels, which also know that a five has been made."""
    me = open_early(opponent="level:4", rules="renju")
    # The computer is replaced by one that plays along the upper side.
    me.page.evaluate(
        """async () => {
          const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
          const { Engine } = await import(loaded.find((name) => name.endsWith("/engine/client.js")));
          let x = 0;
          Engine.prototype.search = async function* () { yield { point: 14 * 15 + 2 * x++, score: 0 }; };
        }"""
    )
    for ply, point in enumerate(("f8", "g8", "h6", "h7")):
        me.play(point)
        me.shows(2 * ply + 2)
    me.choose("h8")
    me.says("h8 is forbidden to Black: three-three")
    for ply, point in enumerate(("e8", "d8"), 4):
        me.play(point)
        me.shows(2 * ply + 2)
    me.play("c8")
    me.page.evaluate("early.follow({ name: 'loading', done: 0.6 })")
    me.says("60%")
    me.go_on()
    me.says("Black wins")
    me.shows(13)
