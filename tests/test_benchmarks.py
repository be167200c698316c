"""The benchmarks say what they lack, and measure the rest."""

from __future__ import annotations

import re
import runpy
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import (
    agreement,
    environments,
    network,
    quiet_wins,
    solved,
    tactics,
    threats,
    versions,
    web,
    wins,
)
from benchmarks.__main__ import NAMES

from tengen import Board, executors


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("words", [["--help"], ["--nonsense"]], ids=lambda words: words[0])
@pytest.mark.parametrize("name", ["__main__", *NAMES])
def test_help_and_wrong_options_are_answered_before_anything_is_measured(
    name: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, *words])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(f"benchmarks.{name}", run_name="__main__")
    said = capsys.readouterr()
    module = "benchmarks" if name == "__main__" else f"benchmarks.{name}"
    assert (said.out or said.err).startswith(f"usage: python -m {module} [-h]")
    assert ended.value.code == (0 if words == ["--help"] else 2)


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_environments_are_measured_beside_rivals_where_these_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environments, "BOARDS", 16)
    monkeypatch.setattr(environments, "RULES", ("tictactoe",))
    environments.main(sys.executable, rounds=2, seconds=0.01)
    head, *rows = [line for line in capsys.readouterr().out.splitlines() if "left out" not in line]
    assert head == "steps a second, the best of 2 rounds and the median"
    assert re.fullmatch(r"  tictactoe, \d threads? +[\d,]+ +[\d,]+", rows[0])
    assert [row for row in rows if "OpenSpiel, gomoku" in row] or find_spec("pyspiel") is None
    environments.main("/nonexistent/python", rounds=1, seconds=0.01)
    assert capsys.readouterr().out.startswith("  not measured: ")


def test_without_playwright_the_page_is_left_out_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    web.page("http://127.0.0.1:1")
    assert capsys.readouterr().out.splitlines() == [
        "  Playwright is not installed (pip install playwright): the page is not measured"
    ]


def test_without_a_browser_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    web.page("http://127.0.0.1:1")
    assert capsys.readouterr().out == "  no Chromium here: the page is not measured\n"


@pytest.mark.usefixtures("compiled")
def test_a_solved_game_is_a_row_beside_the_literature() -> None:
    found = solved.row("4,3,3", solved.solved("4,3,3", 60.0, 64)).split(" | ")
    assert found[:5] == ["| (4,3,3)", "win", "win", "7", "a1 b1 b2"]
    cut = solved.row("8,8,5", solved.solved("8,8,5", 0.05, 8)).split(" | ")
    assert cut[1:5] == ["no loss", "draw", "", "..."]


def test_a_game_that_is_none_is_named_before_any_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved.command(["3,3,3", "9,9"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"'mnk:9,9' is not an m,n,k game[^\n]*\n", said.err)


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_wins_hold_against_every_defence(capsys: pytest.CaptureFixture[str]) -> None:
    wins.main(2)
    for name, line in zip(("freestyle", "all"), capsys.readouterr().out.splitlines(), strict=True):
        assert re.fullmatch(
            rf"  {name} +2 of 2 wins hold, \d+ plies at most, \d+ by fours alone; [\d,]+ defences tried, "
            r"0 not beaten; \d+ s",
            line,
        )


@pytest.mark.usefixtures("compiled")
def test_wins_are_taken_from_the_last_moves_of_games() -> None:
    game = wins.played("caro", (112, 96, 111))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner is not None
    boards = list(wins.late(game))
    assert [game.ply - board.ply for board in boards] == [*reversed([n for n in wins.LAST if n < game.ply])]
    latest = boards[-3:]
    found = list(wins.replays([*latest, *latest]))
    assert 0 < len(found) <= len(latest)
    assert all(one.rules == "caro" and one.defences and not one.escaped for one in found)


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_a_defence_that_is_not_beaten_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wins, "AGAIN", 1)
    wins.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("  not beaten (")
    assert lines[-1].startswith("  all       0 of 1 wins hold")


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_overlooked_wins_are_searched_with_each_number_of_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    tactics.main((50, 3000), tactics.OVERLOOKED)
    said = capsys.readouterr().out
    assert re.findall(r"^([\d,]+) nodes a position$", said, re.MULTILINE) == ["50", "3,000"]
    proven = re.findall(r"^  wins proven +(\d+) of 79, \d+ % \(freestyle \d+ of 79\)$", said, re.MULTILINE)
    assert len(proven) == 2
    assert all(int(count) < 10 for count in proven)
    assert "avoided" not in said


