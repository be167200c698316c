"""A stone that was just played settles on the board; a position that is shown stands still."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, play
from tests.web.browser.pages import Opener, Visit

pytestmark = needs_browser


def settling(me: Visit) -> list[str | None]:
    """The points of the stones that settle, or have settled."""
    return [stone.get_attribute("data-point") for stone in me.page.locator(".board .stone.fresh").all()]


def motion(me: Visit, point: str) -> str:
    """The name of the animation of a stone."""
    stone = me.page.locator(f".board .stone[data-point={point}]")
    name: str = stone.evaluate("stone => getComputedStyle(stone).animationName")
    return name


@pytest.mark.long
@pytest.mark.parametrize(
    ("wish", "name"), [("no-preference", "tengen-board-settle"), ("reduce", "none")], ids=["moves", "rests"]
)
def test_the_stone_that_was_played_settles_unless_no_motion_is_wanted(
    visit: Opener, wish: str, name: str
) -> None:
    me = visit(reduced_motion=wish)
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "i9")
    assert settling(me) == ["h8", "i9"]
    assert motion(me, "i9") == name


@pytest.mark.long
def test_a_game_that_is_opened_stands_still(visit: Opener) -> None:
    me = visit()
    home = me.page.url.rstrip("/")
    fields = {"rules": "freestyle", "black": "human", "white": "human", "moves": "h8"}
    made = me.context.request.post(home + "/api/games", data=fields)
    me.page.goto(f"{home}/g/{made.json()['id']}")
    expect(me.page.locator(".board .stone")).to_have_count(1)
    assert settling(me) == []


def test_in_the_analysis_moves_settle_and_positions_do_not(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8")
    at(me, 1)
    assert settling(me) == []
    play(me, "i9", "j10")
    assert settling(me) == ["i9", "j10"]
    me.press("Home")
    at(me, 0)
    me.press("End")
    at(me, 3)
    assert settling(me) == []
    me.press("ArrowLeft ArrowRight")
    at(me, 3)
    assert settling(me) == ["j10"]
