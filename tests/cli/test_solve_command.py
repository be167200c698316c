"""``tengen solve``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

import tengen
from tengen import Solution
from tests.console import run

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")

pytestmark = pytest.mark.usefixtures("compiled")

WIN = "h8a1i8a3j8a5"
"""Black has an open three, and it is Black's turn."""


def test_a_win_by_fours():
    answer = run("solve", "vcf", WIN, "--shortest")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Black wins with 1 four: ")
    assert "黑方连冲 1 个四取胜" in run("solve", "vcf", WIN, lang="zh").out


def test_for_a_program():
    data = json.loads(run("solve", "vcf", WIN, "--json").out)
    asked = {"attacker", "threats"}
    assert data.keys() == asked | {"winner", "proven", "line", "length", "fours", "nodes", "seconds"}
    assert (data["attacker"], data["threats"]) == ("black", "fours")
    assert (data["winner"], data["proven"], data["length"], data["fours"]) == ("black", True, 3, 1)
    assert len(data["line"]) == 3


def test_no_win_is_an_answer_too():
    answer = run("solve", "vcf", WIN, "--colour", "white")
    assert (answer.status, answer.out) == (1, "White has no win by continuous fours\n")
    answer = run("solve", "vcf", WIN, "--nodes", "1")
    assert answer.status == 1
    assert answer.out.startswith("Black: no win by continuous fours was found (")
    assert json.loads(run("solve", "vcf", WIN, "--nodes", "1", "--json").out)["proven"] is False


FOULS_LEFT = "c4a5c2a2d3b4d6b1e5c3e6a1b2a3a6b3c1f3e1b6c6d5f4f1f6d1e4c5e2d4d2b5a4f5"
"""White's four at f2 leaves Black nothing but a foul."""


def test_a_draw_that_is_a_win_where_fouls_lose():
    asked = (FOULS_LEFT, "--rules", "renju", "--size", "6", "--colour", "white")
    for what in ("vcf", "vct"):
        answer = run("solve", what, *asked)
        assert answer.status == 1
        assert answer.out.endswith("where a foul loses, White wins: f2 e3\n")
        assert json.loads(run("solve", what, *asked, "--json").out)["if_fouls_lose"] == ["f2", "e3"]
    assert "则白胜：f2 e3" in run("solve", "vcf", *asked, lang="zh").out
    answer = run("solve", "vcf", *asked, "--all")
    assert answer.status == 1
    assert "where a foul loses, they win: f2" in answer.out
    assert "if_fouls_lose" not in json.loads(run("solve", "vcf", WIN, "--all", "--json").out)


def test_a_win_by_threats():
    position = "h8a1i9a15j10o1k8"
    answer = run("solve", "vct", position, "--colour", "black")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Black wins by threats in ")
    assert "黑方连续进攻" in run("solve", "vct", position, "--colour", "black", lang="zh").out
    answer = run("solve", "vct", "h8a1", "--json")
    assert (answer.status, json.loads(answer.out)["proven"]) == (1, True)
    assert "quieter moves may still win" in run("solve", "vct", "h8a1").out


LONG_WIN = ("h8h9i8g8j6j9i9o15", "--rules", "renju")
"""Black to move wins by threats, at several points, and in fewer moves than by the first line found."""


def test_the_shortest_win_by_threats():
    answer = run("solve", "vct", *LONG_WIN, "--shortest")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Black wins by threats in 8 moves, and no such threats win faster: ")
    data = json.loads(run("solve", "vct", *LONG_WIN, "--shortest", "--json").out)
    assert (data["shortest"], data["length"]) == (True, 15)
    some = run("solve", "vct", *LONG_WIN, "--shortest", "--nodes", "6000")
    assert some.out.endswith("it is not known whether fewer moves win: the limit was reached\n")


def test_all_first_points_that_win():
    answer = run("solve", "vct", *LONG_WIN, "--all")
    assert (answer.status, answer.out) == (0, "Black, moving first, wins at: i6 g7 i10 j10\n")
    answer = run("solve", "vcf", WIN, "--all", "--json")
    data = json.loads(answer.out)
    assert (data["attacker"], data["points"], data["proven"]) == ("black", ["g8", "k8"], True)
    assert data["threats"] == "fours"
    none = run("solve", "vcf", WIN, "--all", "--colour", "white", "--memory", "1")
    assert (none.status, none.out) == (
        1,
        "no first move starts a win by such threats for White: all of them were searched\n",
    )


