"""A site without a network after the first visit: games, a puzzle, a lesson, analysis, a review, files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tengen import Board
from tengen.formats import sgf
from tengen.formats.pictures.animation import animate
from tengen.formats.pictures.gif import to_gif
from tests.assets.browser import needs_browser
from tests.formats.pictures.compare import durations, far_apart, frames
from tests.web.browser.desk import stones, tab
from tests.web.browser.test_learn import answered, choose
from tests.web.browser.test_puzzles import freestyle, solve, tells
from tests.web.browser.test_review import BLUNDERS, reviewed
from tests.web.site.browser.visits import WON_BY_THREATS, SiteVisit

pytestmark = [needs_browser, pytest.mark.long]


@pytest.fixture(scope="module")
def reader(browser: Browser, plain: str) -> Iterator[SiteVisit]:
    """Somebody whose network is cut after the first visit, and who opens the site once more.

    By then the browser keeps the memory of Python.
    """
    me = SiteVisit(browser, plain, "/learn/")
    me.python_is_there()
    me.is_kept()
    me.will_keep_memory()
    me.context.set_offline(True)
    me.page.reload()
    yield me
    me.close()


@pytest.fixture
def me(reader: SiteVisit) -> Iterator[SiteVisit]:
    """The same for a test, in which nothing may go wrong."""
    yield reader
    assert reader.faults == []


def test_the_page_is_isolated_from_the_second_visit_on(me: SiteVisit) -> None:
    assert me.is_isolated()


def test_python_begins_with_the_memory_that_is_kept(me: SiteVisit) -> None:
    me.python_is_there()
    # Memory with which it cannot begin is thrown away.
    assert me.keeps_memory()


@pytest.mark.parametrize("level", ["Level 3", "Level 8"])
def test_a_game(me: SiteVisit, level: str) -> None:
    me.go("/")
    me.page.get_by_role("radio", name=level).check(force=True)
    me.play("h8")
    for count in (2, 4):
        me.shows(count)
        me.says("Your turn")
        me.play(next(name for name in ("a1", "a15", "o1") if name not in stones(me)))
    me.shows(6)
    assert me.page.locator(".seat.top b").inner_text() == level
    address = me.page.url
    me.go("/games/")
    me.page.get_by_role("link", name="Continue").first.click()
    me.shows(6)
    assert me.page.url == address


def test_a_foul_is_explained(me: SiteVisit) -> None:
    me.go("/")
    me.page.get_by_role("combobox", name="Rules", exact=True).select_option("renju")
    me.button("Two people here").click()
    me.sees(".table.game")
    me.play("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1")
    me.choose("j8")
    me.says("j8 is forbidden to Black: three-three")
    me.sees(".board .row.foul", 2)
    me.shows(8)


def test_a_puzzle_is_solved(me: SiteVisit) -> None:
    puzzle = freestyle()[0]
    me.go(f"/puzzles/?name={puzzle.name}")
    me.sees(".puzzle-question")
    assert len(stones(me)) == len(puzzle.moves)
    solve(me, puzzle)
    tells(me, "Solved.")


def test_a_lesson(me: SiteVisit) -> None:
    me.go("/learn/lines/")
    task = answered(me.page, 1)
    choose(task, "c2")
    expect(task.locator(".learn-told")).to_contain_text("c2 is right")
    me.go("/learn/")
    expect(me.page.get_by_text("1 of 9 tasks solved")).to_be_visible()


def test_reasons_follow_a_changed_weight(me: SiteVisit) -> None:
    me.go("/learn/shapes/")
    example = answered(me.page, 0)
    before = example.locator(".why-summary").inner_text()
    example.get_by_text("Change its numbers").click()
    field = example.get_by_role("spinbutton", name="shape 1", exact=True)
    field.fill("9000")
    field.press("Enter")
    expect(example.locator(".why-summary")).not_to_have_text(before)


def test_files_and_pictures(me: SiteVisit) -> None:
    me.go("/analyse/")
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


@pytest.mark.parametrize("moves", ["h8h9i8i9j8j9k8k9l8", "a1o15h8i9o1a15"])
def test_a_game_as_animation(me: SiteVisit, moves: str) -> None:
    me.go(f"/analyse/?rules=freestyle&size=15&moves={moves}")
    panel = tab(me, "files")
    with me.page.expect_download() as downloading:
        panel.get_by_role("button", name="gif", exact=True).click()
    data = downloading.value.path().read_bytes()
    board = Board.from_moves(moves)
    native = to_gif(animate(board, Image.open(io.BytesIO(data)).width))
    assert durations(data) == durations(native) == [600] * board.ply + [3000]
    assert Image.open(io.BytesIO(data)).info["loop"] == 0
    for drawn, wanted in zip(frames(data), frames(native), strict=True):
        # Browsers smooth edges in their own way, and letters of coordinates are of another font.
        assert far_apart(drawn, wanted) < 48


def test_a_review(me: SiteVisit) -> None:
    me.go("/learn/")
    me.go(f"/analyse/?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    panel = reviewed(me)
    expect(panel.locator(".review-sum")).to_contain_text("blunder")
    tab(me, "moves")
    expect(me.page.locator(".tree .judged").filter(has_text=re.compile(r"a3.*\?\?"))).to_have_count(1)


def test_a_win_by_threats(me: SiteVisit) -> None:
    me.go(WON_BY_THREATS)
    me.finds_win_by_threats()


def test_the_language_changes_and_all_goes_on(me: SiteVisit) -> None:
    me.go("/")
    me.speak("zh-CN")
    me.button("同机双人").click()
    me.sees(".table.game")
    me.play("h8")
    me.page.reload()
    me.shows(1)
    me.says("轮到白方")
    me.speak("en-GB")
