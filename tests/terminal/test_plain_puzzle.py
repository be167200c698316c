"""Puzzles solved line by line, as typed: every test runs the command ``tengen puzzle``."""

from __future__ import annotations

import json

import pytest

from tengen.study.puzzle import KINDS, Puzzle, PuzzleReply, PuzzleTurn
from tengen.study.puzzle_set import HEAD, select, shipped
from tests.console import run


def solved(puzzle: Puzzle, *before: str, lang: str = "en"):
    """The command's answer to the solver's moves of the solution, and lines before them."""
    board = puzzle.board()
    moves = puzzle.solution()[::2][: puzzle.length]
    lines = [*before, *(board.name(point) for point in moves)]
    return run("puzzle", puzzle.name, lang=lang, typed="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_solves_it(kind):
    puzzle = next(select(shipped().values(), kind=kind))
    answer = solved(puzzle)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"Puzzle {puzzle.name} · ")
    assert "Solved: " in answer.out
    assert answer.out.count(" answers ") == puzzle.length - 1


def test_in_chinese():
    for kind, words in (("vcf", "连续冲四胜"), ("vct", "连续进攻胜"), ("defence", "挡住")):
        answer = solved(next(select(shipped().values(), kind=kind)), "提示", lang="zh")
        assert words in answer.out
        assert "借助提示解出：" in answer.out


def test_a_wrong_move_may_be_followed_by_the_right_one():
    puzzle = next(select(shipped().values(), kind="vcf"))
    board = puzzle.board()
    wrong = board.name(puzzle.turn.wrong[0])
    answer = solved(puzzle, wrong, board.name(board.moves[0]), "8-", "")
    assert answer.status == 0
    assert f"{wrong} is a four, but after " in answer.out
    assert f"{board.name(board.moves[0])} is occupied" in answer.out
    assert "'8-': expected a point such as " in answer.out
    assert answer.out.count("q: quit.") == 2
    assert "Solved with help: " in answer.out


def test_hints_and_the_solution():
    puzzle = next(one for one in select(shipped().values(), kind="vcf") if one.length > 1)
    board = puzzle.board()
    line = " ".join(board.name(point) for point in puzzle.solution())
    answer = run("puzzle", puzzle.name, typed="h\nhint\nsolution\n")
    assert answer.status == 1
    assert f"{puzzle.length} moves to go." in answer.out
    assert f"{line.split()[0]} is a correct move." in answer.out
    assert answer.out.endswith(f"Solution: {line}\n")


def test_whoever_leaves_has_not_solved_it():
    puzzle = next(iter(shipped().values()))
    for typed in ("q\n", ""):
        assert run("puzzle", puzzle.name, typed=typed).status == 1


def test_black_is_told_why_a_foul_cannot_be_played(tmp_path):
    from tengen import Board

    board = Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
    turn = PuzzleTurn({0: PuzzleReply((), None)}, ())
    puzzle = Puzzle(board.rules, board.moves, "defence", turn)
    path = tmp_path / "foul.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (HEAD, puzzle.to_dict())))
    answer = run("puzzle", "--file", str(path), typed="h8\na1\n")
    assert "three-three" in answer.out
    assert answer.status == 0
