"""What each textbook idea is worth, and the page that says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tengen
from tengen import Rules
from tengen.arena.arena_error import ArenaError
from tengen.arena.ladder import ANCHOR, FIELD, Rung, check_page, field, ladder, table, write_table
from tengen.formats.files import FileError
from tests.arena.games import played

PAGE = "# A page\n\n<!-- ladder -->\n\nold\n\n<!-- end of ladder -->\n\nMore.\n"


def rung(spec="lines", elo=1500.0, bound=""):
    return Rung(spec, elo, 50.0, bound, 0.25)


def test_all_of_the_field_can_play():
    for spec in field(Rules.named("freestyle")):
        tengen.player(spec)
    assert ANCHOR[0] in FIELD


def test_the_table_of_all_boards_is_for_the_smallest_board_alone():
    assert "lookup" in field(Rules.named("tictactoe"))
    assert "lookup" not in field(Rules.named("freestyle"))


def test_the_strongest_comes_first_and_the_anchor_has_its_rating():
    other = "minimax"
    games = [played(number, ANCHOR[0], other, float(number % 3 == 0)) for number in range(30)]
    first, second = ladder(games)
    assert (first.spec, second.spec) == (other, ANCHOR[0])
    assert (second.elo, second.error) == (ANCHOR[1], 0.0)
    assert first.elo > second.elo
    assert first.milliseconds == 250.0


def test_who_never_won_has_a_bound_only():
    # Everybody has both colours; the first two beat each other.
    meetings = [("lines", 1.0), ("lines", 0.0), ("random", 1.0)] * 5
    games = []
    for number, (other, points) in enumerate(meetings):
        games.append(played(2 * number, ANCHOR[0], other, points))
        games.append(played(2 * number + 1, other, ANCHOR[0], 1 - points))
    assert [one.bound for one in ladder(games)] == ["", "", "≤"]


def test_the_table_in_both_languages():
    text = table([rung("level:2"), rung("lines,own=2", bound="≤")], "en")
    lines = text.splitlines()
    assert len(lines) == 4
    assert lines[2].endswith("| `level:2` 1500 ± 50 | 0.2 |")
    assert "| `lines,own=2` ≤ 1500 |" in lines[3]
    assert "棋手" in table([rung()], "zh")
    assert table([rung("py:a:B")], "en").splitlines()[2].startswith("|  | `py:a:B` 1500 ± 50 |")


def test_an_idea_has_one_row():
    rungs = [rung("level:3", 1700.0), rung("minimax", 1600.0), replace(rung("level:1"), milliseconds=3.0)]
    lines = table(rungs, "en").splitlines()
    assert len(lines) == 4
    assert lines[2].endswith("| `level:3` 1700 ± 50, `level:1` 1500 ± 50 | 0.2–3.0 |")
    assert "`minimax`" in lines[3]


def test_the_table_goes_between_its_comments(tmp_path):
    page = tmp_path / "README.md"
    page.write_text(PAGE, "utf-8")
    check_page(page)
    write_table(page, "new")
    assert page.read_text("utf-8") == PAGE.replace("old", "new")
    write_table(page, "newer \\1")
    assert page.read_text("utf-8") == PAGE.replace("old", "newer \\1")


def test_a_page_without_a_place_for_it(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("# A page\n", "utf-8")
    with pytest.raises(ArenaError, match="no place for the table"):
        check_page(page)
    with pytest.raises(ArenaError, match="no place for the table"):
        write_table(page, "new")
    assert page.read_text("utf-8") == "# A page\n"
    with pytest.raises(FileError):
        write_table(tmp_path / "none.md", "new")
