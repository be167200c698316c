"""Wins by continuous threats: found if there is one, and proven not to be there otherwise.

Which threats count is stated, so that "none" says something: the attacker

- makes a four: a stone more would be a five;
- or makes a *three*: after it the attacker would have, if the defender passed, a *winning four* that it
  would not have had without it, or one that runs through the new stone. A winning four is an open four, two
  fours at once, or, with Black the defender, a four that only a foul would answer; what makes it may be no
  foul. And the defender could not be first: it has no five to make, nor (but under caro) an open four or
  two fours;
- or, in the set ``any``, makes a *quiet* move that prepares a win by fours: after it the attacker would win
  by fours alone (`tengen.solver.threats.vcf`), if the defender passed, and the defender has no five to
  make. That holds every four and three as well.

Each move of the attacker's has to be such a threat, up to the five; one that stops the defender's four or
open three at the same time is one as well, and where it stops a four, the three may be an old one. The
defender may answer with every move that the rules allow. Under renju a foul is no move: Black who attacks
does without, and Black who defends loses where the only defence is one.

So a stone may threaten without a four or a three of its own, by a change of a foul alone: Black lifts the
foul on the point of an open four, White makes the answer to a four a foul
(`tengen.engine.threats.foul_changes`). The defender may close the row, make the point a foul again or no
foul any more, or make a four of its own.

Where fouls are forbidden, Black is not beaten as long as it has nothing but fouls left: that is a draw. If
there is no win for that alone, `Solution.if_fouls_lose` says by which line there would be one if a foul
could be played and lost.

The search is df-pn (`tengen.engine.threats.pn_kernel`), and the answers that it leaves out, because they
lose at once, are told in `tengen.engine.threats.threat_moves`.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tengen.game.arguments import check_flag, shown
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour
from tengen.solver.limits import THREATS, attacker_of, check_memory
from tengen.solver.solution import ALL_NODES, Solution, left_after
from tengen.solver.threats.threat_search import MEMORY, by_threats, set_number, shortened
from tengen.solver.threats.vcf import depth_first, solve_vcf

_FOUR_NODES = 100_000
"""Nodes spent on a win by fours alone before threes are thought of, ..."""

_FOUR_SHARE = 4
"""... and at most this part of all."""


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
        TengenError: no colour, set of threats, or amount of memory, or an argument of another kind.
    """
    check_search(board, limit, stop)
    check_flag("shortest", shortest)
    check_asked(threats, memory_mb)
    limit = limit or Limit()
    began = time.perf_counter()
    attacker = attacker_of(colour, board.turn)
    if threats == "fours":
        return solve_vcf(board, limit, attacker, shortest, stop, memory_mb=memory_mb)
    found, left = fours_first(board, attacker, limit, stop)
    if found.winner is None:
        proven = by_threats(board, attacker, left, stop, memory_mb, set_number(threats))
        found, left = replace(proven, nodes=found.nodes + proven.nodes), left_after(proven, left)
    # What has been the fewest fours need not be the fewest plies.
    found = replace(found, shortest=shortest and found.length in (1, 3))
    if shortest and found.winner is not None and not found.shortest:
        found = shortened(found, board, left, stop, memory_mb, set_number(threats))
    return replace(found, seconds=time.perf_counter() - began)


def check_asked(threats: str, memory_mb: int) -> None:
    """Raise where there is no such set of threats, or amount of memory.

    Raises:
        TengenError: one of them.
    """
    if not (isinstance(threats, str) and threats in THREATS):
        text = shorten(threats) if isinstance(threats, str) else shown(threats)
        raise TengenError("error.solve.threats", threats=text, names=THREATS)
    check_memory(memory_mb)


def fours_first(
    board: Board, attacker: Colour, limit: Limit, stop: threading.Event | None
) -> tuple[Solution, Limit]:
    """What a small part of a limit finds of a win by fours alone, and the limit that it leaves."""
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    first = Limit(limit.seconds, max(min(nodes // _FOUR_SHARE, _FOUR_NODES), 1), limit.depth)
    found, _ = depth_first(board, first, attacker, shortest=True, stop=stop)
    return found, left_after(found, limit)
