"""Finding puzzles in games, and checking them.

Every position of a game is asked, by `tengen.solver`, for a win of the side to move by fours, for one by
threats, and for a win by fours of the other side that it could stop. Where there is one, the solver settles
all threats that could be made there, and again after each answer, until nothing is left to find. A puzzle
is kept only if

- all of that is proven, in a limited number of nodes;
- the first move has to be found: no five can be made or has to be stopped, and few moves are right;
- it is not over after one move, unless it is a defence;
- there are not too many ways to solve it.

A puzzle ends where nothing stops the five any more, where so many moves win that none has to be found, and
where the solver cannot settle all of the next threats; the move before is proven to win all the same.
The other side answers so that it loses as late as can be; a four that only delays counts nothing.
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
from tengen.players.windows import Windows
from tengen.solver.results import Solution
from tengen.solver.threats.root_moves import answers, defences, winning_points
from tengen.solver.threats.vcf import solve_vcf
from tengen.solver.threats.vct import solve_vct
from tengen.study.puzzle import Puzzle, PuzzleError, PuzzleKind, PuzzleReply, PuzzleTurn

_THREATS = {"vcf": "fours", "vct": "threes"}
"""The sets of threats of `tengen.solver.threats.vct` that kinds of puzzles are about."""

_FIRST = Limit(nodes=20_000)
"""Spent on whether there is anything to find in a position, ..."""

_SETTLING = Limit(nodes=200_000)
"""... on all the threats of one turn, ..."""

_ANSWERING = Limit(nodes=20_000)
"""... on how long the other side can hold out after one answer, ..."""

_GLANCE = Limit(nodes=2_000)
"""... and on where the attacker goes on if nothing stops it."""

_MEMORY, _LITTLE = 16, 1
"""Megabytes that the solver remembers: of all the threats of one turn, and of a search for one win."""

_MOST_RIGHT = 3
"""Where more moves than that are right, there is little to find."""

_MOST_TURNS = 80
"""Turns of a puzzle, whatever is played, at most."""

_FEWEST_FOURS = 2
"""Of a win by fours that is to be stopped: a win by one is an open three, or two fours at once."""

_SHORTEST = {"vcf": 2, "vct": 2, "defence": 1}
"""The fewest moves that a puzzle of each kind takes."""


class _Unsuitable(Exception):
    """A position that makes no puzzle."""


@dataclass
class _Size:
    """How many turns a puzzle has so far."""

    turns: int = 0


def puzzles_of(record: Record, stop: threading.Event | None = None) -> Iterator[Puzzle]:
    """The puzzles in a game's main line: of each kind and for each colour the first that there is.

    Fouls are forbidden in puzzles, whatever becomes of them in the game, which ends where one is played.

    Args:
        record: a game from the empty board.
        stop: when set, ends it before the next position.

    Raises:
        PuzzleError: a game that begins with a position.
        RulesError: rules or a board that the engine does not play.
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
    """The puzzle of a position; None if it makes none.

    Args:
        board: what has been played from the empty board, where fouls are forbidden.

    Raises:
        PuzzleError: a position that was set up, or where fouls may be played.
        RulesError: rules or a board that the engine does not play.
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
    """Find a puzzle again, and compare.

    Raises:
        PuzzleError: the position makes no such puzzle, or another move is right, or wrong.
        RulesError: rules or a board that the engine does not play.
    """
    again = puzzle_at(puzzle.board())
    if again is None or (again.kind, again.turn) != (puzzle.kind, puzzle.turn):
        raise PuzzleError("error.puzzle.not_right", puzzle=puzzle.name)


def _check_start(board: Board) -> None:
    """Raise where a game did not begin with the empty board."""
    if board.setup is not None:
        raise PuzzleError("error.puzzle.setup")


def _kind(board: Board) -> PuzzleKind | None:
    """What there is to find in a position, if anything."""
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
    """The attacker's turn, None where none is asked for; the board comes back as it was.

    That is so where many moves win, and where not all threats can be settled.

    Raises:
        _Unsuitable: there are too many ways to win, or it cannot be told how the other side holds out.
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
    """What follows a move that wins; the board comes back as it was."""
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
    """A try to stop what cannot be stopped, where the attacker would go on, and how it does."""
    wins = solve_vcf(board, _GLANCE, attacker).line[::2]
    tried = (point for point in (*wins, *board.legal_points()) if board.is_legal(point))
    answer = next(tried)
    board.push(answer)
    line = _win(board, threats).line
    board.pop()
    return answer, *line


def _longest_answer(board: Board, threats: str) -> Point | None:
    """The answer after which the attacker, who has just moved, takes longest; None if none is any use.

    Raises:
        _Unsuitable: how long it takes cannot be told.
    """
    best: tuple[int, Point] | None = None
    for answer in answers(board, threats):
        board.push(answer)
        win = _win(board, threats)
        four = bool(fives(board, opponent(board.turn)))
        board.pop()
        if win.winner is None:
            raise _Unsuitable
        # A four takes the attacker a move more, and need not change anything.
        held = win.length - 2 * four
        # Nor does an answer that leaves a five to be made.
        if win.length > 1 and (best is None or held > best[0]):
            best = held, answer
    return None if best is None else best[1]


def _win(board: Board, threats: str) -> Solution:
    """How the side to move wins, in the fewest moves if that is soon known."""
    return solve_vct(board, _ANSWERING, threats=threats, memory_mb=_LITTLE, shortest=True)


def _defence(board: Board) -> PuzzleTurn | None:
    """The turn of the side that has a win by fours to stop; None if that is no puzzle.

    A four of its own would put the win off, and so seem to stop it.
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