@pytest.mark.usefixtures("compiled")
def test_wins_by_threats_are_counted_by_nodes_and_by_time(capsys: pytest.CaptureFixture[str]) -> None:
    threats.main((), (0.05,), 3)
    assert re.fullmatch(
        r" +0\.05 s a position: [0-3] of 3, \d+ % \(.*\); none by threats [0-3]; [\d,]+ nodes/s, "
        r"slowest .* s\n",
        capsys.readouterr().out,
    )
    assert threats.sample([{"id": number} for number in range(10)], 3) == [{"id": 0}, {"id": 3}, {"id": 6}]


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_a_win_that_threats_do_not_reach_is_tried_for_a_while(tmp_path: Path) -> None:
    board = Board.from_moves("h8i6g7h6k8i9g6g8h7f5i7j7j6k5")
    with executors.open_workers("threads", 1) as workers:
        good, line = quiet_wins.told(board, 60.0, workers, tmp_path / "win.proof")
        assert good
        assert re.fullmatch(r"  14 stones: won in \d+ moves, [\d,]+ bytes, .* \d+ s\)", line)
        good, line = quiet_wins.told(board, 0.001, workers, tmp_path / "win.proof")
        assert not good
        assert line.startswith("  14 stones: not proven, about 1 positions left (0 positions looked at")


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_what_is_seen_at_a_glance_is_measured_where_a_search_would_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    network.main(24, ("freestyle",))
    first, _, *rows = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"freestyle, 24 positions, \d+ of them without a known end", first)
    for name, row in zip(("the sum alone", "and the network"), rows, strict=True):
        adds = "" if name == "the sum alone" else r"( +[1-9]\d{0,3}){3}"
        assert re.fullmatch(rf"  {name} +0\.\d{{4}} +0\.\d{{4}} +-?0\.\d{{3}}{adds}", row)


def test_a_folder_without_a_network_is_named_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert network.command(["renju", str(tmp_path)]) == 2
    assert re.fullmatch(r"[^\n]*renju\.npz[^\n]*\n", capsys.readouterr().err)


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_a_search_agrees_with_itself_and_a_briefer_one_less(capsys: pytest.CaptureFixture[str]) -> None:
    agreement.main(16, ("engine",), deep=4000, nodes=(4000, 200))
    first, _, same, less = capsys.readouterr().out.splitlines()
    assert first == "freestyle, 16 positions, against 4000 nodes"
    assert re.fullmatch(r"  engine +4000   0\.0000 +100\.0 %", same)
    row = re.fullmatch(r"  engine +200   (0\.\d{4}) +\+(0\.\d{4}) ± 0\.\d{4} +\d+\.\d %", less)
    assert row is not None
    assert row[1] == row[2] != "0.0000"


def test_only_the_engine_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert agreement.command(["engine", "minimax"]) == 2
    assert capsys.readouterr().err == "minimax: expected the engine, such as engine,weights=FOLDER\n"
    assert agreement.command(["nobody"]) == 2
    assert re.fullmatch(r"[^\n]*nobody[^\n]*\n", capsys.readouterr().err)


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_two_versions_search_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    versions.main("HEAD", ("caro",), 300, 2)
    first, row = capsys.readouterr().out.splitlines()
    assert first == "nodes a second here, times HEAD; 300 a position; median and quartiles of pairs"
    assert re.fullmatch(
        r"  caro +\d\.\d\d \(\d\.\d\d to \d\.\d\d\), by the shortest times \d\.\d\d; 4 pairs, "
        r"(not )?the same searches",
        row,
    )


def test_a_commit_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert versions.command(["nobodys", "--rules", "caro"]) == 2
    assert re.fullmatch(r"[^\n]*nobodys\n", capsys.readouterr().err)
