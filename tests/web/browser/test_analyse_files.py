"""Games brought to the analysis page and taken away: pasted, dropped, chosen, exported, by address."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tengen import Board
from tengen.formats import sgf
from tests.assets.browser import needs_browser
from tests.solver.claims import DRAW, claimed, proven, verdict_of
from tests.web.browser.desk import at, moves, shows, stones, tab
from tests.web.browser.pages import PHONE, WIDE, Opener, Visit, held

pytestmark = needs_browser

RENJU = "/analyse?rules=renju&size=15&moves=h8i9g7f6i8"


def paste(me: Visit, text: str) -> None:
    """Paste text on the page, beside every field."""
    me.page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }""",
        text,
    )


@pytest.mark.long
def test_a_game_is_pasted_and_exported(desk: Opener) -> None:
    me = desk()
    panel = tab(me, "files")
    text = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bo];B[hh];W[ii](;B[gg])(;B[jj]C[or this]))"
    panel.get_by_role("textbox").fill(text)
    panel.get_by_role("button", name="Open", exact=True).click()
    expect(me.page.locator(".toast")).to_have_text(re.compile("^\\s*Opened: Ann – Bo, 4 moves\\s*$"))
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


def with_two_games(me: Visit, folder: Path) -> Locator:
    """The panel of files, where a file with two games lets one choose."""
    path = folder / "games.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii])")
    panel = tab(me, "files")
    panel.locator("input[type=file]").set_input_files(path)
    expect(panel.locator(".records button")).to_have_count(2)
    return panel


@pytest.mark.long
def test_a_file_with_several_games_lets_one_choose(desk: Opener, tmp_path: Path) -> None:
    me = desk()
    panel = with_two_games(me, tmp_path)
    panel.locator(".records button").nth(1).click()
    at(me, 2)


@pytest.mark.long
def test_what_takes_long_to_read_is_said_and_given_up_for_something_else(desk: Opener) -> None:
    me = desk(RENJU)
    held(me.page, "**/api/import")
    paste(me, "h8i9")
    expect(me.page.locator(".status")).to_have_text("Opening…")
    with me.page.expect_event("requestfailed"):
        paste(me, "h8i9g7")
    with me.page.expect_event("requestfailed"):
        me.page.locator("#header > nav").get_by_role("link", name="Learn").click()
    me.sees(".learn-number")
    me.sees(".toast", 0)


@pytest.mark.long
def test_a_game_that_is_read_takes_the_place_of_those_to_choose_from(desk: Opener, tmp_path: Path) -> None:
    me = desk()
    panel = with_two_games(me, tmp_path)
    panel.get_by_role("textbox").fill("this is no game")
    panel.get_by_role("button", name="Open", exact=True).click()
    me.sees(".toast.error")
    expect(panel.locator(".records button")).to_have_count(0)
    me.faults.clear()  # the browser itself tells of the answer 422


@pytest.mark.long
def test_a_proof_is_checked_and_walked_through(desk: Opener, tmp_path: Path) -> None:
    board, path = Board.from_moves("f8h5g8h6f10h7g9a1"), tmp_path / "win.proof"
    verdict = verdict_of(proven(board, path))
    me = desk()
    panel = tab(me, "files")
    panel.locator("input[type=file]").set_input_files(path)
    expect(panel).to_contain_text(f"Proven: Black wins in at most {(verdict.depth + 1) // 2} moves")
    at(me, board.ply)
    tab(me, "moves")
    expect(me.page.locator(".tree .comment").filter(has_text="Lost in").first).to_be_attached()
    me.press("End")
    at(me, board.ply + verdict.depth)
    expect(me.page.locator(".status")).to_contain_text("Black wins")


@pytest.mark.long
def test_the_proof_of_a_draw_is_a_tree_for_each_side(desk: Opener, tmp_path: Path) -> None:
    path = tmp_path / "draw.proof"
    claimed(Board("tictactoe"), path, *DRAW)
    me = desk()
    panel = tab(me, "files")
    panel.locator("input[type=file]").set_input_files(path)
    expect(panel).to_contain_text("Proven: a draw. Neither side loses")
    panel.get_by_role("button", name="White does not lose").click()
    at(me, 0)
    expect(me.page.locator(".facts")).to_contain_text("3×3")
    tab(me, "moves")
    expect(
        me.page.locator(".tree .comment").filter(has_text="can no longer make a line").first
    ).to_be_attached()


