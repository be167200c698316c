"""Analysis on a site, whether or not its workers share memory: it begins, stops, and finds forced wins."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, tab
from tests.web.site.browser.visits import SiteOpener

pytestmark = [needs_browser, pytest.mark.long]


@pytest.mark.parametrize("host", ["plain", "isolated"])
def test_the_engine_analyses_and_stops_and_forced_wins_are_found(
    visit: SiteOpener, request: pytest.FixtureRequest, host: str
) -> None:
    url = request.getfixturevalue(host)
    me = visit("/analyse/?rules=freestyle&size=15&moves=h8i9g7f6#ply=4", url=url, kept=False)
    at(me, 4)
    panel = tab(me, "engine")
    panel.get_by_role("button", name="Analyse").click()
    expect(panel.locator(".best-line")).to_have_count(3)
    expect(me.page.locator(".rated")).to_contain_text(re.compile(r"%|wins"))
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(me.page.locator(".rated")).to_have_text("No evaluation yet")
    me.go("/analyse/?rules=freestyle&size=15&moves=h8a1i8o1j8a15g9o15f10c3#ply=10")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="For Black").click()
    answer = panel.locator(".vcf-answer")
    expect(answer).to_contain_text("Black wins with")
    me.go("/analyse/?rules=freestyle&size=15&moves=h8a1i9a15i7o1h7g10#ply=8")
    panel = tab(me, "engine")
    panel.get_by_label("Which threats are allowed?").select_option("vct")
    panel.get_by_role("button", name="For Black").click()
    expect(answer).to_contain_text("Black wins by threats in")
