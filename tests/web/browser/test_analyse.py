"""The analysis page in a real browser: setting up, variations, the engine's lines, files, addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tengen import Board
from tengen.formats import sgf
from tests.assets.browser import needs_browser
from tests.web.browser.pages import PATIENCE, PHONE, Visit, browsing
from tests.web.serving import Server, serve

pytestmark = needs_browser

Opener = Callable[..., Visit]

RENJU = "/analyse?rules=renju&size=15&moves=h8i9g7f6i8"
VCF = "h8a1i8o1j8a15g8h7k8f8h9"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(Path(tmp_path_factory.mktemp("analyse")), warm_up=True) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as running:
        yield running


@pytest.fixture
def visit(server: Server, browser: Browser) -> Iterator[Opener]:
    """Opens the app for one person more; at the end nothing may have gone wrong in any page."""
    visits: list[Visit] = []

    def opened(path: str = "/analyse", **options: Any) -> Visit:
        visits.append(Visit(browser, server.url, path, **options))
        expect(visits[-1].page.locator(".facts")).not_to_be_empty(timeout=PATIENCE)
        return visits[-1]

    yield opened
    for one in visits:
        one.close()


def at(me: Visit, ply: int) -> None:
    """Wait until the position after so many moves is shown."""
    expect(me.page.locator(".facts")).to_contain_text(re.compile(rf"(move {ply}\b|第 {ply} 手)"))


def current(me: Visit) -> Locator:
    """The move that is shown, in the tree."""
    return me.page.locator(".tree [aria-current]")


def moves(me: Visit, names: str, within: str = ".tree") -> None:
    """Wait until the tree, or a part of it, has these moves, in this order."""
    found = me.page.locator(f"{within} .move")
    expect(found).to_have_text([re.compile(rf"{name}\b") for name in names.split()])


def play(me: Visit, *names: str) -> None:
    """Click points; each is then the move that is shown."""
    for name in names:
        me.choose(name)
        expect(current(me)).to_have_text(re.compile(rf"{name}$"))


def stones(me: Visit) -> dict[str, str]:
    """What stands on the board, black or white, by points."""
    found = {}
    for stone in me.page.locator(".board g.stone").all():
        kind = stone.get_attribute("class") or ""
        found[stone.get_attribute("data-point") or ""] = "black" if "black" in kind else "white"
    return found


def tab(me: Visit, name: str) -> Locator:
    """Open a tab; its panel."""
    me.page.locator(f"#desk-{name}").click()
    panel = me.page.locator(f"#desk-panel-{name}")
    expect(panel).to_be_visible()
    return panel


# -- moves and variations


def test_moves_and_variations_are_played_and_walked_through(visit: Opener) -> None:
    me = visit()
    play(me, "h8", "i9", "g7")
    me.press("ArrowLeft")
    expect(current(me)).to_have_text(re.compile("i9$"))
    play(me, "j10", "k11")
    moves(me, "h8 i9 g7 j10 k11")
    moves(me, "j10 k11", ".variations")
    me.press("Home")
    at(me, 0)
    me.press("End")
    expect(current(me)).to_have_text(re.compile("g7$"))
    me.press("d")
    expect(current(me)).to_have_text(re.compile("j10$"))
    me.press("u")
    expect(current(me)).to_have_text(re.compile("g7$"))
    me.page.locator(".tree .move", has_text="k11").click()
    at(me, 4)
    assert stones(me) == {"h8": "black", "i9": "white", "j10": "black", "k11": "white"}


def test_a_variation_is_commented_promoted_and_deleted_and_all_can_be_had_back(visit: Opener) -> None:
    me = visit(RENJU + "#ply=2")
    play(me, "j10")
    me.page.get_by_placeholder("Comment on this move").fill("Wider.")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")
    me.button("Make this the main line").click()
    moves(me, "g7 f6 i8", ".variations")
    me.button("Delete this move and what follows").click()
    moves(me, "h8 i9 g7 f6 i8")
    at(me, 2)
    me.button("Undo").click()
    moves(me, "g7 f6 i8", ".variations")
    me.button("Undo").click()
    moves(me, "j10", ".variations")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")


def test_what_was_done_is_there_again_after_a_reload_and_in_the_other_language(visit: Opener) -> None:
    me = visit(RENJU + "#ply=2")
    play(me, "j10")
    me.page.get_by_placeholder("Comment on this move").fill("Wider.")
    expect(me.page).to_have_url(re.compile(r"moves=h8i9j10#ply=3$"))
    me.page.reload()
    moves(me, "j10", ".variations")
    expect(current(me)).to_have_text(re.compile("j10$"))
    me.page.locator("#lang").click()
    expect(me.page.locator(".facts")).to_contain_text("第 3 手")
    expect(me.page.locator(".tree .comment")).to_have_text("Wider.")


def test_the_server_judges_what_is_played(visit: Opener) -> None:
    me = visit("/analyse?rules=renju&size=15&moves=h8a1i8o1j9a15j10o15#ply=8")
    before = stones(me)
    me.choose("j8")
    expect(me.page.locator(".status")).to_contain_text("j8 is forbidden to Black: three-three")
    expect(me.page.locator(".board .row.foul")).to_have_count(2)
    assert stones(me) == before
    me.choose("h8")
    at(me, 8)
    me.press("Home")
    at(me, 0)


def test_a_won_game_is_said_and_drawn(visit: Opener) -> None:
    me = visit("/analyse?rules=freestyle&size=15&moves=h8a1i8a2j8a3k8a4l8#ply=9")
    expect(me.page.locator(".status")).to_contain_text("Black wins: h8 i8 j8 k8 l8 in a row")
    me.sees(".board .row.win", 1)
    expect(me.button("Play from here")).to_be_disabled()


def test_by_keyboard_alone(visit: Opener) -> None:
    me = visit()
    me.press("b Enter ArrowRight Enter")
    moves(me, "h8")
    me.press("ArrowUp Enter")
    moves(me, "h8 i9")
    me.page.locator("#desk-moves").focus()
    me.press("ArrowRight")
    expect(me.page.locator("#desk-panel-engine")).to_be_visible()
    me.press("?")
    expect(me.page.locator("dialog[open] kbd", has_text="u / d")).to_be_visible()
    me.press("Escape")


# -- setting up


def test_a_position_is_set_up_and_begins_a_game(visit: Opener) -> None:
    me = visit()
    panel = tab(me, "setup")
    panel.get_by_label("Rules").select_option("renju")
    panel.get_by_role("button", name="Put black").click()
    for name in ("h8", "i8", "j9"):
        me.choose(name)
    panel.get_by_role("button", name="Put white").click()
    for name in ("a1", "a2"):
        me.choose(name)
    panel.get_by_role("button", name="Take away").click()
    me.choose("a2")
    expect(me.page.locator(".board g.stone")).to_have_count(4)
    assert stones(me) == {"h8": "black", "i8": "black", "j9": "black", "a1": "white"}
    panel.get_by_label("To move").select_option("white")
    expect(me.page.locator(".facts")).to_contain_text("White to move")
    expect(me.page).to_have_url(re.compile(r"black=h8i8j9&white=a1&turn=white#ply=0"))
    panel.get_by_role("button", name="Play", exact=True).click()
    me.choose("k10")
    at(me, 1)
    assert stones(me)["k10"] == "white"
    me.button("Play from here").click()
    dialog = me.sees("dialog[open]")
    dialog.get_by_role("button", name="Two people here").click()
    me.sees(".table.game .moves")
    expect(me.page).to_have_url(re.compile(r"/g/"))
    me.shows(1)
    assert len(stones(me)) == 5


def test_stones_put_quickly_all_stand(visit: Opener) -> None:
    me = visit()
    me.context.route("**/api/position", lambda route: (me.page.wait_for_timeout(80), route.continue_())[1])
    tab(me, "setup").get_by_role("button", name="Put black").click()
    for name in ("c3", "d3", "e3", "f3", "c4"):
        me.choose(name)
    expect(me.page.locator(".board g.stone")).to_have_count(5)


def test_other_rules_and_sizes(visit: Opener) -> None:
    me = visit(RENJU)
    panel = tab(me, "setup")
    panel.get_by_label("Black's fouls").select_option("claimed")
    expect(me.page).to_have_url(re.compile("fouls=claimed&moves=h8i9g7f6i8"))
    panel.get_by_label("Rules").select_option("mnk")
    for label, value in (("Columns", "7"), ("Rows", "6"), ("In a row to win", "4")):
        panel.get_by_label(label).fill(value)
        panel.get_by_label(label).press("Tab")
    expect(me.page.locator(".facts")).to_contain_text("7×6, 4 in a row")
    expect(me.page.locator(".table")).to_have_attribute("data-shape", "[7,6,4]")
    tab(me, "moves")
    for _ in range(3):
        me.button("Undo").click()
    me.button("Undo").click()
    moves(me, "h8 i9 g7 f6 i8")


# -- the engine


def test_the_engine_looks_and_its_lines_can_be_seen_and_played(visit: Opener) -> None:
    me = visit("/analyse?rules=freestyle&size=15&moves=h8a1i8o1j8a15#ply=6")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="Analyse").click()
    expect(me.page.locator(".rated")).to_contain_text(re.compile(r"Black wins in \d"), timeout=60_000)
    lines = panel.locator(".best-line")
    expect(lines).to_have_count(3)
    first = lines.first.locator(".playable button")
    line = first.all_inner_texts()[:3]
    expect(lines.first).to_contain_text("wins in")
    me.sees(".board .heat .chosen", 1)
    first.nth(2).hover()
    numbered = me.page.locator(".board g.stone:has(text)")
    expect(numbered).to_have_count(3)
    assert [stone.get_attribute("data-point") for stone in numbered.all()] == line
    first.nth(2).click()
    at(me, 9)
    tab(me, "moves")
    moves(me, "h8 a1 i8 o1 j8 a15 " + " ".join(line))
    tab(me, "engine").get_by_role("button", name="Stop").click()
    expect(me.page.locator(".rated")).to_have_text("Not judged yet")


def test_more_lines_and_no_heat(visit: Opener) -> None:
    me = visit("/analyse?rules=freestyle&size=15&moves=h8i9#ply=2")
    panel = tab(me, "engine")
    panel.get_by_label("How many lines").select_option("5")
    me.press("e")
    expect(panel.locator(".best-line")).to_have_count(5, timeout=60_000)
    me.sees(".board .heat .weight", 5)
    panel.get_by_label("Best moves on the board").uncheck()
    me.sees(".board .heat .weight", 0)
    me.sees(".board .heat .chosen", 1)


def test_a_win_by_fours_is_found_and_played_through(visit: Opener) -> None:
    won = "h8a1i8o1j8a15g9o15f10c3"
    board = Board.from_moves(won)
    me = visit(f"/analyse?rules=freestyle&size=15&moves={won}#ply={board.ply}")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="For Black").click()
    answer = panel.locator(".vcf-answer")
    expect(answer).to_contain_text("Black wins by", timeout=60_000)
    before = len(stones(me))
    answer.get_by_role("button", name="To the end").click()
    line = answer.locator(".why-move").all_inner_texts()
    expect(me.page.locator(".board g.stone:has(text)")).to_have_count(len(line))
    answer.get_by_role("button", name="Add to the variations").click()
    expect(me.page.locator(".status")).to_contain_text("Black wins")
    assert len(stones(me)) == before + len(line)


def test_that_there_is_none_is_said(visit: Opener) -> None:
    me = visit("/analyse?rules=freestyle&size=15&moves=h8i9#ply=2")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="For White").click()
    expect(panel.locator(".vcf-answer")).to_contain_text("White has no win by fours", timeout=60_000)


def test_rules_that_the_engine_does_not_play_are_said(visit: Opener) -> None:
    me = visit("/analyse?rules=tictactoe")
    panel = tab(me, "engine")
    panel.get_by_role("button", name="Analyse").click()
    expect(panel).to_contain_text("the engine does not play these rules", ignore_case=True)


def test_threats_are_drawn(visit: Opener) -> None:
    me = visit("/analyse?rules=freestyle&size=15&moves=h8a1i8a2j8a3o15a4#ply=8")
    me.button("Show threats").click()
    expect(me.page.locator(".status")).to_contain_text("makes five")
    me.sees(".board .row.threat", 2)
    me.sees(".board .marks .square", 1)
    assert me.page.locator(".board .marks .triangle").count() >= 1


def test_why(visit: Opener) -> None:
    me = visit(RENJU)
    panel = tab(me, "why")
    expect(panel.locator(".why-summary")).to_contain_text("largest weight")
    me.sees(".board .heat .weight")
    tab(me, "moves")
    me.sees(".board .heat .weight", 0)


# -- files and addresses


def test_a_game_is_pasted_and_exported(visit: Opener) -> None:
    me = visit()
    panel = tab(me, "files")
    text = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bo];B[hh];W[ii](;B[gg])(;B[jj]C[or this]))"
    panel.get_by_role("textbox").fill(text)
    panel.get_by_role("button", name="Read").click()
    tab(me, "moves")
    expect(me.page.locator(".tree .move")).to_have_count(4)
    expect(me.page.locator(".tree .comment")).to_have_text("or this")
    panel = tab(me, "files")
    with me.page.expect_download() as downloading:
        panel.get_by_role("button", name="sgf").click()
    record = sgf.read(downloading.value.path().read_bytes()).records[0]
    assert record.headers["black"] == "Ann"
    assert sum(1 for _ in record.nodes()) == 5
    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<svg"), ("gif", b"GIF8")):
        with me.page.expect_download() as downloading:
            panel.get_by_role("button", name=kind, exact=True).click()
        assert begin in downloading.value.path().read_bytes()[:200]


def test_a_file_with_several_games_lets_one_choose(visit: Opener, tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii])")
    me = visit()
    panel = tab(me, "files")
    panel.locator("input[type=file]").set_input_files(path)
    expect(panel.locator(".records button")).to_have_count(2)
    panel.locator(".records button").nth(1).click()
    at(me, 2)


def test_what_is_no_game_is_refused_and_changes_nothing(visit: Opener) -> None:
    me = visit(RENJU)
    panel = tab(me, "files")
    panel.get_by_role("textbox").fill("this is no game")
    panel.get_by_role("button", name="Read").click()
    me.sees(".toast.error")
    at(me, 5)
    assert [fault for fault in me.faults if "422" not in fault] == []
    me.faults.clear()


def test_moves_are_pasted_on_the_page_and_files_dropped(visit: Opener) -> None:
    me = visit("/analyse?rules=renju&size=15")
    me.page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }""",
        "h8i9g7",
    )
    moves(me, "h8 i9 g7")
    expect(me.page.locator(".facts")).to_contain_text("Renju")
    me.page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "game.sgf"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        "(;GM[4]SZ[15];B[hh];W[ii])",
    )
    moves(me, "h8 i7")
    me.button("Undo").click()
    moves(me, "h8 i9 g7")


