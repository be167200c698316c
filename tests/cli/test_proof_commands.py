"""``tengen prove`` and ``tengen verify``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_solve_command import interrupted
from tests.console import run

pytestmark = pytest.mark.usefixtures("compiled")

WIN = "h8a1i9a15i7o1h7g10"
"""Black to move, with a double-three at hand."""

LONG = "h8f7c9g6f6e5e7g5h5e4h6h7f5e3e2"
"""White to move, with more threats than a second is enough for."""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_win_is_written_and_checked():
    answer = run("prove", WIN, "-o", "win.proof")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(
        "Black wins in at most 3 moves; the proof has been written to win.proof and checked: "
    )
    answer = run("verify", "win.proof")
    assert (answer.status, answer.err) == (0, "")
    assert answer.said == [
        "proven: Black, to move, wins in at most 3 moves",
        "rules: freestyle 15x15",
        f"moves: {WIN}",
        "positions checked: 433",
    ]
    assert "已证明：轮到黑方" in run("verify", "win.proof", lang="zh").out


def test_for_a_program():
    data = json.loads(run("prove", WIN, "--out", "win.proof", "--json").out)
    assert data.pop("seconds") > 0
    assert data.pop("nodes") > 0
    assert data.pop("size") < 1000
    assert data == {
        "winner": "black",
        "holds": [],
        "proven": True,
        "file": "win.proof",
        "depth": 5,
        "positions": 433,
    }
    data = json.loads(run("verify", "win.proof", "--json").out)
    assert data["proven"] is True
    assert data["rules"]["width"] == 15
    assert (data["winner"], data["depth"], data["positions"]) == ("black", 5, 433)
    assert data["moves"][:2] == ["h8", "a1"]
    assert sorted(data["black"]) == ["h7", "h8", "i7", "i9"]
    answer = run("prove", WIN, "--out", "renju.proof", "--rules", "renju", "--size", "17")
    assert answer.status == 0
    assert "rules: renju 17x17" in run("verify", "renju.proof").said
    assert sorted(data["white"]) == ["a1", "a15", "g10", "o1"]


def test_no_win_is_an_answer_too(tmp_path):
    answer = run("prove", "h8a1", "-o", "none.proof")
    assert (answer.status, answer.err) == (1, "")
    assert "Black has no win by continuous threats" in answer.out
    answer = run("prove", WIN, "--threats", "fours", "-o", "none.proof")
    assert (answer.status, answer.out) == (1, "Black has no win by continuous fours\n")
    hard = ("prove", "h8h9i9g7j10g10o1", "--rules", "standard", "-o", "none.proof", "--nodes", "2000")
    answer = run(*hard)
    assert answer.status == 1
    assert "which proves nothing" in answer.out
    data = json.loads(run(*hard, "--json").out)
    assert (data["winner"], data["proven"], data["file"]) == (None, False, None)
    assert list(tmp_path.iterdir()) == []


def test_a_proof_that_fails(tmp_path):
    run("prove", WIN, "-o", "win.proof")
    path = tmp_path / "win.proof"
    path.write_bytes(path.read_bytes()[:-1])
    answer = run("verify", "win.proof")
    assert (answer.status, answer.err) == (1, "")
    assert answer.out == "not proven: the proof is damaged: its digest does not match\n"
    data = json.loads(run("verify", "win.proof", "--json").out)
    assert data == {
        "proven": False,
        "problem": "the proof is damaged: its digest does not match",
        "line": [],
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove", WIN), "--out is missing: see --help"),
        (("prove", WIN, "-o", "no/where"), "no/where cannot be written: there is no such file or folder"),
        (("prove", WIN, "-o", "."), ". cannot be written: it is a folder"),
        (("prove", "h8a1i8a2j8a3k8a4l8", "-o", "f"), "the game is over"),
        (("prove", "b2", "--rules", "mnk:9,9,3", "-o", "f"), "the engine does not play these rules"),
        (("prove", WIN, "-o", "f", "--threats", "twos"), "--threats"),
        (("verify", "nowhere"), "nowhere cannot be read: there is no such file or folder"),
        (("verify", "."), ". cannot be read: it is a folder"),
        (("verify",), "FILE is missing"),
    ],
)
def test_what_cannot_be_done(words, said):
    answer = run(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("tengen: ")
    assert said in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.long
def test_ctrl_c_ends_it(tmp_path):
    out = str(tmp_path / "long.proof")
    status, said = interrupted("searching for a win: 0:0", "prove", LONG, "-o", out)
    assert status == 1
    assert "no win by continuous threats" in said
    assert ", the search was stopped), which proves nothing" in said
    assert list(tmp_path.iterdir()) == []


def test_a_proof_to_walk_through(tmp_path):
    run("prove", WIN, "-o", "win.proof")
    answer = run("verify", "win.proof", "--sgf", "win.sgf")
    assert answer.status == 0
    assert answer.said[-1] == "written to win.sgf"
    assert "answered in the same way" in (tmp_path / "win.sgf").read_text("utf-8")
    assert "nothing.xyz" in run("verify", "win.proof", "--sgf", "nothing.xyz").err


@pytest.mark.long
def test_quiet_moves_are_tried_and_kept():
    board = ("h8i6g7h6k8i9g6g8h7f5i7j7j6k5", "-o", "win.proof")
    assert run("prove", *board).status == 1
    answer = run("prove", *board, "--candidates", "6", "--resume", "steps.jsonl", "--concurrency", "1")
    assert answer.status == 0
    assert "; the proof has been written to win.proof and checked: " in answer.out
    assert run("verify", "win.proof").status == 0
    Path("win.proof").unlink()
    answer = run("prove", *board, "--candidates", "6", "--resume", "steps.jsonl", "--seconds", "0.001")
    assert (answer.status, answer.said) == (
        1,
        ["no win for Black was found: the limit was reached; there may still be one"],
    )
    answer = run("prove", "h8a1", "-o", "x.proof", "--candidates", "1")
    assert answer.status == 1
    assert answer.said == [
        "no win for Black was found with 1 move tried in each position; there may still be one"
    ]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--resume", "f"], "--resume works only with --candidates"),
        (["--unthreatening", "2"], "--unthreatening works only with --candidates"),
        (["--workers", "tcp://x:1"], "--workers works only with --candidates"),
        (["--candidates", "51"], "--candidates is 51: expected at most 50"),
        (["--candidates", "2", "--threats", "fours"], "with fours alone no other moves are tried"),
    ],
)
def test_how_quiet_moves_are_asked_for(wrong, said):
    answer = run("prove", WIN, "-o", "win.proof", *wrong)
    assert answer.status in {1, 2}
    assert said in answer.err


# -- draws, and sides that do not lose


@pytest.mark.parametrize(
    ("asked", "written", "proven"),
    [
        (["--rules", "tictactoe", "--claim", "draw"], "it is a draw", "a draw"),
        (
            ["--rules", "tictactoe", "--claim", "hold"],
            "Black does not lose",
            "Black, to move, does not lose",
        ),
        (
            ["--rules", "tictactoe", "--claim", "hold", "--colour", "white"],
            "White does not lose",
            "White does not lose with the other side to move",
        ),
        (
            ["b2", "--rules", "mnk:4,4,3", "--claim", "win", "--colour", "black"],
            "Black wins in at most 2 moves",
            "Black wins in at most 2 moves with the other side to move",
        ),
        (
            ["--rules", "mnk:4,4,3"],
            "Black wins in at most 3 moves",
            "Black, to move, wins in at most 3 moves",
        ),
    ],
)
def test_what_a_small_game_is_worth_is_written_and_checked(asked, written, proven):
    answer = run("prove", *asked, "-o", "game.proof")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"{written}; the proof has been written to game.proof and checked: ")
    answer = run("verify", "game.proof")
    assert (answer.status, answer.said[0]) == (0, f"proven: {proven}")
    name = "mnk:4,4,3" if "mnk:4,4,3" in asked else "tictactoe 3x3"
    assert answer.said[1] == f"rules: {name}"
    assert run("verify", "game.proof", lang="zh").out.startswith("已证明：")


def test_a_draw_for_a_program():
    data = json.loads(run("prove", "--rules", "mnk:4,4,4", "--claim", "draw", "-o", "f", "--json").out)
    assert (data["winner"], data["holds"], data["proven"]) == (None, ["black", "white"], True)
    assert (data["file"], data["depth"]) == ("f", None)
    told = json.loads(run("verify", "f", "--json").out)
    assert (told["proven"], told["winner"], told["holds"]) == (True, None, ["black", "white"])
    assert (told["depth"], told["positions"]) == (None, data["positions"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--rules", "tictactoe"], "Black has no win here, and this is certain"),
        (
            ["--rules", "mnk:4,4,3", "--claim", "draw"],
            "this does not hold: Black wins (--claim win --colour black",
        ),
        (
            ["--rules", "mnk:4,4,3", "--claim", "hold", "--colour", "white"],
            "this does not hold: Black wins",
        ),
        (["--rules", "tictactoe", "--claim", "win", "--colour", "white"], "White has no win here"),
        (
            ["--rules", "mnk:7,7,5", "--claim", "draw", "--nodes", "9"],
            "nothing was decided: the limit was reached",
        ),
        (["--rules", "mnk:7,7,5", "--nodes", "9"], "nothing was decided: the limit was reached"),
    ],
)
def test_what_is_not_so_is_told(asked, said, tmp_path):
    answer = run("prove", *asked, "-o", "game.proof")
    assert (answer.status, answer.err) == (1, "")
    assert answer.out.startswith(said)
    assert json.loads(run("prove", *asked, "-o", "game.proof", "--json").out)["file"] is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--claim", "draw"], "a 15x15 board has 225 points"),
        (["--rules", "renju", "--size", "8", "--claim", "hold"], "more than 5 in a row win too"),
        (["--rules", "tictactoe", "--claim", "draw", "--colour", "black"], "cannot be used together"),
        (
            ["--rules", "tictactoe", "--claim", "hold", "--threats", "fours"],
            "--threats works only for a win",
        ),
        (
            ["--rules", "tictactoe", "--claim", "draw", "--candidates", "3"],
            "--candidates works only for a win",
        ),
        (["--rules", "tictactoe", "--claim", "loss"], "--claim"),
    ],
)
def test_how_claims_are_asked_for(wrong, said):
    answer = run("prove", "-o", "game.proof", *wrong)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.long
def test_ctrl_c_ends_the_proof_of_a_draw(tmp_path):
    out = str(tmp_path / "long.proof")
    asked = ("prove", "--rules", "mnk:8,8,5", "--claim", "draw", "-o", out)
    status, said = interrupted("deciding whether it holds: 0:0", *asked)
    assert status == 1
    assert said == "nothing was decided: the search was stopped; no file was written\n"
    assert list(tmp_path.iterdir()) == []


def test_a_draw_to_walk_through(tmp_path):
    run("prove", "--rules", "mnk:4,4,4", "--claim", "draw", "-o", "draw.proof")
    assert run("verify", "draw.proof", "--sgf", "draw.sgf").said[-1] == "written to draw.sgf"
    text = (tmp_path / "draw.sgf").read_text("utf-8")
    assert "EV[Black does not lose]" in text
    assert "EV[White does not lose]" in text
