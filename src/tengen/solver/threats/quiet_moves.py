"""Expansion of a node of the search for quiet wins: candidate moves, and the replies that each leaves open.

An expansion is one task, which may run in any process. The candidates are the engine's best moves. Every
legal reply to them counts, and a reply is refuted if the position after it is won by fours and threes
(`tengen.solver.threats.vct`). Asking first whether a move would win by threats if the defender passed is
T. Thomsen's idea ("Lambda-search in game trees - with application to Go", ICGA Journal 23(4), 2000).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tengen.engine.board.conversion import cell, point_of, position_of
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import Kind, Record
from tengen.engine.engine import Engine
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.executors import stop_signal
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Point
from tengen.game.rules import Rules
from tengen.game.symmetry import Symmetry

_MEMORY = 32
"""Megabytes of the transposition table that a process keeps for wins by threats."""

_ROOT_FACTOR = 50
"""The nodes for a win by threats from the position itself, as a multiple of those after each reply."""


@dataclass(frozen=True, slots=True)
class CandidateSettings:
    """The settings of an expansion.

    Attributes:
        candidates: number of the engine's best moves that are candidates.
        engine_nodes: nodes of the engine's search for them.
        threat_nodes: nodes of the search for a win by threats after each reply.
        most_open: number of open replies at which a candidate is given up.
        unthreatening: number of the best candidates that are tried however many replies they leave open,
            and even if they would not win by threats after a pass; one at a time, after those that would.
    """

    candidates: int = 8
    engine_nodes: int = 50_000
    threat_nodes: int = 2_000
    most_open: int = 30
    unthreatening: int = 0


class QuietMove(NamedTuple):
    """A move of the attacker's, and the open replies: those that are not known to lose by threats."""

    point: Point
    replies: tuple[Point, ...]

    def mapped(self, symmetry: Symmetry) -> QuietMove:
        """Return the image of the move and its replies under a symmetry."""
        return QuietMove(symmetry[self.point], tuple(symmetry[reply] for reply in self.replies))


class Expansion(NamedTuple):
    """The result of expanding a position.

    Attributes:
        moves: the candidates worth searching further.
        more: whether another candidate may be tried if all of these fail.
        nodes: nodes spent.
    """

    moves: tuple[QuietMove, ...]
    more: bool
    nodes: int

    def mapped(self, symmetry: Symmetry) -> Expansion:
        """Return the image of the expansion under a symmetry."""
        return self._replace(moves=tuple(move.mapped(symmetry) for move in self.moves))


def expand(board: Board, settings: CandidateSettings, failed: Iterable[Point] = ()) -> Expansion:
    """Try candidates in a position with the attacker to move, until one of them leaves no open reply.

    A win by threats from the position itself is searched first, with more nodes than after a reply.

    Args:
        board: the position.
        settings: the candidates, and the nodes to spend.
        failed: candidates that have failed. If there are any, one more candidate is tried, whether or not
            it threatens anything.
    """
    stop, excluded = stop_signal(), frozenset(failed)
    nodes = 0
    if not excluded:
        threat, nodes = _first_threat(board, settings.threat_nodes * _ROOT_FACTOR)
        if threat is not None:
            return Expansion((QuietMove(threat, ()),), False, nodes)
    limit = Limit(nodes=settings.engine_nodes)
    infos = _engine().analyse(board, limit, lines=settings.candidates, stop=stop)
    points = [info.point for info in infos]
    nodes += settings.engine_nodes
    moves: list[QuietMove] = []
    for point in () if excluded else points:
        if stop.is_set():
            break
        replies, spent = _open_replies(board, point, settings, threatening=True)
        nodes += spent
        if replies is not None:
            moves.append(QuietMove(point, replies))
            if not replies:
                break
    others = [point for point in points[: settings.unthreatening] if point not in excluded]
    while not moves and others and not stop.is_set():
        point = others.pop(0)
        replies, spent = _open_replies(board, point, settings, threatening=False)
        nodes += spent
        if replies is not None:
            moves.append(QuietMove(point, replies))
    more = any(point not in {move.point for move in moves} for point in others)
    return Expansion(tuple(moves), more, nodes)


def _first_threat(board: Board, nodes: int) -> tuple[Point | None, int]:
    """Search for a win by threats of the side to move.

    Returns:
        Its first move, None if no win is found; and the nodes spent.
    """
    state, tables = position_of(board)
    state[0]["most_nodes"] = nodes
    search = PnSearch(state, tables, _table(board.rules))
    line = search.attack(nodes) if search.search() else ()
    return (point_of(board, line[0]) if line else None), int(state[0]["nodes"])


def _open_replies(
    board: Board, point: Point, settings: CandidateSettings, *, threatening: bool
) -> tuple[tuple[Point, ...] | None, int]:
    """Find the open replies to a candidate.

    Args:
        board: the position before it.
        point: the candidate.
        settings: the nodes to spend, and the number of open replies at which to give up.
        threatening: give the candidate up if it would not win after a pass, or leaves many replies open.

    Returns:
        The open replies, None if the candidate is given up; and the nodes spent.
    """
    attacker = board.turn
    after = board.copy()
    after.push(point)
    if (outcome := after.outcome()) is not None:
        return (() if outcome.winner == attacker else None), 0
    state, tables = position_of(after)
    defender = int(state[0]["turn"])
    if state[0]["counts"][defender, Kind.FIVE]:
        return None, 0

    if threatening and not _wins_after_pass(state, tables, board.rules, settings.threat_nodes):
        return None, int(state[0]["nodes"])
    replies: list[Point] = []
    for reply in after.legal_points():
        after.push(reply)
        outcome = after.outcome()
        after.pop()
        if outcome is not None:
            if outcome.winner == attacker:
                continue
            return None, int(state[0]["nodes"])
        make(state, tables, cell(after, reply))
        if not _wins(state, tables, board.rules, settings.threat_nodes):
            replies.append(reply)
        unmake(state, tables)
        if threatening and len(replies) >= settings.most_open:
            return None, int(state[0]["nodes"])
    return tuple(replies), int(state[0]["nodes"])


def _wins(state: Record, tables: Record, rules: Rules, nodes: int) -> bool:
    """Return whether a search finds a win by threats of the side to move."""
    state[0]["most_nodes"] = int(state[0]["nodes"]) + nodes
    return PnSearch(state, tables, _table(rules)).search() is True


def _wins_after_pass(state: Record, tables: Record, rules: Rules, nodes: int) -> bool:
    """Return whether the side not to move would win by threats if the other side passed."""
    defender = int(state[0]["turn"])
    state[0]["turn"] = 1 - defender
    wins = _wins(state, tables, rules, nodes)
    state[0]["turn"] = defender
    return wins


@lru_cache(maxsize=1)
def _engine() -> Engine:
    return Engine()


@lru_cache(maxsize=1)
def _table(rules: Rules) -> npt.NDArray[np.int64]:  # noqa: ARG001 -- the key of the cache
    """Return the process's table for wins by threats; it is replaced when the rules change."""
    return new_pn_table(_MEMORY)