def test_an_address_reproduces_the_position(visit: Opener) -> None:
    query = "rules=renju&size=15&fouls=loses&black=h8i8&white=a1&turn=white&moves=o1o2#ply=1"
    me = visit(f"/analyse?{query}")
    at(me, 1)
    assert stones(me) == {"h8": "black", "i8": "black", "a1": "white", "o1": "white"}
    expect(me.page).to_have_url(re.compile(re.escape(query)))
    me.press("ArrowRight")
    expect(me.page).to_have_url(re.compile("ply=2$"))
    other = visit(me.page.url.removeprefix(me.page.url.split("/analyse")[0]))
    at(other, 2)
    assert stones(other) == stones(me)


@pytest.mark.parametrize("query", ["rules=nothing", "rules=renju&moves=h8h8", "game=nothing", "black=z99"])
def test_an_address_of_nothing_is_said_and_leaves_an_empty_board(visit: Opener, query: str) -> None:
    me = visit(f"/analyse?{query}")
    me.sees(".toast.error")
    at(me, 0)
    assert [fault for fault in me.faults if not re.search("4(04|22)", fault)] == []
    me.faults.clear()


def test_rules_of_no_name_are_kept_in_the_address(visit: Opener) -> None:
    rules = json.dumps({**Board().rules.to_dict(), "passing": True})
    me = visit()
    me.page.goto(me.page.url.split("?")[0] + f"?rules={rules}&moves=h8")
    at(me, 1)
    me.button("pass").click()
    at(me, 2)
    expect(current(me)).to_have_text(re.compile("pass$"))


