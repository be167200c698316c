"""Light and dark: what stands for a stone looks like one, and nothing that is full looks empty."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.assets.colours import Colour, contrast
from tests.web.browser.desk import tab
from tests.web.browser.pages import Opener, Visit

pytestmark = needs_browser


def style(element: Locator, name: str) -> str:
    """A property of an element as the browser has worked it out."""
    value: str = element.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def colours(text: str) -> list[Colour]:
    """The colours in a value of a property."""
    return [(float(r), float(g), float(b)) for r, g, b in re.findall(r"rgb\((\d+), (\d+), (\d+)\)", text)]


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_small_stone_is_lit_like_those_on_the_board(desk: Opener, theme: str) -> None:
    me = desk("/analyse?rules=renju&moves=f8i10g8j7h7e9h6g5", color_scheme=theme)
    for name in ("moves", "why", "setup"):
        panel = tab(me, name)
        expect(panel.locator(".disc.black").first).to_be_visible()
        behind = colours(
            style(panel, "backgroundColor") + style(me.page.locator(".side"), "backgroundColor")
        )
        for stone in panel.locator(".disc").all():
            assert "radial-gradient" in style(stone, "backgroundImage")
            # Black's rim stands out where the panel is dark, White's where it is light.
            black = "black" in (stone.get_attribute("class") or "")
            if black == (theme == "dark"):
                assert contrast(colours(style(stone, "borderTopColor"))[0], behind[-1]) > 2
    me.page.goto(me.page.url.split("/analyse")[0] + "/learn")
    assert "radial-gradient" in style(me.sees(".learn-number").first, "backgroundImage")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.long
def test_a_bar_that_black_has_all_of_is_not_an_empty_one(desk: Opener, theme: str) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i8o1j8a15#ply=6", color_scheme=theme)
    bar = me.page.locator(".rate").first
    none_yet = style(bar, "backgroundImage") + style(bar, "backgroundColor")
    tab(me, "engine").get_by_role("button", name="Analyse").click()
    expect(me.page.locator(".rated")).to_contain_text("Black wins in", timeout=60_000)
    shown = style(bar, "backgroundImage")
    black, white = colours(shown)[-2:]
    assert re.search(r"100%", shown)
    panel = colours(style(me.page.locator(".seats"), "backgroundColor"))[0]
    assert contrast(black, white) > 4.5
    assert contrast(black, panel) > 2
    assert shown not in none_yet


BOARDS = ("wood", "slate", "plain", "contrast", "print")


def board_theme(me: Visit, name: str) -> None:
    """Choose a theme of boards in the settings."""
    me.page.locator("#options").click()
    me.page.locator("#settings select").first.select_option(name)
    me.page.keyboard.press("Escape")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_of_boards_is_chosen_and_kept_and_every_board_has_it(desk: Opener, theme: str) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8i9", color_scheme=theme)
    home = me.page.url.split("/analyse")[0]
    grid, bodies = me.page.locator(".board .grid").first, me.page.locator(".board .body")
    looks = set()
    for name in BOARDS:
        board_theme(me, name)
        expect(me.page.locator(".board")).to_have_attribute("data-board", name)
        expect(bodies).to_have_count(2)
        board = colours(style(me.page.locator(".board .wood-0"), "stopColor"))[0]
        line = colours(style(grid, "stroke"))[0]
        label = colours(style(me.page.locator(".board .coordinate").first, "fill"))[0]
        rims = [colours(style(body, "stroke"))[0] for body in bodies.all()]
        least = 7 if name in ("contrast", "print") else 3
        assert min(contrast(line, board), contrast(label, board)) >= least
        if name != "wood":
            assert min(contrast(rim, board) for rim in rims) >= least
        looks.add((board, line, *rims))
    assert len(looks) >= len(BOARDS) - 1  # on a light page high contrast is black on white, as print is
    board_theme(me, "slate")
    me.page.reload()
    expect(me.page.locator(".board")).to_have_attribute("data-board", "slate")
    game = me.context.request.post(
        home + "/api/games", data={"rules": "freestyle", "black": "human", "white": "human", "moves": "h8"}
    )
    for path, kind in (
        ("/", ".board"),
        (f"/g/{game.json()['id']}", ".board"),
        ("/learn/lookup", ".learn-board"),
        ("/learn/rules", ".learn-board"),
        ("/games", ".games-board"),
    ):
        me.page.goto(home + path)
        expect(me.page.locator(f"{kind}[data-board=slate]").first).to_be_visible()
        expect(me.page.locator(f"{kind}:not([data-board=slate])")).to_have_count(0)
        board_theme(me, "contrast")
        expect(me.page.locator(f"{kind}[data-board=contrast]").first).to_be_visible()
        expect(me.page.locator(f"{kind}:not([data-board=contrast])")).to_have_count(0)
        board_theme(me, "slate")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.long
def test_a_picture_of_the_analysis_has_the_theme_of_its_board(desk: Opener, name: str) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8i9")
    board_theme(me, name)
    with me.page.expect_download() as saved:
        tab(me, "files").get_by_role("button", name="svg", exact=True).click()
    assert f"tengen-{name}" in saved.value.path().read_text("utf-8")
