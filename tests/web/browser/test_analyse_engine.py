"""What is looked into on the analysis page: the engine's lines, wins by fours, threats, reasons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, moves, stones, tab
from tests.web.browser.pages import Opener

pytestmark = needs_browser

LONG = 60_000
"""Milliseconds in which the engine can be compiled."""


@pytest.mark.long
def test_the_engine_looks_and_its_lines_can_be_seen_and_played(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i8o1j8a15#ply=6")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="Analyse").click()
    expect(me.page.locator(".rated")).to_contain_text(re.compile(r"Black wins in \d"), timeout=LONG)
    lines = panel.locator(".best-line")
    expect(lines).to_have_count(3)
    first = lines.first.locator(".playable button")
    expect(lines.first).to_contain_text("wins in")
    me.sees(".board .heat .chosen", 1)
    first.first.focus()  # so the lines stay as they are, and not for a moment only
    first.nth(2).hover()
    line = first.all_inner_texts()[:3]
    numbered = me.page.locator(".board g.stone:has(text)")
    expect(numbered).to_have_count(3)
    for number, point in enumerate(line):
        expect(numbered.nth(number)).to_have_attribute("data-point", point)
    first.nth(2).click()
    at(me, 9)
    tab(me, "moves")
    moves(me, "h8 a1 i8 o1 j8 a15 " + " ".join(line))
    tab(me, "engine").get_by_role("button", name="Stop", exact=True).click()
    expect(me.page.locator(".rated")).to_have_text("No evaluation yet")


@pytest.mark.long
def test_more_lines_and_no_heat(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8i9#ply=2")
    panel = tab(me, "engine")
    me.press("e")
    panel.get_by_label("Number of lines").select_option("5")
    expect(panel.locator(".best-line")).to_have_count(5, timeout=LONG)
    me.sees(".board .heat .weight", 5)
    panel.get_by_label("Show the best moves on the board").uncheck()
    me.sees(".board .heat .weight", 0)
    me.sees(".board .heat .chosen", 1)


@pytest.mark.long
def test_a_win_by_fours_is_found_and_played_through(desk: Opener) -> None:
    won = "h8a1i8o1j8a15g9o15f10c3"
    me = desk(f"/analyse?rules=freestyle&size=15&moves={won}#ply=10")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="For Black").click()
    answer = panel.locator(".vcf-answer")
    expect(answer).to_contain_text("Black wins with", timeout=LONG)
    line = answer.locator(".line-move").all_inner_texts()
    # The win is on the board at once, and the steps lead back from its end.
    expect(me.page.locator(".board g.stone:has(text)")).to_have_count(len(line))
    answer.get_by_role("button", name="To the position").click()
    before = len(stones(me))
    expect(me.page.locator(".board g.stone:has(text)")).to_have_count(0)
    answer.get_by_role("button", name="To the end").click()
    expect(me.page.locator(".board g.stone:has(text)")).to_have_count(len(line))
    answer.get_by_role("button", name="Add as a variation").click()
    expect(me.page.locator(".status")).to_contain_text("Black wins")
    assert len(stones(me)) == before + len(line)


@pytest.mark.long
def test_a_win_by_threats_is_found_too(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i9a15i7o1h7g10#ply=8")
    panel = tab(me, "engine")
    panel.get_by_label("Which threats are allowed?").select_option("vct")
    panel.get_by_role("button", name="For Black").click()
    answer = panel.locator(".vcf-answer")
    expect(answer).to_contain_text("Black wins by threats in", timeout=LONG)
    length = len(answer.locator(".line-move").all_inner_texts())
    expect(me.page.locator(".board g.stone:has(text)")).to_have_count(length)
    panel.get_by_role("button", name="For White").click()
    expect(answer).to_contain_text("White has no win by fours and threes", timeout=LONG)


@pytest.mark.long
def test_what_stops_a_win_is_drawn(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i8a15j8#ply=5")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="What stops Black?").click()
    answer = panel.locator(".vcf-answer")
    expect(answer).to_contain_text("2 points stop Black: g8 k8.", timeout=LONG)
    me.sees(".board .marks .circle", 2)
    tab(me, "moves")
    me.sees(".board .marks .circle", 0)
    me.press("ArrowLeft")
    expect(tab(me, "engine").get_by_role("button", name="What stops White?")).to_be_visible()
    panel.get_by_role("button", name="What stops White?").click()
    expect(answer).to_contain_text("White has no such win", timeout=LONG)
    panel.get_by_label("Which threats are allowed?").select_option("vct")
    expect(answer).to_have_count(0)


def test_that_there_is_none_is_said(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8i9#ply=2")
    panel = tab(me, "engine")
    expect(panel.get_by_role("button", name="For Black", exact=True)).to_be_visible()
    panel.get_by_role("button", name="For White, if White were to move").click()
    expect(panel.locator(".vcf-answer")).to_contain_text("White has no win by fours", timeout=LONG)


def test_rules_that_the_engine_does_not_play_are_said(desk: Opener) -> None:
    me = desk("/analyse?rules=tictactoe")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="Analyse").click()
    expect(panel).to_contain_text("the engine does not play these rules", ignore_case=True)


def test_threats_are_drawn(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8a1i8a2j8a3o15a4#ply=8")
    me.button("Show threats").click()
    expect(me.page.locator(".status")).to_contain_text("completes a five")
    me.sees(".board .row.threat", 2)
    me.sees(".board .marks .square", 1)
    assert me.page.locator(".board .marks .triangle").count() >= 1


@pytest.mark.long
def test_why(desk: Opener) -> None:
    me = desk("/analyse?rules=renju&size=15&moves=h8i9g7f6i8")
    panel = tab(me, "why")
    expect(panel.locator(".why-summary")).to_contain_text("greatest weight")
    me.sees(".board .heat .weight")
    tab(me, "moves")
    me.sees(".board .heat .weight", 0)
    tab(me, "why")
    me.sees(".board .heat .weight")
