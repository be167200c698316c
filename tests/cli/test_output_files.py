"""The rule for the files that commands write: none that is read or took long to compute is replaced."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.cli.application import app
from tengen.cli.commands import COMMANDS
from tengen.cli.option_values import Writing
from tests.console import COMPILING, environment, process, run

GAME = "(;GM[4]SZ[15];B[hh];W[ig];B[gi])"
WIN = "h8a1i8a2j8a3k8a4"
SMALL = ("--size", "7", "--concurrency", "1")
MATCH = ("match", "lines", "random", "--games", "2", *SMALL)
TOURNAMENT = ("tournament", "lines", "random", "--games", "2", *SMALL)
LADDER = ("ladder", "--rules", "tictactoe", "--games", "2", "--concurrency", "1")
OPENINGS = ("openings", "--size", "7", "--count", "1", "--judge", "level:1", "--concurrency", "1")
TUNE = ("tune", "lines", "--size", "7", "--concurrency", "1", "--generations", "1")

REPLACED = {
    ("show", "--svg"): ("show", "h8", "--svg", "a.svg"),
    ("show", "--png"): ("show", "h8", "--png", "a.png"),
    ("show", "--gif"): ("show", "h8", "--gif", "a.gif"),
    ("convert", "OUT"): ("convert", "game.sgf", "a.psq"),
    ("review", "--sgf"): ("review", "a1b2", "--rules", "tictactoe", "--sgf", "a.sgf"),
    ("review", "--png"): ("review", "a1b2", "--rules", "tictactoe", "--png", "a.png"),
    ("verify", "--sgf"): ("verify", "win.proof", "--sgf", "a.sgf"),
    ("tournament", "--report"): (*TOURNAMENT, "--report", "a.html"),
    ("ladder", "--report"): (*LADDER, "--report", "a.html"),
    ("tune", "--plot"): (*TUNE, "--plot", "a.png"),
}
"""The options whose files are made in moments, each with a command that writes one, named last."""

KEPT = {
    ("match", "--out"): (*MATCH, "--out", "a.sgf"),
    ("tournament", "--out"): (*TOURNAMENT, "--out", "a.sgf"),
    ("tournament", "--store"): (*TOURNAMENT, "--store", "a.sqlite"),
    ("ladder", "--store"): (*LADDER, "--store", "a.sqlite"),
    ("openings", "--out"): (*OPENINGS, "--out", "a.txt"),
    ("prove", "-o"): ("prove", WIN, "-o", "a.proof"),
    ("puzzles", "--out"): ("puzzles", "game.sgf", "--out", "a.jsonl"),
    ("tune", "--out"): (*TUNE, "--out", "a.json"),
}
"""The options whose files take long to compute."""

APPENDED = {("match", "--log"): (*MATCH, "--log", "a.log")}

OTHERS = {
    ("serve", "--data"): "a folder that grows",
    ("serve", "--blocklist"): "read",
    ("doctor", "--data"): "examined",
    ("site", "OUT"): "a folder; a site that is there is replaced, as its help says",
    ("site", "--pyodide"): "read",
    ("play", "--load"): "read",
    ("convert", "IN"): "read",
    ("engine", "--bundle"): "a folder for programs",
    ("match", "--resume"): "read, and continued",
    ("prove", "--resume"): "read, and continued",
    ("solve", "--resume"): "read, and continued",
    ("tournament", "--resume"): "read, and continued",
    ("ladder", "--resume"): "read, and continued",
    ("tune", "--resume"): "read, and continued",
    ("ladder", "--write"): "a page that is there, of which a part is replaced",
    ("verify", "FILE"): "read",
    ("puzzle", "--file"): "read",
    ("puzzles", "GAMES"): "read",
    ("train", "--add"): "read",
    ("train", "--from"): "read",
    ("train", "--out"): "a folder in which training goes on",
    ("train", "--data"): "continued",
}
"""All other options that name files."""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(GAME)


def _declared():
    """All options that name files, with the treatment of a file that is there."""
    for name in COMMANDS:
        for each in app[name].assemble_argument_collection():
            reader = getattr(each.parameter.converter, "read", None)
            if reader is not None and getattr(reader, "metavar", None) == "FILE":
                label = each.parameter.metavar if each.index is not None else min(each.names, key=len)
                yield (name, label), reader.writes


def test_every_option_that_names_a_file_is_listed_here_with_its_treatment():
    kept = {Writing.KEEPS, Writing.KEEPS_UNLESS_RESUMED}
    declared = dict(_declared())
    assert {option for option, writes in declared.items() if writes is Writing.REPLACES} == set(REPLACED)
    assert {option for option, writes in declared.items() if writes in kept} == set(KEPT)
    assert {option for option, writes in declared.items() if writes is Writing.APPENDS} == set(APPENDED)
    assert {option for option, writes in declared.items() if writes is None} == set(OTHERS)


def refused(*words: str, sentence: str) -> None:
    """The command changes no file and says why, before it does anything."""
    before = {file.name: file.read_bytes() for file in Path().iterdir() if file.is_file()}
    answer = run(*words)
    assert (answer.status, answer.out, answer.err) == (2, "", f"tengen: {sentence}\n")
    assert {file.name: file.read_bytes() for file in Path().iterdir() if file.is_file()} == before


@pytest.mark.parametrize("words", KEPT.values(), ids=map(" ".join, KEPT))
def test_what_took_long_is_never_replaced(words):
    file = Path(words[-1])
    file.write_text("precious")
    refused(*words, sentence=f"{file} already exists: choose another name, or delete it")


@pytest.mark.parametrize(
    "words", [words for option, words in REPLACED.items() if option[0] in ("show", "convert", "review")]
)
def test_what_is_made_in_moments_replaces_a_file_unless_that_took_long(words):
    file = Path(words[-1])
    file.write_text("former")
    assert run(*words).status == 0
    assert file.read_bytes() != b"former"
    run("prove", WIN, "-o", "win.proof")
    file.write_bytes(Path("win.proof").read_bytes())
    refused(
        *words,
        sentence=f"{file} holds results that took long to compute, and would be lost:"
        " choose another name, or delete it",
    )


def test_all_files_of_results_are_recognised():
    run(*MATCH, "--out", "match.jsonl")
    run(*TOURNAMENT, "--store", "cup.sqlite")
    run(*OPENINGS, "--out", "book.txt")
    run("solve", "exact", "--rules", "mnk:4,4,4", "--nodes", "1000", "--resume", "exact.table")
    run("puzzles", "game.sgf", "--out", "puzzles.jsonl")
    Path("tuning.json").write_text('{"format":"tengen tuning","version":1,"settings":{}}\n')
    Path("steps.jsonl").write_text('{"format": "tengen quiet wins", "version": 2}\n')
    Path("games.jsonl").write_text('{"format":"tengen training","version":1,"rules":{}}\n')
    for file in sorted(Path().iterdir()):
        if file.name != "game.sgf":
            assert file.stat().st_size, file
            assert "took long" in run("show", "h8", "--svg", str(file)).err, file
    # A file that was converted can be converted again.
    for name in ("a.json", "a.jsonl", "a.txt", "a.sgf"):
        assert [run("convert", "game.sgf", name).status for _ in range(2)] == [0, 0]


def test_what_can_be_resumed_is_told():
    run(*MATCH, "--out", "a.jsonl")
    run(*TOURNAMENT, "--store", "a.sqlite")
    for words in ((*MATCH, "--out", "a.jsonl"), (*TOURNAMENT, "--store", "a.sqlite")):
        name = words[-1]
        refused(
            *words,
            sentence=f"{name} already exists: continue it with --resume {name}, or choose another name",
        )


def test_a_resumed_match_replaces_the_games_that_it_wrote():
    assert run(*MATCH, "--out", "a.jsonl", "--out", "a.sgf").status == 0
    assert run("match", "--resume", "a.jsonl", "--out", "a.sgf").status == 0
    refused("match", "--resume", "a.jsonl", "--out", "a.jsonl", sentence=reading("a.jsonl"))


def test_games_that_go_to_several_files_replace_none():
    Path("a-7.psq").write_text("precious")
    for name in ("a.psq", "a-%d.psq", "a-%03d.psq"):
        refused(*MATCH, "--out", name, sentence="a-7.psq already exists: choose another name, or delete it")


def reading(name: object) -> str:
    return f"{name} is the file being read: choose another name"


@pytest.mark.parametrize(
    "words",
    [
        ("show", "game.sgf", "--svg"),
        ("show", "game.sgf", "--png"),
        ("show", "game.sgf", "--gif"),
        ("review", "game.sgf", "--sgf"),
        ("review", "game.sgf", "--png"),
        ("convert", "game.sgf"),
        ("verify", "game.sgf", "--sgf"),
        ("puzzles", "game.sgf", "--out"),
        ("prove", "game.sgf", "-o"),
        ("prove", "h8", "--candidates", "2", "--resume", "game.sgf", "-o"),
        (*MATCH, "--openings", "game.sgf", "--out"),
        (*MATCH, "--openings", "order=sequential,file=game.sgf", "--log"),
        ("match", "prover:file=game.sgf", "lines", "--out"),
        ("match", "lines", "cmd=./game.sgf", "--log"),
        (*TOURNAMENT, "--openings", "game.sgf,plies=2", "--store"),
        (*TOURNAMENT, "--openings", "game.sgf", "--report"),
        (*TUNE, "--openings", "game.sgf", "--out"),
        (*TUNE, "--against", "prover:file=game.sgf", "--plot"),
        ("tune", "--resume", "game.sgf", "--plot"),
        ("tournament", "--resume", "game.sgf", "--report"),
        ("ladder", "--resume", "game.sgf", "--report"),
    ],
    ids=" ".join,
)
def test_no_output_replaces_a_file_that_is_read(words):
    Path("link.sgf").symlink_to("game.sgf")
    Path("folder").mkdir()
    for name in ("game.sgf", "./game.sgf", "folder/../game.sgf", "link.sgf", Path.cwd() / "game.sgf"):
        refused(*words, str(name), sentence=reading(Path(name)))
    Path("game.sgf").rename("my game.sgf")
    if words[0] == "show":  # the words of moves are one text
        refused("show", "my", "game.sgf", words[-1], "my game.sgf", sentence=reading("my game.sgf"))


def test_nor_the_file_on_standard_input(tmp_path):
    answer = process("convert", "-", "game.sgf", typed=GAME, cwd=tmp_path)
    assert answer.status == 0  # a pipe is no file
    command = "{python} -m tengen show - --svg game.sgf < game.sgf"
    done = subprocess.run(
        command.format(python=sys.executable),
        shell=True,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, f"tengen: {reading('game.sgf')}\n")


@pytest.mark.parametrize("content", [GAME, f"{GAME}\n", '{"format": "tengen quiet wins"', ""])
@pytest.mark.parametrize(
    "words",
    [
        ("match", "--resume", "game.sgf"),
        ("tournament", "--resume", "game.sgf"),
        ("ladder", "--resume", "game.sgf"),
        ("tune", "--resume", "game.sgf"),
        ("prove", "h8", "--candidates", "2", "--seconds", "0.01", "-o", "x", "--resume", "game.sgf"),
        ("solve", "exact", "--rules", "tictactoe", "--nodes", "5", "--resume", "game.sgf"),
        ("train", "--size", "9", "--games", "1", "--out", "w", "--data", "game.sgf"),
        ("ladder", "--write", "game.sgf", "--games", "2", "--rules", "tictactoe"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_what_is_to_be_continued_stays_as_it_is_where_it_is_something_else(words, content):
    file = Path("game.sgf")
    file.write_text(content)
    if not content and words[0] in ("prove", "solve", "train"):
        return  # an empty file is begun
    answer = run(*words)
    error = answer.err.replace(COMPILING, "")
    assert (answer.status, error.count("\n")) == (2, 1)
    assert "game.sgf" in error
    assert file.read_text() == content


def test_two_outputs_are_two_files():
    twice = "a.sgf is named twice as a file to write: choose different names"
    refused("review", "h8", "--png", "a.sgf", "--sgf", "./a.sgf", sentence=twice)
    refused(*MATCH, "--out", "a.sgf", "--log", "a.sgf", sentence=twice)
    assert run("show", "h8", "--svg", "/dev/null", "--png", "/dev/null").status == 0


def test_only_convert_writes_to_standard_output():
    for words in (*REPLACED.values(), *KEPT.values(), *APPENDED.values()):
        if words[0] == "convert":
            continue
        option = words[-2]
        answer = run(*words[:-1], "-")
        sentence = f"{option} needs the name of a file: only tengen convert writes to standard output"
        assert (answer.status, answer.err) == (2, f"tengen: {sentence}\n")
        assert not Path("-").exists()
    assert json.loads(run("show", "h8", "--svg", "-", "--json").out)["error"].startswith("--svg needs")
