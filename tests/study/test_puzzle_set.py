"""The puzzles that come with Tengen, and files of puzzles."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tengen import Limit, solve_vcf
from tengen.formats.files import FileError
from tengen.game.points import EMPTY, axes, opponent
from tengen.game.rows import five_points
from tengen.game.symmetry import canonical
from tengen.study.puzzle import KINDS, LEVELS, Puzzle, PuzzleError
from tengen.study.puzzle_finder import check
from tengen.study.puzzle_set import HEAD, read_puzzles, select, shipped

RULES = ("freestyle", "standard", "renju", "caro")

pytestmark = pytest.mark.usefixtures("compiled")


def fives(board, colour):
    grid = axes(board.width, board.height)
    return five_points(board.rules, board.position, grid, board.stones(EMPTY), colour)


def test_there_are_some_of_every_kind_and_level_for_all_rules():
    there = Counter((one.rules.name, one.kind) for one in shipped().values())
    assert all(there[rules, kind] >= 5 for rules in RULES for kind in KINDS)
    levels = Counter((one.rules.name, one.level) for one in shipped().values())
    assert all(levels[rules, level] for rules in RULES for level in range(1, LEVELS + 1))


def test_the_easier_ones_come_first_each_by_its_name():
    assert all(one.name == name for name, one in shipped().items())
    bits = [one.difficulty for one in shipped().values()]
    assert bits == sorted(bits)


@pytest.mark.long
def test_all_their_moves_are_legal():
    for one in shipped().values():
        assert Puzzle.from_dict(one.to_dict()) == one


def test_no_position_comes_twice():
    positions = Counter((one.rules, canonical(one.board())[0]) for one in shipped().values())
    assert max(positions.values()) == 1


def ends(board, turn):
    """The board at the end of every way to solve a puzzle, the last right move and what follows played."""
    for point, reply in turn.right.items():
        board.push(point)
        for move in reply.moves:
            board.push(move)
        if reply.turn is None:
            yield board
        else:
            yield from ends(board, reply.turn)
        for _ in (point, *reply.moves):
            board.pop()


@pytest.mark.parametrize("name", RULES)
def test_every_way_to_solve_one_ends_with_a_five(name):
    for one in shipped().values():
        if one.rules.name == name and one.kind != "defence":
            for end in ends(one.board(), one.turn):
                outcome = end.outcome()
                assert outcome is not None
                assert (outcome.winner, outcome.reason) == (one.solver, "five")


def fours(board, turn):
    """Whether every right move threatens a five, or makes one, and every answer stops it."""
    side = board.turn
    for point, reply in turn.right.items():
        board.push(point)
        yield bool(board.outcome() or fives(board, side))
        if reply.turn is not None:
            board.push(reply.moves[0])
            yield not fives(board, side)
            yield from fours(board, reply.turn)
            board.pop()
        board.pop()


@pytest.mark.long
def test_wins_by_fours_are_fours_alone():
    for one in list(select(shipped().values(), kind="vcf"))[::4]:
        assert all(fours(one.board(), one.turn)), one.name


@pytest.mark.long
def test_no_five_can_be_made_at_once():
    for one in shipped().values():
        board = one.board()
        assert not fives(board, board.turn)
        assert not fives(board, opponent(board.turn))


def test_wins_by_threats_need_a_three():
    for one in list(select(shipped().values(), kind="vct"))[::4]:
        found = solve_vcf(one.board(), Limit(nodes=100_000))
        assert (found.winner, found.proven) == (None, True)


@pytest.mark.long
def test_a_defence_stops_every_win_by_fours():
    for one in list(select(shipped().values(), kind="defence"))[::4]:
        board = one.board()
        enemy = opponent(board.turn)
        assert solve_vcf(board, colour=enemy).winner == enemy
        for point in board.legal_points():
            board.push(point)
            found = solve_vcf(board, Limit(nodes=2_000_000))
            board.pop()
            assert found.proven
            assert (found.winner is None) == (point in one.turn.right)


@pytest.mark.long
def test_the_solver_finds_the_same_moves_again():
    for kind in KINDS:
        check(next(select(shipped().values(), kind=kind)))


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_the_solver_finds_the_same_moves_again_in_many(name):
    for one in [one for one in shipped().values() if one.rules.name == name][::16]:
        check(one)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_solver_finds_the_same_moves_again_in_all():
    for one in shipped().values():
        check(one)


def test_select():
    every = list(shipped().values())
    assert list(select(every)) == every
    rules = every[0].rules
    some = list(select(every, rules, "vcf", 2))
    assert some
    assert all((one.rules, one.kind, one.level) == (rules, "vcf", 2) for one in some)


def written(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_file_of_puzzles(tmp_path):
    some = list(shipped().values())[:3]
    path = written(tmp_path / "mine.jsonl", HEAD, *(one.to_dict() for one in some))
    assert read_puzzles(path) == some


def test_files_that_hold_none(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        read_puzzles(tmp_path / "none.jsonl")
    with pytest.raises(PuzzleError, match="is not a puzzle file"):
        read_puzzles(written(tmp_path / "empty.jsonl"))
    with pytest.raises(PuzzleError, match="is not a puzzle file"):
        read_puzzles(written(tmp_path / "games.jsonl", {"format": "tengen games", "version": 1}))
    with pytest.raises(PuzzleError, match="has another version: expected 1"):
        read_puzzles(written(tmp_path / "later.jsonl", {**HEAD, "version": 2}))
    with pytest.raises(PuzzleError, match=r"broken.jsonl, line 2: not a puzzle: expected rules"):
        read_puzzles(written(tmp_path / "broken.jsonl", HEAD, {"rules": "renju"}))
