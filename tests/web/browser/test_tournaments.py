"""Tournaments in real browsers: made, entered by a link, played, shown to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener, Visit
from tests.web.browser.test_premove import premove
from tests.web.browser.test_table import path_of
from tests.web.serving import Server, serve

pytestmark = needs_browser


@pytest.fixture
def server() -> Iterator[Server]:
    """A server whose tournaments are nobody else's."""
    with serve() as running:
        yield running


@pytest.fixture
def visit(visit: Opener) -> Opener:
    """Opens its pages for one person more."""

    def opened(path: str = "/tournaments/new", **options: object) -> Visit:
        return visit(path, **options)

    return opened


def make(me: Visit, name: str, rules: str = "tictactoe") -> str:
    """Make a tournament in which one does not take part; the path of its page."""
    me.page.get_by_label("I take part").uncheck()
    me.page.get_by_role("textbox", name="Name", exact=True).fill(name)
    me.page.locator(".field").filter(has_text="Rules").locator("select").select_option(rules)
    me.button("Create the tournament").click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text(name)
    return path_of(me)


def enter(one: Visit, name: str) -> None:
    one.page.get_by_role("textbox", name="Name").fill(name)
    one.page.get_by_role("textbox", name="Name").press("Enter")
    expect(one.page.locator(".tournament-entrants b")).to_have_text(f"{name} (you)")


def resign(one: Visit) -> None:
    """Resign one's game, and come back."""
    one.button("Resign").click()
    one.button("Resign?").click()
    one.sees("dialog[open]").get_by_role("button", name="Back to the tournament").click()


