"""The list of one's games in a real browser: resumed, searched, exported, removed; also after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import Visit
from tests.web.serving import Server

pytestmark = needs_browser


@pytest.fixture
def me(server: Server, browser: Browser) -> Iterator[Visit]:
    visit = Visit(browser, server.url, "/games")
    yield visit
    visit.close()


def begin(me: Visit, black: str, white: str, rules: str = "freestyle") -> str:
    """A new game of this browser; its id."""
    answer = me.context.request.post(
        me.page.url.partition("/games")[0] + "/api/games",
        data={
            "rules": rules,
            "black": black,
            "white": white,
            "moves": "b2" if rules == "tictactoe" else "h8i9",
        },
    )
    game: str = answer.json()["id"]
    return game


def test_nothing_has_been_played_yet(me):
    expect(me.page.get_by_text("You have not played yet.")).to_be_visible()


@pytest.mark.long
def test_games_are_listed_searched_and_resumed(me):
    begin(me, "human", "level:3")
    renju = begin(me, "human", "shapes", "renju")
    begin(me, "human", "human", "tictactoe")
    me.page.reload()
    rows = me.page.locator(".games-row")
    expect(rows).to_have_count(3)
    expect(me.page.locator(".games-board .black").first).to_be_attached()
    me.page.get_by_role("searchbox").fill("renju")
    expect(rows).to_have_count(1)
    me.page.get_by_role("link", name="Continue").click()
    me.shows(2)
    assert me.page.url.endswith(f"/g/{renju}")


@pytest.mark.long
def test_a_list_that_has_changed_meanwhile_shows_no_game_twice(me):
    games = [begin(me, "human", "human") for _ in range(32)]
    me.page.reload()
    rows = me.page.locator(".games-row")
    expect(rows).to_have_count(30)
    last = games[0]
    answer = me.context.request.post(
        f"{me.page.url.partition('/games')[0]}/api/games/{last}/moves", data={"point": "a1", "ply": 2}
    )
    assert answer.ok
    me.button("Show more").click()
    expect(rows.first).to_have_attribute("data-id", last)
    expect(rows).to_have_count(30)
    me.button("Show more").click()
    expect(rows).to_have_count(32)
    shown = rows.evaluate_all("rows => rows.map((row) => row.dataset.id)")
    assert sorted(shown) == sorted(games)


def resigned(me: Visit, game: str, seat: str = "") -> None:
    """Somebody resigns a game: its maker, or the bearer of a token."""
    url = me.page.url.partition("/games")[0]
    while True:
        state = me.context.request.get(f"{url}/api/games/{game}").json()
        occupants = {each["participant"]: each["occupant"] for each in state["seats"]}
        if occupants[state["actor"]] == "human":
            break
        me.page.wait_for_timeout(50)  # the version changes once more with a computer's move
    asked = {"type": "resign", "version": state["version"]}
    headers = {"Authorization": f"Bearer {seat}"} if seat else {}
    answer = me.context.request.post(f"{url}/api/games/{game}/actions", data=asked, headers=headers)
    assert answer.ok, answer.text()


@pytest.mark.long
def test_games_that_are_over_are_found_and_reviewed(me):
    game = begin(me, "human", "human")
    resigned(me, game)
    begin(me, "human", "human")
    me.page.reload()
    me.button("Finished").click()
    expect(me.page.locator(".games-row")).to_have_count(1)
    expect(me.page.locator(".games-result")).to_contain_text("by resignation")
    me.page.get_by_role("link", name="Review").click()
    expect(me.page.locator(".tree .move")).to_have_count(2)


@pytest.mark.parametrize(
    ("black", "white", "text"),
    [
        ("human", "level:1", "You (Black) lost to Level 1, by resignation"),
        ("level:1", "human", "You (White) lost to Level 1, by resignation"),
        ("human", "human", "White won, by resignation"),  # both at one device
    ],
)
def test_a_result_says_who_one_was(me, black, white, text):
    game = begin(me, black, white)
    resigned(me, game)
    me.page.reload()
    expect(me.page.locator(".games-result")).to_have_text(text)
    people = me.page.locator(".games-player", has_text="You")
    expect(people).to_have_count(0 if black == white else 1)


@pytest.mark.long
def test_who_has_won_is_told_so(me):
    url = me.page.url.partition("/games")[0]
    # A row in the making, which the level does not see to.
    data = {"rules": "freestyle", "black": "human", "white": "level:1", "moves": "h8a1i8c1j8e1k8g1"}
    game = me.context.request.post(f"{url}/api/games", data=data).json()["id"]
    me.page.goto(f"{url}/g/{game}")
    me.choose("g8")
    me.page.get_by_role("button", name="Close").click()
    me.page.goto(f"{url}/games")
    expect(me.page.locator(".games-result")).to_have_text(
        "You (Black) won against Level 1, by completing a row"
    )
    me.page.evaluate("localStorage.tengen = JSON.stringify({lang: 'zh'})")
    me.page.reload()
    expect(me.page.locator(".games-result")).to_contain_text("你（执黑）战胜了")


def test_a_game_is_exported(me):
    begin(me, "human", "human")
    me.page.reload()
    with me.page.expect_download() as saved:
        me.page.locator(".games-export").select_option("sgf")
    assert Path(saved.value.path()).read_bytes().startswith(b"(;")


@pytest.mark.long
def test_a_game_is_removed_and_had_back(me):
    begin(me, "human", "human")
    begin(me, "human", "level:1")
    me.page.reload()
    rows = me.page.locator(".games-row:not(.gone)")
    expect(rows).to_have_count(2)
    me.page.get_by_title("Remove").first.click()
    expect(rows).to_have_count(1)
    me.button("Undo").click()
    expect(rows).to_have_count(2)
    me.page.get_by_title("Remove").first.click()
    me.page.get_by_role("link", name="Learn").click()
    me.page.get_by_role("link", name="My games").click()
    expect(rows).to_have_count(1)
    me.page.get_by_title("Remove").first.click()
    expect(me.page.locator(".games-count")).to_have_text("0 games")
