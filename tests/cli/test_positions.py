"""Positions that commands read: moves and boards in any form, files, and standard input."""

from __future__ import annotations

import json

import pytest

from tests.console import process, run


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def shown(*words, **options):
    answer = run("show", *words, "--json", **options)
    assert answer.status == 0, answer.err
    return json.loads(answer.out)


@pytest.mark.parametrize("command", ["show", "fouls"])
@pytest.mark.parametrize(
    "words",
    [
        ("h8i9",),
        ("h8", "i9"),
        ("1. h8", "2. i9"),
        ("8,8", "9,7"),
        ("https://a.org/#h8i9",),
        ("BOARD\n7,7,1\n8,6,2\nDONE",),
    ],
)
def test_what_show_reads_fouls_reads(command, words):
    answer = run(command, *words)
    assert answer.status == 0
    assert "X" in answer.out
    assert "O" in answer.out


def test_what_is_assumed_is_told_on_stderr():
    answer = run("show", "8,8", "9,9", "7,9")
    assert answer.err == (
        "tengen: Numbers read as column and row from the top left, counted from 1, on 15x15: 8,8 is h8\n"
    )
    assert shown("8,8", "9,9", "7,9")["moves"] == ["h8", "i7", "g7"]


def test_drawings_keep_their_size(tmp_path):
    drawing = "X O .\n. . .\n. X ."
    assert (shown(drawing)["rules"], shown(drawing)["size"]) == ("tictactoe", "3x3")
    (tmp_path / "board.txt").write_text(drawing)
    assert shown("board.txt")["size"] == "3x3"
    assert run("fouls", drawing).status == 0


def test_files(tmp_path):
    (tmp_path / "game.sgf").write_text("(;GM[4]SZ[15]RU[renju];B[hh];W[ii])(;GM[4];B[aa])")
    assert shown("game.sgf")["rules"] == "renju"
    assert shown("game.sgf", "--rules", "standard")["rules"] == "standard"
    assert run("show", "game.sgf").err == "tengen: 2 games: the first one is taken\n"
    answer = run("show", "game.sgf", "--size", "19")
    assert answer.status == 2
    assert answer.err.endswith("tengen: --size 19x19: the board that was read is 15x15\n")
    (tmp_path / "game.rec").write_text("a\nb\n10,10,0\n0\n")
    assert shown("game.rec", "--size", "20")["moves"] == ["k10"]


@pytest.mark.parametrize(
    "data",
    [
        b"8,8\r\n9,9\r\n",
        "8,8\r\n9,9\r\n".encode("utf-16"),
        b"\xef\xbb\xbf8,8\n9,9",
        "８，８\u2028９，９\u200b".encode(),
    ],
)
def test_standard_input(data):
    answer = process("show", "-", "--json", typed=data)
    assert json.loads(answer.out)["moves"] == ["h8", "i7"]
    answer = process("convert", "-", "out.sgf", typed=data)
    assert answer.status == 0


@pytest.mark.parametrize(
    "words", [("+1",), ("12!",), ("...",), ("---",), ("hello",), ("1-0",), ("8,8", "9")]
)
@pytest.mark.parametrize("command", ["show", "fouls"])
def test_what_is_not_understood_is_refused(command, words):
    answer = run(command, *words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1


def test_a_game_that_a_foul_has_lost_is_shown_and_searched_for_fouls():
    foul = "f8i10g8j7h7e9h6g5h8"
    for command in ("show", "fouls"):
        assert run(command, foul, "--rules", "renju").status == 0
