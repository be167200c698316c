"""Proves what small games are worth: that a side wins, or that it holds, which is not to lose.

Both are asked of the exact search (`tengen.solver.exact.kernel`): whether one side can force a line. A
position is a draw where both sides hold. Then `tengen.solver.proofs.builder` writes the proof, and in each
position with the side to move asks for a move that keeps what is claimed: first one after which pairs hold
(`tengen.solver.proofs.pairings`), then one that takes little to be searched, which makes proofs short.

Where strategy stealing says that a side holds (`second_never_wins`), a proof cannot say so: it names moves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.executors import ended_in_time
from tengen.game.board import Board
from tengen.game.errors import GameOver, RulesError, TengenError
from tengen.game.player import Limit, check_search
from tengen.game.points import EMPTY, Colour, Point, opponent
from tengen.solver.exact.solve import MEMORY, check_exact_rules
from tengen.solver.limits import check_memory
from tengen.solver.proofs.builder import (
    PlannedMove,
    ProofEnded,
    ProofProgress,
    Proven,
    target_of,
    write_proof,
)
from tengen.solver.proofs.checker import Points
from tengen.solver.proofs.file import HOLDS, WINS, Claim
from tengen.solver.proofs.pairings import Pairs, pairing, straights
from tengen.solver.proofs.prove import prove
from tengen.solver.solution import ALL_NODES
from tengen.solver.threats.threat_search import MEMORY as THREAT_MEMORY

if TYPE_CHECKING:
    from tengen.solver.exact.run import ExactRun

_TRIAL = 200
"""Positions that trying the answer to one reply on another may take."""

_PATIENCE = 16, 256, 4096, 65536, None
"""Positions that may be searched for each move of a position, before others get more."""


def prove_exact(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    claims: Sequence[Claim],
    memory_mb: int = MEMORY,
    progress: ProofProgress | None = None,
) -> Proven:
    """Find out whether something is so in a position of a small game, and write its proof.

    The file is written whole or not at all, and replaces one of its name.

    Args:
        board: a game that is not over, of the kind that `tengen.solver.exact.solve.solve_exact` solves.
        path: of the file.
        limit: `seconds` for all of it, `nodes` (positions visited) for the search; None is no limit.
        stop: when set, ends it.
        claims: what is to be proven, one claim at most for a side. That both sides hold is a draw.
        memory_mb: megabytes for the positions that the search remembers.
        progress: where to tell how far it is.

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
    from tengen.solver.exact.run import ExactRun

    run = ExactRun(board.rules, ALL_NODES if limit.nodes is None else limit.nodes, memory_mb, None)
    guides = {claim: _ExactGuide(board, claim, run) for claim in claims}
    winner: Colour | None = None
    verdict, held = None, list[Colour]()
    with ended_in_time(run.end, limit.seconds, stop):
        try:
            good = True
            for claim, guide in guides.items():
                attacker, wins = guide.attack()
                winner = attacker if wins else winner
                held += [claim.side] if claim.goal == HOLDS and not wins else []
                good &= wins == (claim.goal == WINS)
            proven = True
        except ProofEnded:
            good = proven = False
        if good:
            verdict = write_proof(board, target, guides, progress)
    seconds = time.perf_counter() - began
    written = progress.nodes, progress.size
    return Proven(winner, proven, verdict, run.nodes, *written, seconds, tuple(held))


def prove_win(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    memory_mb: int | None = None,
    progress: ProofProgress | None = None,
) -> Proven:
    """Find a win of the side to move by threats, or else from the exact value, and write its proof.

    Args:
        board: as for `prove_exact`.
        path: of the file.
        limit: as for `prove_exact`; `nodes` for either search.
        stop: when set, ends it.
        memory_mb: megabytes for the positions that either remembers; what each has by itself if None.
        progress: where to tell how far it is.

    Raises:
        The same as `prove_exact`.
    """
    check_exact_rules(board.rules)
    began, limit, found = time.perf_counter(), limit or Limit(), None
    # Rules that the engine does not play have no threats to look for.
    with suppress(RulesError):
        found = prove(board, path, limit, stop, memory_mb=memory_mb or THREAT_MEMORY, progress=progress)
        if found.winner is not None:
            return found
    left = limit.after(time.perf_counter() - began)
    made = prove_exact(
        board,
        path,
        Limit(left.seconds, left.nodes),
        stop,
        claims=[Claim(board.turn, WINS)],
        memory_mb=memory_mb or MEMORY,
        progress=progress,
    )
    nodes = made.nodes + (found.nodes if found is not None else 0)
    return replace(made, nodes=nodes, seconds=time.perf_counter() - began)


