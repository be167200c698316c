"""The principal variation of a result, from the transposition table; a win is shown to its end.

The line is played out on `line_state` of the deepening's record, a copy of the position whose `stop` nobody
sets: what is short to search is searched even after the search has been stopped. Searches for the line do
not count as nodes; they have a scratch record of their own, which forgets everything before each of them.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, PLIES, Kind
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.stop_flag import stopped
from tengen.engine.evaluation.network_kernel import begin
from tengen.engine.kernels.declarations import compiled, inlined, merged
from tengen.engine.search.alpha_beta import LAST_DEPTH, search
from tengen.engine.search.table import known_move
from tengen.engine.threats.vcf_kernel import any_five, any_move, may_play, shortest_vcf

_FIVE = Kind.FIVE

LONGEST_LINE = 60
"""Plies of a principal variation before the VCF that may end it, at most."""

_VCF_NODES = 5_000
"""Nodes of a search for the shortest VCF that ends a line."""

_RESEARCH_NODES = 20_000
"""Nodes for searching again a position of a line whose table entry was replaced."""


@compiled
def begin_search(state_ref, networks_ref, scratch_ref):
    """Prepare a scratch record for a search: the position becomes the root."""
    scratch_ref[0].root = state_ref[0].ply
    if networks_ref[0].network:
        begin(state_ref, networks_ref, scratch_ref)


@compiled
def forget(scratch_ref):
    """Forget what searches have left in a scratch record for later ones."""
    scratch = scratch_ref[0]
    scratch.memory[:] = 0
    scratch.net_memory[:] = 0
    scratch.history[:] = 0
    scratch.errors[:] = 0
    scratch.counters[:] = 0
    scratch.killers[:] = 0
    scratch.excluded[:] = 0


@inlined
def add_to_line(deepening, cell):
    """Add a move to the line of the result."""
    deepening.line[deepening.length & (PLIES - 1)] = cell
    deepening.length += 1


@compiled
def write_line(state_ref, tables_ref, networks_ref, table, deepening_ref):
    """Write the principal variation of a result, which begins with its move, into `line`.

    Args:
        state_ref: the position that is searched.
        tables_ref: the tables of its rules.
        networks_ref: the networks of its rules.
        table: the transposition table.
        deepening_ref: the deepening's record with the result.
    """
    deepening = deepening_ref[0]
    line_state_ref = deepening.line_state[:]
    line_state = line_state_ref[0]
    root_ply, cell = line_state.ply, deepening.cell
    deepening.length = line_state.nodes = line_state.stop = line_state.ended = 0
    while cell > 0 and line_state.cells[cell & (CELLS - 1)] == 0:
        if not may_play(line_state_ref, tables_ref, line_state.turn, cell):
            break
        five = line_state.kinds[line_state.turn, cell & (CELLS - 1)] == _FIVE
        make(line_state_ref, tables_ref, cell)
        add_to_line(deepening, cell)
        full = line_state.ply >= line_state.size * line_state.size
        if five or full or deepening.length >= LONGEST_LINE:
            break
        cell = next_move(state_ref, tables_ref, networks_ref, table, deepening_ref)
    while line_state.ply > root_ply:
        unmake(line_state_ref, tables_ref)


@merged
def next_move(state_ref, tables_ref, networks_ref, table, deepening_ref):
    """Return the move that follows the line so far; 0 or less for none."""
    deepening = deepening_ref[0]
    cell = known_move(deepening.line_state[0], table)
    if abs(deepening.score) > MATE:
        wins = (deepening.length & 1 == 0) == (deepening.score > 0)
        decisive = decisive_move(tables_ref, deepening_ref, wins)
        if decisive != 0:
            cell = decisive
        elif cell == 0 and not stopped(state_ref[0]):
            cell = search_again(tables_ref, networks_ref, table, deepening_ref)
    return cell


@compiled
def decisive_move(tables_ref, deepening_ref, wins):
    """Return the move that a five, one's own or the enemy's, forces.

    If the side to move wins by fours, the VCF is added to the line.

    Args:
        tables_ref: the tables of the rules.
        deepening_ref: the deepening's record, with the line so far and the position after it.
        wins: whether the side to move wins.

    Returns:
        The cell; 0 if no move is forced, -1 if the line is complete.
    """
    deepening = deepening_ref[0]
    state_ref, scratch_ref = deepening.line_state[:], deepening.line_scratch[:]
    state, side = state_ref[0], state_ref[0].turn
    for colour in (side, 1 - side):
        if state.counts[colour, _FIVE] > 0:
            if colour != side and tables_ref[0].closed:
                return np.int64(0)  # there may be a better place to stop it
            five = any_five(state, colour, np.int64(-1))
            if may_play(state_ref, tables_ref, side, five):
                return five
            return any_move(state_ref, tables_ref)  # the only answer is a foul
    if not wins:
        return np.int64(0)
    forget(scratch_ref)
    state.most_nodes = state.nodes + _VCF_NODES
    length = shortest_vcf(state_ref, tables_ref, scratch_ref, np.int64(LONGEST_LINE // 2 - 1))
    state.ended = 0
    for place in range(length):
        add_to_line(deepening, scratch_ref[0].line[place])
    return np.int64(-1 if length > 0 else 0)


@merged
def search_again(tables_ref, networks_ref, table, deepening_ref):
    """Return the best move by a small search, for a replaced table entry; 0 for none."""
    deepening = deepening_ref[0]
    state_ref, scratch_ref = deepening.line_state[:], deepening.line_scratch[:]
    state, scratch = state_ref[0], scratch_ref[0]
    forget(scratch_ref)
    begin_search(state_ref, networks_ref, scratch_ref)
    state.most_nodes = state.nodes + _RESEARCH_NODES
    cell = np.int64(0)
    alpha, beta, cut_node = np.int64(-WIN), np.int64(WIN), np.int64(0)
    for depth in range(1, LAST_DEPTH):
        scratch.best = 0
        score = search(
            state_ref,
            tables_ref,
            networks_ref,
            scratch_ref,
            table,
            np.int64(depth),
            alpha,
            beta,
            cut_node,
        )
        if state.ended:
            break
        cell = scratch.best
        if abs(score) > MATE:
            break
    state.ended = 0
    return cell
