"""Search for puzzles in games, and verification of puzzles.

In every position of a game, `tengen.solver` searches for a win of the side to move by fours, for a win by
threats, and for a win by fours of the other side that could be stopped. Where there is one, it solves all
possible threats there, and again after each answer, until the puzzle is solved. A puzzle is accepted only
if

- all of that is proven within a limited number of nodes;
- the first move is not obvious: no five can be made or has to be stopped, and few moves are right;
- it takes more than one move, unless it is a defence;
- it does not have too many solutions.

A puzzle ends where nothing stops the five any more, where so many moves win that none has to be found, and
where the solver cannot solve all of the next threats; the move before is proven to win in any case. The
other side answers so as to lose as late as possible, not counting fours that only delay.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tengen.engine.board.playable import check_rules
from tengen.game.board import Board
from tengen.game.fives import fives
from tengen.game.player import Limit
from tengen.game.points import Colour, Point, opponent
from tengen.game.record import Record
from tengen.players.candidates import playable
from tengen.players.windows import Windows
from tengen.solver.results import Solution
from tengen.solver.threats.root_moves import answers, defences, winning_points
from tengen.solver.threats.vcf import solve_vcf
from tengen.solver.threats.vct import solve_vct
from tengen.study.puzzle import Puzzle, PuzzleError, PuzzleKind, PuzzleReply, PuzzleTurn

_THREATS = {"vcf": "fours", "vct": "threes"}
"""The threat sets of `tengen.solver.threats.vct` for the kinds of puzzles that ask for a win."""

_FIRST = Limit(nodes=20_000)
"""The limit for finding out whether a position contains a puzzle."""

_SETTLING = Limit(nodes=200_000)
"""The limit for solving all the threats of one turn."""

_ANSWERING = Limit(nodes=20_000)
"""The limit for finding how long the other side can hold out after one answer."""

_GLANCE = Limit(nodes=2_000)
"""The limit for finding how the attacker continues if nothing stops the win."""

_MEMORY, _LITTLE = 16, 1
"""Megabytes of the solver's tables: for all the threats of one turn, and for a search for one win."""

_MOST_RIGHT = 3
"""The most right moves of a turn; with more there is little to find."""

_MOST_TURNS = 80
"""The most turns of a puzzle, over all variations."""

_FEWEST_FOURS = 2
"""The fewest fours of a win to be stopped: a win with a single four is an open three or a double four."""

_SHORTEST = {"vcf": 2, "vct": 2, "defence": 1}
"""The fewest moves to solve a puzzle of each kind."""


class _Unsuitable(Exception):
    """Raised for a position that contains no acceptable puzzle."""


@dataclass
class _Size:
    """The number of turns of a puzzle so far."""

    turns: int = 0


