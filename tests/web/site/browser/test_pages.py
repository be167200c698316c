"""The pages of a site: their addresses, that they fit their windows, and that they keep nobody out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, stones
from tests.web.browser.pages import PHONE, WIDE
from tests.web.browser.test_access import AXE, violations
from tests.web.browser.test_puzzles import freestyle
from tests.web.site.browser.visits import PATH, SiteOpener

pytestmark = [needs_browser, pytest.mark.long]

PAGES = ("/watch/", "/analyse/", "/learn/", "/learn/rules/", "/puzzles/", "/games/", "/privacy/", "/")


def test_addresses_lead_to_what_they_name(visit: SiteOpener) -> None:
    me = visit("/analyse?rules=renju&moves=h8i9g7", kept=False)
    at(me, 3)
    assert stones(me) == {"h8": "black", "i9": "white", "g7": "black"}
    puzzle = freestyle()[1]
    me.go(f"/puzzles/?name={puzzle.name}")
    me.sees(".puzzle-question")
    assert len(stones(me)) == len(puzzle.moves)
    me.go("/g/?id=nothing-of-the-kind")
    me.sees(".sorry h1")
    me.open("/learn/minimax")
    expect(me.page.locator("article.learn h1")).to_be_visible()
    assert me.page.url.endswith(f"{PATH}/learn/minimax/")
    me.page.goto(f"{me.page.url.partition(PATH)[0]}{PATH}/puzzles/{puzzle.name}")
    expect(me.page.locator("body")).to_contain_text("There is no such page")
    expect(me.page.locator("#start")).to_have_attribute("href", re.compile(f"{PATH}/$"))
    me.faults.clear()  # the browser itself tells of the answer 404


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make lint does it where npm is")
@pytest.mark.parametrize(
    "options",
    [
        {"viewport": WIDE, "color_scheme": "light"},
        {
            "viewport": PHONE,
            "color_scheme": "dark",
            "locale": "zh-CN",
            "has_touch": True,
            "is_mobile": True,
        },
    ],
    ids=["wide, light, English", "phone, dark, Chinese"],
)
def test_pages_fit_and_keep_nobody_out(visit: SiteOpener, options: dict[str, Any]) -> None:
    me = visit(game={"opponent": "shapes"}, bypass_csp=True, kept=False, **options)
    me.python_is_there()
    found = {}
    for path in PAGES:
        me.go(path)
        expect(me.page.get_by_role("heading", level=1).first).to_be_attached()
        me.fits()
        found[path] = violations(me)
    me.choose("h8")
    if me.touch:
        me.choose("h8")
    me.shows(2)
    me.fits()
    found["game"] = violations(me)
    assert found == {name: [] for name in found}
