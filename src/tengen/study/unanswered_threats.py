"""Threats that a move leaves unanswered although there was an answer.

A side threatens to win *at once*, where it completes a row of k with its next stone (a four stands), or *in
three plies*, where its next stone makes a threat that nothing answers (an open three stands). Whoever
faces such a threat may answer it, or gain time by threats to win at once of its own; but moves that gain
time only, and leave everything as it was, are no answer.

All of it is judged by the rules of the game, whatever k is: `tengen.players.windows` knows which rows win,
and which points are fouls of Black's.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tengen.game.board import Board
from tengen.game.points import PASS, Colour, Point, opponent
from tengen.players.windows import Windows

WinPlies: TypeAlias = Literal[1, 3]
"""Plies to a win: with the next stone, or with the one after that."""

_GAINS = 2
"""Threats of one's own in a row that are looked at, to see whether they gain more than time."""


def unanswered_threat(board: Board, move: Point) -> WinPlies | None:
    """Find out whether a move leaves a threat of the opponent's unanswered.

    Args:
        board: a game that is not over, before the move.
        move: a legal one.

    Returns:
        The plies in which the opponent wins after the move, if another move would have answered that
        threat; None where nothing is threatened, or where nothing would have helped.
    """
    if move == PASS:
        return None
    windows, mover = Windows(board), board.turn
    if move in windows.fives(mover):
        return None
    windows.place(move, mover)
    plies = quick_win(windows, opponent(mover))
    windows.lift(move)
    if plies is None or _answers(windows, mover, move, _GAINS):
        return None
    legal = [point for point in board.legal_points() if point not in (move, PASS)]
    return plies if _can_answer(windows, mover, legal, _GAINS) else None


def quick_win(windows: Windows, attacker: Colour) -> WinPlies | None:
    """Return the plies in which a side that is to move wins, if it needs no more than two stones."""
    if windows.fives(attacker):
        return 1
    defender = opponent(attacker)
    # Where the defender would win at once only what stops that can be played.
    must = windows.answers(defender) if windows.fives(defender) else None
    for point in windows.fours(attacker):
        if must is not None and point not in must:
            continue
        if windows.is_foul(point, attacker):
            continue
        windows.place(point, attacker)
        stopped = not windows.fives(attacker) or windows.fives(defender) or windows.answers(attacker)
        windows.lift(point)
        if not stopped:
            return 3
    return None


def _answers(windows: Windows, mover: Colour, move: Point, gains: int) -> bool:
    """Whether the opponent has no quick win after a move, nor after having answered what it threatens."""
    other = opponent(mover)
    windows.place(move, mover)
    try:
        if not windows.fives(mover) or windows.fives(other):
            return quick_win(windows, other) is None
        replies = windows.answers(mover)
        return all(_holds_after(windows, other, reply, gains) for reply in replies)
    finally:
        windows.lift(move)


def _holds_after(windows: Windows, other: Colour, reply: Point, gains: int) -> bool:
    """Whether a side can answer all threats after the other has replied to one of its own."""
    mover = opponent(other)
    windows.place(reply, other)
    try:
        if windows.fives(mover) or quick_win(windows, other) is None:
            return True
        return gains > 0 and _can_answer(windows, mover, windows.empty(), gains - 1)
    finally:
        windows.lift(reply)


def _can_answer(windows: Windows, mover: Colour, points: list[Point], gains: int) -> bool:
    """Whether one of some points answers what is threatened."""
    if windows.fives(mover):
        return True
    if windows.fives(opponent(mover)):
        # Nothing else keeps the opponent from winning at once.
        allowed = set(points)
        points = [point for point in windows.answers(opponent(mover)) if point in allowed]
    return any(
        not windows.is_foul(point, mover) and _answers(windows, mover, point, gains) for point in points
    )
