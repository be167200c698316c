"""Wins by continuous threats: found if there is one, and proven not to be there otherwise.

Which threats count is stated, so that "none" says something: the attacker

- makes a four: a stone more would be a five;
- or makes a *three*: a stone that a stone more would turn into an open four, or, with another row, into two
  fours at once. After it the attacker could make an open four or two fours, if the defender passed, and the
  defender could not be first: it has no five to make, nor (but under caro) an open four or two fours;
- or, in the set ``any``, makes a *quiet* move that prepares a win by fours: after it the attacker would win
  by fours alone (`tengen.solver.vcf`), if the defender passed, and the defender has no five to make. That
  holds every four and three as well.

Each move of the attacker's has to be such a threat, up to the five; one that stops the defender's four or
open three at the same time is one as well, and where it stops a four, the three may be an old one. The
defender may answer with every move that the rules allow. Under renju a foul is no move: Black who attacks
does without, and Black who defends loses where the only defence is one.

The search is df-pn (`tengen.engine.dfpn_kernel`), and the answers that it leaves out, because they lose at
once, are told in `tengen.engine.threat_moves`.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit
from tengen.game.points import Colour
from tengen.solver.limits import THREATS, check_memory
from tengen.solver.vcf import ALL_NODES, Solution, solve_vcf

if TYPE_CHECKING:
    from tengen.engine.search_state import Record

_FOUR_NODES = 100_000
"""Nodes spent on a win by fours alone before threes are thought of, ..."""

_FOUR_SHARE = 4
"""... and at most this part of all."""

_SETS = {"threes": 0, "fours": 1, "any": 2}
"""The numbers of the sets in `tengen.engine.threat_moves`, which takes time to import."""

MEMORY = 64
"""Megabytes for the positions to remember, unless told otherwise."""


def solve_vct(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = MEMORY,
    shortest: bool = False,
) -> Solution:
    """Look for a win by continuous threats, with the defender's every answer.

    What it finds is a win; "none" that is `proven` says that no order of such threats wins, though another
    move may. The line has the longest defence that is known of; where `stop` is set while it is put
    together, it may be cut short.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit: it goes on
            until it knows, or is stopped.
        colour: who attacks, and moves first; whose turn it is if None.
        stop: when set, ends it.
        threats: which moves the attacker may make: ``"threes"``, fours and threes as this module says;
            ``"fours"``, fours alone, as `solve_vcf`; ``"any"``, quiet moves that prepare a win by fours,
            too: there are far more of them, and the search takes far longer.
        memory_mb: megabytes for the positions to remember; with few, a long search forgets, and takes
            longer.
        shortest: go on, once there is a win, until one is found that no other by such threats undercuts in
            plies. Where a limit is reached before, the win is told, and `Solution.shortest` is False.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats, or amount of memory.
    """
    check_asked(threats, memory_mb)
    limit = limit or Limit()
    began = time.perf_counter()
    attacker = board.turn if colour is None else colour
    if threats == "fours":
        return solve_vcf(board, limit, attacker, shortest, stop)
    found, left = fours_first(board, attacker, limit, stop)
    if found.winner is None:
        proven = _by_threats(board, attacker, left, stop, memory_mb, _SETS[threats])
        found, left = replace(proven, nodes=found.nodes + proven.nodes), left_after(proven, left)
    # What has been the fewest fours need not be the fewest plies.
    found = replace(found, shortest=shortest and found.length in (1, 3))
    if shortest and found.winner is not None and not found.shortest:
        found = _shortened(found, board, left, stop, memory_mb, _SETS[threats])
    return replace(found, seconds=time.perf_counter() - began)


def check_asked(threats: str, memory_mb: int) -> None:
    """Raise where there is no such set of threats, or amount of memory.

    Raises:
        TengenError: one of them.
    """
    if threats not in THREATS:
        raise TengenError("error.solve.threats", threats=str(threats), names=THREATS)
    check_memory(memory_mb)


def fours_first(
    board: Board, attacker: Colour, limit: Limit, stop: threading.Event | None
) -> tuple[Solution, Limit]:
    """What a small part of a limit finds of a win by fours alone, and the limit that it leaves."""
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    first = Limit(limit.seconds, min(nodes // _FOUR_SHARE, _FOUR_NODES), limit.depth)
    found = solve_vcf(board, first, attacker, shortest=True, stop=stop)
    return found, left_after(found, limit)


def left_after(found: Solution, limit: Limit) -> Limit:
    """What a search has left of a limit: of one without a bound of nodes, `ALL_NODES` without its own."""
    seconds = None if limit.seconds is None else max(limit.seconds - found.seconds, 0.0)
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    return Limit(seconds, nodes - found.nodes, limit.depth)


def set_number(threats: str) -> int:
    """The number of a set of threats in `tengen.engine.threat_moves`."""
    return _SETS[threats]


def _by_threats(
    board: Board,
    attacker: Colour,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: int,
) -> Solution:
    """What is found by threats; see `solve_vct`."""
    from tengen.engine.bridge import position_of, stopped_in_time
    from tengen.engine.proof_table import new_proof_table
    from tengen.engine.proofs import Proof

    began = time.perf_counter()
    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    proof = Proof(state, tables, new_proof_table(memory_mb), limit.depth, threats=threats)

    def end() -> None:
        record["stop"] = 1

    with stopped_in_time(end, limit.seconds, stop):
        wins = proof.search()
    nodes, seconds = int(record["nodes"]), time.perf_counter() - began
    if not wins:
        return Solution(None, wins is False, (), 0, 0, nodes, seconds)
    record["stop"] = 0
    with stopped_in_time(end, None, stop):
        cells = proof.line()
    return _solution(board, attacker, (state, tables), cells, nodes, seconds)


def _shortened(
    found: Solution,
    board: Board,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: int,
) -> Solution:
    """The shortest win where one is known: with two plies more each time, until there is one.

    Positions that are known not to be won within some plies may be won within more, so each has a table of
    its own, and the one before is kept for the defence that is shown.
    """
    from tengen.engine.bridge import position_of, stopped_in_time
    from tengen.engine.proof_table import new_proof_table
    from tengen.engine.proofs import Proof

    attacker = found.winner
    assert attacker is not None  # the caller's fault
    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    half, plies = max(memory_mb // 2, 1), 1
    proof: Proof | None = None
    wins: bool | None = False

    def end() -> None:
        record["stop"] = 1

    with stopped_in_time(end, limit.seconds, stop):
        while wins is False:
            sooner, plies = proof, plies + 2
            proof = Proof(state, tables, new_proof_table(half), plies, threats=threats)
            wins = proof.within()
    nodes = found.nodes + int(record["nodes"])
    if not wins or proof is None:
        return replace(found, nodes=nodes)
    record["stop"] = 0
    with stopped_in_time(end, None, stop):
        cells = proof.line(sooner=sooner)
    return replace(_solution(board, attacker, (state, tables), cells, nodes, 0.0), shortest=True)


def _solution(
    board: Board,
    attacker: Colour,
    engine: tuple[Record, Record],
    cells: tuple[int, ...],
    nodes: int,
    seconds: float,
) -> Solution:
    """The win of a line."""
    from tengen.engine.bridge import point_of

    line = tuple(point_of(board, cell) for cell in cells)
    return Solution(attacker, True, line, len(line), _fours_in(*engine, cells), nodes, seconds)


def _fours_in(state: Record, tables: Record, line: tuple[int, ...]) -> int:
    """How many of the attacker's moves threaten a five, without being one."""
    from tengen.engine.position import make
    from tengen.engine.search_state import Kind

    record, count = state[0], 0
    side = int(record["turn"])
    for number, cell in enumerate(line[:-1]):
        make(state, tables, cell)
        count += number % 2 == 0 and int(record["counts"][side, Kind.FIVE]) > 0
    return count
