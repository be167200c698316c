"""``tengen solve``."""

from __future__ import annotations

import json

import pytest

from tests.console import run

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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "vcf is missing"),
        (("vct",), "expected vcf"),
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
