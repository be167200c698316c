"""``tengen solve``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.console import run

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")

pytestmark = pytest.mark.usefixtures("compiled")

WIN = "h8a1i8a3j8a5"
"""Black has an open three, and it is Black's turn."""


def test_a_win_by_fours():
    answer = run("solve", "vcf", WIN, "--shortest")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Black wins by 1 four: ")
    assert "黑冲四 1 次取胜" in run("solve", "vcf", WIN, lang="zh").out


def test_for_a_program():
    data = json.loads(run("solve", "vcf", WIN, "--json").out)
    assert data.keys() == {"winner", "proven", "line", "length", "fours", "nodes", "seconds"}
    assert (data["winner"], data["proven"], data["length"], data["fours"]) == ("black", True, 3, 1)
    assert len(data["line"]) == 3


def test_no_win_is_an_answer_too():
    answer = run("solve", "vcf", WIN, "--colour", "white")
    assert (answer.status, answer.out) == (1, "White has no win by continuous fours\n")
    answer = run("solve", "vcf", WIN, "--nodes", "1")
    assert answer.status == 1
    assert "within the limit" in answer.out
    assert json.loads(run("solve", "vcf", WIN, "--nodes", "1", "--json").out)["proven"] is False


def test_a_win_by_threats():
    position = "h8a1i9a15j10o1k8"
    answer = run("solve", "vct", position, "--colour", "black")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Black wins by threats in ")
    assert "黑连续进攻" in run("solve", "vct", position, "--colour", "black", lang="zh").out
    answer = run("solve", "vct", "h8a1", "--json")
    assert (answer.status, json.loads(answer.out)["proven"]) == (1, False)
    assert "proves nothing" in run("solve", "vct", "h8a1").out


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
        out, _ = process.communicate(timeout=60)
        os.close(leader)
    return process.returncode, out


def test_a_long_search_shows_a_clock_and_ends_with_ctrl_c():
    """What it knows by then is its answer."""
    words = ("solve", "vct", "h8h9i8g8j6j9i9", "--rules", "renju")
    status, out = interrupted("looking for a win: 0:0", *words)
    assert status == 1
    assert out.startswith("White: no win by threats was found (")


def test_an_explanation_that_takes_long_shows_a_clock_and_ends_with_ctrl_c():
    words = ("explain", "minimax,depth=20,width=60", "h8i9g9i7g7g8")
    status, out = interrupted("thinking: 0:0", *words)
    assert status == 0
    assert out.startswith("plays ")
    assert "Minimax searched" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "vcf|vct is missing"),
        (("vcx",), "expected vcf"),
        (("vct", "h8", "--shortest"), "vcf only"),
        (("vcf", "h8", "--colour", "red"), "red"),
        (("vcf", "h8", "--nodes", "0"), "--nodes"),
        (("vcf", "b2", "--rules", "tictactoe"), "5 to 22"),
        (("vcf", "h8a1i8a2j8a3k8a4l8"), "game is over"),
    ],
)
def test_mistakes(words, said):
    answer = run("solve", *words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
