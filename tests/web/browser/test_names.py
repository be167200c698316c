"""What people call themselves, in real browsers: where they say it, and where others see it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener, Visit
from tests.web.browser.test_table import by_link, path_of

pytestmark = needs_browser


def call(me: Visit, name: str) -> None:
    """Say in the settings what one is called."""
    me.page.locator("#options").click()
    me.button("Your name…").click()
    field = me.page.locator("dialog[open]").get_by_role("textbox", name="Name")
    expect(field).to_be_focused()
    field.fill(name)
    me.press("Enter")


@pytest.mark.long
def test_a_name_is_given_shown_changed_and_given_up(visit: Opener) -> None:
    me, friend = by_link(visit)
    expect(me.page.locator(".seat.bottom b")).to_have_text("You")
    call(me, "Anna")
    expect(me.page.locator(".toast")).to_have_text("Your name is now Anna")
    expect(me.page.locator(".seat.bottom b")).to_have_text("Anna (you)")
    expect(friend.page.locator(".seat.top b")).to_have_text("Anna")
    spectator = visit(path_of(me))
    expect(spectator.page.locator(".seat.bottom b")).to_have_text("Anna")
    expect(spectator.page).to_have_title("Anna – White player · Tengen")
    me.page.locator("#options").click()
    me.button("Your name…").click()
    expect(me.page.get_by_role("textbox", name="Name")).to_have_value("Anna")
    me.button("Remove my name").click()
    expect(friend.page.locator(".seat.top b")).to_have_text("Opponent")


@pytest.mark.long
def test_a_name_that_cannot_be_is_told_where_it_is_written(visit: Opener) -> None:
    me = visit("/games")
    call(me, "Level 3")
    expect(me.page.get_by_role("alert")).to_contain_text("could be mistaken for a name")
    me.page.get_by_role("textbox", name="Name").fill("<b>Anna</b>")
    expect(me.page.get_by_role("alert")).to_have_text("")
    me.button("Save").click()
    expect(me.page.locator("dialog")).to_have_count(0)
    me.faults.clear()  # the browser itself tells of the answer that refused it
    origin = me.page.url.removesuffix("/games")
    me.context.request.post(f"{origin}/api/games", data={"white": "level:1", "moves": "h8i9"})
    me.page.goto(f"{origin}/lobby")
    expect(me.page.locator("main")).to_contain_text("You are playing as <b>Anna</b>.")


@pytest.mark.long
def test_who_is_invited_says_a_name_before_taking_the_seat(visit: Opener) -> None:
    me = visit(locale="zh-CN")
    me.page.locator(".way").nth(1).click()
    me.button("开始").click()
    me.sees(".room")
    friend = visit(path_of(me), locale="zh-CN")
    friend.page.locator(".room").get_by_role("button", name="你的名字……").click()
    friend.page.get_by_role("textbox", name="名字").fill("李明")
    friend.button("保存").click()
    facts = friend.page.locator(".invitation dd")
    expect(facts).to_have_text(
        ["五子棋（无禁手） · 15×15", "不计时", "每方可悔棋 5 次，须对方同意", "执白，对方先行"]
    )
    friend.button("入座执白，开始对局").click()
    expect(me.page.locator(".seat.top b")).to_have_text("李明")
    expect(friend.page.locator(".seat.bottom b")).to_have_text("李明（你）")
