"""Playing in a real browser: by mouse, by keyboard, by touch, alone and with a friend."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener

pytestmark = needs_browser

TIC_TAC_TOE = {"rules": "tictactoe", "size": [3, 3]}


def test_the_first_click_plays_against_a_friendly_level(visit: Opener) -> None:
    me = visit()
    me.play("h8")
    assert re.search(r"/g/[\w-]{20,}$", me.page.url)
    me.shows(2)
    me.says("Your turn")
    assert me.page.locator(".seat.top b").inner_text() == "Level 3"


def test_tic_tac_toe_won_by_mouse_and_played_again(visit: Opener) -> None:
    me = visit(game=TIC_TAC_TOE)
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("a1", "a3", "b1", "b3", "c1")
    dialog = me.sees("dialog[open]")
    expect(dialog.locator("h2")).to_have_text("Black wins")
    expect(dialog).to_contain_text("a1 b1 c1")
    before = me.page.url
    dialog.get_by_role("button", name="Again").click()
    me.shows(0)
    assert me.page.url != before
    me.says("Black to move")
    me.play("b2")


def test_tic_tac_toe_won_by_keyboard(visit: Opener) -> None:
    me = visit(game=TIC_TAC_TOE)
    me.button("Two people here").focus()
    me.press("Enter")
    me.says("Black to move")
    me.press("b")
    for number, keys in enumerate(
        # The cursor shows itself on the centre; from there on it goes on from where it is.
        (
            "Home Enter",
            "PageDown Enter",
            "ArrowRight ArrowUp Enter",
            "ArrowDown Enter",
            "ArrowUp ArrowRight Enter",
        )
    ):
        me.press(keys)
        me.shows(number + 1)
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("Black wins")
    me.press("Escape")
    me.says("a2 b2 c2 in a row")


def test_on_a_phone_a_point_is_tapped_twice(visit: Opener) -> None:
    me = visit(viewport=PHONE, has_touch=True, is_mobile=True, game={"opponent": "random"})
    me.choose("h8")
    me.sees(".board .frames rect", 1)
    assert "/g/" not in me.page.url
    me.choose("h8")
    me.shows(2)


def test_tic_tac_toe_won_on_a_phone(visit: Opener) -> None:
    me = visit(viewport=PHONE, has_touch=True, is_mobile=True, game=TIC_TAC_TOE)
    me.button("Two people here").tap()
    me.says("Black to move")
    me.play("a1", "a3", "b1", "b3", "c1")
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("Black wins")
    width = me.page.evaluate("document.documentElement.scrollWidth")
    assert width == PHONE["width"]


def test_take_backs_are_counted_and_end(visit: Opener) -> None:
    me = visit(game={"takeBacks": 1})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8")
    expect(me.page.locator("#act-back")).to_have_text(re.compile("Take back *1"))
    me.page.locator("#act-back").click()
    me.shows(0)
    me.play("i9")
    me.page.locator("#act-back").click()
    me.says("No take-backs are left")
    me.shows(1)


def test_thinking_is_stopped_by_move_now_and_by_taking_back(visit: Opener) -> None:
    me = visit(game={"opponent": "minimax,depth=8,width=40"})
    me.play("h8")
    me.says("Minimax (depth=8, width=40) is thinking")
    me.button("Move now").click()
    me.shows(2)
    me.says("Your turn")
    me.play("o15")
    me.says("is thinking")
    me.page.locator("#act-back").click()
    me.shows(2)
    me.says("Your turn")


def test_a_hint_names_a_point_and_plays_nothing(visit: Opener) -> None:
    me = visit(game={"opponent": "shapes"})
    me.play("h8")
    me.says("Your turn")
    me.press("h")
    me.says(re.compile(r"Hint: [a-o]\d+"))
    expect(me.page.locator(".board .ghosts > *")).not_to_have_count(0)
    me.shows(2)


def test_what_cannot_be_played_is_said_and_changes_nothing(visit: Opener) -> None:
    me = visit()
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8")
    me.choose("h8")
    me.says("h8 is occupied")
    me.shows(1)


def test_a_foul_is_crossed_out_and_explained(visit: Opener) -> None:
    me = visit(game={"rules": "renju"})
    me.sees(".levels label", 10)
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1")
    me.sees(".board .fouls > *")
    me.choose("j8")
    me.says("three-three")
    me.shows(8)


def test_swap2_asks_for_a_choice(visit: Opener) -> None:
    me = visit(game={"opening": "swap2"})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "i9", "j6")
    me.says("Choose")
    me.button("Put two more stones and let the opponent choose").click()
    me.play("c3", "d3")
    me.button("Play White").click()
    me.says("White to move")


def test_a_friend_joins_by_link_and_a_lost_connection_heals(visit: Opener) -> None:
    me = visit()
    me.button("A friend by link").click()
    me.button("Start").click()
    address = me.sees(".room input").input_value()
    assert address == me.page.url
    me.sees(".qr")
    friend = visit(address.split("/", 3)[3].join(("/", "")))
    friend.button("Play White").click()
    me.says("Your turn")
    me.play("h8")
    friend.shows(1)
    friend.says("Your turn")
    friend.context.set_offline(True)
    friend.says("Connection lost")
    friend.choose("i9")
    friend.context.set_offline(False)
    me.shows(2)
    friend.says("Your opponent is to move")
    friend.faults.clear()  # the browser itself tells of the lost connection
    friend.page.locator("#act-back").click()
    me.button("Accept").click()
    friend.shows(1)


def test_two_computers_are_watched_step_by_step(visit: Opener) -> None:
    me = visit("/watch", game={"opponent": "random", "second": "random", "pace": 5})
    me.button("Start").click()
    me.button("Pause").click()
    me.says("Paused")
    before = me.moves().count()
    me.button("One move").click()
    me.shows(before + 1)
    me.says("Paused")


def test_the_language_is_switched_and_kept(visit: Opener) -> None:
    me = visit()
    me.page.locator("#lang").click()
    expect(me.page.locator("#header > nav")).to_contain_text("我的对局")
    assert me.page.evaluate("document.documentElement.lang") == "zh-CN"
    me.play("h8")
    me.page.reload()
    me.says("轮到你")


def test_a_game_that_is_not_there(visit: Opener) -> None:
    me = visit("/g/nothing-of-the-kind")
    me.sees(".sorry h1")
    me.faults.clear()  # the browser itself tells of the answer 404
    me.page.locator(".sorry a").click()
    me.play("h8")
