"""Playing in a real browser: by mouse, by keyboard, by touch, alone and with a friend."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tengen.words import say
from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener, Visit

pytestmark = needs_browser

TIC_TAC_TOE = {"rules": "tictactoe", "size": [3, 3]}


@pytest.mark.long
def test_the_first_click_plays_against_a_friendly_level(visit: Opener) -> None:
    me = visit()
    me.play("h8")
    assert re.search(r"/g/[\w-]{20,}$", me.page.url)
    me.shows(2)
    me.says("Your turn")
    assert me.page.locator(".seat.top b").inner_text() == "Level 3"


@pytest.mark.long
def test_the_strongest_level_thinks_as_long_as_one_chooses(visit: Opener) -> None:
    me = visit()
    choice = me.page.locator(".segments", has=me.page.get_by_role("radio", name="15 s"))
    expect(choice).to_have_count(0)
    me.page.get_by_role("radio", name="Level 10").check(force=True)
    choice.get_by_role("radio", name="1 s", exact=True).check(force=True)
    me.page.reload()
    expect(choice.get_by_role("radio", name="1 s", exact=True)).to_be_checked()
    me.play("h8")
    me.shows(2)
    expect(me.page.locator(".seat.top b")).to_have_text("Level 10 (1 s)")


@pytest.mark.long
def test_tic_tac_toe_won_by_mouse_and_played_again(visit: Opener) -> None:
    me = visit(game=TIC_TAC_TOE)
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("a1", "a3", "b1", "b3", "c1")
    dialog = me.sees("dialog[open]")
    expect(dialog.locator("h2")).to_have_text("Black wins")
    expect(dialog).to_contain_text("a1 b1 c1")
    before = me.page.url
    dialog.get_by_role("button", name="Play again").click()
    me.shows(0)
    assert me.page.url != before
    me.says("Black to move")
    me.play("b2")
    resumed(me)


def resumed(me: Visit) -> None:
    """Leave a game that goes on, and come back to it from the start page."""
    before = me.page.url
    me.page.locator(".brand").click()
    me.page.get_by_role("link", name="Resume your last game").click()
    me.sees(".table.game")
    assert me.page.url == before


@pytest.mark.long
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


@pytest.mark.long
def test_tic_tac_toe_won_on_a_phone(visit: Opener) -> None:
    me = visit(viewport=PHONE, has_touch=True, is_mobile=True, game=TIC_TAC_TOE)
    me.button("Two people here").tap()
    me.says("Black to move")
    me.play("a1", "a3", "b1", "b3", "c1")
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("Black wins")
    width = me.page.evaluate("document.documentElement.scrollWidth")
    assert width == PHONE["width"]


@pytest.mark.long
def test_take_backs_are_counted_and_end(visit: Opener) -> None:
    me = visit(game={"takeBacks": 1})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8")
    expect(me.page.locator("#act-back")).to_have_text(re.compile("Take back *1"))
    me.page.locator("#act-back").click()
    me.shows(0)
    me.play("i9")
    expect(me.page.locator("#act-back")).to_have_text("Take back")
    expect(me.page.locator("#act-back")).to_be_disabled()


@pytest.mark.long
def test_where_nothing_is_taken_back_there_is_no_button_for_it(visit: Opener) -> None:
    me = visit(game={"takeBacks": 0, "opening": "swap2", "clock": "60"})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8")
    expect(me.page.locator("#act-back")).to_have_count(0)
    facts = me.page.get_by_role("note", name="This game's settings").locator(".fact")
    expect(facts).to_have_text(["Freestyle gomoku", "15×15", "Swap2", "1 minute", "no take-backs"])
    me.play("i9", "j6")
    me.button("Play White").click()
    expect(facts.nth(2)).to_have_text("Swap2")


@pytest.mark.long
def test_thinking_is_stopped_by_move_now_and_by_taking_back(visit: Opener) -> None:
    me = visit(game={"opponent": "minimax,depth=8,width=40"})
    me.play("h8")
    me.says("Minimax (depth 8, own settings) is thinking")
    me.button("Move now").click()
    me.shows(2)
    me.says("Your turn")
    me.play("o15")
    me.says("is thinking")
    me.page.locator("#act-back").click()
    me.shows(2)
    me.says("Your turn")


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
def test_after_a_click_the_arrow_keys_step_through_the_game(visit: Opener) -> None:
    me = visit(game={"opponent": "shapes"})
    me.play("h8")
    me.shows(2)
    me.press("ArrowLeft ArrowLeft")
    me.says("Move 0 of 2")
    me.press("End")
    me.says("Your turn")
    expect(me.page).to_have_title("● You – Shapes (O5) · Tengen")
    for path, title in (("/watch", "Watch two computers"), ("/games", "My games"), ("/analyse", "Analyse")):
        me.page.locator(f'#header > nav a[href="{path}"]').click()
        expect(me.page).to_have_title(f"{title} · Tengen")


def test_the_stones_of_the_sides_are_round(visit: Opener) -> None:
    stones = [one.bounding_box() for one in visit().page.locator(".segments .disc").all()]
    assert len(stones) == 2
    assert all(box and box["width"] == box["height"] > 0 for box in stones)


def test_moves_stand_in_pairs(visit: Opener) -> None:
    me = visit()
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "i9", "j6")
    first, second, third = (move.bounding_box() for move in me.moves().all())
    assert first is not None
    assert second is not None
    assert third is not None
    assert first["y"] == second["y"] < third["y"]
    assert first["x"] == third["x"] < second["x"]


def test_a_tall_board_leaves_all_else_in_sight_on_a_phone(visit: Opener) -> None:
    me = visit(game={"rules": "freestyle", "size": [3, 20]}, viewport=PHONE, has_touch=True)
    me.button("Two people here").click()
    me.sees(".table.game")
    board = me.sees(".board svg").bounding_box()
    assert board is not None
    assert board["height"] > PHONE["height"] / 2
    assert me.page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]


@pytest.mark.long
def test_a_phone_that_lies_has_the_board_beside_all_else(visit: Opener) -> None:
    lying = {"width": 844, "height": 390}
    me = visit(viewport=lying, has_touch=True, is_mobile=True, game={"opponent": "shapes"})
    me.choose("h8")
    me.sees(".board .frames .aim")  # the first of two taps can be seen beside the finger
    me.choose("h8")
    me.shows(2)
    width, height, wide, high = me.page.evaluate(
        "(({ scrollWidth, scrollHeight }) => [innerWidth, innerHeight, scrollWidth, scrollHeight])"
        "(document.documentElement)"
    )
    assert (wide, high) == (width, height)
    board = me.page.locator(".board").bounding_box()
    side = me.page.locator(".side").bounding_box()
    assert board is not None
    assert side is not None
    assert board["y"] + board["height"] <= height
    assert side["x"] >= board["x"] + board["width"]
    me.page.locator("#tab-why").tap()
    expect(me.page.locator(".why-heaviest li").first).to_be_attached()
    for action in ("back", "hint", "resign"):
        expect(me.page.locator(f"#act-{action}")).to_be_in_viewport()


@pytest.mark.long
def test_on_a_phone_that_lies_the_menu_fits_and_the_result_leaves_the_board_in_sight(visit: Opener) -> None:
    lying = {"width": 844, "height": 390}
    me = visit(viewport=lying, has_touch=True, is_mobile=True, game=TIC_TAC_TOE)
    me.button("Two people here").tap()
    me.says("Black to move")
    me.page.locator("#act-more").tap()
    menu = me.page.locator("#more")
    for action in menu.locator(".action").all():
        expect(action).to_be_in_viewport(ratio=1)
    me.press("Escape")
    me.play("a1", "a3", "b1", "b3", "c1")
    board = me.page.locator(".board").bounding_box()
    dialog = me.sees("dialog[open]").bounding_box()
    assert board is not None
    assert dialog is not None
    assert dialog["x"] >= board["x"] + board["width"]
    expect(me.button("Play again").last).to_be_in_viewport(ratio=1)


@pytest.mark.long
def test_swap2_asks_for_a_choice(visit: Opener) -> None:
    me = visit(game={"opening": "swap2"})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "i9", "j6")
    me.says("Your choice")
    two = me.button("Place two more stones and let the opponent choose")
    two.click()
    expect(two).to_have_count(0)
    me.play("c3", "d3")
    me.button("Play White").click()
    me.says("White to move")


@pytest.mark.long
def test_a_friend_joins_by_link_and_a_lost_connection_heals(visit: Opener) -> None:
    me = visit()
    me.button("A friend by link").click()
    me.button("Start").click()
    address = me.sees(".room input").input_value()
    assert address == me.page.url
    # Only this machine gets in: it is said how to let others in, and no code leads a phone astray.
    expect(me.page.locator(".unreachable")).to_contain_text("start it with --lan")
    me.sees(".qr", 0)
    friend = visit(address.split("/", 3)[3].join(("/", "")))
    friend.button("Take the seat and begin as White").click()
    me.says("Your turn")
    me.play("h8")
    friend.shows(1)
    resumed(friend)
    friend.says("Your turn")
    friend.context.set_offline(True)
    friend.says("Connection lost")
    friend.choose("i9")
    friend.context.set_offline(False)
    me.shows(2)
    friend.says("Your opponent's turn")
    friend.faults.clear()  # the browser itself tells of the lost connection
    friend.page.locator("#act-back").click()
    me.button("Accept").click()
    friend.shows(1)


@pytest.mark.long
def test_a_server_in_a_network_gives_the_address_that_others_reach(visit: Opener) -> None:
    me = visit()
    told = {
        "version": "1",
        "addresses": ["http://192.168.0.5:8000"],
        "engine": {"status": "ready", "done": 1},
    }
    me.page.route("**/api/server", lambda route: route.fulfill(json=told))
    me.page.route("**/api/qr*", lambda route: route.fulfill(body="<svg/>", content_type="image/svg+xml"))
    me.button("A friend by link").click()
    me.button("Start").click()
    expect(me.sees(".room input")).to_have_value(re.compile(r"^http://192\.168\.0\.5:8000/g/"))
    me.sees(".qr")
    me.sees(".unreachable", 0)


@pytest.mark.long
def test_a_shared_address_says_who_gets_there(visit: Opener) -> None:
    me = visit(permissions=["clipboard-read", "clipboard-write"])
    me.play("h8")
    me.page.locator("#act-more").click()
    me.button("Share").click()
    me.says("It works on this computer only")
    assert me.page.evaluate("navigator.clipboard.readText()") == me.page.url
    me.page.goto(me.page.url.split("/g/")[0] + "/analyse?moves=h8i9")
    me.page.locator("#tab-files").click()
    me.button("Copy the link to this position").click()
    expect(me.page.locator(".toast")).to_contain_text("It works on this computer only")
    assert "moves=h8i9" in me.page.evaluate("navigator.clipboard.readText()")


def watching_a_paused_game(visit: Opener) -> Visit:
    me = visit("/watch", game={"opponent": "random", "second": "random", "pace": 5})
    me.button("Start").click()
    me.button("Pause").click()
    me.says("Paused")
    return me


def test_two_computers_are_watched_step_by_step(visit: Opener) -> None:
    me = watching_a_paused_game(visit)
    before = me.moves().count()
    me.button("One move").click()
    me.shows(before + 1)
    me.says("Paused")


@pytest.mark.long
def test_what_is_asked_before_the_page_has_connected_waits_for_that(visit: Opener) -> None:
    me = watching_a_paused_game(visit)
    before = me.moves().count()
    held: list[Callable[[], None]] = []
    released = threading.Event()

    def hold(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if released.is_set():
                server.send(message)
            else:
                held.append(lambda: server.send(message))

        page.on_message(pass_on)

    me.page.route_web_socket(re.compile(r"/live$"), hold)
    me.page.reload()
    me.button("One move").click()
    me.shows(before)
    released.set()
    for send in held:
        send()
    me.shows(before + 1)


@pytest.mark.long
def test_the_language_is_switched_and_kept(visit: Opener) -> None:
    me = visit()
    me.speak("zh-CN")
    expect(me.page.locator("#header > nav")).to_contain_text("我的对局")
    assert me.page.evaluate("document.documentElement.lang") == "zh-CN"
    me.play("h8")
    me.page.reload()
    me.says("轮到你")


def test_a_draft_is_marked_and_says_in_english_what_it_lacks(visit: Opener) -> None:
    me = visit("/learn")
    before = me.page.locator("h1").inner_text()
    me.page.locator("#lang").click()
    expect(me.page.locator('#languages [lang="vi-VN"]')).to_have_text("Tiếng Việt (draft)")
    me.page.keyboard.press("Escape")
    me.speak("vi-VN")
    expect(me.page.locator("#header > nav")).to_contain_text(say("web.nav.puzzles", "vi"))
    expect(me.page.locator("html")).to_have_attribute("lang", "vi-VN")
    expect(me.page.locator("h1")).to_have_text(before)


@pytest.mark.long
def test_two_tabs_keep_what_is_chosen_in_either(visit: Opener) -> None:
    me = visit()
    other = me.context.new_page()
    other.goto(me.page.url)
    other.locator("#theme").click()
    expect(other.locator("html")).to_have_attribute("data-theme", "light")
    me.speak("zh-CN")
    expect(me.page.locator("html")).to_have_attribute("lang", "zh-CN")
    me.page.reload()
    expect(me.page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(me.page.locator("html")).to_have_attribute("data-theme", "light")


def test_a_game_that_is_not_there(visit: Opener) -> None:
    me = visit("/g/nothing-of-the-kind")
    me.sees(".sorry h1")
    me.faults.clear()  # the browser itself tells of the answer 404
    me.page.locator(".sorry a").click()
    me.play("h8")