# -- looks


def test_on_a_phone_by_touch_in_chinese(visit: Opener) -> None:
    me = visit(viewport=PHONE, has_touch=True, locale="zh-CN")
    for name in ("h8", "i9"):
        me.choose(name)
        me.choose(name)
        expect(me.page.locator(f".board g.stone[data-point={name}]")).to_have_count(1)
    at(me, 2)
    panel = me.page.locator("#desk-panel-engine")
    expect(panel).to_be_hidden()
    me.page.locator("#desk-engine").tap()
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("连续冲四胜")
    me.page.locator("#desk-engine").tap()
    expect(panel).to_be_hidden()
    assert me.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_large_library_is_opened_quickly(visit: Opener, tmp_path: Path) -> None:
    """All of it is kept, but only the line that is shown is drawn with the first moves of the others."""
    branches = "".join(f"(;B[{a}{b}];W[hg];B[hf])" for a in "abcdefg" for b in "abcdefghijklmno")
    deep = "".join(f"(;W[{a}{b}]{branches})" for a in "ijklm" for b in "ijk")
    path = tmp_path / "library.sgf"
    path.write_text(f"(;GM[4]SZ[15];B[hh]{deep})")
    me = visit()
    tab(me, "files").locator("input[type=file]").set_input_files(path)
    expect(me.page.locator(".facts")).to_contain_text("move 5")
    tab(me, "moves")
    count = me.page.locator(".tree .move").count()
    assert 100 < count < 200
    me.press("ArrowLeft ArrowLeft d")
    expect(current(me)).to_have_text(re.compile("3a14$"))
