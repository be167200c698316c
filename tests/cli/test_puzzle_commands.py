"""``tengen puzzle``, which one is shown; ``tengen puzzles``, those that are found in games."""

from __future__ import annotations

import json

import pytest

from tengen import Engine, Record
from tengen.formats.files import write_files
from tengen.study.puzzle import KINDS, Puzzle
from tengen.study.puzzle_finder import puzzles_of
from tengen.study.puzzle_judge import makes_sense
from tengen.study.puzzle_set import read_puzzles, select, shipped
from tests.console import run

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture
def games(tmp_path):
    """A short game in which there is a puzzle, twice in an SGF file."""
    puzzle = min(select(shipped().values(), kind="vcf"), key=lambda one: len(one.moves))
    some = [puzzle, puzzle]
    path = tmp_path / "games.sgf"
    write_files([Record.from_board(one.board()) for one in some], path)
    return path, some


def test_a_puzzle_that_fits():
    for kind in KINDS:
        data = json.loads(run("puzzle", "--kind", kind, "--rules", "renju", "--json").out)
        puzzle = shipped()[data["name"]]
        assert (puzzle.kind, puzzle.rules.name) == (kind, "renju")
        assert (data["level"], data["length"]) == (puzzle.level, puzzle.length)
        assert Puzzle.from_dict(data) == puzzle
    data = json.loads(run("puzzle", "--level", "3", "--json").out)
    assert (data["level"], data["rules"]) == (3, "freestyle")


def test_a_puzzle_by_its_name_whatever_its_rules():
    name = next(one.name for one in shipped().values() if one.rules.name == "caro")
    assert json.loads(run("puzzle", name, "--json").out)["name"] == name


def test_puzzles_that_are_not_there():
    answer = run("puzzle", "12345678")
    assert (answer.status, answer.out) == (2, "")
    assert "there is no puzzle 12345678: expected the eight letters and digits" in answer.err
    answer = run("puzzle", "--size", "19")
    assert answer.status == 2
    assert (
        f"none of the {len(shipped())} puzzles fits: expected other rules, size, kind or level"
        in answer.err
    )
    assert run("puzzle", "--kind", "mate").status == 2
    assert run("puzzle", "--level", "5").status == 2
    assert "cannot be read" in run("puzzle", "--file", "none.jsonl").err


def test_puzzles_are_found_in_games_and_can_be_solved(games, tmp_path):
    path, some = games
    out = tmp_path / "mine.jsonl"
    answer = run("puzzles", str(path), "--all", "--out", str(out))
    assert (answer.status, answer.err) == (0, "")
    found = read_puzzles(out)
    assert answer.out == f"{len(found)} {'puzzle' if len(found) == 1 else 'puzzles'} written to {out}\n"
    expected = {one.name: one for game in some for one in puzzles_of(Record.from_board(game.board()))}
    assert {one.name: one for one in found} == expected
    assert len(found) == len(expected)
    shown = json.loads(run("puzzle", "--file", str(out), "--json").out)
    assert shown["name"] in expected


def test_the_engine_leaves_some_out(games):
    path, _ = games
    every = json.loads(run("puzzles", str(path), "--all", "--json").out)["puzzles"]
    kept = json.loads(run("puzzles", str(path), "--json").out)["puzzles"]
    names = [one["name"] for one in kept]
    engine = Engine()
    assert names == [one["name"] for one in every if makes_sense(Puzzle.from_dict(one), engine)]
    assert len(names) <= len(every)


def test_puzzles_are_told_where_there_is_no_file(games):
    path, _ = games
    lines = [json.loads(line) for line in run("puzzles", str(path)).out.splitlines()]
    assert lines[0] == {"format": "tengen puzzles", "version": 1}
    data = json.loads(run("puzzles", str(path), "--json").out)["puzzles"]
    assert [Puzzle.from_dict(one) for one in data] == [Puzzle.from_dict(one) for one in lines[1:]]
    fours = json.loads(run("puzzles", str(path), "--json", "--kind", "vcf").out)["puzzles"]
    assert fours == [one for one in data if one["kind"] == "vcf"]


def test_games_without_puzzles_and_games_that_cannot_have_any(tmp_path):
    path = tmp_path / "setup.sgf"
    path.write_text("(;GM[4]SZ[15]AB[hh]AW[ii]PL[B];B[jj])(;GM[4]SZ[15];B[hh];W[ii])")
    answer = run("puzzles", str(path))
    assert answer.status == 0
    assert "game 1: the game starts from a set-up position: expected one from the empty board" in answer.err
    assert answer.out.splitlines() == ['{"format": "tengen puzzles", "version": 1}']


def test_games_that_cannot_be_read_are_told(tmp_path):
    path = tmp_path / "broken.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[hh];W[hh])")
    answer = run("puzzles", str(path))
    assert answer.status == 1, "moves of a main line are missing"
    assert answer.err.startswith("tengen: game 2: ")


def test_what_cannot_be_done_is_said_first(games, tmp_path):
    path, _ = games
    assert run("puzzles").status == 2
    assert "cannot be read" in run("puzzles", str(tmp_path / "none.sgf")).err
    answer = run("puzzles", str(path), "--out", str(tmp_path))
    assert answer.status == 2
    assert "cannot be written" in answer.err
