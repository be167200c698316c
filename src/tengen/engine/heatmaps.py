"""Heatmaps of an explanation: the engine's static evaluation, point by point.

There are two: ``value``, the contributions to the static value (`tengen.engine.evaluation.value_shares`),
and ``policy``, the probabilities of the moves (`tengen.engine.search.move_probabilities`).
"""

from __future__ import annotations

from collections.abc import Iterator

from tengen.engine.board.conversion import centre_of, is_empty, point_of
from tengen.engine.board.pattern_names import class_message
from tengen.engine.board.records import Record
from tengen.engine.evaluation.value_shares import ValueShares, value_shares
from tengen.engine.search.move_probabilities import move_probabilities
from tengen.game.board import Board
from tengen.game.player import Heatmap, Part, Score
from tengen.game.points import BLACK, Point, opponent
from tengen.words import Message

_COLOURS = {BLACK: Message("black"), opponent(BLACK): Message("white")}


def heatmaps(board: Board, state: Record, tables: Record, networks: Record) -> tuple[Heatmap, ...]:
    """Return the heatmaps of a position that is not over.

    Args:
        board: the position.
        state: of the board; as before when this returns.
        tables: of its rules, with the numbers to evaluate by.
        networks: those of its rules.
    """
    value = _value_map(board, value_shares(state, tables, networks))
    probabilities = policy(board, state, tables, networks)
    return (value, _policy_map(board, probabilities)) if probabilities else (value,)


def policy(board: Board, state: Record, tables: Record, networks: Record) -> dict[Point, float]:
    """Return the probabilities of moves; on an empty board that of the centre is 1.

    Args:
        board: the position, which is not over.
        state: of the board; as before when this returns.
        tables: of its rules, with the numbers to evaluate by.
        networks: those of its rules.
    """
    if is_empty(board):
        return {centre_of(board): 1.0}
    found = move_probabilities(state, tables, networks)
    return {point_of(board, cell): probability for cell, probability in found.items()}


def _value_map(board: Board, shares: ValueShares) -> Heatmap:
    kind = "classes" if shares.network is None else "network"
    parts = {point: tuple(own) for point, own in _point_parts(board, shares)}
    total = [
        Part(Message("explain.value.sum"), (), float(shares.worths.sum())),
        Part(Message("explain.value.threats"), (), float(shares.threats)),
    ]
    if shares.network is not None:
        total.append(Part(Message("explain.value.correction"), (), shares.correction))
    rate = Score(round(shares.value)).win_rate
    values = {"colour": _COLOURS[board.turn], "chance": f"{100 * rate:.0f}"}
    return Heatmap(
        "value",
        Message(f"explain.value.{kind}.title"),
        Message("explain.value.summary", values),
        Message(f"explain.value.{kind}.note"),
        {point: sum(part.value for part in own) for point, own in parts.items()},
        parts,
        tuple(total),
    )


def _point_parts(board: Board, shares: ValueShares) -> Iterator[tuple[Point, list[Part]]]:
    """Yield the contributions of each point: of its class for either colour, and of the network."""
    colours = board.turn, opponent(board.turn)
    network = None if shares.network is None else shares.network.tolist()
    rows = zip(shares.cells.tolist(), shares.classes.tolist(), shares.worths.tolist(), strict=True)
    for place, (cell, classes, worths) in enumerate(rows):
        parts = []
        for colour, number, worth in zip(colours, classes, worths, strict=True):
            label = Message(
                "explain.value.class", {"colour": _COLOURS[colour], "patterns": class_message(number)}
            )
            parts.append(Part(label, (), worth))
        if network is not None:
            parts.append(Part(Message("explain.value.share"), (), network[place]))
        yield point_of(board, cell), parts


def _policy_map(board: Board, probabilities: dict[Point, float]) -> Heatmap:
    weights = {point: 100 * probability for point, probability in probabilities.items()}
    best = max(weights, key=lambda point: weights[point])
    values = {"point": board.name(best), "chance": f"{weights[best]:.0f}", "count": len(weights)}
    return Heatmap(
        "policy",
        Message("explain.policy.title"),
        Message("explain.policy.summary", values),
        Message("explain.policy.note"),
        weights,
    )
