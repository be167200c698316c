"""What is studied on a site: analysis, reviews, files and pictures, reasons, lessons and puzzles."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tengen.formats import sgf
from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, stones, tab
from tests.web.browser.pages import Opener
from tests.web.browser.test_learn import answered, choose
from tests.web.browser.test_puzzles import freestyle, solve, tells
from tests.web.browser.test_review import BLUNDERS, reviewed

pytestmark = [needs_browser, pytest.mark.long]

HOSTS = pytest.mark.parametrize("host", ["plain", "isolated"])


@HOSTS
def test_the_engine_analyses_and_stops_and_forced_wins_are_found(
    visit: Opener, request: pytest.FixtureRequest, host: str
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


def test_a_game_is_read_reviewed_and_written(visit: Opener) -> None:
    me = visit("/analyse/")
    panel = tab(me, "files")
    game = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bo];B[hh];W[ii](;B[gg])(;B[jj]C[or this]))"
    panel.get_by_role("textbox").fill(game)
    panel.get_by_role("button", name="Open", exact=True).click()
    tab(me, "moves")
    expect(me.page.locator(".tree .move")).to_have_count(4)
    panel = tab(me, "files")
    with me.page.expect_download() as downloading:
        panel.get_by_role("button", name="sgf").click()
    record = sgf.read(downloading.value.path().read_bytes()).records[0]
    assert record.headers["black"] == "Ann"
    assert sum(1 for _ in record.nodes()) == 5
    for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with me.page.expect_download() as downloading:
            panel.get_by_role("button", name=kind, exact=True).click()
        assert begin in downloading.value.path().read_bytes()[:200]
    panel.get_by_role("button", name="gif", exact=True).click()
    expect(me.page.locator(".toast.error")).to_contain_text("GIF")
    me.go(f"/analyse/?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    panel = reviewed(me)
    expect(panel.locator(".review-sum")).to_contain_text("blunder")


def test_reasons_follow_a_changed_weight(visit: Opener) -> None:
    me = visit("/learn/shapes/")
    example = answered(me.page, 0)
    before = example.locator(".why-summary").inner_text()
    example.get_by_text("Change its numbers").click()
    field = example.get_by_role("spinbutton", name="shape 1", exact=True)
    field.fill("9000")
    field.press("Enter")
    expect(example.locator(".why-summary")).not_to_have_text(before)
    expect(example.locator(".why")).to_have_attribute("aria-busy", "false")
    me.go("/learn/lines/")
    task = answered(me.page, 1)
    choose(task, "c2")
    expect(task.locator(".learn-told")).to_contain_text("c2 is right")
    me.go("/learn/")
    expect(me.page.get_by_text("1 of 9 tasks solved")).to_be_visible()


def test_a_puzzle_is_solved(visit: Opener) -> None:
    puzzle = freestyle()[0]
    me = visit(f"/puzzles/?name={puzzle.name}")
    me.sees(".puzzle-question")
    assert len(stones(me)) == len(puzzle.moves)
    solve(me, puzzle)
    tells(me, "Solved.")
