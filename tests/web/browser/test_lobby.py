"""The lobby in real browsers: a game is offered, seen, accepted, withdrawn."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tengen.web.transport.visitor_cookies import visitor_id
from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener, Visit, held
from tests.web.browser.test_table import path_of
from tests.web.serving import Server, serve
from tests.web.test_start import command, free_port

pytestmark = needs_browser


@pytest.fixture
def server() -> Iterator[Server]:
    """A server whose lobby is nobody else's."""
    with serve() as running:
        yield running


@pytest.fixture
def visit(visit: Opener) -> Opener:
    """Opens its pages for one person more."""

    def opened(path: str = "/lobby", **options: object) -> Visit:
        return visit(path, **options)

    return opened


def offer(me: Visit, **chosen: str) -> None:
    """Offer a game, with what is chosen in the window."""
    me.button("Offer a game").click()
    dialog = me.sees("dialog[open]")
    for label, value in chosen.items():
        field = dialog.locator(".field").filter(has=me.page.get_by_text(label, exact=True))
        field.locator("select").select_option(value)
    dialog.get_by_role("button", name="Offer a game").click()
    expect(me.page.locator(".lobby-row.own")).to_contain_text("Waiting for an opponent")


def by_colour(me: Visit, friend: Visit) -> tuple[Visit, Visit]:
    """The two of a game that has begun, Black first."""
    status = me.page.locator(".status p")
    expect(status).to_contain_text(re.compile("Your turn|Your opponent's turn"))
    return (me, friend) if "Your turn" in status.inner_text() else (friend, me)


def play_a_move_each(black: Visit, white: Visit) -> None:
    """After that resigning is losing."""
    black.play("h8")
    white.shows(1)
    white.play("i9")
    black.shows(2)


@pytest.mark.long
def test_a_game_is_offered_accepted_and_played(visit: Opener) -> None:
    friend = visit()
    expect(friend.page.get_by_role("status")).to_have_text(re.compile("No games are offered at the moment"))
    me = visit("/")
    me.button("Find an opponent").click()
    offer(me, Rules="renju", Clock="300+5")
    row = friend.page.locator(".lobby-list .lobby-row")
    expect(row).to_contain_text("Anonymous")
    expect(row).to_contain_text("Renju · 15×15 · 5 min + 5 s per move · 5 take-backs each · random colours")
    expect(friend.page.get_by_role("status")).to_have_text("1 game offered")
    expect(me.page.locator(".lobby-list .lobby-row")).to_have_count(0)
    expect(me.button("Offer a game")).to_have_count(0)
    friend.page.get_by_role("button", name=re.compile("^Play Anonymous")).click()
    for one in (me, friend):
        expect(one.page).to_have_url(re.compile("/g/"))
    assert path_of(me) == path_of(friend)
    black, white = by_colour(me, friend)
    black.play("h8")
    white.shows(1)
    me.page.goto(me.page.url.replace(path_of(me), "/lobby"))
    expect(me.page.get_by_role("status")).to_have_text(re.compile("No games are offered"))
    expect(me.page).to_have_url(re.compile("/lobby$"))


@pytest.mark.long
def test_a_game_is_withdrawn_by_a_button_and_waits_on_other_pages(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me)
    rows = friend.page.locator(".lobby-list .lobby-row")
    expect(rows).to_have_count(1)
    me.button("Withdraw").click()
    expect(rows).to_have_count(0)
    offer(me)
    expect(rows).to_have_count(1)
    me.speak("zh-CN")
    expect(me.page.locator(".lobby-row.own")).to_contain_text("正在等人应战")
    expect(rows).to_have_count(1)
    me.page.reload()
    expect(me.page.locator(".lobby-row.own")).to_be_visible()
    me.page.get_by_role("link", name="学习").first.click()
    me.sees(".learn-number")
    expect(me.page.locator("#header .call")).to_have_text("等待对手")
    me.page.reload()
    expect(me.page.locator("#header .call")).to_have_text("等待对手")
    expect(rows).to_have_count(1)
    me.page.locator("#header .call").click()
    me.button("撤回").click()
    expect(rows).to_have_count(0)
    expect(me.page.locator("#header .call")).to_have_count(0)


