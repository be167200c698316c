"""Coordinates in Chinese style: what stands beside the lines changes, the names of points do not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import tab
from tests.web.browser.pages import PHONE, Opener, Visit

pytestmark = needs_browser

NUMERALS = [*"一二三四五六七八九十", "十一", "十二", "十三", "十四", "十五"]


def choose_style(me: Visit, label: str, style: str) -> None:
    """Choose how coordinates are written."""
    menu = me.page.locator("#open-menu")
    if menu.is_visible():
        menu.click()
        me.page.locator("#menu-options").click()
    else:
        me.page.locator("#options").click()
    me.page.locator("#settings").get_by_label(label).select_option(style)
    me.press("Escape Escape")  # the menu lies under the settings
    expect(me.page.locator("#settings, #menu").filter(visible=True)).to_have_count(0)


def written(me: Visit) -> list[str]:
    """What stands beside the lines: columns from the left, then rows from the bottom."""
    return me.page.locator(".board .coordinate").all_text_contents()


def inside(text: Locator, board: Locator) -> bool:
    """Whether a text stands within the board."""
    inner, outer = text.bounding_box(), board.bounding_box()
    assert inner is not None
    assert outer is not None
    return (
        outer["x"] <= inner["x"]
        and outer["y"] <= inner["y"]
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    )


@pytest.mark.long
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE], ids=["desktop", "phone"])
def test_columns_have_numbers_and_rows_chinese_numerals_from_the_top(
    desk: Opener, viewport: dict[str, int]
) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8", viewport=viewport)
    letters = written(me)
    assert letters == [*"ABCDEFGHIJKLMNO", *map(str, range(1, 16))]
    choose_style(me, "Coordinate style", "chinese")
    assert written(me) == [*map(str, range(1, 16)), *NUMERALS[::-1]]
    board = me.page.locator(".board")
    # 1 and 一 meet in the upper left corner.
    first, top = (me.page.locator(".board .coordinate").nth(place) for place in (0, 29))
    corner = me.page.locator(".board .grid").first.bounding_box()
    [column, row] = [first.bounding_box(), top.bounding_box()]
    assert corner is not None
    assert column is not None
    assert row is not None
    assert column["y"] + column["height"] < corner["y"] < row["y"] + row["height"]
    assert row["x"] + row["width"] < corner["x"]
    for text in me.page.locator(".board .coordinate").all():
        assert inside(text, board)
    # Clicks find their points, and moves are written as ever.
    me.choose("b14")
    expect(me.page.locator(".board g.stone[data-point=b14]")).to_be_attached()
    me.page.reload()
    expect(me.page.locator(".board .coordinate")).to_have_count(30)
    assert written(me)[-1] == "一"
    choose_style(me, "Coordinate style", "letters")
    assert written(me) == letters


@pytest.mark.long
def test_the_key_that_hides_coordinates_hides_these_too_and_lessons_follow(visit: Opener) -> None:
    me = visit("/learn/shapes", locale="zh-CN")
    me.sees(".learn-board .coordinate")
    choose_style(me, "坐标样式", "chinese")
    boards = me.page.locator(".learn-board")
    for board in range(boards.count()):
        assert "一" in boards.nth(board).locator(".coordinate").all_text_contents()
    home = me.page.url.split("/learn")[0]
    game = me.context.request.post(
        home + "/api/games", data={"rules": "freestyle", "black": "human", "white": "human", "moves": "h8"}
    )
    me.page.goto(f"{home}/g/{game.json()['id']}")
    me.sees(".board .coordinate")
    assert written(me)[-1] == "一"
    me.press("k")
    me.sees(".board .coordinate", 0)
    me.press("k")
    me.sees(".board .coordinate", 30)


@pytest.mark.long
def test_a_saved_picture_has_the_coordinates_of_its_board(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8i9")
    saved = []
    for style in ("letters", "chinese"):
        choose_style(me, "Coordinate style", style)
        with me.page.expect_download() as saving:
            tab(me, "files").get_by_role("button", name="svg", exact=True).click()
        saved.append(saving.value.path().read_text("utf-8"))
    assert ">十五</text>" not in saved[0]
    assert ">十五</text>" in saved[1]
