"""The command ``tengen review``, and the game of a file that commands take."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from pathlib import Path

import pytest

import tengen
from tengen import Board, Record
from tengen.study.review import review
from tests.console import process, run

GAME = "a1b2c3a3b1c1"
"""A game of tic-tac-toe, which the exact solver judges."""

LOST = "h8a1i9o15g7a15j10o1f6"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_mistakes_and_totals():
    answer = run("review", GAME, "--rules", "tictactoe")
    assert (answer.status, answer.err) == (0, "")
    first, second, black, white, turned = answer.out.splitlines()
    assert first.split()[:3] == ["4", "a3", "??"]
    assert "It leaves Black's threat unanswered." in first
    assert "It lowers the chance of winning by 50%. Better: b1" in first
    assert second.split()[:3] == ["5", "b1", "??"]
    assert black.startswith("Black: 0 inaccuracies, 0 mistakes, 1 blunder. Accuracy ")
    assert white.startswith("White: 0 inaccuracies, 0 mistakes, 1 blunder. Accuracy ")
    assert turned == "Turning point: move 5"
    assert (
        "黑方：小失误 0 次，失误 0 次，大失误 1 次。准确度"
        in run("review", GAME, "--rules", "tictactoe", lang="zh").out
    )


def test_the_judgement_is_that_of_the_library():
    record = Record.from_board(Board.from_moves(LOST))
    review = tengen.review(record, tengen.Limit(nodes=300))
    answer = json.loads(run("review", LOST, "--nodes", "300", "--json").out)
    assert (answer["rules"], answer["size"], len(answer["positions"])) == ("freestyle", "15x15", 10)
    assert [(each["ply"], each["judgement"], each["reason"]) for each in answer["mistakes"]] == [
        (mistake.ply, mistake.judgement, mistake.reason) for mistake in review.mistakes
    ]
    assert [each["win_rate"] for each in answer["positions"]] == [round(rate, 4) for rate in review.graph]
    assert answer["accuracy"] == {"black": review.accuracy[1], "white": review.accuracy[2]}
    assert answer["turning_point"] == review.turning_point
    assert "files" not in answer


def test_files_are_read_and_written(tmp_path):
    games = [Record("tictactoe"), Record.from_board(Board.from_moves(GAME, "tictactoe"), {"black": "Ann"})]
    tengen.write(games, "games.sgf")
    answer = run("review", "games.sgf", "--game", "2", "--sgf", "out.sgf", "--png", "graph.png", "--json")
    assert json.loads(answer.out)["files"] == ["out.sgf", "graph.png"]
    assert answer.err == ""
    (record,) = tengen.read("out.sgf")
    assert record == tengen.annotate(games[1], tengen.review(games[1]))
    assert (tmp_path / "graph.png").read_bytes()[1:4] == b"PNG"
    answer = run("review", "games.sgf", "--game", "2", "--sgf", "out.sgf")
    assert answer.out.endswith("written to out.sgf\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("h8", "--rules", "mnk:15,15,6"), "the engine does not play these rules"),
        (("h8", "--game", "2"), "--game 2: there is only one game"),
        (("missing.sgf",), "missing.sgf cannot be read: there is no such file or folder"),
        (("h8", "--png", "missing/x.png"), "missing/x.png cannot be written"),
        (("h8", "--nodes", "0"), "--nodes"),
    ],
)
def test_what_is_refused(words, sentence):
    answer = run("review", *words)
    assert (answer.status, answer.out) == (2, "")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.long
def test_the_real_command(tmp_path):
    (tmp_path / "game.txt").write_text(LOST)
    answer = process("review", "game.txt", "--nodes", "300", cwd=tmp_path)
    assert (answer.status, answer.err) == (0, "")
    assert "a15  ??  It leaves Black's threat unanswered." in answer.out
    assert "Accuracy" in answer.out


def test_ctrl_c_ends_it_with_what_is_known(monkeypatch):
    @contextmanager
    def pressed(call):
        call()
        yield

    monkeypatch.setattr("tengen.cli.review_command.first_ctrl_c", pressed)
    answer = run("review", GAME, "--rules", "tictactoe", "--sgf", "out.sgf", "--png", "out.png", "--json")
    data = json.loads(answer.out)
    assert (answer.status, data["positions"], data["accuracy"]) == (130, [], {})
    assert (data["complete"], data["total"]) == (False, 7)
    (record,) = tengen.read("out.sgf")
    assert record.root.comment == "The review was interrupted: none of 7 positions reviewed."
    assert record.board() == Board.from_moves(GAME, "tictactoe")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_interrupted_review_says_so_everywhere(monkeypatch, lang):
    pressing = []

    @contextmanager
    def pressed(call):
        pressing.append(call)
        yield

    def stopping(record, limit, stop, progress):
        def count(position, total):
            progress(position, total)
            if position.ply == 5:
                pressing[-1]()

        return review(record, limit, stop, count)

    monkeypatch.setattr("tengen.cli.review_command.first_ctrl_c", pressed)
    monkeypatch.setattr("tengen.study.review.review", stopping)
    words = ("review", GAME, "--rules", "tictactoe", "--sgf")
    sentence = {
        "en": "The review was interrupted: 2 of 7 positions reviewed, the last ones.",
        "zh": "复盘已中断：全局共 7 个局面，只复盘了最后 2 个。",
    }[lang]
    answer = run(*words, "a.sgf", lang=lang)
    assert (answer.status, answer.err) == (130, "")
    assert sentence in answer.out.splitlines()
    assert not re.search("Accuracy|准确度", answer.out)
    comment = tengen.read("a.sgf")[0].root.comment
    assert comment.splitlines()[0] == sentence
    assert not re.search("Accuracy|准确度|inaccura|转折点|Turning", comment)
    data = json.loads(run(*words, "b.sgf", "--png", "b.png", "--json", lang=lang).out)
    assert (data["complete"], data["total"], data["accuracy"]) == (False, 7, {})
    assert [each["ply"] for each in data["positions"]] == [5, 6]
    assert Path("b.png").read_bytes()[1:4] == b"PNG"


def test_a_game_without_moves():
    assert run("review", "--nodes", "100").out == "No moves: there is nothing to review.\n"


def test_sentences_stand_side_by_side_as_their_language_writes_them():
    assert (
        "没有应对黑方的威胁。胜率下降 50%。更好的着法：b1"
        in run("review", GAME, "--rules", "tictactoe", lang="zh").out
    )


# -- the game and the move of a file


@pytest.mark.parametrize("command", ["show", "fouls", "analyse", "explain"])
def test_commands_take_a_game_of_a_file_up_to_a_move(command):
    games = [Record.from_board(Board.from_moves(moves, "renju")) for moves in ("a1", "h8i9g7")]
    tengen.write(games, "games.sgf")
    spec = ("lines",) if command == "explain" else ()
    limit = ("--nodes", "100") if command == "analyse" else ()
    answer = run(command, *spec, "games.sgf", "--game", "2", "--move", "2", *limit)
    assert (answer.status, answer.err) == (0, "")
    whole = run(command, *spec, "h8i9", "--rules", "renju", *limit)
    skip = 1 if command == "analyse" else 0  # its times differ
    assert [line.split()[:skip] if skip else line for line in answer.out.splitlines()] == [
        line.split()[:skip] if skip else line for line in whole.out.splitlines()
    ]


def test_moves_are_counted_from_the_beginning():
    assert json.loads(run("show", "h8i9g7", "--move", "0", "--json").out)["moves"] == []
    assert json.loads(run("show", "h8i9g7", "--move", "3", "--json").out)["moves"] == ["h8", "i9", "g7"]
    assert run("show", "h8i9", "--move", "3").err == "tengen: --move 3: the game has only 2 moves\n"
    assert run("fouls", "h8", "--move", "3").err == "tengen: --move 3: the game has only one move\n"


def test_problems_name_their_game():
    Path("games.sgf").write_text("(;GM[4]SZ[15];B[hh];W[hh])(;GM[4]SZ[15];B[aa])")
    first, second = run("show", "games.sgf").err.splitlines()
    assert first.startswith("tengen: game 1: line 1, column 23: h8 is occupied")
    assert second == "tengen: 2 games: the first one is taken"


def test_files_of_unknown_names_and_encodings(tmp_path):
    (tmp_path / "game").write_bytes("(;GM[4]SZ[15]PB[林海峰];B[hh])".encode("gb18030"))
    assert json.loads(run("show", "game", "--encoding", "gb18030", "--json").out)["moves"] == ["h8"]
    assert run("show", "game", "--encoding", "klingon").status == 2
