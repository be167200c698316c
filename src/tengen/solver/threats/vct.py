"""Wins by continuous threats (VCT): found if there is one, and otherwise proven not to exist.

A proof that there is none depends on which moves count as threats. The attacker

- makes a four: one more stone would complete a five;
- or makes a *three*: after it the attacker would have, if the defender passed, a *winning four* that did
  not exist before, or one that runs through the new stone. A winning four is an open four, two fours at
  once, or, with Black the defender, a four that only a foul would answer; the move that makes it may not
  be a foul. The defender must not be faster: it has no five to make, nor (except under caro) an open four
  or two fours;
- or, in the set ``any``, makes a *quiet* move that prepares a win by fours: after it the attacker would win
  by fours alone (`tengen.solver.threats.vcf`), if the defender passed, and the defender has no five to
  make. This set holds every four and three as well.

Each of the attacker's moves has to be such a threat, up to the five. A move that also stops the defender's
four or open three counts too, and if it stops a four, the three may be an old one. The defender may answer
with any legal move. Under renju a foul is no move: Black may not attack with one, and a defending Black
loses if its only defence is one.

So a stone may threaten without a four or a three of its own, by changing a foul alone: Black lifts the foul
on the point of an open four, or White turns the answer to a four into a foul
(`tengen.engine.threats.foul_changes`). The defender may block the row, turn the point into a foul or back,
or make a four of its own.

Where fouls are forbidden, Black does not lose while only fouls are left to it: that is a draw. If this
alone prevents a win, `Solution.if_fouls_lose` holds the line that would win if a foul could be played and
lost.

The search is df-pn (`tengen.engine.threats.pn_kernel`); `tengen.engine.threats.threat_moves` states which
answers it omits because they lose at once.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tengen.game.arguments import check_flag
from tengen.game.board import Board
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour
from tengen.solver.limits import ALL_NODES, THREAT_MEMORY, attacker_of, check_memory, check_threats
from tengen.solver.results import Solution, remaining_limit
from tengen.solver.threats.df_pn import shortest_win, solve_by_df_pn
from tengen.solver.threats.vcf import solve_depth_first, solve_vcf

_FOUR_NODES = 100_000
"""Most nodes of the search for a win by fours alone, which comes before the other threats, ..."""

_FOUR_SHARE = 4
"""... and the divisor of all nodes that gives its largest share."""


def solve_vct(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = THREAT_MEMORY,
    shortest: bool = False,
) -> Solution:
    """Search for a win by continuous threats against every answer of the defender's.

    A win is always real; a `proven` solution without a winner says that no sequence of such threats wins,
    though another move may. The line has the longest defence that is known; if `stop` is set while it is
    put together, it may be incomplete.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit: the search
            goes on until the position is decided, or until it is stopped.
        colour: the attacker, which moves first; the side to move if None.
        stop: ends the search when set.
        threats: the attacker's moves: ``"threes"``, fours and threes as defined in this module;
            ``"fours"``, fours alone, as in `solve_vcf`; ``"any"``, quiet moves that prepare a win by
            fours as well: there are far more of them, and the search takes far longer.
        memory_mb: megabytes for the transposition table; a long search with a small one forgets
            positions, and takes longer.
        shortest: continue after a win until no win by such threats takes fewer plies. If a limit is
            reached first, the result is the win known by then, and `Solution.shortest` is False.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, set of threats, or amount of memory, or an argument of the wrong type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("g8 h8 i9 i10", "g7 f9", turn=tengen.BLACK)
        >>> tengen.solve_vcf(board).winner is None
        True
        >>> solution = tengen.solve_vct(board)
        >>> solution.winner == tengen.BLACK, board.name(solution.line[0])
        (True, 'i8')
        >>> tengen.solve_vct(board, tengen.Limit(depth=1)).winner is None
        True
    """
    check_search(board, limit, stop)
    check_flag("shortest", shortest)
    check_threats(threats)
    check_memory(memory_mb)
    limit = limit or Limit()
    began = time.perf_counter()
    attacker = attacker_of(colour, board.turn)
    if threats == "fours":
        return solve_vcf(board, limit, attacker, shortest, stop, memory_mb=memory_mb)
    solution, left = fours_first(board, attacker, limit, stop)
    if solution.winner is None:
        proven = solve_by_df_pn(board, attacker, left, stop, memory_mb, threats)
        solution = replace(proven, nodes=solution.nodes + proven.nodes)
        left = remaining_limit(left, proven)
    # The fewest fours need not be the fewest plies.
    solution = replace(solution, shortest=shortest and solution.length in (1, 3))
    if shortest and solution.winner is not None and not solution.shortest:
        solution = shortest_win(solution, board, left, stop, memory_mb, threats)
    return replace(solution, seconds=time.perf_counter() - began)


def fours_first(
    board: Board, attacker: Colour, limit: Limit, stop: threading.Event | None
) -> tuple[Solution, Limit]:
    """Search for a win by fours alone with a small share of a limit, and return what is left of it."""
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    first = Limit(limit.seconds, max(min(nodes // _FOUR_SHARE, _FOUR_NODES), 1), limit.depth)
    solution, _ = solve_depth_first(board, first, attacker, shortest=True, stop=stop)
    return solution, remaining_limit(limit, solution)
