"""``tengen train``."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tengen.engine.weights import file_of
from tengen.game.rules import Rules
from tengen.training.game_file import read
from tengen.training.run import warm_up
from tests.console import run, start, until

QUICK = ("train", "--size", "9", "--nodes", "60", "--epochs", "1", "--out", "w")

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(scope="module", autouse=True)
def _fitting_is_compiled():
    """No command has to say that it is compiling."""
    warm_up(Rules.named("freestyle"))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def games_in(path: str) -> int:
    return (
        sum(b'"game"' in line for line in Path(path).read_bytes().splitlines())
        if Path(path).exists()
        else 0
    )


def test_numbers_are_learned_and_played_by():
    answer = run(*QUICK, "--games", "8", "--concurrency", "2")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("8 games, ")
    assert "written: w/freestyle.npz" in answer.out
    assert {path.name for path in Path("w").iterdir()} == {
        "freestyle-9.jsonl",
        "freestyle.npz",
        "freestyle.md",
        "freestyle.png",
    }
    report = Path("w/freestyle.md").read_text("utf-8")
    assert report.startswith("# What the engine learned")
    match = run(
        "match", "engine,weights=w", "engine", "--nodes", "50", "--games", "2", "--size", "9", "--json"
    )
    assert json.loads(match.out.splitlines()[-1])["games"] == 2
    # Nothing is played again, and more is learned from the same games.
    before = Path("w/freestyle-9.jsonl").read_bytes()
    data = json.loads(run(*QUICK, "--games", "8", "--json", lang="zh").out)
    assert Path("w/freestyle-9.jsonl").read_bytes() == before
    assert data["games"] == 8
    assert data["black"] + data["draws"] + data["white"] == 8
    assert set(data["after"]) == {"worths", "orders", "first", "among"}
    assert Path(data["report"]).read_text("utf-8").startswith("# 引擎学到了什么")


def test_the_next_round_begins_with_the_numbers_of_the_last():
    run(*QUICK, "--games", "8", "--data", "a.jsonl")
    words = (
        "train",
        "--size",
        "9",
        "--nodes",
        "30",
        "--epochs",
        "1",
        "--from",
        "w",
        "--out",
        "v",
        "--json",
    )
    alone = json.loads(run(*words, "--games", "8").out)
    assert alone["games"] == 8
    assert alone["before"]["worths"] != alone["after"]["worths"]
    both = json.loads(run(*words, "--games", "0", "--data", "v/freestyle-9.jsonl", "--add", "a.jsonl").out)
    assert both["games"] == 16
    other = json.loads(run(*words, "--games", "8", "--fresh", "--outcome", "1").out)
    assert other["after"]["worths"] != alone["after"]["worths"]


def test_a_network_is_learned_and_played_by():
    words = ("train", "network", *QUICK[1:], "--games", "12", "--concurrency", "2")
    answer = run(*words)
    assert (answer.status, answer.err) == (0, "")
    assert "without a network" in answer.out
    assert "written: w/freestyle-network.npz" in answer.out
    assert {path.name for path in Path("w").iterdir()} == {
        "freestyle-9.jsonl",
        "freestyle.npz",
        "freestyle-network.npz",
    }
    match = run(
        "match", "engine,weights=w", "engine", "--nodes", "50", "--games", "2", "--size", "9", "--json"
    )
    assert json.loads(match.out.splitlines()[-1])["games"] == 2
    again = json.loads(run(*words, "--from", "w", "--json").out)
    assert again["after"] == again["epochs"][-1]["validation"]
    assert again["begun"] != again["before"]
    fresh = json.loads(run(*words, "--from", "w", "--fresh", "--games", "0", "--json").out)
    assert fresh["begun"] == fresh["before"]


def test_a_damaged_network_is_refused_before_any_game():
    Path("w").mkdir()
    Path("w", "freestyle.npz").write_bytes(file_of("freestyle").read_bytes())
    Path("w", "freestyle-network.npz").write_text("none\n")
    answer = run("train", "network", *QUICK[1:], "--from", "w", "--games", "1000")
    assert answer.status == 2
    assert answer.err.count("\n") == 1
    assert "freestyle-network.npz" in answer.err


def test_something_else_cannot_be_learned():
    answer = run("train", "everything", *QUICK[1:])
    assert answer.status == 2
    assert answer.err.count("\n") == 1
    assert "numbers" in answer.err
    assert "network" in answer.err


def test_ctrl_c_learns_from_what_was_played():
    running = start(*QUICK, "--minutes", "10", "--concurrency", "1")
    until(lambda: games_in("w/freestyle-9.jsonl") >= 8)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=240)
    assert running.returncode == 130
    assert b" games, " in out
    assert b"learning from the games that have been played" in err
    assert b"w/freestyle-9.jsonl: the same command goes on" in err
    assert Path("w/freestyle.npz").exists()
    assert len(list(read("w/freestyle-9.jsonl")[1])) >= 8


def test_too_few_games_are_kept_for_the_next_time():
    answer = run(*QUICK, "--games", "1")
    assert answer.status == 2
    assert "play more games" in answer.err
    assert games_in("w/freestyle-9.jsonl") == 1
    assert not Path("w/freestyle.npz").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("train",), "--out is missing"),
        ((*QUICK, "--games", "few"), "--games"),
        ((*QUICK, "--minutes", "0"), "--minutes"),
        ((*QUICK, "--minutes", "-1"), "--minutes"),
        ((*QUICK, "--minutes", "nan"), "--minutes"),
        ((*QUICK, "--epochs", "0"), "--epochs"),
        ((*QUICK, "--outcome", "1.5"), "--outcome"),
        ((*QUICK, "--from", "nowhere"), "nowhere/freestyle.npz"),
        ((*QUICK, "--add", "none.jsonl"), "none.jsonl"),
        ((*QUICK, "--rules", "tictactoe"), "5 to 22"),
        ((*QUICK, "--rules", "mnk:9,9,4"), "mnk:9,9,4"),
        (("train", "--rules", "mnk:9,9,4", "--out", "w"), "5 to 22"),
        ((*QUICK, "--size", "9x8"), "5 to 22"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing_behind(words, said):
    answer = run(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert said in answer.err
    assert not list(Path().iterdir())


def test_a_file_of_something_else_is_left_alone():
    Path("a.jsonl").write_text('{"format": "tengen games"}\n', "utf-8")
    for option in ("--data", "--add"):
        answer = run(*QUICK, "--games", "1", option, "a.jsonl")
        assert answer.status == 2
        assert "a.jsonl holds no training games" in answer.err
    assert Path("a.jsonl").read_text("utf-8") == '{"format": "tengen games"}\n'
