"""No page has anything that axe-core finds to keep somebody out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, WIDE, Visit

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
PATHS = (
    "/",
    "/watch",
    "/analyse?rules=renju&moves=f8i10g8j7h7e9h6g5",
    "/learn",
    "/learn/shapes",
    "/learn/rules",
    "/games",
)

pytestmark = [
    needs_browser,
    pytest.mark.skipif(
        not AXE.exists(), reason="axe-core is not installed: make lint does it where npm is"
    ),
]


def violations(me: Visit) -> list[str]:
    """What axe-core finds on the page: the rule, and where."""
    me.page.wait_for_load_state("networkidle")
    me.page.evaluate(AXE.read_text("utf-8"))
    found = me.page.evaluate("axe.run().then((answer) => answer.violations)")
    return [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("path", PATHS)
def test_pages(server, browser, path):
    found = {}
    readers: dict[str, dict[str, Any]] = {
        "wide, light, English": {"viewport": WIDE, "color_scheme": "light"},
        "phone, dark, Chinese": {
            "viewport": PHONE,
            "color_scheme": "dark",
            "locale": "zh-CN",
            "has_touch": True,
        },
    }
    for name, options in readers.items():
        me = Visit(browser, server.url, path, **options)
        found[name] = violations(me)
        me.close()
    assert found == {name: [] for name in found}


@pytest.mark.parametrize("name", ["Engine", "Review", "Why?", "Set up", "Files"])
def test_tabs_of_the_analysis(server, browser, name):
    me = Visit(browser, server.url, "/analyse?moves=h8i9g7")
    me.page.get_by_role("tab", name=name).click()
    assert violations(me) == []
    me.close()


def test_a_game(server, browser):
    me = Visit(browser, server.url)
    me.play("h8")
    me.shows(2)
    assert violations(me) == []
    me.button("More").click()
    assert violations(me) == []
    me.close()