def test_what_stops_a_win():
    answer = run("solve", "vct", "h8a1i8a15j8", "--defences")
    assert (answer.status, answer.out) == (0, "Black is stopped by: g8 k8\n")
    assert "能挡住黑方的点：g8 k8" in run("solve", "vcf", "h8a1i8a15j8", "--defences", lang="zh").out
    data = json.loads(run("solve", "vct", *LONG_WIN, "--defences", "--json").out)
    assert (data["attacker"], data["wins"], data["stops"], data["proven"]) == ("white", False, [], True)
    assert data["threats"] == "threes"
    needless = run("solve", "vct", "h8a1", "--defences")
    assert (needless.status, "nothing to stop" in needless.out) == (1, True)
    lost = run("solve", "vct", "h8a1i8a15j8o1h7o15", "--defences", "--colour", "black")
    assert (lost.status, lost.out) == (1, "nothing stops Black: every reply allows a win by such threats\n")


@pytest.mark.parametrize("what", ["--all", "--defences"])
def test_points_that_a_limit_leaves_open_are_told(what):
    answer = run("solve", "vct", *LONG_WIN, what, "--colour", "black", "--nodes", "9000")
    assert answer.status == 1
    assert "not settled (the limit was reached): " in answer.out


def test_quiet_moves():
    answer = run("solve", "vct", "h8a1", "--threats", "any")
    assert (answer.status, "quiet moves" in answer.out) == (1, True)
    words = ("solve", "vct", "h8h9i9g7j10g10o1", "--threats", "any", "--nodes", "200", "--colour", "white")
    said = run(*words).out
    assert said.startswith("White: no win by fours, threes and quiet moves was found (")
    data = json.loads(run(*words, "--json").out)
    assert (data["attacker"], data["threats"], data["proven"]) == ("white", "any", False)


def test_a_limit_proves_nothing():
    words = ("solve", "vct", "h8h9i9g7j10g10o1", "--rules", "standard", "--nodes", "2000")
    answer = run(*words, "--json")
    assert (answer.status, json.loads(answer.out)["proven"]) == (1, False)
    assert "proves nothing" in run(*words).out
    assert "不证明没有" in run(*words, lang="zh").out


def test_which_threats():
    position = "h8a1i9a15i7o1h7g10"
    answer = run("solve", "vct", position, "--threats", "threes", "--memory", "8", "--json")
    assert (answer.status, json.loads(answer.out)["winner"]) == (0, "black")
    answer = run("solve", "vct", position, "--threats", "fours")
    assert (answer.status, answer.out) == (1, "Black has no win by continuous fours\n")


def test_an_exact_value():
    answer = run("solve", "exact", "a1b1b2", "--rules", "tictactoe")
    assert (answer.status, answer.err) == (0, "")
    loss, best, spent = answer.out.splitlines()
    assert loss == "White, to move, loses in 4 plies with best play"
    assert best == "best: c1 a2 c2 a3 b3 c3"
    assert "positions, 0." in spent
    last = run("solve", "exact", "b2a1a2c2a3c3b1b3", "--rules", "tictactoe").out
    assert "\n1 position, 0." in last
    draw = run("solve", "exact", "b2a1", "--rules", "tictactoe").out
    assert draw.startswith("a draw with best play\nbest: ")
    win = run("solve", "exact", "--rules", "mnk:4,3,3", "--value-only").out
    assert win.startswith("Black, to move, wins with best play\n")
    chinese = run("solve", "exact", "--rules", "mnk:4,4,3", lang="zh").out
    assert chinese.startswith("轮到黑方，双方最佳下法 5 手后黑方胜\n最佳点：a1 ")


def test_an_exact_value_for_a_program():
    data = json.loads(run("solve", "exact", "--rules", "mnk:4,3,3", "--json").out)
    assert data.keys() == {"value", "best", "complete", "distance", "positions", "bounds", "seconds"}
    assert (data["value"], data["distance"], data["complete"], data["bounds"]) == (1, 7, True, [1, 1])
    assert "b2" in data["best"]


def test_an_exact_value_that_is_not_reached():
    words = ("solve", "exact", "--rules", "mnk:8,8,5", "--nodes", "2000", "--memory", "8")
    answer = run(*words)
    assert answer.status == 1
    assert answer.out.startswith("Black, to move, does not lose; whether it wins is not known: the limit")
    assert "已到限度" in run(*words, lang="zh").out
    data = json.loads(run(*words, "--json").out)
    assert (data["value"], data["best"], data["complete"], data["distance"]) == (None, [], False, None)


def test_an_exact_value_is_resumed(tmp_path):
    file = tmp_path / "table"
    words = ("solve", "exact", "--rules", "mnk:5,5,4", "--resume", str(file))
    answer = run(*words, "--nodes", "2000")
    assert answer.status == 1
    assert f"is in {file}; run the same command to continue" in answer.err
    assert file.exists()
    answer = run(*words)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("a draw")