@pytest.mark.long
def test_a_damaged_proof_is_refused(desk: Opener, tmp_path: Path) -> None:
    path = tmp_path / "win.proof"
    proven(Board.from_moves("f8h5g8h6f10h7g9a1"), path)
    data = bytearray(path.read_bytes())
    data[-60] ^= 1
    path.write_bytes(data)
    me = desk(RENJU)
    tab(me, "files").locator("input[type=file]").set_input_files(path)
    expect(me.page.locator(".toast.error")).to_contain_text("the proof is damaged")
    at(me, 5)
    assert [fault for fault in me.faults if "422" not in fault] == []
    me.faults.clear()


@pytest.mark.long
def test_what_is_no_game_is_refused_and_changes_nothing(desk: Opener) -> None:
    me = desk(RENJU)
    panel = tab(me, "files")
    panel.get_by_role("textbox").fill("this is no game")
    panel.get_by_role("button", name="Open", exact=True).click()
    me.sees(".toast.error")
    at(me, 5)
    assert [fault for fault in me.faults if "422" not in fault] == []
    me.faults.clear()


def test_moves_are_pasted_on_the_page_and_files_dropped(desk: Opener) -> None:
    me = desk("/analyse?rules=renju&size=15")
    paste(me, "h8i9g7")
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
    me.page.locator("#panel-moves").get_by_role("button", name="Undo").click()
    moves(me, "h8 i9 g7")


@pytest.mark.long
def test_what_a_paste_has_replaced_is_had_back_where_that_is_told(desk: Opener) -> None:
    me = desk(RENJU, viewport=PHONE, has_touch=True, is_mobile=True)
    paste(me, "a1 b2 c3")
    at(me, 3)
    toast = me.sees(".toast")
    expect(toast).to_contain_text("Opened: 3 moves")
    toast.get_by_role("button", name="Undo").tap()
    at(me, 5)
    me.sees(".toast", 0)
    assert len(stones(me)) == 5


@pytest.mark.long
def test_an_address_reproduces_the_position(desk: Opener) -> None:
    query = "rules=renju&size=15&fouls=loses&black=h8i8&white=a1&turn=white&moves=o1o2#ply=1"
    me = desk(f"/analyse?{query}")
    at(me, 1)
    assert stones(me) == {"h8": "black", "i8": "black", "a1": "white", "o1": "white"}
    expect(me.page).to_have_url(re.compile(re.escape(query)))
    me.press("ArrowRight")
    expect(me.page).to_have_url(re.compile("ply=2$"))
    other = desk(me.page.url.removeprefix(me.page.url.split("/analyse")[0]))
    at(other, 2)
    assert stones(other) == stones(me)


@pytest.mark.parametrize("query", ["rules=nothing", "rules=renju&moves=h8h8", "game=nothing", "black=z99"])
def test_an_address_of_nothing_is_said_and_leaves_an_empty_board(desk: Opener, query: str) -> None:
    me = desk(f"/analyse?{query}")
    me.sees(".toast.error")
    at(me, 0)
    assert [fault for fault in me.faults if not re.search("4(04|22)", fault)] == []
    me.faults.clear()


@pytest.mark.long
def test_an_address_of_nothing_takes_nothing_away(desk: Opener) -> None:
    me = desk(RENJU)
    at(me, 5)
    me.page.wait_for_url(re.compile("ply=5"))
    me.press("ArrowLeft")
    me.page.wait_for_url(re.compile("ply=4"))
    start = me.page.url.split("?")[0]
    for address in (
        "?rules=renju&moves=h8h8",
        "?rules=renju&size=nothing&moves=h8#ply=1",
        '?rules={"k":"nothing"}',
        "?game=../../healthz",
        "?moves=h8&black=h8",
        "#ply=999",
        "#nothing",
    ):
        me.page.goto(start.replace("analyse", "learn"))
        me.page.goto(start + address)
        at(me, 4)
        moves(me, "h8 i9 g7 f6 i8")
        if address.startswith("?"):
            me.sees(".toast.error")
        me.page.reload()
        at(me, 4)
    assert [fault for fault in me.faults if not re.search("4(04|22)", fault)] == []
    me.faults.clear()


