"""The analysis page in a real browser: variations, setting up, files, addresses."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, moves, play, shows, stones, tab
from tests.web.browser.pages import PHONE, Opener, held

pytestmark = needs_browser

RENJU = "/analyse?rules=renju&size=15&moves=h8i9g7f6i8"


# -- moves and variations


@pytest.mark.long
def test_moves_and_variations_are_played_and_walked_through(desk: Opener) -> None:
    me = desk()
    play(me, "h8", "i9", "g7")
    me.press("ArrowLeft")
    shows(me, "i9")
    play(me, "j10", "k11")
    moves(me, "h8 i9 g7 j10 k11")
    moves(me, "j10 k11", ".variations")
    me.press("Home")
    at(me, 0)
    me.press("End")
    shows(me, "g7")
    me.press("d")
    shows(me, "j10")
    me.press("u")
    shows(me, "g7")
    me.page.locator(".tree .move", has_text="k11").click()
    at(me, 4)
    assert stones(me) == {"h8": "black", "i9": "white", "j10": "black", "k11": "white"}


@pytest.mark.long
def test_a_variation_is_commented_promoted_and_deleted_and_all_can_be_had_back(desk: Opener) -> None:
    me = desk(RENJU + "#ply=2")
    play(me, "j10")
    me.page.get_by_placeholder("Comment on this move").fill("Wider.")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")
    me.button("Make this the main line").click()
    moves(me, "g7 f6 i8", ".variations")
    me.button("Delete this move and all that follow").click()
    moves(me, "h8 i9 g7 f6 i8")
    at(me, 2)
    me.button("Undo").click()
    moves(me, "g7 f6 i8", ".variations")
    me.button("Undo").click()
    moves(me, "j10", ".variations")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")


@pytest.mark.long
def test_what_was_done_is_there_again_after_a_reload_and_in_the_other_language(desk: Opener) -> None:
    me = desk(RENJU + "#ply=2")
    play(me, "j10")
    me.page.get_by_placeholder("Comment on this move").fill("Wider.")
    expect(me.page).to_have_url(re.compile(r"moves=h8i9j10#ply=3$"))
    me.page.reload()
    moves(me, "j10", ".variations")
    shows(me, "j10")
    me.speak("zh-CN")
    expect(me.page.locator(".facts")).to_contain_text("第 3 手")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")


@pytest.mark.long
def test_the_server_judges_what_is_played(desk: Opener) -> None:
    me = desk("/analyse?rules=renju&size=15&moves=h8a1i8o1j9a15j10o15#ply=8")
    before = stones(me)
    me.choose("j8")
    expect(me.page.locator(".status")).to_contain_text("j8 is forbidden to Black: three-three")
    expect(me.page.locator(".board .row.foul")).to_have_count(2)
    assert stones(me) == before
    me.choose("h8")
    at(me, 8)
    me.press("Home")
    at(me, 0)


def test_a_won_game_is_said_and_drawn(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i8a2j8a3k8a4l8#ply=9")
    expect(me.page.locator(".status")).to_contain_text("Black wins: h8 i8 j8 k8 l8 in a row")
    me.sees(".board .row.win", 1)
    expect(me.button("Play from here")).to_be_disabled()


@pytest.mark.long
def test_by_keyboard_alone(desk: Opener) -> None:
    me = desk()
    me.press("b Enter")
    moves(me, "h8")
    me.press("ArrowRight ArrowUp Enter")
    moves(me, "h8 i9")
    me.page.locator("#tab-moves").focus()
    me.press("ArrowRight")
    expect(me.page.locator("#panel-engine")).to_be_visible()
    me.press("?")
    expect(me.page.locator("dialog[open] kbd", has_text="u / d")).to_be_visible()
    me.press("Escape")


# -- setting up


@pytest.mark.long
def test_a_position_is_set_up_and_begins_a_game(desk: Opener) -> None:
    me = desk()
    panel = tab(me, "setup")
    panel.get_by_label("Rules").select_option("renju")
    panel.get_by_role("button", name="Place black").click()
    for name in ("h8", "i8", "j9"):
        me.choose(name)
    panel.get_by_role("button", name="Place white").click()
    for name in ("a1", "a2"):
        me.choose(name)
    panel.get_by_role("button", name="Remove").click()
    me.choose("a2")
    expect(me.page.locator(".board g.stone")).to_have_count(4)
    assert stones(me) == {"h8": "black", "i8": "black", "j9": "black", "a1": "white"}
    panel.get_by_label("To move").select_option("white")
    expect(me.page.locator(".facts")).to_contain_text("White to move")
    expect(me.page).to_have_url(re.compile(r"black=h8i8j9&white=a1&turn=white#ply=0"))
    panel.get_by_role("button", name="Play", exact=True).click()
    me.choose("k10")
    at(me, 1)
    assert stones(me)["k10"] == "white"
    me.button("Play from here").click()
    dialog = me.sees("dialog[open]")
    dialog.get_by_role("button", name="Two people here").click()
    me.sees(".table.game .moves")
    expect(me.page).to_have_url(re.compile(r"/g/"))
    me.shows(1)
    assert len(stones(me)) == 5


@pytest.mark.long
def test_what_was_done_last_does_not_call_back_who_leaves(desk: Opener) -> None:
    me = desk()
    release = held(me.context, "**/play/start.css")
    play(me, "h8")
    me.page.get_by_role("link", name="Play", exact=True).click()
    me.press("Home")  # the next page is on its way
    me.page.wait_for_timeout(400)  # more than the address takes to follow the board
    release()
    me.sees(".table.start")
    expect(me.page).to_have_url(re.compile(r"//[^/]+/$"))


@pytest.mark.long
def test_stones_put_quickly_all_stand_whichever_answer_comes_first(desk: Opener) -> None:
    me = desk()
    release = held(me.context, "**/api/position")
    tab(me, "setup").get_by_role("button", name="Place black").click()
    for name in ("c3", "d3", "e3", "f3", "c4"):
        me.choose(name)
    release()
    expect(me.page.locator(".board g.stone")).to_have_count(5)


@pytest.mark.long
def test_other_rules_and_sizes(desk: Opener) -> None:
    me = desk(RENJU)
    panel = tab(me, "setup")
    panel.get_by_label("Black's fouls").select_option("claimed")
    expect(me.page).to_have_url(re.compile("fouls=claimed&moves=h8i9g7f6i8"))
    panel.get_by_label("Rules").select_option("mnk")
    for label, value, shape in (
        ("Columns", "7", "[7,15,5]"),
        ("Rows", "6", "[7,6,5]"),
        ("In a row to win", "4", "[7,6,4]"),
    ):
        panel.get_by_label(label).fill(value)
        panel.get_by_label(label).press("Tab")
        expect(me.page.locator(".table")).to_have_attribute("data-shape", shape)
    expect(me.page.locator(".facts")).to_contain_text("7×6, 4 in a row")
    tab(me, "moves")
    for _ in range(3):
        me.button("Undo").click()
    moves(me, "h8 i9 g7 f6 i8")
    expect(me.page).to_have_url(re.compile(r"rules=renju&size=15&moves"))


@pytest.mark.long
def test_what_is_typed_before_the_former_answer_comes_stays(desk: Opener) -> None:
    me = desk()
    panel = tab(me, "setup")
    panel.get_by_label("Rules").select_option("mnk")
    asked: list[Route] = []

    def keep(route: Route) -> None:
        if '"rules":"mnk:15,' in (route.request.post_data or ""):
            asked.append(route)
        else:
            route.continue_()

    me.page.route("**/api/position", keep)
    for rows in ("9", "6"):
        with me.page.expect_request("**/api/position"):
            panel.get_by_label("Rows").fill(rows)
            panel.get_by_label("Rows").press("Tab")
    first, second = asked
    first.continue_()
    expect(me.page.locator(".facts")).to_contain_text("15×9")
    expect(panel.get_by_label("Rows")).to_have_value("6")
    second.continue_()
    expect(me.page.locator(".facts")).to_contain_text("15×6")


@pytest.mark.long
def test_after_tic_tac_toe_the_board_is_as_large_as_usual(desk: Opener) -> None:
    me = desk(RENJU)
    rules = tab(me, "setup").get_by_label("Rules")
    rules.select_option("tictactoe")
    expect(me.page.locator(".table")).to_have_attribute("data-shape", "[3,3,3]")
    rules.select_option("freestyle")
    expect(me.page.locator(".table")).to_have_attribute("data-shape", "[15,15,5]")


# -- looks


@pytest.mark.long
def test_on_a_phone_by_touch_in_chinese(desk: Opener) -> None:
    me = desk(viewport=PHONE, has_touch=True, locale="zh-CN")
    for name in ("h8", "i9"):
        me.choose(name)
        me.choose(name)
        expect(me.page.locator(f".board g.stone[data-point={name}]")).to_have_count(1)
    at(me, 2)
    panel = me.page.locator("#panel-engine")
    expect(panel).to_be_hidden()
    me.page.locator("#tab-engine").tap()
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("必胜着法")
    me.page.locator("#tab-engine").tap()
    expect(panel).to_be_hidden()
    assert me.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