@pytest.mark.long
def test_where_nobody_has_a_name_pages_make_and_enter_no_tournament(visit: Opener, tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        made = httpx.post(f"{server.url}/api/tournaments", json={"name": "Cup"}).json()
    for switch in ({"names": False}, {"closed": True}):
        with serve(tmp_path, **switch) as server:
            me = visit("/tournaments/new", url=server.url)
            expect(me.page.locator(".lead[role=note]")).to_be_visible()
            expect(me.button("Create the tournament")).to_have_count(0)
            me.page.goto(f"{server.url}/tournaments/{made['id']}")
            expect(me.page.get_by_role("heading", level=1)).to_have_text("Cup")
            expect(me.page.locator(".lead[role=note]")).to_be_visible()
            expect(me.button("Enter")).to_have_count(0)
            me.close()
    with serve(tmp_path, names=False) as server:
        me = visit("/lobby", url=server.url)
        me.sees(".lobby-offer")
        expect(me.page.get_by_role("link", name="A tournament among friends")).to_have_count(0)
        me.close()


@pytest.mark.long
def test_a_move_chosen_in_advance_is_played_in_a_tournament_too(visit: Opener, server: Server) -> None:
    me = visit()
    path = make(me, "Cup", "freestyle")
    friend = visit(path)
    for one, name in ((me, "Mia"), (friend, "Finn")):
        enter(one, name)
    me.button("Start round 1").click()
    for one in (me, friend):
        one.sees(".table.game")
    (meeting,) = httpx.get(f"{server.url}/api{path}").json()["played"][0]["meetings"]
    first, second = (me, friend) if meeting["first"] == 1 else (friend, me)
    premove(second, "i8")
    first.play("h8")
    for one in (first, second):
        one.shows(2)


@pytest.mark.long
def test_two_friends_play_a_double_round_robin(visit: Opener) -> None:
    me = visit("/lobby")
    me.page.get_by_role("link", name="A tournament among friends").click()
    me.page.get_by_role("link", name="New tournament").click()
    me.page.get_by_role("radio", name="two").check(force=True)
    path = make(me, "Sunday cup")
    address = me.page.locator(".tournament-link input").input_value()
    assert address.endswith(path)
    expect(me.page.locator(".tournament")).to_contain_text("Double round robin · Tic-tac-toe · 3×3 · 5 min")
    friend = visit(path)
    expect(friend.button("Start round 1")).to_have_count(0)
    enter(me, "Mia")
    expect(me.button("Start round 1")).to_be_disabled()
    expect(friend.page.locator(".tournament-entrants li")).to_contain_text("Mia")
    friend.page.get_by_role("textbox", name="Name").fill("mia")
    friend.button("Enter").click()
    expect(friend.page.get_by_role("alert")).to_contain_text("somebody here is already called mia")
    friend.faults.clear()  # the browser itself tells of the answer that refused it
    enter(friend, "Finn")
    expect(me.page.get_by_role("status").first).to_have_text("2 players have entered")
    me.button("Start round 1").click()
    for number in (1, 2):
        for one, other in ((me, "Finn"), (friend, "Mia")):
            if number > 1:  # told of at the board, where it began
                expect(one.page.get_by_role("status").first).to_have_text(f"Round {number} of 2")
                expect(one.page.locator(".tournament-ready")).to_contain_text(
                    f"Your game against {other} is ready"
                )
                one.page.get_by_role("link", name="Go to the game", exact=True).click()
            one.sees(".table.game")
        assert path_of(me) == path_of(friend)
        expect(me.button("Hint")).to_have_count(0)
        resign(friend)
        me.sees("dialog[open]").get_by_role("button", name="Back to the tournament").click()
    for one in (me, friend):
        expect(one.page.get_by_role("status").first).to_have_text("Finished. Winner: Mia")
    rows = friend.page.get_by_role("region", name="Standings", exact=True).locator("tbody tr")
    expect(rows).to_have_text([re.compile(r"1\s+Mia\s+2\s+2\s+0\s+0"), re.compile(r"2\s+Finn \(you\)\s+0")])
    expect(friend.page.locator(".tournament-round")).to_have_count(2)
    crosstable = friend.page.get_by_role("region", name="Crosstable", exact=True).locator("tbody tr")
    expect(crosstable).to_have_text(
        [re.compile(r"^\s*1\s+Mia\s+1\s*1\s*$"), re.compile(r"^\s*2\s+Finn\s+0\s*0\s*$")]
    )
    games = crosstable.first.get_by_role("link", name="Mia against Finn: 1")
    expect(games).to_have_count(2)
    assert games.first.get_attribute("href") != games.last.get_attribute("href")
    stranger = visit(path, locale="zh-CN")
    expect(stranger.page.get_by_role("status").first).to_have_text("比赛结束，冠军：Mia")
    stranger.page.get_by_role("link", name=re.compile("看这局棋")).first.click()
    stranger.sees(".table.game")
    stranger.button("回到比赛").first.click()
    expect(stranger.page.get_by_role("region", name="积分表").locator("tbody tr")).to_have_count(2)
    me.page.locator("#header > nav").get_by_role("link", name="Tournaments").click()
    own = me.page.get_by_role("region", name="Your tournaments").locator("li")
    expect(own).to_contain_text("Sunday cup")
    expect(own).to_contain_text("finished · Double round robin")


@pytest.mark.long
def test_who_stays_at_the_board_is_told_of_the_next_game(visit: Opener) -> None:
    me = visit()
    me.page.get_by_role("radio", name="two").check(force=True)
    path = make(me, "Cup")
    friend = visit(path)
    enter(me, "Mia")
    enter(friend, "Finn")
    me.button("Start round 1").click()
    for one in (me, friend):
        one.sees(".table.game")
    first = path_of(me)
    me.button("Resign").click()
    me.button("Resign?").click()
    for one, other in ((me, "Finn"), (friend, "Mia")):
        expect(one.sees("dialog[open]")).to_contain_text(f"Your game against {other} is ready")
        one.press("Escape")
        one.button("Go to the game").click()
        expect(one.page).not_to_have_url(re.compile(re.escape(first)))
        one.sees(".table.game")
    assert path_of(me) == path_of(friend)
    me.button("Resign").click()
    me.button("Resign?").click()
    for one in (me, friend):
        one.sees("dialog[open]").get_by_role("button", name="Back to the tournament").click()
        expect(one.page.get_by_role("status").first).to_have_text("Finished. Winner: Finn")


@pytest.mark.long
def test_a_person_and_computers_play_a_swiss_tournament(visit: Opener) -> None:
    me = visit()
    me.page.get_by_role("radio", name="Swiss").check(force=True)
    me.page.get_by_label("Rounds").fill("2")
    me.page.get_by_label("Rounds").press("Tab")
    path = make(me, "Against computers", "freestyle")
    enter(me, "Mia")
    for level in ("1", "2", "3"):
        me.page.get_by_label("Computer").select_option(f"level:{level}")
        me.button("Add computer").click()
        expect(me.page.locator(".tournament-entrants")).to_contain_text(f"Level {level}")
    me.button("Start round 1").click()
    me.sees(".table.game")
    me.page.goto(me.page.url.replace(path_of(me), path))
    table = me.page.locator(".tournament-table")
    expect(table).to_contain_text("Buchholz")
    me.page.get_by_text("Withdraw", exact=True).first.click()
    me.button("Withdraw").click()
    me.button("Withdraw?").click()
    expect(table).to_contain_text("withdrawn")
    expect(me.page.get_by_role("status").first).to_contain_text("Finished", timeout=120_000)
    expect(me.page.locator(".tournament-round")).to_have_count(2)


@pytest.mark.long
def test_who_comes_late_takes_part_from_the_next_round_on(visit: Opener) -> None:
    me = visit()
    me.page.get_by_role("radio", name="Swiss").check(force=True)
    me.page.get_by_label("Rounds").fill("2")
    me.page.get_by_label("Rounds").press("Tab")
    path = make(me, "Cup")
    expect(me.page.locator(".tournament-make")).to_contain_text("can still enter until round 1 is over")
    friend = visit(path)
    enter(me, "Mia")
    enter(friend, "Finn")
    me.button("Start round 1").click()
    late = visit(path)
    expect(late.page.locator(".tournament")).to_contain_text("You can still enter from the next round on")
    late.page.get_by_role("textbox", name="Name").fill("Lea")
    late.button("Enter").click()
    expect(late.page.locator(".tournament-ready")).to_have_text(
        "You are in. Your first game is in the next round."
    )
    expect(late.page.get_by_role("textbox", name="Name")).to_have_count(0)
    me.sees(".table.game")
    resign(me)
    late.sees(".table.game")
    stranger = visit(path)
    expect(stranger.page.locator(".tournament-table")).to_contain_text("Lea")
    expect(stranger.button("Enter")).to_have_count(0)
    expect(stranger.page.get_by_role("region", name="Crosstable")).to_have_count(0)


@pytest.mark.long
def test_whoever_comes_goes_and_is_removed(visit: Opener) -> None:
    me = visit(viewport=PHONE)
    path = make(me, "Cup")
    friend, late = visit(path), visit(path)
    enter(friend, "Finn")
    enter(late, "Lena")
    late.button("Withdraw").click()
    late.button("Withdraw?").click()
    rows = me.page.locator(".tournament-entrants li")
    expect(rows).to_have_count(1)
    me.page.get_by_role("button", name="Remove Finn").click()
    me.page.get_by_role("button", name="Remove Finn?").click()
    expect(rows).to_have_count(0)
    expect(friend.button("Enter")).to_be_visible()
    me.page.locator("#open-menu").click()
    me.page.locator("#menu-lang").click()
    me.page.locator('#languages [lang="zh-CN"]').click()
    expect(me.page.locator(".tournament")).to_contain_text("已有 0 人参赛")


@pytest.mark.long
def test_an_address_that_leads_nowhere(visit: Opener) -> None:
    me = visit("/tournaments/none")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("There is no such tournament")
    me.page.locator(".sorry").get_by_role("link", name="Tournaments").click()
    me.page.get_by_role("link", name="New tournament").click()
    expect(me.button("Create the tournament")).to_be_visible()


@pytest.mark.long
def test_a_tournament_is_found_entered_and_its_players_are_taken_into_their_game(visit: Opener) -> None:
    me = visit("/tournaments")
    expect(me.page.get_by_role("status")).to_have_text(
        "There are no tournaments just now. Make the first one."
    )
    me.page.get_by_role("link", name="New tournament").click()
    me.page.get_by_role("textbox", name="Name", exact=True).fill("Club night")
    me.page.locator(".field").filter(has_text="Rules").locator("select").select_option("tictactoe")
    me.page.get_by_role("textbox", name="Your name").fill("Mia")
    me.button("Create the tournament").click()
    expect(me.page.locator(".tournament-entrants b")).to_have_text("Mia (you)")
    expect(me.page.locator(".tournament")).to_contain_text("no take-backs")
    path = path_of(me)
    friend = visit("/tournaments")
    row = friend.page.get_by_role("region", name="Tournaments for everybody").locator("li")
    expect(row).to_contain_text("open for entries · 1 player · Round robin · Tic-tac-toe")
    row.get_by_role("link", name="Club night").click()
    enter(friend, "Finn")
    friend.page.locator("#header > nav").get_by_role("link", name="Learn").click()
    friend.sees(".learn-number")
    expect(me.page.locator(".tournament-entrants li")).to_have_count(2)
    me.button("Start round 1").click()
    for one in (me, friend):
        expect(one.page).to_have_url(re.compile("/g/"))
        one.sees(".table.game")
    assert path_of(me) == path_of(friend)
    friend.page.go_back()
    friend.sees(".learn-number")
    friend.page.goto(friend.page.url.split("/learn")[0] + path)
    expect(friend.page.locator(".tournament-ready")).to_contain_text("Your game against Mia is ready")


@pytest.mark.long
def test_a_tournament_by_link_only_is_on_no_strangers_list(visit: Opener) -> None:
    me = visit()
    me.page.get_by_label("Show it to everybody on this server").uncheck()
    make(me, "Family")
    expect(me.page.locator(".tournament")).to_contain_text("by link only")
    me.page.goto(me.page.url.split("/tournaments")[0] + "/tournaments")
    expect(me.page.get_by_role("region", name="Your tournaments")).to_contain_text("Family")
    stranger = visit("/tournaments")
    expect(stranger.page.get_by_role("status")).to_contain_text("There are no tournaments just now")
