"""Threats that a move leaves unanswered although they could have been answered.

A side threatens to win *at once*, if its next stone completes a row of k (a four), or *in three plies*, if
its next stone makes a threat that cannot be answered (an open three). The other side may answer the threat,
or make threats of its own to win at once; but moves that only gain time, without changing the outcome, do
not count as an answer.

All of this depends on the rules of the game, for any k: `tengen.players.windows` determines which rows win,
and which points are fouls for Black.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tengen.game.board import Board
from tengen.game.points import PASS, Colour, Point, opponent
from tengen.players.windows import Windows

WinPlies: TypeAlias = Literal[1, 3]
"""The number of plies to a win: with the next stone, or with the stone after it."""

_GAINS = 2
"""The longest sequence of the side's own threats that is searched for more than a gain of time."""


def unanswered_threat(board: Board, move: Point) -> WinPlies | None:
    """Return the plies in which the opponent wins by a threat that a move leaves unanswered.

    Args:
        board: an unfinished game, before the move.
        move: a legal move.

    Returns:
        The plies in which the opponent wins after the move, if another move would have answered the threat;
        None if there is no threat, or no move answers it.
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
    """Return the plies in which the side to move wins, if it needs no more than two stones, else None."""
    if windows.fives(attacker):
        return 1
    defender = opponent(attacker)
    # Where the defender threatens to win at once, only moves that stop that can be played.
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
    """Return whether the opponent has no quick win after a move and the answers to its threats."""
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
    """Return whether a side can answer all threats after the other side's reply to its own threat."""
    mover = opponent(other)
    windows.place(reply, other)
    try:
        if windows.fives(mover) or quick_win(windows, other) is None:
            return True
        return gains > 0 and _can_answer(windows, mover, windows.empty(), gains - 1)
    finally:
        windows.lift(reply)


def _can_answer(windows: Windows, mover: Colour, points: list[Point], gains: int) -> bool:
    """Return whether a move at one of the points answers the opponent's threats."""
    if windows.fives(mover):
        return True
    if windows.fives(opponent(mover)):
        # Only these moves keep the opponent from winning at once.
        allowed = set(points)
        points = [point for point in windows.answers(opponent(mover)) if point in allowed]
    return any(
        not windows.is_foul(point, mover) and _answers(windows, mover, point, gains) for point in points
    )
