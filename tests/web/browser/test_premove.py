"""A move that is chosen while the opponent is to move, in games of two people and against computers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener, Visit
from tests.web.browser.test_table import act, by_link, path_of, two_here

pytestmark = needs_browser

WAITING = "Premove: g8. Your opponent's turn"


def premove(me: Visit, point: str) -> None:
    """Choose a point before one's turn, and see it marked."""
    me.choose(point)
    me.says(f"Premove: {point}. Your opponent's turn")
    expect(me.page.locator(".board .premove.dot")).to_have_count(1)
    expect(me.page.locator(".board .ghosts .body")).not_to_have_count(0)


def has_none(me: Visit) -> None:
    """No point is marked."""
    expect(me.page.locator(".board .premove")).to_have_count(0)


@pytest.mark.long
def test_it_is_played_when_the_opponent_has_moved(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    premove(me, "j10")
    premove(me, "i7")  # another point takes its place
    me.shows(1)
    friend.choose("i9")
    for one in (me, friend):
        one.shows(3)
    expect(me.moves().last).to_have_text(re.compile(r"i7\s*$"))
    has_none(me)
    friend.says("Your turn")


@pytest.mark.long
def test_a_second_click_escape_and_a_button_take_it_back(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    premove(me, "j10")
    me.choose("j10")
    has_none(me)
    premove(me, "i7")
    me.press("Escape")
    has_none(me)
    premove(me, "i7")
    me.button("Cancel").click()
    has_none(me)
    friend.play("i9")
    me.says("Your turn")
    me.shows(2)


@pytest.mark.long
def test_escape_closes_a_menu_first(visit: Opener) -> None:
    me, _ = by_link(visit)
    me.play("h8")
    premove(me, "i7")
    me.page.locator("#act-more").click()
    expect(me.page.locator("#more")).to_be_visible()
    me.press("Escape")
    expect(me.page.locator("#more")).to_be_hidden()
    expect(me.page.locator(".board .premove.dot")).to_have_count(1)
    me.press("Escape")
    has_none(me)


@pytest.mark.long
def test_one_that_cannot_be_played_any_more_is_forgotten_and_said(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    premove(me, "i9")
    friend.play("i9")
    me.says("Premove i9 cancelled")
    has_none(me)
    me.shows(2)
    me.play("j10")


@pytest.mark.long
def test_one_that_became_a_foul_is_forgotten(visit: Opener) -> None:
    me, friend = by_link(visit, game={"rules": "renju"})
    for mine, other in (("h8", "a1"), ("i8", "o15"), ("j9", "a15")):
        me.play(mine)
        friend.shows(me.moves().count())
        friend.play(other)
        me.shows(friend.moves().count())
    me.play("j10")
    premove(me, "j8")
    friend.play("o1")
    me.says("Premove j8 cancelled")
    me.shows(8)


@pytest.mark.long
def test_a_take_back_forgets_it(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    friend.shows(1)
    friend.play("i9")
    me.play("j10")
    premove(me, "k11")
    act(me, "back")
    friend.button("Accept").click()
    me.shows(2)
    me.says("Premove k11 cancelled")
    has_none(me)


@pytest.mark.long
def test_who_chooses_with_the_keyboard_hears_of_it(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    me.press("b ArrowLeft Enter")
    me.says(WAITING)
    expect(me.page.locator(".status p[role=status]")).to_have_text(WAITING)
    me.press("ArrowLeft ArrowRight")
    expect(me.page.locator(".board [aria-live]")).to_have_text(re.compile("premove"))
    me.press("Enter")
    has_none(me)
    friend.play("i9")
    me.says("Your turn")


def test_against_a_computer_it_is_played_as_soon_as_that_has_moved(visit: Opener) -> None:
    me = visit(game={"opponent": "minimax,depth=8,width=40"})
    me.play("h8")
    me.says("Minimax (depth 8, own settings) is thinking")
    me.choose("a15")
    me.says(re.compile("Premove: a15. Minimax .* is thinking"))
    me.button("Move now").click()
    me.shows(3)
    expect(me.moves().last).to_have_text(re.compile(r"a15\s*$"))


@pytest.mark.long
def test_on_a_phone_it_is_tapped_twice_and_taken_back_with_one_tap(visit: Opener) -> None:
    me, _ = by_link(visit, viewport=PHONE, has_touch=True, is_mobile=True)
    me.choose("h8")
    me.choose("h8")
    me.says("Your opponent's turn")
    me.choose("j10")
    me.sees(".board .frames rect", 1)
    has_none(me)
    premove(me, "j10")
    me.choose("j10")
    has_none(me)


@pytest.mark.long
def test_the_settings_turn_it_off(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    premove(me, "j10")
    me.page.locator("#options").click()
    me.page.get_by_label("Premoves").uncheck()
    has_none(me)
    me.press("Escape")
    me.choose("j10")
    expect(me.page.locator(".status p")).to_have_text("Your opponent's turn")
    has_none(me)
    friend.play("i9")
    me.says("Your turn")


@pytest.mark.long
def test_there_is_none_for_spectators_two_at_one_device_and_after_the_end(visit: Opener) -> None:
    me, friend = by_link(visit)
    spectator = visit(path_of(me))
    me.play("h8")
    spectator.shows(1)
    spectator.choose("i9")
    spectator.says("Watching: White to move")
    has_none(spectator)
    friend.button("Resign").click()
    friend.button("Resign?").click()
    me.sees("dialog[open]")
    me.press("Escape")
    me.choose("i9")
    has_none(me)
    both = two_here(visit)
    both.play("h8", "i9")
    has_none(both)


@pytest.mark.long
def test_there_is_none_while_an_opening_rule_asks(visit: Opener) -> None:
    me = visit(game={"opening": "swap2"})
    me.button("A friend by link").click()
    me.button("Start").click()
    me.sees(".room")
    friend = visit(path_of(me))
    friend.button("Take the seat and begin").click()
    me.says("Place stone 1")
    friend.choose("h8")
    friend.says("place stone 1")
    has_none(friend)
    me.play("h8", "i9", "j6")
    me.choose("k11")
    has_none(me)
    friend.button("Play White").click()
    friend.says("Your turn")
    me.shows(3)
