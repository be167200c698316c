"""A game looked through in a real browser: its mistakes, the graph, what would have been better."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, Opener, Visit

pytestmark = needs_browser

BLUNDERS = "h8i9i8h9g8a1o1j9a3g9"
"""White looks away from an open three, and Black looks away too, twice: with a3 the win becomes a loss."""

LONG = 60_000


def reviewed(me: Visit) -> Locator:
    """Let the game be reviewed; the panel, when all is known."""
    panel = me.page.locator("#panel-review")
    if not panel.is_visible():
        me.page.locator("#tab-review").click()
    panel.get_by_role("button", name="Review this game").click()
    return known(panel)


def known(panel: Locator) -> Locator:
    """The panel, when all is known."""
    expect(panel.locator(".review-sum")).to_contain_text("Black", timeout=LONG)
    return panel


def at(me: Visit, ply: int) -> None:
    """Wait until the position after so many moves is shown."""
    expect(me.page.locator(".facts")).to_contain_text(re.compile(rf"move {ply}\b"))


@pytest.mark.long
def test_mistakes_are_marked_and_gone_through(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    panel = reviewed(me)
    expect(panel.get_by_role("progressbar")).to_be_hidden()
    me.page.locator("#tab-moves").click()
    marked = me.page.locator(".tree .judged")
    expect(marked.first).to_contain_text("?")
    texts = marked.all_inner_texts()
    assert [text for text in texts if "a3" in text and "??" in text]
    plies = [int(re.findall(r"\d+", text)[0]) for text in texts]
    me.page.locator("#tab-review").click()
    for ply in plies:
        panel.get_by_role("button", name="Next mistake").click()
        at(me, ply)
    expect(panel.get_by_role("button", name="Next mistake")).to_be_disabled()
    for ply in plies[-2::-1]:
        me.press(",")
        at(me, ply)
    blunders = sum("??" in text for text in texts)
    summed = panel.locator(".review-sum").inner_text()
    assert sum(map(int, re.findall(r"(\d+) blunder", summed))) == blunders
    inaccuracies = sum("?!" in text for text in texts)
    assert sum(map(int, re.findall(r"(\d+) inaccurac", summed))) == inaccuracies
    assert sum(map(int, re.findall(r"(\d+) mistake", summed))) == len(texts) - blunders - inaccuracies
    assert len(re.findall(r"Accuracy \d+%", summed)) == 2


@pytest.mark.long
def test_a_missed_win_is_told_and_can_be_played_out(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    panel = reviewed(me)
    me.page.locator("#tab-moves").click()
    me.page.locator(".tree .judged", has_text="a3").click()
    me.page.locator("#tab-review").click()
    at(me, 9)
    about = panel.locator(".review-about")
    expect(about).to_contain_text("a3: blunder")
    expect(about).to_contain_text("It lowers the chance of winning by")
    expect(about).to_contain_text("Black had a forced win here.")
    expect(about).to_contain_text(re.compile("Better: [fj]8"))
    # The board says the same: the sign upon the mistake, the better move as a ghost.
    expect(me.page.locator(".board .marks .label")).to_have_text("??")
    me.sees(".board .ghosts .body.black", 1)
    me.sees(".board .heat .chosen", 1)
    about.get_by_role("button", name="To the end").click()
    line = about.locator(".line-move").count()
    assert line >= 3
    numbered = me.page.locator(".board g.stone:has(text)")
    expect(numbered).to_have_count(line)
    # The mistake itself is not on the board while the better line is.
    expect(me.page.locator(".board g.stone[data-point=a3]")).to_have_count(0)
    about.get_by_role("button", name="Add as a variation").click()
    expect(me.page.locator(".status")).to_contain_text("Black wins")
    me.page.locator("#tab-moves").click()
    expect(me.page.locator(".variations .move")).to_have_count(line)


@pytest.mark.long
def test_the_graph_shows_the_game_and_leads_through_it(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=4")
    panel = reviewed(me)
    graph = panel.get_by_role("slider", name="Black's winning chances")
    expect(graph).to_have_attribute("aria-valuenow", "4")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"move 4: Black \d+%"))
    expect(me.page.locator(".rated")).to_contain_text("Black")
    assert graph.locator(".dot").count() >= 2
    box = graph.bounding_box()
    assert box is not None
    me.page.mouse.click(box["x"] + box["width"] * 8 / 10, box["y"] + 20)
    at(me, 8)
    graph.focus()
    me.press("ArrowRight")
    at(me, 9)
    me.press("Home")
    at(me, 0)
    me.press("End")
    at(me, 10)
    expect(me.page.locator(".rated")).to_have_text("White wins in 1")


@pytest.mark.long
def test_the_key_of_the_graph_has_the_colours_of_its_marks(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    figure = reviewed(me).locator(".graph-figure")
    expect(figure.locator(".dot.mistake").first).to_be_attached()
    for kind in ("inaccuracy", "mistake", "blunder"):
        if kind == "inaccuracy" and not figure.locator(".dot.inaccuracy").count():
            continue
        dot, key = figure.locator(f".dot.{kind}").first, figure.locator(f".graph-key .{kind}")
        drawn = dot.evaluate("(mark) => getComputedStyle(mark).stroke")
        assert key.evaluate("(sample) => getComputedStyle(sample).backgroundColor") == drawn


@pytest.mark.long
def test_a_review_can_be_stopped_and_what_is_known_stays(desk: Opener) -> None:
    long = "h8i9g7f6i8j8i7i6h7f7g8f9g6g5h6j6k5e8d7f8f10"
    me = desk(f"/analyse?rules=freestyle&size=15&moves={long}#ply=0")
    me.page.locator("#tab-review").click()
    panel = me.page.locator("#panel-review")
    panel.get_by_role("button", name="Review this game").click()
    bar = panel.get_by_role("progressbar")
    expect(bar).to_be_visible()
    expect(panel.locator(".graph .chances")).to_have_count(1, timeout=LONG)
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(bar).to_be_hidden()
    expect(panel.get_by_role("button", name="Review this game")).to_be_visible()
    expect(panel.locator(".graph .chances")).to_have_count(1)


@pytest.mark.long
def test_what_was_found_is_there_again_after_a_reload(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=0")
    before = reviewed(me).locator(".review-sum").inner_text()
    me.page.reload()
    me.page.locator("#tab-review").click()
    expect(me.page.locator(".review-sum")).to_have_text(re.compile(before.splitlines()[0]))


@pytest.mark.long
def test_a_game_of_mine_is_opened_for_review(desk: Opener) -> None:
    me = desk("/analyse")
    game = made(me, "h8i9g7")
    me.page.goto(me.page.url.split("/analyse")[0] + f"/analyse?game={game}")
    expect(me.page.locator("#panel-review")).to_be_visible()
    at(me, 3)
    me.press("ArrowLeft")
    expect(me.page).to_have_url(re.compile(rf"game={game}#ply=2$"))
    reviewed(me)
    me.choose("a1")
    expect(me.page).to_have_url(re.compile("moves=h8i9a1#ply=3$"))


@pytest.mark.long
def test_in_chinese_on_a_phone(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={BLUNDERS}#ply=0", viewport=PHONE, locale="zh-CN")
    me.page.locator("#tab-review").click()
    panel = me.page.locator("#panel-review")
    panel.get_by_role("button", name="复盘本局").click()
    expect(panel.locator(".review-sum")).to_contain_text("大失误", timeout=LONG)
    panel.get_by_role("button", name="下一个失误").click()
    expect(panel.locator(".review-about")).to_contain_text("胜率")
    assert me.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


IGNORED = "h8a1i9o15g7a15j10o1f6"
"""White ignores an open three, and an open four that nothing stops."""


@pytest.mark.long
def test_ignored_threats_of_a_lost_game_are_told(desk: Opener) -> None:
    me = desk(f"/analyse?rules=freestyle&size=15&moves={IGNORED}#ply=6")
    panel = reviewed(me)
    about = panel.locator(".review-about")
    expect(about).to_contain_text("?? a15: blunder")
    expect(about).to_contain_text("It leaves Black's threat unanswered.")
    expect(about).not_to_contain_text("%")
    me.press("ArrowRight")
    me.press("ArrowRight")
    at(me, 8)
    expect(about).to_be_empty()


def made(me: Visit, moves: str, rules: str = "freestyle") -> str:
    """The id of a game of one's own."""
    name: str = me.page.evaluate(
        """async ([moves, rules]) => {
          const headers = { "Content-Type": "application/json" };
          const body = JSON.stringify({ rules, black: "human", white: "human", moves });
          const answer = await fetch("/api/games", { method: "POST", headers, body });
          return (await answer.json()).id;
        }""",
        [moves, rules],
    )
    return name


@pytest.mark.long
def test_review_after_a_game_begins_at_once(visit: Opener) -> None:
    me = visit("/games")
    me.page.goto(me.page.url.split("/games")[0] + f"/g/{made(me, IGNORED[:-2])}")
    me.choose("f6")
    me.page.locator("dialog").get_by_role("button", name="Review").click()
    panel = me.page.locator("#panel-review")
    known(panel)
    # It is kept: after a reload it stands there, and does not begin anew.
    me.page.reload()
    me.page.locator("#tab-review").click()
    known(panel)
    expect(panel.get_by_role("button", name="Review this game")).to_be_visible()


@pytest.mark.long
def test_my_games_lead_to_a_review_that_begins_at_once_on_a_phone(visit: Opener) -> None:
    me = visit("/games", viewport=PHONE)
    made(me, "a1b2c3a3b1c1", "tictactoe")
    me.page.reload()
    me.page.locator(".games-row").get_by_role("link", name="Review").click()
    panel = known(me.page.locator("#panel-review"))
    expect(panel.locator(".review-sum")).to_contain_text("White: 0 inaccuracies, 0 mistakes, 1 blunder")
    assert me.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