def interrupted(said: str, *words: str) -> tuple[int, str]:
    """The exit status and the output of a command that gets Ctrl-C when it has said something."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "tengen", *words, "--lang", "en"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, text=True) as process:
        os.close(follower)
        heard = b""
        while said.encode() not in heard:
            heard += os.read(leader, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        os.close(leader)
    return process.returncode, out


def test_memory_is_bounded_as_asked_for(monkeypatch):
    """Whichever way fours alone are asked for, and more of them than a search in depth gets through."""
    asked = []

    def remember(*given: object) -> Solution:
        asked.append(given[4])
        return Solution(None, False, (), 0, 0, 0, 0.0)

    monkeypatch.setattr("tengen.solver.threats.vcf.solve_by_df_pn", remember)
    monkeypatch.setattr("tengen.solver.threats.vcf._DEPTH_FIRST_NODES", 2)
    run("solve", "vcf", WIN, "--memory", "3")
    run("solve", "vct", WIN, "--threats", "fours", "--memory", "5")
    run("solve", "vcf", WIN)
    assert asked == [3, 5, 64]


@pytest.mark.long
def test_a_long_search_shows_a_clock_and_ends_with_ctrl_c():
    """What it knows by then is its answer."""
    words = ("solve", "vct", "h8f7c9g6f6e5e7g5h5e4h6h7f5e3e2")
    status, out = interrupted("searching for a win: 0:0", *words)
    assert status == 1
    assert out.startswith("White: no win by continuous threats (fours and threes) was found (")
    assert ", the search was stopped), which proves nothing" in out


@pytest.mark.long
def test_a_long_exact_search_tells_how_far_it_is_and_ends_with_ctrl_c():
    status, out = interrupted(" ahead: ", "solve", "exact", "--rules", "mnk:8,8,5")
    assert status == 1
    assert out.startswith(
        "Black, to move, does not lose; whether it wins is not known: the search was stopped"
    )


@pytest.mark.long
def test_an_explanation_that_takes_long_shows_a_clock_and_ends_with_ctrl_c():
    words = ("explain", "minimax,depth=20,width=60", "h8i9g9i7g7g8")
    status, out = interrupted("thinking: 0:0", *words)
    assert status == 0
    assert out.startswith("plays ")
    assert "Minimax searched" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "one of vcf, vct, exact is missing"),
        (("vcx",), "expected vcf"),
        (("exact", "h8", "--shortest"), "--shortest works only with vcf, vct"),
        (("vcf", "h8", "--threats", "threes"), "--threats works only with vct"),
        (("vcf", "h8", "--memory", "0"), "--memory"),
        (("vct", "h8", "--value-only"), "--value-only works only with exact"),
        (("vct", "h8", "--resume", "table"), "--resume works only with exact"),
        (("exact", "--rules", "tictactoe", "--colour", "white"), "--colour works only with vcf, vct"),
        (("exact",), "225 points"),
        (("exact", "--rules", "renju", "--size", "7"), "try the rules mnk:M,N,K"),
        (("exact", "a1a2b1b2c1", "--rules", "tictactoe"), "game is over"),
        (("exact", "--rules", "tictactoe", "--resume", "no/where"), "no/where cannot be written"),
        (("vct", "h8", "--threats", "twos"), "twos"),
        (("vct", "h8", "--all", "--defences"), "--all and --defences cannot be used together"),
        (("vcf", "h8", "--shortest", "--all"), "--shortest and --all cannot be used together"),
        (("exact", "--defences"), "--defences works only with vcf, vct"),
        (("vct", "h8", "--memory", "0"), "--memory"),
        (("vcf", "h8", "--colour", "red"), "red"),
        (("vcf", "h8", "--nodes", "0"), "--nodes"),
        (("vcf", "b2", "--rules", "tictactoe"), "5 to 22x22, not 3x3; tengen solve exact takes them\n"),
        (("vct", "--rules", "mnk:7,7,4"), "not 4 in a row; tengen solve exact takes them\n"),
        (("vct", "--all", "--rules", "mnk:7,7,4"), "not 4 in a row; tengen solve exact takes them\n"),
        (("vct", "--rules", "mnk:9,9,4"), "it plays five in a row only, not 4 in a row\n"),
        (("vcf", "h8a1i8a2j8a3k8a4l8"), "game is over"),
    ],
)
def test_mistakes(words, said):
    answer = run("solve", *words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize(
    "solver", [tengen.solve_vcf, tengen.solve_vct, tengen.winning_points, tengen.defences]
)
def test_python_is_pointed_to_the_exact_search_by_its_name_there(solver):
    with pytest.raises(tengen.RulesError, match=r"not 4 in a row; solve_exact takes them$"):
        solver(tengen.Board(rules="mnk:7,7,4"))
    with pytest.raises(tengen.RulesError, match=r"not 4 in a row$"):
        solver(tengen.Board(rules="mnk:9,9,4"))
    with pytest.raises(tengen.RulesError) as refused:
        tengen.solve_exact(tengen.Board("renju"))
    assert "--" not in str(refused.value)