@pytest.mark.long
def test_what_was_replaced_is_had_back_even_after_a_reload(desk: Opener) -> None:
    me = desk(RENJU)
    at(me, 5)
    me.page.wait_for_url(re.compile("ply=5"))
    me.page.goto(me.page.url.split("?")[0] + "?rules=freestyle&moves=a1b2#ply=2")
    at(me, 2)
    paste(me, "c3 d4 e5")
    at(me, 3)
    me.page.wait_for_url(re.compile("c3d4e5"))
    me.page.reload()
    at(me, 3)
    me.button("Undo").click()
    at(me, 2)
    me.page.wait_for_url(re.compile("a1b2"))
    me.page.reload()
    at(me, 2)
    me.press("z")
    at(me, 5)
    moves(me, "h8 i9 g7 f6 i8")
    me.page.wait_for_url(re.compile("ply=5"))
    me.page.reload()
    at(me, 5)
    expect(me.button("Undo")).to_be_disabled()


@pytest.mark.long
def test_a_damaged_file_says_so_wherever_it_is_pasted(desk: Opener, tmp_path: Path) -> None:
    me = desk(RENJU)
    paste(me, ".")
    expect(me.page.locator(".toast.error")).to_contain_text("expected a point such as h8")
    at(me, 5)
    paste(me, "(;FF[4]GM[4]SZ[15];B[hh];W[i")
    expect(me.page.locator(".toast.error").last).to_contain_text("not closed")
    at(me, 1)
    me.press("z")
    at(me, 5)
    picture = tmp_path / "game.lib"
    picture.write_bytes(bytes(range(256)) * 4)
    panel = tab(me, "files")
    panel.locator("input[type=file]").set_input_files(picture)
    expect(me.page.locator(".toast.error").last).to_contain_text("not a RenLib library")
    at(me, 5)
    assert [fault for fault in me.faults if "422" not in fault] == []
    me.faults.clear()


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": WIDE},
        {"viewport": {"width": 1180, "height": 760}},
        {"viewport": {"width": 1179, "height": 760}},
        {"viewport": {"width": 1000, "height": 760}},
        {"viewport": {"width": 900, "height": 760}},
        {"viewport": PHONE, "has_touch": True},
        {"viewport": {"width": 844, "height": 390}},
    ],
    ids=["wide", "1180", "1179", "1000", "900", "phone", "lying phone"],
)
@pytest.mark.long
def test_a_toast_covers_no_button(desk: Opener, options: dict[str, Any]) -> None:
    me = desk(RENJU, **options)
    paste(me, "(;FF[4]GM[4]SZ[15]PB[A somewhat longer name]PW[And another of that kind];B[hh];W[ii])")
    toast = me.sees(".toast").first.bounding_box()
    assert toast is not None
    assert toast["x"] >= 0
    assert toast["x"] + toast["width"] <= me.page.evaluate("innerWidth")
    for button in me.page.locator("a:not(.brand), :not(.toast) > button, select, input").all():
        box = button.bounding_box() if button.is_visible() else None
        if box is None:
            continue
        apart = (
            box["x"] >= toast["x"] + toast["width"]
            or box["x"] + box["width"] <= toast["x"]
            or box["y"] >= toast["y"] + toast["height"]
            or box["y"] + box["height"] <= toast["y"]
        )
        assert apart, button.evaluate("(element) => element.outerHTML")


@pytest.mark.long
def test_rules_of_no_name_are_kept_in_the_address(desk: Opener) -> None:
    rules = json.dumps({**Board().rules.to_dict(), "passing": True})
    me = desk()
    me.page.goto(me.page.url.split("?")[0] + f"?rules={rules}&moves=h8i9g7")
    at(me, 3)
    me.page.locator(".step", has_text="pass").click()
    at(me, 4)
    shows(me, "pass")
    expect(me.page).to_have_url(re.compile("passing.*ply=4$"))
    me.page.reload()
    at(me, 4)


@pytest.mark.long
def test_a_large_library_is_opened_quickly(desk: Opener, tmp_path: Path) -> None:
    """All of it is kept, but only the line that is shown is drawn with the first moves of the others."""
    branches = "".join(f"(;B[{a}{b}];W[hg];B[hf])" for a in "abcdefg" for b in "abcdefghijklmno")
    deep = "".join(f"(;W[{a}{b}]{branches})" for a in "ijklm" for b in "ijk")
    path = tmp_path / "library.sgf"
    path.write_text(f"(;GM[4]SZ[15];B[hh]{deep})")
    me = desk()
    tab(me, "files").locator("input[type=file]").set_input_files(path)
    expect(me.page.locator(".facts")).to_contain_text("move 5")
    tab(me, "moves")
    count = me.page.locator(".tree .move").count()
    assert 100 < count < 200
    me.press("ArrowLeft ArrowLeft d")
    shows(me, "3a14")
