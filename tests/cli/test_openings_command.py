"""``tengen openings``: what it writes says how to make it again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tengen import Rules
from tengen.arena.opening_sets import read_book
from tests.console import process, run

pytestmark = pytest.mark.usefixtures("compiled")

FEW = ("--count", "3", "--concurrency", "1")
LEVEL = ("--judge", "level:1", "--playouts", "2")


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def notes(text: str) -> dict[str, str]:
    """What the comments at the top say."""
    return dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "engine,nodes=5000", "--bound", "60"), "freestyle --size 15"),
        (("--rules", "renju", "--fouls", "loses", *LEVEL), "renju --size 15 --fouls loses"),
        (("--rules", "mnk:7,6,4", "--plies", "2-3", *LEVEL), "mnk:7,6,4"),
        (("--size", "9x10", "--seed", "4", *LEVEL), "freestyle --size 9x10"),
    ],
)
def test_a_file_says_how_to_make_it_again(words, said):
    assert run("openings", *words, *FEW, "--out", "a.txt").out == "3 openings written to a.txt\n"
    text = Path("a.txt").read_text("utf-8")
    command = notes(text)["made by"]
    assert command.startswith(f"tengen openings --rules {said} --count 3 --judge ")
    program, *again = shlex.split(command)
    assert program == "tengen"
    assert run(*again, "--concurrency", "2").out == text


@pytest.mark.long
def test_the_engine_judges_unless_told_otherwise():
    answer = run("openings", "--size", "8", "--count", "1", "--concurrency", "1")
    assert (answer.status, answer.err) == (0, "")
    said = notes(answer.out)
    assert (said["judge"], said["bound"], said["plies"]) == ("engine,nodes=100000", "40", "3-8")
    assert "playouts" not in said
    assert int(said["shapes"]) >= 1
    Path("a.txt").write_text(answer.out, "utf-8")
    assert len(read_book("a.txt", Rules.named("freestyle", 8))) == 1


def test_a_level_judges_what_the_engine_does_not_play():
    said = notes(run("openings", "--rules", "tictactoe", "--count", "1", "--concurrency", "1").out)
    assert (said["judge"], said["playouts"]) == ("level:3", "8")
    assert "bound" not in said


def test_what_has_been_found_is_kept_when_there_are_no_more():
    answer = run("openings", "--rules", "tictactoe", "--count", "5", *FEW[2:], "--out", "a.txt")
    assert (answer.status, answer.out) == (2, "2 openings written to a.txt\n")
    assert "2 of 5 among 4 tried" in answer.err
    assert len(read_book("a.txt", Rules.named("tictactoe"))) == 2


def test_no_set_of_no_openings_is_written(monkeypatch):
    monkeypatch.setattr("tengen.cli.openings_command.run", lambda *_: 130)
    answer = run("openings", "--size", "9", *FEW, *LEVEL, "--out", "a.txt")
    assert (answer.status, answer.out) == (130, "")
    assert re.fullmatch(r"tengen: interrupted: 0 of \d+ openings made\n", answer.err)
    assert not Path("a.txt").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--playouts", "8"), "playouts"),
        (("--judge", "engine", "--rules", "mnk:9,9,4"), "9x9"),
        (("--judge", "engine,threads=2"), "one thread"),
        (("--judge", "engine,depth=2"), "depth"),
        (("--judge", "level:3", "--bound", "40"), "bound"),
        (("--bound", "0"), "--bound"),
        (("--bound", "x"), "--bound"),
        (("--judge", "engine,weights=nowhere", *FEW), "nowhere"),
    ],
)
def test_mistakes_are_one_line(words, said):
    answer = run("openings", *words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert said in answer.err
    assert not list(Path().iterdir())


def test_numbers_that_make_no_sense_are_refused_before_anything_is_compiled(tmp_path):
    answer = process("openings", "--judge", "engine", "--playouts", "8", TENGEN_CACHE=str(tmp_path))
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "playouts" in answer.err
    assert not list(tmp_path.rglob("*.nbi"))