@pytest.mark.long
def test_who_waits_at_a_lesson_is_taken_into_the_game(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me)
    me.page.locator("#header > nav").get_by_role("link", name="Learn").click()
    me.sees(".learn-number")
    friend.page.get_by_role("button", name=re.compile("^Play Anonymous")).click()
    for one in (me, friend):
        one.sees(".table.game")
    assert path_of(me) == path_of(friend)
    expect(me.page.locator("#header .call")).to_have_count(0)


@pytest.mark.long
def test_who_plays_a_computer_meanwhile_is_told_and_not_torn_away(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me)
    me.page.locator("#header > nav").get_by_role("link", name="Play", exact=True).click()
    me.choose("h8")
    me.sees(".table.game")
    mine = path_of(me)
    friend.page.get_by_role("button", name=re.compile("^Play Anonymous")).click()
    friend.sees(".table.game")
    expect(me.page.locator(".toast")).to_contain_text("Somebody has accepted: your game begins")
    assert path_of(me) == mine
    expect(me.page.locator("#header .call")).to_have_text("Go to the game")
    me.page.locator(".toast").get_by_role("button", name="Go to the game").click()
    expect(me.page).to_have_url(friend.page.url)
    expect(me.page.locator("#header .call")).to_have_count(0)


@pytest.mark.long
def test_where_an_opening_settles_the_colours_nobody_is_promised_one(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me, **{"Opening rule": "swap2"})
    expect(me.page.locator(".lobby-row.own")).to_contain_text("5 take-backs each · random who opens")
    row = friend.page.locator(".lobby-list .lobby-row")
    expect(row).to_contain_text("Swap2 · 5 min + 5 s per move · 5 take-backs each · random who opens")


@pytest.mark.long
def test_of_two_who_accept_the_second_one_is_told(visit: Opener) -> None:
    me, friend, late = visit(), visit(), visit()
    offer(me)
    play = re.compile("^Play Anonymous")
    release = held(late.page, "**/accept")
    late.page.get_by_role("button", name=play).click()
    friend.page.get_by_role("button", name=play).click()
    expect(friend.page).to_have_url(re.compile("/g/"))
    expect(late.page.locator(".lobby-list .lobby-row")).to_have_count(0)
    release()
    expect(late.page.locator(".toast")).to_have_text(re.compile("this offer is gone"))
    late.faults.clear()  # the browser itself tells of the answer that refused it


@pytest.mark.long
def test_who_does_not_hear_that_a_game_has_begun_asks_again(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me)
    lost: list[Route] = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.fetch()
            route.abort()

    friend.page.route("**/accept", lose_the_first)
    friend.page.get_by_role("button", name=re.compile("^Play Anonymous")).click()
    for one in (me, friend):
        expect(one.page).to_have_url(re.compile("/g/"))
    assert path_of(me) == path_of(friend)
    expect(friend.page.locator(".status p")).to_contain_text(re.compile("Your turn|Your opponent's turn"))
    friend.faults.clear()  # the browser itself tells of the answer that was lost


@pytest.mark.long
def test_a_name_is_seen_in_the_lobby(visit: Opener) -> None:
    me, friend = visit(), visit(locale="zh-CN")
    offer(me, Rules="caro", Clock="")
    row = friend.page.locator(".lobby-list .lobby-row")
    expect(row).to_contain_text("匿名")
    expect(row).to_contain_text("不计时 · 每方可悔棋 5 次 · 随机执黑或执白")
    me.button("Your name…").click()
    me.page.get_by_role("textbox", name="Name").fill("Anna")
    me.press("Enter")
    expect(me.page.locator(".lobby-self")).to_contain_text("You are playing as Anna.")
    expect(row.locator("b")).to_have_text("Anna")
    row.get_by_role("button").click()
    expect(friend.page.locator(".seat.top b")).to_have_text("Anna")


