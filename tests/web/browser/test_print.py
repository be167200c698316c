"""Pages on paper: boards black on white, names, results, moves and texts, and nothing to press."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, play, shows, tab
from tests.web.browser.pages import PHONE, Opener, Visit

pytestmark = needs_browser

A4 = (595, 842)
"""Width and height in points."""

SCREEN_ONLY = "#header, .seats, .side, .actions, .status, .popover, .button, select, textarea, .learn-next"

CHOSEN = {"theme": "dark", "boardTheme": "slate"}
"""What a reader has chosen for the screen."""


def choose(me: Visit) -> None:
    """Choose the theme of the page and of boards, as the settings do, and load the page again."""
    me.page.evaluate(
        "chosen => localStorage.tengen = JSON.stringify({...JSON.parse(localStorage.tengen), ...chosen})",
        CHOSEN,
    )
    me.page.reload()


def as_printed(me: Visit) -> None:
    """Show the page as it is printed, on paper as wide as A4 between its margins."""
    me.page.set_viewport_size({"width": 680, "height": 1009})
    me.page.emulate_media(media="print")
    expect(me.page.locator(SCREEN_ONLY).filter(visible=True)).to_have_count(0)  # its style sheet comes last
    assert me.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def on_paper(me: Visit) -> int:
    """Print the page; how many sheets of A4 it takes."""
    me.page.emulate_media(media="null")
    pdf = me.page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", pdf)
    assert boxes
    assert {(round(float(width)), round(float(height))) for width, height in boxes} == {A4}
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def is_dressed(me: Visit, board: str = ".board") -> None:
    """The page looks again as its reader wants it."""
    expect(me.page.locator(board).first).to_have_attribute("data-board", "slate")
    assert me.page.evaluate("document.documentElement.dataset.theme") == "dark"
    kept = me.page.evaluate("JSON.parse(localStorage.tengen)")
    assert {name: kept[name] for name in CHOSEN} == CHOSEN
    assert "printing" not in kept


def game(me: Visit, **fields: Any) -> None:
    """Open a new game of this browser."""
    home = me.page.url.rstrip("/")
    seats = {"rules": "freestyle", "black": "human", "white": "shapes"}
    answer = me.context.request.post(home + "/api/games", data=seats | fields)
    me.page.goto(f"{home}/g/{answer.json()['id']}")


@pytest.mark.long
def test_a_game_has_its_board_with_numbers_its_names_result_and_moves(visit: Opener) -> None:
    me = visit()
    played = ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"]
    game(me, moves="".join(played[:-1]))
    choose(me)
    me.play("l8")
    expect(me.page.locator("dialog[open] h2")).to_have_text("You win!")
    expect(me.page.locator(".board g.stone")).to_have_count(9)
    expect(me.page.locator(".printed-head")).to_have_count(0)
    as_printed(me)
    expect(me.page.locator("dialog")).to_be_hidden()
    assert me.page.locator(".board").get_attribute("data-board") == "print"
    assert me.page.locator(".board .number").all_text_contents() == [str(number) for number in range(1, 10)]
    head = me.page.locator(".printed-head")
    expect(head.locator("h1")).to_have_text("Freestyle gomoku")
    expect(head).to_contain_text("Black: You")
    expect(head).to_contain_text("White: Shapes")
    expect(head).to_contain_text("Black wins: h8 i8 j8 k8 l8 in a row")
    moves = me.page.locator(".printed-moves li")
    expect(moves).to_have_text([re.compile(rf"{n}\s*{point}") for n, point in enumerate(played, 1)])
    board, listed = me.page.locator(".board").bounding_box(), moves.first.bounding_box()
    assert board is not None
    assert listed is not None
    assert board["y"] + board["height"] <= listed["y"]
    assert board["width"] == board["height"] > 500
    me.page.evaluate(
        "addEventListener('beforeprint', () =>"
        " window.printed = document.querySelector('.board').dataset.board)"
    )
    assert on_paper(me) == 1
    assert me.page.evaluate("window.printed") == "print"
    is_dressed(me)
    expect(me.page.locator(".printed-head, .board .number")).to_have_count(0)


@pytest.mark.long
def test_a_game_that_goes_on_says_after_which_move(visit: Opener) -> None:
    me = visit(viewport=PHONE, locale="zh-CN")
    game(me, white="human", moves="h8a1i8")
    expect(me.page.locator(".board g.stone")).to_have_count(3)
    me.press("ArrowLeft")
    expect(me.page.locator(".board g.stone")).to_have_count(2)
    as_printed(me)
    expect(me.page.locator(".printed-head")).to_contain_text("共 3 手，此为第 2 手之后")
    expect(me.page.locator(".printed-players")).to_have_text(re.compile(r"^\s*黑方\s*白方\s*$"))
    expect(me.page.locator(".printed-moves li")).to_have_count(3)
    assert me.page.locator(".board .number").all_text_contents() == ["1", "2"]
    assert on_paper(me) == 1


@pytest.mark.long
def test_the_analysis_has_variations_and_comments(desk: Opener) -> None:
    me = desk("/analyse?rules=renju&size=15&moves=h8i9")
    choose(me)
    at(me, 2)
    me.page.locator(".comment-box").fill("A quiet answer.")
    me.press("Tab ArrowLeft")
    shows(me, "h8")
    play(me, "h9")
    as_printed(me)
    expect(me.page.locator(".printed-head h1")).to_have_text("Analyse")
    expect(me.page.locator(".printed-head")).to_contain_text("Renju")
    expect(me.page.locator(".printed-tree .move")).to_have_text(
        [re.compile(move) for move in (r"1\s*h8", r"2\s*i9", r"2\s*h9")]
    )
    expect(me.page.locator(".printed-tree .comment")).to_have_text("A quiet answer.")
    assert me.page.locator(".board .number").all_text_contents() == ["1", "2"]
    assert on_paper(me) == 1
    is_dressed(me)


@pytest.mark.long
def test_a_lesson_has_its_text_and_boards(visit: Opener) -> None:
    me = visit("/learn/shapes")
    choose(me)
    me.sees(".learn-board .stone")
    as_printed(me)
    expect(me.page.locator("h1")).to_be_visible()
    expect(me.page.locator(".learn-text p").first).to_be_visible()
    boards = me.page.locator(".learn-board").filter(visible=True)
    expect(boards).to_have_count(2)  # nothing was played on the third
    for board in boards.all():
        assert board.get_attribute("data-board") == "print"
    expect(me.page.locator(".why-player, .learn-look").filter(visible=True)).to_have_count(0)
    assert on_paper(me) <= 3
    is_dressed(me, ".learn-board")


_TOLD = """() => {
  window.print = () => {
    dispatchEvent(new Event("beforeprint"));
    document.body.dataset.printed = document.querySelector(".printed-head h1").textContent;
    dispatchEvent(new Event("afterprint"));
  };
}"""
"""The browser's own window for printing cannot be seen by a test."""


def was_printed(me: Visit, title: str) -> None:
    """Wait until a page of that title has been printed, and forget it."""
    expect(me.page.locator("body")).to_have_attribute("data-printed", title)
    me.page.evaluate("delete document.body.dataset.printed")


@pytest.mark.long
def test_a_game_is_printed_from_its_menu_and_from_its_result(visit: Opener) -> None:
    me = visit()
    game(me, white="human", moves="h8a1i8a2j8a3k8a4")
    me.page.evaluate(_TOLD)
    me.page.locator("#act-more").click()
    me.button("Print").click()
    expect(me.page.locator("#more")).to_be_hidden()
    was_printed(me, "Freestyle gomoku")
    me.play("l8")
    me.sees("dialog[open]").get_by_role("button", name="Print").click()
    was_printed(me, "Freestyle gomoku")
    expect(me.page.locator("dialog, .printed-head")).to_have_count(0)


def test_the_analysis_is_printed_from_its_files(desk: Opener) -> None:
    me = desk("/analyse?rules=renju&size=15&moves=h8i9")
    me.page.evaluate(_TOLD)
    tab(me, "files").get_by_role("button", name="Print").click()
    was_printed(me, "Analyse")
