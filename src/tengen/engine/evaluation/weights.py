"""The linear evaluation: learned weights of point classes, contexts and combinations of threats.

For each point class (`tengen.engine.board.point_classes`) there are two values in centi-units: its worth to
the side to move, and what it takes from that side if it belongs to the other. The sum is mapped to a
probability by the logistic curve of `tengen.game.player.Score`; the weights minimise the difference to the
results of games and to the scores of deeper searches (`tengen.training`). Each family of rules has its own;
where a colour has no fouls of its own, both colours share theirs.

The order of moves is learned in the same way: for each point class the logarithm of the probability that a
move there is the best one, for what it makes and for what it stops; and for its *context*, which is where
it lies from the last two moves, and the two kinds of what it makes and stops.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import CONTEXTS, SITUATIONS
from tengen.engine.evaluation.learned_file import Arrays, LearnedFile, record_type
from tengen.game.rules import Rules

FAMILIES = ("freestyle", "standard", "renju", "caro")
"""The families of rules, each with learned parameters of its own."""

LARGEST_WORTH = 32_000
LARGEST_ORDER = 4000

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Weights:
    """The learned weights of a family of rules.

    Attributes:
        worths: in sixteenths of a centi-unit (`UNIT`), shape (2, 2, `CLASSES`): by colour, to move or not,
            and point class. Those of a side not to move are what it has, not what that takes from the
            other.
        orders: logarithms of probabilities times 100, shape (2, 2, `CLASSES`): by colour, the move made
            there by this colour or against it, and point class.
        situations: centi-units, shape (2, `SITUATIONS`): what a combination of threats adds, by the side to
            move (`tengen.engine.evaluation.static.situation`).
        contexts: as `orders`, shape (2, `CONTEXTS`): what is added for where a move lies from the last one,
            and from the one before (`tengen.engine.search.moves.steps_away`), and for the kinds of what it
            makes and stops, 16 times the first and the second; by the side to move.
    """

    worths: Ints
    orders: Ints
    situations: Ints
    contexts: Ints


def family(rules: Rules) -> str:
    """Return the family of rules whose weights fit best."""
    if rules.double_three or rules.double_four or rules.overline == "foul":
        return "renju"
    if rules.blocked_five != "wins":
        return "caro"
    return "freestyle" if rules.overline == "wins" else "standard"


_SHAPES = {
    "worths": ("int64", (2, 2, CLASSES)),
    "orders": ("int64", (2, 2, CLASSES)),
    "situations": ("int64", (2, SITUATIONS)),
    "contexts": ("int64", (2, CONTEXTS)),
}

WEIGHTS_RECORD = record_type({name: ("int16", shape) for name, (_, shape) in _SHAPES.items()})
"""Weights as a record for kernels."""


def _widened(arrays: Arrays) -> Arrays:
    """Return the arrays of a file, which are int16, as int64."""
    # Files from before there were contexts have none.
    arrays = {"contexts": np.zeros((2, CONTEXTS), np.int16)} | arrays
    wide = {key: array.astype(np.int64) for key, array in arrays.items() if array.dtype.kind == "i"}
    if len(wide) < len(arrays) or any((abs(array) > 1 << 15).any() for array in wide.values()):
        raise ValueError(arrays)
    return wide


def _narrowed(arrays: Arrays) -> Arrays:
    return {key: array.astype(np.int16) for key, array in arrays.items()}


WEIGHTS_FILE = LearnedFile(Weights, "", "error.engine.weights", _SHAPES, _widened, _narrowed)
load, save, file_of = WEIGHTS_FILE.load, WEIGHTS_FILE.save, WEIGHTS_FILE.path