class _ExactGuide:
    """Knows what keeps a claim, from the exact search; see `tengen.solver.proofs.builder.Guide`.

    Args:
        board: the position.
        claim: what is claimed.
        run: the search, which remembers what it has proven.
    """

    trial = _TRIAL

    def __init__(self, board: Board, claim: Claim, run: ExactRun) -> None:
        self._board, self._run = board.copy(), run
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._straights = straights(board.width, board.height, board.rules.k)
        self._lines = [line for straight in self._straights for line in straight]

    @property
    def stopped(self) -> bool:
        return self._run.stopped

    def attack(self) -> tuple[Colour, bool]:
        """Who has to force a line, or to be kept from it, for the claim; and whether he succeeds.

        Raises:
            ProofEnded: a limit was reached first.
        """
        from tengen.solver.exact.table import NEVER
        from tengen.solver.exact.task import Attack, second_never_wins

        attacker = self._enemy if self._holds else self._side
        own, other = self._bits(attacker), self._bits(opponent(attacker))
        attack = Attack(own, other, int(self._board.turn != attacker))
        if attack.turn and second_never_wins(self._board):
            attack.hold = NEVER
        left = len(self._board.stones(EMPTY))
        with _ended():
            while attack.is_open:
                attack.search(self._run, NEVER if attack.deeper >= left else attack.deeper)
        return attacker, attack.win > 0

    def plan(self) -> PlannedMove:
        mine, other, free = map(self._points, (self._side, self._enemy, EMPTY))
        for own, enemy in ((mine, other), (other, mine)):
            # A line that can be completed is; one that threatens is stopped.
            ends = [line - own for line in self._lines if line.isdisjoint(enemy) and len(line - own) == 1]
            if ends:
                return self._planned([min(map(min, ends))], mine, free)
        return self._planned(self._promising(mine, other, free), mine, free)

    def pairs(self) -> Pairs | None:
        return (
            pairing(self._straights, self._points(self._side), self._points(EMPTY)) if self._holds else None
        )

    def hard(self, fives: Points) -> set[Point]:
        mine, other = self._points(self._side), self._points(self._enemy)
        useful = (line for line in self._lines if line.isdisjoint(other) or line.isdisjoint(mine))
        return set().union(*useful)

    def put(self, point: Point, colour: Colour) -> None:
        self._board.push(point)

    def take(self) -> None:
        self._board.pop()

    def _points(self, colour: Colour) -> set[Point]:
        return set(self._board.stones(colour))

    def _bits(self, colour: Colour, more: Sequence[Point] = ()) -> int:
        from tengen.solver.exact.lines import as_bits

        return as_bits([*self._board.stones(colour), *more])

    def _promising(self, mine: set[Point], other: set[Point], free: set[Point]) -> list[Point]:
        """The free points, but for those on no line; those on the most, and the fullest, come first."""
        weights = dict.fromkeys(sorted(free), 0)
        for line in self._lines:
            for stones, enemy, factor in ((other, mine, 1 + self._holds), (mine, other, 2 - self._holds)):
                if line.isdisjoint(enemy):
                    for point in line & free:
                        weights[point] += factor << len(line & stones)
        points = [point for point, weight in weights.items() if weight] or list(weights)
        return sorted(points, key=lambda point: -weights[point])

    def _planned(self, points: Sequence[Point], mine: set[Point], free: set[Point]) -> PlannedMove:
        """A move to one of these points that keeps what is claimed; raises `ProofEnded`."""
        if self._holds:
            for point in points:
                pairs = pairing(self._straights, mine | {point}, free - {point})
                if pairs is not None:
                    return PlannedMove(point, pairs)
        if len(points) == 1:
            return PlannedMove(points[0])
        with _ended():
            plies = self._plies()
            for patience in _PATIENCE:
                for point in points:
                    if self._keeps(point, plies, patience):
                        return PlannedMove(point)
        raise AssertionError  # what is claimed is so: some move keeps it

    def _plies(self) -> int:
        """Within how many plies the side, to move, wins, if that is claimed."""
        from tengen.solver.exact.table import NEVER

        if self._holds:
            return NEVER
        own, other, plies = self._bits(self._side), self._bits(self._enemy), 1
        while self._run.within(own, other, 0, plies) <= 0:
            plies += 2
        return plies

    def _keeps(self, point: Point, plies: int, patience: int | None) -> bool:
        """Whether a move of the side's is seen to keep the claim by searching so many positions."""
        from tengen.solver.exact.table import NEVER

        own, other = self._bits(self._side, [point]), self._bits(self._enemy)
        if self._holds:
            return self._run.within(other, own, 0, NEVER, patience) <= -NEVER
        return self._run.within(own, other, 1, plies - 1, patience) > 0


@contextmanager
def _ended() -> Iterator[None]:
    """Tell those who write a proof that the search has been ended."""
    from tengen.solver.exact import run as exact_run

    try:
        yield
    except exact_run.SearchEnded as error:
        raise ProofEnded from error
