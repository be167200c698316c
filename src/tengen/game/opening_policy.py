"""The default policy for opening decisions, for players without one of their own.

A player that has a method ``decide_opening(opening, limit, stop)`` decides for itself. All others
follow one neutral policy, built on nothing but `choose` and `explain`:

- **place**: the player's own move if the opening allows it, else the allowed point it weighs highest,
  else the one nearest to the centre. Where the opponent chooses the colour afterwards this builds a
  position that is too good for one side and leaves that side to the opponent: legal and simple, not
  clever. A player that wants a balanced position needs a `decide_opening` of its own.
- **choice** of colours: the colour that the player's own score favours; its present colour if it gives no
  score or an even one. It never hands the choice on (``place``) and never takes the ten fifth moves
  (``offer``).
- **choice** of a number of fifth moves: two, as in the RIF rule. A single one leaves the fifth move to
  Black alone; the more there are, the better for White.
- **offer**: the allowed points in the order of the player's weights, equals by closeness to the centre,
  points it does not weigh last.
- **select**: the move after which the player scores the position best for White; without scores, the
  point with the lowest weight for Black.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from tengen.game.board import Board
from tengen.game.errors import NotAllowed
from tengen.game.opening_rules import Answer, Decision, Opening
from tengen.game.player import Limit, Player, Score, explanation
from tengen.game.points import BLACK, Colour, Point, opponent


@runtime_checkable
class OpeningPlayer(Protocol):
    """A player with an opening policy of its own."""

    def decide_opening(
        self, opening: Opening, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Answer:
        """Return the answer to ``opening.decision``; the opening is as before when this returns."""
        ...


def decide(
    player: Player, opening: Opening, limit: Limit | None = None, stop: threading.Event | None = None
) -> Answer:
    """Return the answer of `player` to the opening's decision; the opening is not changed.

    Args:
        player: its own ``decide_opening`` answers, if it has one, unchecked; otherwise the policy of this
            module does, whose answer is always legal.
        opening: an opening that is not over.
        limit: how long to think about this decision; a selection shares it between the points offered.
        stop: when set, answer at once.

    Raises:
        NotAllowed: the opening is over.
    """
    decision = opening.decision
    if decision is None:
        raise NotAllowed("error.opening.over")
    if isinstance(player, OpeningPlayer):
        return player.decide_opening(opening, limit, stop)
    board = opening.board.copy()
    if decision.kind == "place":
        point = player.choose(board, limit, stop).point
        if point in decision.points:
            return point
    if decision.kind in ("place", "offer"):
        weigh = _weigher(player, board, limit, stop)
        return max(decision.points, key=lambda point: (weigh(point), -_off_centre(board, point)))
    if decision.kind == "select":
        return _select(player, board, decision, limit, stop)
    if decision.options[0].isdigit():
        return "2"
    score = player.choose(board, limit, stop).score
    return _name(_preferred(score, board.turn, opening.colour_of(decision.player)))


def _preferred(score: Score | None, turn: Colour, present: Colour) -> Colour:
    """Return the colour that a score, for the side to move, favours."""
    if score is None or score.win_rate == 0.5:
        return present
    return turn if score.win_rate > 0.5 else opponent(turn)


def _name(colour: Colour) -> str:
    return "black" if colour == BLACK else "white"


def _weigher(
    player: Player, board: Board, limit: Limit | None, stop: threading.Event | None
) -> Callable[[Point], float]:
    """Return the player's weights for the side to move, below all others for a point it does not weigh."""
    weights = explanation(player, board, limit, stop).weights
    return lambda point: weights.get(point, float("-inf"))


def _off_centre(board: Board, point: Point) -> int:
    """Return four times the squared distance to the middle of the board, which may lie between points."""
    y, x = divmod(point, board.width)
    return (2 * x - board.width + 1) ** 2 + (2 * y - board.height + 1) ** 2


def _select(
    player: Player,
    board: Board,
    decision: Decision,
    limit: Limit | None,
    stop: threading.Event | None,
) -> Point:
    """Return the fifth move that is worst for Black."""
    share = _share(limit, len(decision.points))
    rates = {}
    for point in decision.points:
        board.push(point)
        score = player.choose(board, share, stop).score
        board.pop()
        if score is None:
            break
        rates[point] = score.win_rate
    else:
        return max(decision.points, key=rates.__getitem__)
    return min(decision.points, key=_weigher(player, board, limit, stop))


def _share(limit: Limit | None, parts: int) -> Limit | None:
    """Divide a limit into equal parts."""
    if limit is None:
        return None
    return replace(
        limit,
        seconds=None if limit.seconds is None else limit.seconds / parts,
        nodes=None if limit.nodes is None else max(limit.nodes // parts, 1),
    )
