"""Probabilities of the moves by the learned move order, without a search."""

from __future__ import annotations

import math
from operator import add

from tengen.engine.board.records import Record
from tengen.engine.evaluation.policy_kernel import asks_policy, policy_orders
from tengen.engine.evaluation.value_shares import point_classes_of
from tengen.engine.search.forced_moves import forced_moves
from tengen.engine.search.moves import candidates, context_order

_ORDER_UNIT = 100
"""Orders are logarithms of probabilities times this."""


def move_probabilities(state: Record, tables: Record, networks: Record) -> dict[int, float]:
    """Return the probability of each move to be the best one; they add up to 1.

    It comes from the learned orders and contexts, and from the policy where a search would use it. They are
    learned for the moves that a search generates: the points within two of a stone without fouls; against
    an open four to come, only those that make a four or stop one. If a five has to be made or stopped, only
    the moves that do so have a probability. Empty if there is no stone on the board.

    Args:
        state: the position; as before when this returns.
        tables: of its rules, with the numbers to evaluate by.
        networks: those of its rules.

    Returns:
        The probabilities by cell.
    """
    side = int(state[0]["turn"]) & 1
    cells = list(forced_moves(state, tables)) or candidates(state, tables)
    if not cells:
        return {}
    orders = tables[0]["orders"].tolist()
    own, other = orders[side][0], orders[1 - side][1]
    logits = [own[mine] + other[theirs] for mine, theirs in point_classes_of(state, cells, side)]
    if state[0]["ply"] > 1:
        logits = [
            logit + context_order(state, tables, cell) for logit, cell in zip(logits, cells, strict=True)
        ]
        if asks_policy(state, tables, networks):
            logits = list(map(add, logits, policy_orders(state, networks, cells)))
    most = max(logits)
    odds = [math.exp((logit - most) / _ORDER_UNIT) for logit in logits]
    total = sum(odds)
    return {cell: odd / total for cell, odd in zip(cells, odds, strict=True)}
