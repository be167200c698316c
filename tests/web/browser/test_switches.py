"""What an operator has switched off is not to be seen on any page."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener
from tests.web.serving import serve

pytestmark = needs_browser


@pytest.mark.long
def test_a_closed_server_says_so_and_lets_games_go_on(visit: Opener, tmp_path: Path) -> None:
    wanted = {"rules": "tictactoe", "white": "lines"}
    with serve(tmp_path) as server:
        made = httpx.post(f"{server.url}/api/games", json=wanted)
    game, cookie = made.json()["id"], made.cookies["tengen"]
    with serve(tmp_path, closed=True) as server:
        me = visit(url=server.url)
        me.context.add_cookies([{"name": "tengen", "value": cookie, "url": server.url}])
        expect(me.page.locator("[role=note]")).to_contain_text("is not starting new games at the moment")
        expect(me.page.locator(".way")).to_have_count(0)
        expect(me.page.get_by_role("link", name="Lobby")).to_have_count(0)
        me.choose("h8")
        expect(me.page).to_have_url(f"{server.url}/")
        for path, shown in (
            ("/watch", "[role=note]"),
            ("/analyse", ".facts"),
            (f"/g/{game}", ".table.game"),
        ):
            me.page.goto(server.url + path)
            me.sees(shown)
            expect(me.page.get_by_role("button", name="Play from here")).to_have_count(0)
        me.play("b2")
        me.shows(2)
        me.page.locator("#act-more").click()
        expect(me.page.locator("#act-share")).to_be_visible()
        expect(me.page.locator("#act-new, #act-restart")).to_have_count(0)
        me.press("Escape")
        for _ in range(2):
            me.page.locator("#act-resign").click()
        dialog = me.page.locator("dialog[open]")
        expect(dialog.locator("footer button")).to_have_text(["Share", "Print", "Review"])
        me.close()


@pytest.mark.long
def test_without_a_lobby_there_is_still_a_way_to_tournaments(visit: Opener, tmp_path: Path) -> None:
    with serve(tmp_path, lobby=False) as server:
        me = visit(url=server.url)
        expect(me.page.get_by_role("link", name="Lobby")).to_have_count(0)
        me.page.locator(".way", has_text="Tournaments").click()
        expect(me.page).to_have_url(f"{server.url}/tournaments")
        expect(me.page.get_by_role("link", name="New tournament")).to_be_visible()
        me.close()


@pytest.mark.long
def test_without_lobby_names_and_phrases_there_is_no_way_to_them(visit: Opener, tmp_path: Path) -> None:
    with serve(tmp_path, lobby=False, names=False, phrases=False) as server:
        me = visit(url=server.url)
        expect(me.page.locator(".way")).to_have_count(3)
        expect(me.page.get_by_role("link", name="Lobby")).to_have_count(0)
        me.page.locator("#options").click()
        expect(me.page.get_by_role("link", name="Privacy")).to_be_visible()
        expect(me.button("Your name…")).to_have_count(0)
        me.press("Escape")
        me.page.locator(".way").nth(1).click()
        me.page.locator("dialog[open] .button.main").click()
        me.sees(".room")
        expect(me.button("Your name…")).to_have_count(0)
        friend = visit(me.page.url.removeprefix(server.url), url=server.url)
        friend.page.locator(".room .button.main").click()
        expect(friend.page.locator(".room")).to_have_count(0)
        expect(friend.page.locator("#act-more")).to_be_visible()
        expect(friend.page.locator("#act-say")).to_have_count(0)
        friend.page.goto(f"{server.url}/analyse")
        expect(friend.button("Play from here")).to_be_visible()
        nowhere = visit("/lobby", url=server.url)
        nowhere.sees(".sorry")
        nowhere.faults.clear()  # the browser itself tells of an address that leads nowhere
        for one in (me, friend, nowhere):
            one.close()
