"""Games on a site: from the first click, which the kernels answer, to those that Python goes on with."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import stones
from tests.web.browser.pages import PATIENCE, PHONE, Visit, held
from tests.web.site.browser.visits import SiteOpener

pytestmark = [needs_browser, pytest.mark.long]


@pytest.mark.parametrize("host", ["plain", "isolated"])
def test_a_game_from_the_first_click_to_its_end(
    visit: SiteOpener, request: pytest.FixtureRequest, host: str
) -> None:
    url = request.getfixturevalue(host)
    me = visit("/privacy/", url=url, game={"opponent": "level:4"}, kept=False)
    assert me.is_isolated() == (host == "isolated")
    release = held(me.context, "**/python/*")
    me.open("/")
    me.play("h8")
    me.shows(2)
    me.says("Your turn")
    me.play("d4")
    me.shows(4)
    me.sees(".site-loading")
    before = stones(me)
    release()
    me.python_is_there()
    assert stones(me) == before
    me.play("d12")
    me.shows(6)
    me.page.locator("#act-back").click()
    me.shows(4)
    assert stones(me) == before
    me.says("Your turn")
    me.press("h")
    me.says(re.compile(r"Hint: [a-o]\d+"))
    me.page.reload()
    me.shows(4)
    assert stones(me) == before
    me.button("Resign").click()
    me.button("Resign?").click()
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("You lose")
    me.go("/games/")
    expect(me.page.locator(".games-row")).to_have_count(1)
    expect(me.page.locator(".games-result")).to_contain_text("You (Black) lost to Level 4")


def test_a_tab_that_another_one_takes_the_app_from_says_that_alone(visit: SiteOpener, plain: str) -> None:
    me = visit(game={"opponent": "level:4"})
    me.play("h8")
    me.shows(2)
    other = me.context.new_page()
    other.goto(f"{plain}/privacy/")
    other.get_by_role("button", name="Use it here").click()
    me.sees(".site-notice")
    expect(me.page.locator("#site")).to_contain_text("open in another tab")
    me.says("Your turn")
    other.close()
    expect(me.page.locator("#site > *")).to_have_count(0, timeout=PATIENCE)
    me.play("d4")
    me.shows(4)


def test_a_foul_is_explained_on_a_phone_in_chinese(visit: SiteOpener) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "locale": "zh-CN"}
    me = visit(game={"rules": "renju"}, **phone)
    me.fits()
    me.button("同机双人").tap()
    me.sees(".table.game")
    for number, point in enumerate(("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1"), 1):
        twice(me, point)
        me.shows(number)
    me.sees(".board .fouls > *")
    twice(me, "j8")
    me.says("三三禁手")
    me.sees(".board .row.foul", 2)
    me.shows(8)
    me.fits()


def twice(me: Visit, point: str) -> None:
    """Tap a point, and once more to play there."""
    me.choose(point)
    me.choose(point)


def test_two_computers_are_watched(visit: SiteOpener) -> None:
    me = visit("/watch/", game={"opponent": "shapes", "second": "level:5", "pace": 1})
    me.button("Start").click()
    me.sees(".moves li:nth-child(3)")
    me.button("Pause").click()
    me.says("Paused")
    before = me.moves().count()
    me.button("One move").click()
    me.shows(before + 1)
