"""Proofs of the values of small games: that a side wins, or that it holds, which means not to lose.

The exact search (`tengen.solver.exact.kernel`) decides both: whether one side can force a line. A position
is a draw if both sides hold. Then `tengen.solver.proofs.builder` writes the proof, and in each position
with the side to move asks for a move that keeps the claim: first one after which the side holds by pairs
(`tengen.solver.proofs.pairings`), then one that is cheap to search, which keeps proofs short.

Where a side holds by strategy stealing (`second_never_wins`), a proof cannot use that argument: it has to
name moves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from tengen.executors import ended_in_time
from tengen.game.board import Board
from tengen.game.errors import GameOver, RulesError, TengenError
from tengen.game.player import Limit, check_search
from tengen.game.points import EMPTY, Colour, Point, opponent
from tengen.solver.exact.lines import as_bits
from tengen.solver.exact.search import ExactSearch, SearchEnded
from tengen.solver.exact.table import NEVER
from tengen.solver.exact.value_search import Attack, second_never_wins
from tengen.solver.limits import ALL_NODES, EXACT_MEMORY, THREAT_MEMORY, check_exact_rules, check_memory
from tengen.solver.proofs.builder import (
    PlannedMove,
    ProofEnded,
    ProofProgress,
    ProofResult,
    target_of,
    write_proof,
)
from tengen.solver.proofs.checker import Points
from tengen.solver.proofs.file import HOLDS, WINS, Claim
from tengen.solver.proofs.pairings import Pairs, pairing, straights
from tengen.solver.proofs.prove import prove

_TRIAL_POSITIONS = 200
"""Positions that one trial of an answer on another reply may take."""

_NODE_BOUNDS = 16, 256, 4096, 65536, None
"""Nodes for each move of a position in successive rounds, until one of them is shown to keep the claim."""


def prove_exact(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    claims: Sequence[Claim],
    memory_mb: int = EXACT_MEMORY,
    progress: ProofProgress | None = None,
) -> ProofResult:
    """Decide claims about a position of a small game, and write their proof if they are true.

    The file is written completely or not at all, and replaces one of the same name.

    Args:
        board: a game that is not over, of the kind that `tengen.solver.exact.solve.solve_exact` solves.
        path: the file.
        limit: `seconds` for everything, `nodes` (positions visited) for the search; None is no limit.
        stop: ends the search, or the writing, when set.
        claims: the claims, at most one for a side. If both sides hold, the position is a draw.
        memory_mb: megabytes for the transposition table.
        progress: updated meanwhile.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that are not solved.
        TengenError: no claims, two for a side, or no amount of memory.
        OSError: the file cannot be written.
    """
    check_search(board, limit, stop)
    check_memory(memory_mb)
    check_exact_rules(board.rules)
    if not claims or len({claim.side for claim in claims}) < len(claims):
        raise TengenError("error.prove.claims")
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    began, target = time.perf_counter(), target_of(path)
    progress, limit = progress or ProofProgress(), limit or Limit()
    progress.stage = "value"
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    search = ExactSearch(board.rules, nodes, memory_mb, None)
    guides = {claim: _ExactGuide(board, claim, search) for claim in claims}
    winner: Colour | None = None
    verdict, held = None, list[Colour]()
    with ended_in_time(search.end, limit.seconds, stop):
        try:
            true = True
            for claim, guide in guides.items():
                attacker, wins = guide.decide()
                winner = attacker if wins else winner
                held += [claim.side] if claim.goal == HOLDS and not wins else []
                true &= wins == (claim.goal == WINS)
            proven = True
        except ProofEnded:
            true = proven = False
        if true:
            verdict = write_proof(board, target, guides, progress)
    seconds = time.perf_counter() - began
    written = progress.nodes, progress.size
    return ProofResult(winner, proven, verdict, search.nodes, *written, seconds, tuple(held))


def prove_win(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    memory_mb: int | None = None,
    progress: ProofProgress | None = None,
) -> ProofResult:
    """Find a win of the side to move by threats, or else by the exact search, and write its proof.

    Args:
        board: a game that is not over, of the kind that `tengen.solver.exact.solve.solve_exact` solves.
        path: the file.
        limit: `seconds` for everything, `nodes` for each of the two searches; None is no limit.
        stop: ends the search, or the writing, when set.
        memory_mb: megabytes for the transposition table of either search; its own default if None.
        progress: updated meanwhile.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that are not solved.
        TengenError: no amount of memory.
        OSError: the file cannot be written.
    """
    check_exact_rules(board.rules)
    began, limit, by_threats = time.perf_counter(), limit or Limit(), None
    # Where the engine does not play the rules, there is no search for threats.
    with suppress(RulesError):
        memory = memory_mb or THREAT_MEMORY
        by_threats = prove(board, path, limit, stop, memory_mb=memory, progress=progress)
        if by_threats.winner is not None:
            return by_threats
    left = limit.after(time.perf_counter() - began)
    result = prove_exact(
        board,
        path,
        Limit(left.seconds, left.nodes),
        stop,
        claims=[Claim(board.turn, WINS)],
        memory_mb=memory_mb or EXACT_MEMORY,
        progress=progress,
    )
    nodes = result.nodes + (by_threats.nodes if by_threats is not None else 0)
    return replace(result, nodes=nodes, seconds=time.perf_counter() - began)


class _ExactGuide:
    """A guide to moves that keep a claim, by the exact search; see `tengen.solver.proofs.builder.Guide`.

    Args:
        board: the position.
        claim: the claim.
        search: the exact search, with its table.
    """

    trial_positions = _TRIAL_POSITIONS

    def __init__(self, board: Board, claim: Claim, search: ExactSearch) -> None:
        self._board, self._search = board.copy(), search
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._straights = straights(board.width, board.height, board.rules.k)
        self._lines = [line for straight in self._straights for line in straight]

    @property
    def stopped(self) -> bool:
        return self._search.stopped

    def decide(self) -> tuple[Colour, bool]:
        """Decide the claim.

        Returns:
            The side whose attack the claim is about, and whether it can force a line.

        Raises:
            ProofEnded: a limit was reached first.
        """
        attacker = self._enemy if self._holds else self._side
        own, other = self._bits(attacker), self._bits(opponent(attacker))
        attack = Attack(own, other, int(self._board.turn != attacker))
        if attack.turn and second_never_wins(self._board):
            attack.hold = NEVER
        left = len(self._board.stones(EMPTY))
        with _search_errors():
            while attack.is_open:
                attack.deepen(self._search, NEVER if attack.deeper >= left else attack.deeper)
        return attacker, attack.win > 0

    def plan(self) -> PlannedMove:
        own, other, free = map(self._points, (self._side, self._enemy, EMPTY))
        for stones, enemy in ((own, other), (other, own)):
            # A line that can be completed is completed, and one that threatens is blocked.
            ends = [
                line - stones for line in self._lines if line.isdisjoint(enemy) and len(line - stones) == 1
            ]
            if ends:
                return self._first_keeping([min(map(min, ends))], own, free)
        return self._first_keeping(self._ordered(own, other, free), own, free)

    def pairs(self) -> Pairs | None:
        return (
            pairing(self._straights, self._points(self._side), self._points(EMPTY)) if self._holds else None
        )

    def hard_replies(self, fives: Points) -> set[Point]:
        own, other = self._points(self._side), self._points(self._enemy)
        useful = (line for line in self._lines if line.isdisjoint(other) or line.isdisjoint(own))
        return set().union(*useful)

    def push(self, point: Point) -> None:
        self._board.push(point)

    def pop(self) -> None:
        self._board.pop()

    def _points(self, colour: Colour) -> set[Point]:
        return set(self._board.stones(colour))

    def _bits(self, colour: Colour, more: Sequence[Point] = ()) -> int:
        return as_bits([*self._board.stones(colour), *more])

    def _ordered(self, own: set[Point], other: set[Point], free: set[Point]) -> list[Point]:
        """Return the free points on open lines, those on the most and the fullest lines first."""
        weights = dict.fromkeys(sorted(free), 0)
        for line in self._lines:
            for stones, enemy, factor in ((other, own, 1 + self._holds), (own, other, 2 - self._holds)):
                if line.isdisjoint(enemy):
                    for point in line & free:
                        weights[point] += factor << len(line & stones)
        points = [point for point, weight in weights.items() if weight] or list(weights)
        return sorted(points, key=lambda point: -weights[point])

    def _first_keeping(self, points: Sequence[Point], own: set[Point], free: set[Point]) -> PlannedMove:
        """Return the first move found to keep the claim, tried in order.

        Raises:
            ProofEnded: a limit was reached first.
        """
        if self._holds:
            for point in points:
                pairs = pairing(self._straights, own | {point}, free - {point})
                if pairs is not None:
                    return PlannedMove(point, pairs)
        if len(points) == 1:
            return PlannedMove(points[0])
        with _search_errors():
            plies = self._plies()
            for most_nodes in _NODE_BOUNDS:
                for point in points:
                    if self._keeps(point, plies, most_nodes):
                        return PlannedMove(point)
        raise AssertionError  # the claim is true, so some move keeps it

    def _plies(self) -> int:
        """Return the plies within which the side, to move, wins; `NEVER` if the claim is that it holds."""
        if self._holds:
            return NEVER
        own, other, plies = self._bits(self._side), self._bits(self._enemy), 1
        while self._search.within(own, other, 0, plies) <= 0:
            plies += 2
        return plies

    def _keeps(self, point: Point, plies: int, most_nodes: int | None) -> bool:
        """Return whether a search of at most `most_nodes` shows that a move keeps the claim."""
        own, other = self._bits(self._side, [point]), self._bits(self._enemy)
        if self._holds:
            return self._search.within(other, own, 0, NEVER, most_nodes) <= -NEVER
        return self._search.within(own, other, 1, plies - 1, most_nodes) > 0


@contextmanager
def _search_errors() -> Iterator[None]:
    """Turn `SearchEnded` into `ProofEnded`."""
    try:
        yield
    except SearchEnded as error:
        raise ProofEnded from error
