"""``tengen train``."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tengen.cli import learned_match
from tengen.engine.evaluation.network import file_of as network_file
from tengen.engine.evaluation.weights import file_of
from tengen.game.rules import Rules
from tengen.training.games.game_file import read
from tengen.training.games.playing import warm_up
from tengen.training.models.checkpoint import Checkpoint
from tengen.training.models.checkpoint import read as read_checkpoint
from tengen.training.models.checkpoint import write as write_checkpoint
from tengen.words import say
from tests.console import COMPILING, run, start, until

QUICK = ("train", "--size", "9", "--nodes", "60", "--epochs", "1", "--concurrency", "1", "--out", "w")
NETWORK = ("train", "network", *QUICK[1:], "--match", "0")
POLICY = ("train", "policy", *QUICK[1:], "--match", "0")

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(scope="module", autouse=True)
def _fitting_is_compiled():
    """No command has to say that it is compiling."""
    warm_up(Rules.named("freestyle"))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learned_match, "SECONDS", 0.01)


def games_in(path: str) -> int:
    return (
        sum(b'"game"' in line for line in Path(path).read_bytes().splitlines())
        if Path(path).exists()
        else 0
    )


@pytest.mark.long
def test_numbers_are_learned_and_played_by():
    answer = run(*QUICK, "--games", "8", "--concurrency", "2")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("8 games, ")
    assert "written to w/freestyle.npz" in answer.out
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
    # What the report says of the games is what their file says.
    again = ("train", "--size", "9", "--games", "0", "--data", "w/freestyle-9.jsonl", "--epochs", "1")
    run(*again, "--out", "v")
    assert Path("v/freestyle.md").read_text("utf-8").splitlines()[2] == report.splitlines()[2]
    assert Path(data["report"]).read_text("utf-8").startswith("# 引擎学到了什么")


@pytest.mark.long
def test_the_seed_is_that_of_the_fit_too():
    assert run(*QUICK, "--games", "12", "--out", "w0").status == 0
    learned = []
    for folder, seed in (("w1", "2"), ("w2", "3"), ("w3", "3")):
        words = (*QUICK[:-1], folder, "--games", "0", "--data", "w0/freestyle-9.jsonl", "--seed", seed)
        assert run(*words).status == 0
        learned.append(Path(folder, "freestyle.npz").read_bytes())
    assert learned[0] != learned[1] == learned[2]


@pytest.mark.long
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
    other = json.loads(run(*words, "--games", "8", "--fresh", "--trace", "1").out)
    assert other["after"]["worths"] != alone["after"]["worths"]


@pytest.mark.long
def test_a_network_is_learned_and_played_by():
    words = (*NETWORK, "--games", "12")
    answer = run(*words)
    # The positions of a network or a policy are read by functions of their own, compiled once.
    assert (answer.status, answer.err) in ((0, ""), (0, COMPILING))
    assert "without a network" in answer.out
    assert "written to w/freestyle-network.npz" in answer.out
    assert "tengen match engine,weights=w engine" in answer.out
    # Where a policy comes with Tengen, the network plays with it.
    assert {path.name for path in Path("w").iterdir()} - {"freestyle-policy.npz"} == {
        "freestyle-9.jsonl",
        "freestyle.npz",
        "freestyle-network.npz",
        "freestyle-network.md",
        "freestyle-network.png",
    }
    match = run(
        "match", "engine,weights=w", "engine", "--nodes", "50", "--games", "2", "--size", "9", "--json"
    )
    assert json.loads(match.out.splitlines()[-1])["games"] == 2
    again = json.loads(run(*words, "--from", "w", "--json").out)
    assert again["after"] == again["epochs"][-1]["validation"]
    assert again["begun"] != again["before"]
    assert (again["games"], again["match"]) == (24, None)
    assert again["digest"] in Path(again["report"]).read_text("utf-8")
    fresh = json.loads(run(*words, "--from", "w", "--fresh", "--games", "0", "--json").out)
    assert fresh["begun"] == fresh["before"]


@pytest.mark.long
def test_it_is_said_whether_the_new_network_plays_better():
    words = ("train", "network", *QUICK[1:], "--games", "12", "--match", "2")
    answer = run(*words)
    assert answer.status == 0
    assert "plays better than the previous one" in answer.out or "plays worse than" in answer.out
    assert " Elo in 2 games" in answer.out
    assert " Elo in 2 games" in Path("w/freestyle-network.md").read_text("utf-8")
    assert {path.name for path in Path("w").iterdir()} > {"freestyle-match.jsonl"}
    assert not list(Path("w").glob("*checkpoint*"))
    # The same network once more: its games are there.
    before = Path("w/freestyle-match.jsonl").read_bytes()
    data = json.loads(run(*words, "--json").out)
    assert Path("w/freestyle-match.jsonl").read_bytes() == before
    assert data["match"]["games"] == 2
    assert data["match"]["verdict"] in ("better", "worse", "open")
    # Another network: its match begins anew.
    other = json.loads(run(*words, "--trace", "1", "--epochs", "3", "--games", "0", "--json").out)
    assert other["digest"] != data["digest"]
    assert other["digest"] in other["match"]["players"][0]


@pytest.mark.long
def test_a_policy_is_learned_and_played_by():
    words = (*POLICY, "--games", "12")
    answer = run(*words)
    # The positions of a network or a policy are read by functions of their own, compiled once.
    assert (answer.status, answer.err) in ((0, ""), (0, COMPILING))
    assert "without a policy" in answer.out
    assert "written to w/freestyle-policy.npz" in answer.out
    assert "tengen match engine,weights=w engine" in answer.out
    assert {path.name for path in Path("w").iterdir()} == {
        "freestyle-9.jsonl",
        "freestyle.npz",
        "freestyle-network.npz",
        "freestyle-policy.npz",
        "freestyle-policy.md",
        "freestyle-policy.png",
    }
    match = run(
        "match", "engine,weights=w", "engine", "--nodes", "50", "--games", "2", "--size", "9", "--json"
    )
    assert json.loads(match.out.splitlines()[-1])["games"] == 2
    # The next one begins with it, and its games are played by it, with what lies beside it.
    again = json.loads(run(*words, "--from", "w", "--out", "v", "--json", lang="zh").out)
    assert set(again["after"]) == {"loss", "first", "four", "eight"}
    assert again["after"]["loss"] == again["epochs"][-1]["validation"]
    assert again["begun"] != again["before"]
    assert (again["games"], again["own"], again["match"]) == (12, 12, None)
    assert again["digest"] in Path(again["report"]).read_text("utf-8")
    assert Path(again["report"]).read_text("utf-8").startswith("# 引擎的策略网络")
    known = ("--from", "w", "--games", "0", "--data", "w/freestyle-9.jsonl", "--json")
    fresh = json.loads(run(*words, *known, "--out", "u", "--fresh").out)
    assert fresh["begun"] == fresh["before"]
    # A network that is learned later plays with the policy.
    network = json.loads(run(*NETWORK, *known, "--out", "n").out)
    assert Path(network["policy"]).read_bytes() == Path("w/freestyle-policy.npz").read_bytes()


@pytest.mark.long
def test_it_is_said_whether_the_new_policy_plays_better():
    words = ("train", "policy", *QUICK[1:], "--games", "12", "--match", "2")
    answer = run(*words)
    assert answer.status == 0
    assert "The new policy plays" in answer.out or "the new policy plays better" in answer.out
    assert " Elo in 2 games" in Path("w/freestyle-policy.md").read_text("utf-8")
    assert not list(Path("w").glob("*checkpoint*"))
    data = json.loads(run(*words, "--json").out)
    assert data["match"]["games"] == 2
    assert data["digest"] in data["match"]["players"][0]


def test_what_another_player_needs_is_not_written_over():
    Path("w").mkdir()
    other = network_file("standard").read_bytes()
    Path("w", "freestyle-network.npz").write_bytes(other)
    answer = run(*POLICY, "--games", "12")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "w/freestyle-network.npz differs from the one" in answer.err
    assert Path("w", "freestyle-network.npz").read_bytes() == other
    assert not Path("w/freestyle-9.jsonl").exists()


def killed_in_the_fit(*words):
    """A training whose process is killed as soon as something of the fit is kept."""
    running = start(*words)
    until(lambda: kept_epochs() > 0 or running.poll() is not None)
    running.kill()
    running.communicate(timeout=120)
    assert not Path("w/freestyle-network.npz").exists(), "it was over too soon"


def kept_epochs() -> int:
    found = read_checkpoint(Path("w/freestyle-network.checkpoint.npz"))
    return 0 if found is None else found.epochs


@pytest.mark.long
def test_a_fit_that_was_killed_is_gone_on_with():
    run(*NETWORK, "--games", "12", "--out", "w0")
    words = (*NETWORK, "--minutes", "0.01", "--epochs", "4000", "--data", "w0/freestyle-9.jsonl")
    killed_in_the_fit(*words)
    games = Path("w0/freestyle-9.jsonl").read_bytes()
    epochs = kept_epochs()
    running = start(*words)
    until(lambda: kept_epochs() > epochs)
    os.kill(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=240)
    assert running.returncode == 130
    assert b"the games have been played; continuing the fit after" in err
    assert b"in w; run the same command to continue" in err
    assert Path("w0/freestyle-9.jsonl").read_bytes() == games, "no more games"


@pytest.mark.long
def test_what_is_kept_of_another_fit_is_told_and_not_used():
    run(*NETWORK, "--games", "12", "--out", "w0")
    words = (*NETWORK, "--games", "0", "--data", "w0/freestyle-9.jsonl")
    Path("w").mkdir()
    path = Path("w/freestyle-network.checkpoint.npz")
    write_checkpoint(path, Checkpoint("0", True))
    answer = run(*words)
    assert answer.status == 0
    assert answer.err == f"tengen: {say('error.train.other', file=str(path))}\n"
    assert not path.exists()
    path.write_text("none\n")
    answer = run(*words)
    assert (answer.status, answer.err.count("\n")) == (0, 1)
    assert "is damaged: the fit starts again" in answer.err


@pytest.mark.long
def test_too_few_games_leave_no_fit_to_go_on_with():
    answer = run(*NETWORK, "--games", "1")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert [path.name for path in Path("w").iterdir()] == ["freestyle-9.jsonl"]


def test_a_match_needs_both_networks():
    answer = run("train", "network", *QUICK[1:], "--from", str(file_of("freestyle").parent), "--out", "a,b")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "comma" in answer.err
    Path("w").mkdir()
    Path("w", "freestyle.npz").write_bytes(file_of("freestyle").read_bytes())
    answer = run("train", "network", *QUICK[1:], "--from", "w")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "choose another --out" in answer.err
    answer = run(*QUICK, "--match", "2")
    assert (answer.status, answer.err.count("\n")) == (2, 1)


def test_a_policy_learns_from_no_results():
    answer = run(*POLICY, "--trace", "0.5")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "--trace works only for" in answer.err


@pytest.mark.parametrize("what", ["network", "policy"])
def test_what_is_damaged_is_refused_before_any_game(what):
    Path("w").mkdir()
    Path("w", "freestyle.npz").write_bytes(file_of("freestyle").read_bytes())
    Path("w", f"freestyle-{what}.npz").write_text("none\n")
    for learned in ("network", "policy"):
        answer = run("train", learned, *QUICK[1:], "--from", "w", "--games", "1000")
        assert answer.status == 2
        assert answer.err.count("\n") == 1
        assert f"freestyle-{what}.npz" in answer.err


def test_something_else_cannot_be_learned():
    answer = run("train", "everything", *QUICK[1:])
    assert answer.status == 2
    assert answer.err.count("\n") == 1
    assert "numbers" in answer.err
    assert "network" in answer.err
    assert "policy" in answer.err


@pytest.mark.long
def test_ctrl_c_learns_from_what_was_played():
    running = start(*QUICK, "--minutes", "10")
    until(lambda: games_in("w/freestyle-9.jsonl") >= 8)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=240)
    assert running.returncode == 130
    assert b" games, " in out
    assert b"learning from the games so far" in err
    assert b"w/freestyle-9.jsonl; run the same command to continue" in err
    assert Path("w/freestyle.npz").exists()
    assert len(list(read("w/freestyle-9.jsonl")[1])) >= 8


@pytest.mark.long
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
        ((*QUICK, "--trace", "1.5"), "--trace"),
        ((*QUICK, "--from", "nowhere"), "nowhere/freestyle.npz"),
        ((*QUICK, "--add", "none.jsonl"), "none.jsonl"),
        ((*QUICK, "--rules", "tictactoe"), "five in a row only"),
        ((*QUICK, "--rules", "mnk:9,9,4"), "mnk:9,9,4"),
        (("train", "--rules", "mnk:9,9,4", "--out", "w"), "five in a row only"),
        ((*QUICK, "--size", "9x8"), "9x8 is not square"),
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
        assert "a.jsonl does not contain training games" in answer.err
    assert Path("a.jsonl").read_text("utf-8") == '{"format": "tengen games"}\n'
