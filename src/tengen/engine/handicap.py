"""Playing strength below full: limits of the search, oversights and evaluation errors.

Strength could be reduced by random moves, but a strong player that now and then plays anything is no fun,
and teaches nothing. People are weaker in three other ways, and so is the engine with a ``strength`` below
100:

- *A smaller search.* It has fewer plies and fewer nodes. There is no search for wins by threats (VCT)
  before it, nor, at the lower strengths, one for wins by fours (VCF) inside it.
- *Oversights.* Some rows of the enemy's are overlooked: more often on a diagonal, less often with three
  stones or a stone added in the last two moves. In the whole search their stones are then like the edge of
  the board along that row. The oversights depend on the seed and the position alone, so that the same
  question has the same answer.
- *Evaluation errors.* The worth of each pattern is distorted by a factor that depends on the seed: one
  player overrates open twos, another threes.

At every strength the engine makes its own five, stops the enemy's if it can, and plays no foul while there
is another move.

Equal steps of strength are about equal differences in Elo (`docs/strength.md`).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from tengen.engine.board.conversion import point_of
from tengen.engine.board.records import Record, new_record
from tengen.engine.board.techniques import Technique
from tengen.engine.defaults import FULL, NODES
from tengen.engine.handicap_kernel import HANDICAP, distort_worths, overlook_rows
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Point


@dataclass(frozen=True, slots=True)
class Handicap:
    """The limits and errors of a playing strength.

    Attributes:
        nodes: of the search, at most.
        depth: plies of the search, at most.
        oversight: the probability that a row of two of the enemy's, parallel to a side of the board, is
            overlooked.
        distortion: the largest relative error in the worth of a pattern.
        without: techniques of the search that are left out.
    """

    nodes: int
    depth: int
    oversight: float
    distortion: float
    without: Technique = Technique.NONE

    def limited(self, limit: Limit) -> Limit:
        """Return a limit of the search, tightened to that of this strength."""
        nodes = self.nodes if limit.nodes is None else min(limit.nodes, self.nodes)
        depth = self.depth if limit.depth is None else min(limit.depth, self.depth)
        return replace(limit, nodes=nodes, depth=depth)


_NO_VCT = Technique.VCT
_NO_THREATS = Technique.VCF | Technique.VCT

_STEPS = {
    0: Handicap(nodes=250, depth=3, oversight=0.15, distortion=0.25, without=_NO_THREATS),
    10: Handicap(nodes=640, depth=5, oversight=0.132, distortion=0.168, without=_NO_THREATS),
    25: Handicap(nodes=2150, depth=7, oversight=0.071, distortion=0.115, without=_NO_THREATS),
    40: Handicap(nodes=5100, depth=9, oversight=0.0395, distortion=0.083, without=_NO_VCT),
    55: Handicap(nodes=12_000, depth=12, oversight=0.0235, distortion=0.052, without=_NO_VCT),
    70: Handicap(nodes=26_500, depth=16, oversight=0.0125, distortion=0.031, without=_NO_VCT),
    85: Handicap(nodes=70_000, depth=20, oversight=0.004, distortion=0.01, without=_NO_VCT),
    FULL: Handicap(nodes=NODES, depth=24, oversight=0.0, distortion=0.0),
}
"""Handicaps of some strengths, interpolated in between; the last is only the limit of interpolation."""


def handicap(strength: int) -> Handicap | None:
    """Return the handicap of a strength from 0 to 100; None at full strength."""
    if strength >= FULL:
        return None
    known = list(_STEPS)
    place = bisect_right(known, strength)
    low, high = known[place - 1], known[place]
    fraction = (strength - low) / (high - low)
    lower, upper = _STEPS[low], _STEPS[high]

    def between(a: float, b: float) -> float:
        return a + fraction * (b - a)

    return Handicap(
        nodes=round(lower.nodes * (upper.nodes / lower.nodes) ** fraction),
        depth=round(between(lower.depth, upper.depth)),
        oversight=between(lower.oversight, upper.oversight),
        distortion=between(lower.distortion, upper.distortion),
        without=lower.without,
    )


def distort(weights: Record, distortion: float, seed: int) -> None:
    """Multiply the worth of each pattern by a random factor.

    Args:
        weights: the learned numbers, an array of one `WEIGHTS_RECORD`; changed in place.
        distortion: the largest relative error.
        seed: of the factors.
    """
    if distortion:
        errors = _seeded(f"{seed} taste")  # the word stays, so that a seed stays the same player
        errors[0]["distortion"] = distortion
        distort_worths(weights, errors)


def overlook(
    state: Record, tables: Record, board: Board, oversight: float, seed: int
) -> tuple[tuple[Point, ...], ...]:
    """Remove the rows from a state that the side to move overlooks.

    Args:
        state: of the board; changed in place.
        tables: of its rules.
        board: the position.
        oversight: the probability for a row of two parallel to a side of the board.
        seed: of the oversights.

    Returns:
        The stones of each row, the longest row first.
    """
    errors = _seeded(f"{seed} {board.turn} {board.ply} {board.position.hex()}")
    record = errors[0]
    record["oversight"], record["recent"] = oversight, min(board.ply, 2)
    overlook_rows(state, tables, errors)
    lengths = record["row_lengths"][: record["rows"]].tolist()
    rows = [cells[:length] for cells, length in zip(record["row_cells"], lengths, strict=False)]
    rows.sort(key=len, reverse=True)
    return tuple(tuple(point_of(board, cell) for cell in cells) for cells in rows)


def _seeded(seed: str) -> Record:
    """Return a record for the errors that follow from a seed."""
    errors, text = new_record(HANDICAP), seed.encode()
    generator = errors[0]["random"]
    generator["text"][: len(text)] = list(text)
    generator["length"] = len(text)
    return errors
