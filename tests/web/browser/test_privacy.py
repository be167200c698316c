"""The page that says what is kept, and on which one has oneself forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener
from tests.web.browser.test_names import call
from tests.web.browser.test_table import by_link
from tests.web.serving import serve

pytestmark = needs_browser


def test_the_page_is_found_in_the_settings_and_says_how_long_games_are_kept(visit: Opener) -> None:
    me = visit()
    me.page.locator("#options").click()
    me.page.get_by_role("link", name="Privacy").click()
    expect(me.page).to_have_title("Privacy · Tengen")
    expect(me.page.locator("#settings")).to_be_hidden()
    expect(me.page.locator(".privacy")).to_contain_text("This server does not delete games by itself.")
    expect(me.page.locator(".privacy")).to_contain_text("“tengen”")


@pytest.mark.long
def test_a_server_that_deletes_games_says_after_how_many_days(visit: Opener, tmp_path: Path) -> None:
    with serve(tmp_path, delete_after=30) as server:
        me = visit(url=server.url, locale="zh-CN", viewport=PHONE, has_touch=True)
        me.page.locator("#open-menu").click()
        me.page.locator("#menu").get_by_role("link", name="隐私").click()
        expect(me.page.locator(".privacy")).to_contain_text("30 天没有变动也没人打开的对局会被删除")
        me.close()


@pytest.mark.long
def test_who_wants_to_be_forgotten_is(visit: Opener) -> None:
    me, friend = by_link(visit)
    call(me, "Anna")
    expect(friend.page.locator(".seat.top b")).to_have_text("Anna")
    home = me.page.url.partition("/g/")[0]
    me.page.goto(home + "/privacy")
    me.page.locator(".privacy-forget button").click()
    dialog = me.sees("dialog[open]")
    me.press("Escape")
    expect(dialog).to_have_count(0)
    expect(friend.page.locator(".seat.top b")).to_have_text("Anna")
    me.page.locator(".privacy-forget button").click()
    dialog.get_by_role("button", name="Delete my data").click()
    expect(me.page.locator(".privacy-done")).to_have_text("Your data has been deleted.")
    expect(friend.page.locator("dialog[open]")).to_contain_text("You win")
    friend.press("Escape")
    expect(friend.page.locator(".seat.top b")).to_have_text("Opponent")
    me.page.goto(home + "/games")
    expect(me.page.locator(".games-row")).to_have_count(0)
    assert "Anna" not in me.page.evaluate("JSON.stringify(localStorage)")