@pytest.mark.long
def test_a_rated_game_changes_what_both_are_rated(visit: Opener) -> None:
    me, friend = visit(), visit()
    offer(me, Clock="300+5")
    row = friend.page.locator(".lobby-list .lobby-row")
    expect(row).not_to_contain_text("rated")
    me.button("Withdraw").click()
    me.page.get_by_label("Play rated games").check()
    offer(me, Clock="300+5")
    expect(row).to_contain_text("Anonymous 1500?")
    expect(row).to_contain_text("rated · Freestyle gomoku")
    row.get_by_role("button").click()
    expect(friend.page.locator(".toast")).to_contain_text("for people who have turned ratings on")
    friend.faults.clear()  # the browser itself tells of the answer that refused it
    friend.page.get_by_label("Play rated games").check()
    expect(friend.page.get_by_label("Play rated games")).to_be_enabled()
    row.get_by_role("button").click()
    for one in (me, friend):
        expect(one.page.locator(".seat .soft").first).to_contain_text("1500?")
    black, white = by_colour(me, friend)
    play_a_move_each(black, white)
    black.button("Resign").click()
    black.button("Resign?").click()
    expect(black.sees("dialog[open]")).to_contain_text("Your rating: 1338? (−162)")
    expect(white.sees("dialog[open]")).to_contain_text("Your rating: 1662? (+162)")
    white.page.goto(white.page.url.replace(path_of(white), "/lobby"))
    expect(white.page.locator(".lobby-ratings")).to_contain_text("Freestyle gomoku 1662?")
    white.page.get_by_label("Play rated games").uncheck()
    expect(white.page.locator(".lobby-ratings")).not_to_contain_text("1662")


@pytest.mark.long
def test_an_established_rating_stays_as_it_is_against_a_provisional_one(
    visit: Opener, server: Server
) -> None:
    me, friend = visit(), visit()
    me.page.get_by_label("Play rated games").check()
    expect(me.page.locator(".lobby-ratings")).to_contain_text("“?” marks a rating that is still uncertain")
    (cookie,) = [one["value"] for one in me.context.cookies() if one["name"] == "tengen"]
    with closing(sqlite3.connect(server.settings.data / "games.sqlite")) as connection, connection:
        rating = visitor_id(cookie.partition(".")[0]), "freestyle", 1700.0, 60.0, 0.06, 30, time.time()
        connection.execute("INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?)", rating)
    offer(me, Clock="300+5")
    friend.page.get_by_label("Play rated games").check()
    row = friend.page.locator(".lobby-list .lobby-row")
    expect(row).to_contain_text("Anonymous 1700")
    expect(friend.page.get_by_label("Play rated games")).to_be_enabled()
    row.get_by_role("button").click()
    play_a_move_each(*by_colour(me, friend))
    friend.button("Resign").click()
    friend.button("Resign?").click()
    expect(me.sees("dialog[open]")).to_contain_text(
        "Your rating does not change: your opponent's is still uncertain"
    )
    expect(friend.sees("dialog[open]")).to_contain_text(re.compile(r"Your rating: 1\d\d\d\? \(−"))


@pytest.mark.long
def test_a_rated_game_needs_a_clock_and_a_board_of_some_size(visit: Opener) -> None:
    me = visit(locale="zh-CN")
    me.page.get_by_label("参加计分对局").check()
    expect(me.page.get_by_label("参加计分对局")).to_be_enabled()
    me.button("发起约战").click()
    dialog = me.sees("dialog[open]")
    dialog.locator(".field").filter(has_text="计时").locator("select").select_option("")
    dialog.get_by_role("button", name="发起约战").click()
    expect(dialog.get_by_role("alert")).to_have_text("计分对局需要计时")
    dialog.get_by_label("计分，不可悔棋").uncheck()
    dialog.get_by_role("button", name="发起约战").click()
    expect(me.page.locator(".lobby-row.own")).to_contain_text("不计时")
    me.faults.clear()  # the browser itself tells of the answer that refused it


@pytest.mark.long
def test_an_offer_outlives_a_server_that_is_killed_and_comes_back(visit: Opener, tmp_path: Path) -> None:
    words = ("serve", "--no-browser", "--port", str(free_port()), "--data", str(tmp_path))
    with command(tmp_path, *words) as first:
        me, friend = visit(url=first.url), visit(url=first.url)
        offer(me)
        expect(friend.page.locator(".lobby-list .lobby-row")).to_have_count(1)
        first.process.kill()
        first.process.communicate()
    expect(me.page.locator(".lobby-told.lost")).to_have_text("Connection lost. Trying again…")
    with command(tmp_path, *words):
        friend.page.get_by_role("button", name=re.compile("^Play Anonymous")).click()
        for one in (me, friend):
            one.sees(".table.game")
            one.faults.clear()  # the browser itself tells of the lost connection
            one.page.close()
