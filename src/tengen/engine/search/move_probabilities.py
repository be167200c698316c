"""How probable each move is by the learned move order, without a search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import CELLS, Record
from tengen.engine.evaluation.policy_kernel import asks_policy, policy_orders
from tengen.engine.evaluation.value_shares import point_classes_of
from tengen.engine.search.forced_moves import forced_moves
from tengen.engine.search.moves import context_order, looked_at

_ORDER_UNIT = 100
"""Orders are logarithms of probabilities times this."""


def move_probabilities(state: Record, tables: Record) -> dict[int, float]:
    """How likely a move on each cell is the best one, at a glance; they add up to 1.

    That is what the learned orders and contexts say, and the policy where a search would ask it. They are
    learned for the moves that a search looks at: those within two points of a stone, of which no foul is
    one; against an open four to come, those only that make a four or stop one. Where a five has to be made
    or stopped, those that do so are the only ones. Empty where there is no stone to be near to.

    Args:
        state: the position; as before when this returns.
        tables: of its rules, with the numbers to evaluate by.
    """
    side = int(state[0]["turn"]) & 1
    cells = np.array(forced_moves(state, tables) or _looked_at(state, tables), np.int64)
    if not len(cells):
        return {}
    classes, orders = point_classes_of(state, cells), tables[0]["orders"]
    own, other = orders[side, 0, classes[:, side]], orders[1 - side, 1, classes[:, 1 - side]]
    logits = own.astype(np.float64) + other
    if state[0]["ply"] > 1:
        logits += [context_order(state, tables, cell) for cell in cells.tolist()]
        if asks_policy(state, tables):
            logits += policy_orders(state, tables, cells)
    logits /= _ORDER_UNIT
    odds = np.exp(logits - logits.max())
    return dict(zip(cells.tolist(), (odds / odds.sum()).tolist(), strict=True))


def _looked_at(state: Record, tables: Record) -> npt.NDArray[np.int64]:
    """The cells that the order has been learned for, in which no five is made or stopped."""
    cells = np.zeros(CELLS, np.int64)
    return cells[: looked_at(state, tables, cells)]