def puzzles_of(record: Record, stop: threading.Event | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles in a game's main line: for each kind and colour the first one.

    Fouls are forbidden in puzzles, whatever the rules of the game; the search ends at the first foul
    played.

    Args:
        record: a game from the empty board.
        stop: when set, the search ends before the next position.

    Raises:
        PuzzleError: the game begins with a set-up position.
        RulesError: the engine does not support the rules or the board.
    """
    check_rules(record.rules)
    _check_start(record.setup)
    board = Board(replace(record.rules, fouls="forbidden"))
    found: set[tuple[PuzzleKind, Colour]] = set()
    for node in record.main_line():
        if node.point is None:
            continue
        if not board.is_legal(node.point):
            return
        board.push(node.point)
        if board.outcome() is not None or (stop is not None and stop.is_set()):
            return
        puzzle = puzzle_at(board)
        if puzzle is not None and (puzzle.kind, board.turn) not in found:
            found.add((puzzle.kind, board.turn))
            yield puzzle


def puzzle_at(board: Board) -> Puzzle | None:
    """Return the puzzle of a position; None if there is none.

    Args:
        board: a game from the empty board, with rules that forbid fouls.

    Raises:
        PuzzleError: the position was set up, or its rules allow fouls.
        RulesError: the engine does not support the rules or the board.
    """
    check_rules(board.rules)
    _check_start(board)
    if board.rules.fouls != "forbidden":
        raise PuzzleError("error.puzzle.fouls")
    side = board.turn
    if board.outcome() is not None or fives(board, side) or fives(board, opponent(side)):
        return None
    kind = _kind(board)
    if kind is None:
        return None
    try:
        turn = _defence(board) if kind == "defence" else _attack(board.copy(), kind, _Size())
    except _Unsuitable:
        return None
    if turn is None or not turn.wrong:
        return None
    puzzle = Puzzle(board.rules, board.moves, kind, turn)
    return puzzle if puzzle.length >= _SHORTEST[kind] else None


def check(puzzle: Puzzle) -> None:
    """Verify a puzzle by finding it again.

    Raises:
        PuzzleError: the position contains no puzzle of this kind, or the right or wrong moves differ.
        RulesError: the engine does not support the rules or the board.
    """
    again = puzzle_at(puzzle.board())
    if again is None or (again.kind, again.turn) != (puzzle.kind, puzzle.turn):
        raise PuzzleError("error.puzzle.not_right", puzzle=puzzle.name)


def _check_start(board: Board) -> None:
    """Raise an error if a game did not begin with the empty board."""
    if board.setup is not None:
        raise PuzzleError("error.puzzle.setup")


def _kind(board: Board) -> PuzzleKind | None:
    """Return the kind of puzzle that a position contains; None if there is none."""
    fours = solve_vcf(board, _FIRST)
    if fours.winner is not None:
        return "vcf"
    if not fours.proven:
        return None
    if solve_vct(board, _FIRST, memory_mb=_LITTLE).winner is not None:
        return "vct"
    enemy = opponent(board.turn)
    return "defence" if solve_vcf(board, _FIRST, enemy).winner is not None else None


def _attack(board: Board, kind: PuzzleKind, size: _Size) -> PuzzleTurn | None:
    """Return the attacker's turn, or None where there is nothing to find; the board is restored.

    There is nothing to find where many moves win, or where not all threats can be solved.

    Raises:
        _Unsuitable: there are too many ways to win, or the longest defence cannot be determined.
    """
    threats = _THREATS[kind]
    found = winning_points(board, _SETTLING, threats=threats, memory_mb=_MEMORY)
    if not found.proven or len(found.points) > _MOST_RIGHT:
        return None
    size.turns += 1
    if size.turns > _MOST_TURNS:
        raise _Unsuitable
    right: dict[Point, PuzzleReply] = {}
    for point in found.points:
        board.push(point)
        right[point] = _reply(board, kind, size)
        board.pop()
    return PuzzleTurn(right, found.fails)


def _reply(board: Board, kind: PuzzleKind, size: _Size) -> PuzzleReply:
    """Return the continuation after a winning move; the board is restored."""
    if board.outcome() is not None:
        return PuzzleReply((), None)
    attacker, threats = opponent(board.turn), _THREATS[kind]
    answer = _longest_answer(board, threats)
    if answer is None:
        return PuzzleReply(_in_spite(board, attacker, threats), None)
    board.push(answer)
    turn = _attack(board, kind, size)
    rest = () if turn else _win(board, threats).line
    board.pop()
    return PuzzleReply((answer, *rest), turn)


def _in_spite(board: Board, attacker: Colour, threats: str) -> tuple[Point, ...]:
    """Return an attempt to stop a win that cannot be stopped, on the attacker's next point, and the win."""
    wins = solve_vcf(board, _GLANCE, attacker).line[::2]
    points = playable(board)
    answer = next((point for point in wins if point in points), points[0])
    board.push(answer)
    line = _win(board, threats).line
    board.pop()
    return answer, *line


def _longest_answer(board: Board, threats: str) -> Point | None:
    """Return the answer after which the attacker, who has just moved, takes longest; None if none helps.

    Raises:
        _Unsuitable: the length of a win cannot be determined.
    """
    best: tuple[int, Point] | None = None
    for answer in answers(board, threats):
        board.push(answer)
        win = _win(board, threats)
        four = bool(fives(board, opponent(board.turn)))
        board.pop()
        if win.winner is None:
            raise _Unsuitable
        # A four delays the attacker by one move without necessarily changing anything.
        held = win.length - 2 * four
        # An answer that leaves a five to be made does not help either.
        if win.length > 1 and (best is None or held > best[0]):
            best = held, answer
    return None if best is None else best[1]


def _win(board: Board, threats: str) -> Solution:
    """Return the win of the side to move, the shortest one if it is found within the limit."""
    return solve_vct(board, _ANSWERING, threats=threats, memory_mb=_LITTLE, shortest=True)


def _defence(board: Board) -> PuzzleTurn | None:
    """Return the turn of the side that has to stop a win by fours; None if there is no puzzle.

    The side must have no four of its own: it would only delay the win, but appear to stop it.
    """
    enemy = opponent(board.turn)
    win = solve_vcf(board, _SETTLING, enemy, shortest=True)
    if not win.shortest or win.fours < _FEWEST_FOURS or Windows(board).fours(board.turn):
        return None
    found = defences(board, _SETTLING, threats="fours", memory_mb=_MEMORY)
    if not found.proven or not 0 < len(found.stops) <= _MOST_RIGHT:
        return None
    wrong = tuple(sorted(set(found.loses).intersection(win.line)))
    return PuzzleTurn(dict.fromkeys(found.stops, PuzzleReply((), None)), wrong)
