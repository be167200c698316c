""" "Why?" beside a game that is being played, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import stones
from tests.web.browser.pages import PHONE, Opener

pytestmark = needs_browser


@pytest.mark.long
def test_the_move_that_is_explained_is_a_ghost_and_clicks_play_nothing(visit: Opener) -> None:
    me = visit(game={"opponent": "shapes"})
    me.play("h8")
    me.shows(2)
    me.says("Your turn")
    assert len(stones(me)) == 2
    me.page.locator("#tab-why").click()
    me.says("Before White's move 2")
    expect(me.page.locator(".board g.stone")).to_have_count(1)
    expect(me.page.locator(".board .ghosts > *")).not_to_have_count(0)
    me.choose("a1")
    me.choose("h8")
    me.says("Before White's move 2")
    me.shows(2)
    me.button("Back to the game").click()
    me.says("Your turn")
    expect(me.page.locator(".board g.stone")).to_have_count(2)
    me.play("a1")


@pytest.mark.long
def test_bars_of_one_weight_have_one_length_and_only_one_is_played(visit: Opener) -> None:
    me = visit(game={"opponent": "shapes"})
    me.play("h8")
    me.shows(2)
    me.page.locator("#tab-why").click()
    rows = me.page.locator(".why-heaviest li")
    expect(rows).not_to_have_count(0)
    lengths: dict[str, set[int]] = {}
    for row in rows.all():
        box = row.locator(".why-bar").bounding_box()
        assert box is not None
        lengths.setdefault(row.locator(".why-figure").inner_text(), set()).add(round(box["width"]))
    assert all(len(found) == 1 for found in lengths.values())
    played = me.moves().nth(1).locator("span").last.text_content() or ""
    tagged = rows.filter(has_text="played")
    expect(tagged).to_have_count(1)
    expect(tagged.locator("b")).to_have_text(played.upper())


@pytest.mark.long
def test_on_a_phone_the_sheet_says_which_position_is_explained(visit: Opener) -> None:
    me = visit(viewport=PHONE, has_touch=True, is_mobile=True, game={"opponent": "shapes"})
    me.choose("h8")
    me.choose("h8")
    me.shows(2)
    me.page.locator("#tab-why").tap()
    expect(me.page.locator("#panel-why .explained")).to_have_text("Before White's move 2")
    expect(me.page.locator("#panel-why .explained")).to_be_visible()
