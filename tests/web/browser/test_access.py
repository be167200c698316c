"""No page has anything that axe-core finds to keep somebody out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import tab
from tests.web.browser.pages import PHONE, WIDE, Opener, Visit
from tests.web.browser.test_touch import FINGERS, spread, taken

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
PATHS = (
    "/",
    "/lobby",
    "/tournaments",
    "/tournaments/new",
    "/watch",
    "/analyse?rules=renju&moves=f8i10g8j7h7e9h6g5",
    "/learn",
    "/learn/shapes",
    "/learn/rules",
    "/puzzles",
    "/games",
    "/privacy",
)

pytestmark = [
    needs_browser,
    pytest.mark.skipif(
        not AXE.exists(), reason="axe-core is not installed: make lint does it where npm is"
    ),
]


def violations(me: Visit) -> list[str]:
    """What axe-core finds on the page: the rule, and where."""
    me.page.wait_for_load_state("networkidle")
    if not me.page.evaluate("'axe' in window"):
        me.page.evaluate(AXE.read_text("utf-8"))
    found = me.page.evaluate("axe.run().then((answer) => answer.violations)")
    return [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]]


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        {"viewport": WIDE, "color_scheme": "light"},
        {"viewport": PHONE, "color_scheme": "dark", "locale": "zh-CN", "has_touch": True},
    ],
    ids=["wide, light, English", "phone, dark, Chinese"],
)
def test_pages(visit: Opener, options: dict[str, Any]) -> None:
    me = visit(PATHS[0], **options)
    start, found = me.page.url.removesuffix(PATHS[0]), {PATHS[0]: violations(me)}
    for path in PATHS[1:]:
        me.page.goto(start + path)
        found[path] = violations(me)
    assert found == {path: [] for path in PATHS}


@pytest.mark.long
def test_tabs_of_the_analysis(desk: Opener) -> None:
    me = desk("/analyse?moves=h8i9g7")
    found = {}
    for name in ("engine", "review", "setup", "files", "why"):
        panel = tab(me, name)
        if name == "why":
            expect(panel.locator(".why-summary")).to_contain_text("greatest weight")
        found[name] = violations(me)
    assert found == {name: [] for name in found}


@pytest.mark.long
def test_a_game(visit: Opener) -> None:
    me = visit()
    me.play("h8")
    me.shows(2)
    assert violations(me) == []
    me.button("More").click()
    assert violations(me) == []


@pytest.mark.long
@pytest.mark.parametrize("started", [False, True])
def test_a_tournament(visit: Opener, started: bool) -> None:
    me = visit("/tournaments/new")
    home = me.page.url.removesuffix("/tournaments/new")
    ask = me.context.request
    made = ask.post(f"{home}/api/tournaments", data={"name": "Cup", "kind": "swiss"}).json()
    for what, body in (("join", {"name": "Mia"}), ("computers", {"player": "shapes"})):
        assert ask.post(f"{home}/api/tournaments/{made['id']}/{what}", data=body).ok
    me.page.goto(f"{home}/tournaments/{made['id']}")
    me.sees(".tournament-entrants li")
    if started:
        assert ask.post(f"{home}/api/tournaments/{made['id']}/start").ok
        # Whoever plays in it is taken from its page into the game.
        me = visit(f"/tournaments/{made['id']}")
        me.sees(".tournament-table")
    assert violations(me) == []


@pytest.mark.long
def test_a_move_in_advance_on_an_enlarged_board(visit: Opener) -> None:
    me = visit(game={"opponent": "minimax,depth=8,width=40"}, **FINGERS)
    spread(me, taken(me), 2)
    me.play("h8")
    me.choose("i8")
    me.sees(".board .premove")
    me.sees(".whole-board")
    assert violations(me) == []
