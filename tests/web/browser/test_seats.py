"""Seats that change hands in a game: it is said what will follow, asked, and taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener, Visit

pytestmark = needs_browser

COMPUTER = "level:1"


def ask(me: Visit, action: str) -> Locator:
    """Ask for a change of seats; the window that says what it means."""
    me.page.locator("#act-more").click()
    me.page.locator(f"#act-{action}").click()
    return me.sees("dialog[open]")


def change(me: Visit, action: str, *sentences: str) -> None:
    """Change seats, as the window says in these sentences."""
    dialog = ask(me, action)
    for text in sentences:
        expect(dialog).to_contain_text(text)
    dialog.get_by_role("button", name="Change seats").click()
    expect(me.button("Undo seat change")).to_be_visible()


def opened(visit: Opener) -> Visit:
    """Somebody whom Swap2 asks for a choice: the computer has put three stones."""
    me = visit(game={"opponent": COMPUTER, "opening": "swap2", "colour": "white"})
    me.button("Start").click()
    me.says("Your choice")
    return me


@pytest.mark.long
def test_a_game_that_is_handed_over_in_an_opening_neither_ends_at_once_nor_for_good(visit: Opener) -> None:
    me = opened(visit)
    dialog = ask(me, "computer-white")
    expect(dialog).to_contain_text("The opening (Swap2) goes on: Level 1 decides next.")
    dialog.get_by_role("button", name="Cancel").click()
    me.says("Your choice")
    change(me, "computer-white", "Level 1 will play both sides", "You can undo this")
    expect(me.page.get_by_role("slider")).to_have_attribute("aria-valuetext", "1 s a move")
    expect(me.moves().nth(3)).to_be_visible()
    me.button("Undo seat change").click()
    me.says("Your choice")
    me.shows(3)
    expect(me.button("Undo seat change")).to_have_count(0)


@pytest.mark.long
def test_sides_are_swapped_in_an_opening_and_back(visit: Opener) -> None:
    me = opened(visit)
    change(me, "swap", "You will play Black against Level 1", "Level 1 decides next")
    me.button("Undo seat change").click()
    me.says("Your choice")
    me.shows(3)
    me.button("Play White").click()
    expect(me.button("Undo seat change")).to_have_count(0)


@pytest.mark.long
def test_an_end_that_two_computers_played_is_undone(visit: Opener) -> None:
    me = visit(game={"opponent": COMPUTER, "rules": "tictactoe", "size": [3, 3]})
    me.choose("b2")
    me.shows(2)
    change(me, "computer-black")
    dialog = me.sees("dialog[open]")
    dialog.get_by_role("button", name="Close").click()
    me.button("Undo seat change").click()
    me.shows(2)
    me.says("Your turn: you play Black")


@pytest.mark.long
def test_of_two_people_here_one_leaves_and_comes_back(visit: Opener) -> None:
    me = visit(game={"opponent": COMPUTER})
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8")
    change(me, "computer-white", "You will play Black against Level 1", "it moves at once")
    me.shows(2)
    change(me, "human-white", "You will play both sides.")
    me.play("j10")
    expect(me.button("Undo seat change")).to_have_count(0)
