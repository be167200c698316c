"""The analysis page as a person sees and uses it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.web.browser.pages import Visit


def at(me: Visit, ply: int) -> None:
    """Wait until the position after so many moves is shown."""
    expect(me.page.locator(".facts")).to_contain_text(re.compile(rf"(move {ply}\b|第 {ply} 手)"))


def shows(me: Visit, name: str) -> None:
    """Wait until a move is the one that is shown in the tree; its number may stand before it."""
    expect(me.page.locator(".tree [aria-current]")).to_have_text(re.compile(rf"{name}\s*$"))


def moves(me: Visit, names: str, within: str = ".tree") -> None:
    """Wait until the tree, or a part of it, has these moves, in this order."""
    found = me.page.locator(f"{within} .move")
    expect(found).to_have_text([re.compile(rf"{name}\b") for name in names.split()])


def play(me: Visit, *names: str) -> None:
    """Click points; each is then the move that is shown."""
    for name in names:
        me.choose(name)
        shows(me, name)


def stones(me: Visit) -> dict[str, str]:
    """What stands on the board, black or white, by points."""
    found = {}
    for stone in me.page.locator(".board g.stone").all():
        kind = stone.get_attribute("class") or ""
        found[stone.get_attribute("data-point") or ""] = "black" if "black" in kind else "white"
    return found


def tab(me: Visit, name: str) -> Locator:
    """Open a tab; its panel."""
    me.page.locator(f"#tab-{name}").click()
    panel = me.page.locator(f"#panel-{name}")
    expect(panel).to_be_visible()
    return panel
