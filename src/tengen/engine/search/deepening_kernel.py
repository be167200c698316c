"""Iterative deepening, compiled: one call searches until the next result.

The caller keeps the clock, the stop flag and the threads: between two calls of `next_result` it writes the
time into the record `DEEPENING`, and reads the result from it. `fill_table` is the whole work of a helper
thread.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import (
    CELLS,
    MOST_MOVES,
    NETWORKS_REF,
    PLIES,
    SCRATCH,
    SCRATCH_REF,
    STATE,
    STATE_REF,
    TABLES_REF,
    Kind,
    aligned,
)
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.techniques import Technique
from tengen.engine.kernels.declarations import compiled, inlined, kernel, merged
from tengen.engine.kernels.signatures import BOOL, INT64, Ref, signature, table_of
from tengen.engine.search.alpha_beta import LAST_DEPTH, search
from tengen.engine.search.forced_moves import central_move, list_forced_moves
from tengen.engine.search.principal_variation import LONGEST_LINE, add_to_line, begin_search, write_line
from tengen.engine.search.steps import is_skipped
from tengen.engine.threats.pn_kernel import PN_SCRATCH, UNBOUNDED, begin_pn_search, df_pn
from tengen.engine.threats.pn_line import winning_line
from tengen.engine.threats.pn_table import INFINITY, plies_to_win
from tengen.engine.threats.threat_moves import THREES
from tengen.engine.threats.vcf_kernel import any_move, find_vcf, may_play

_FIVE = Kind.FIVE
_VCT, _ASPIRATION = int(Technique.VCT), int(Technique.ASPIRATION)

_VCT_SHARE = 8
"""The search for a win by threats (VCT) may spend one part in so many of the search's nodes."""

_VCF_NODES = 20_000
"""Nodes of the search for a win by fours (VCF) before that, at most."""

_VCF_SHARE = 10
"""It may spend one part in so many of the search's nodes."""

_RETRY_NODES = 20_000
"""Nodes for searching again a position of a VCT whose table entry was replaced."""

_ASPIRATION_DEPTH = 4
"""Plies from which on an iteration begins with an aspiration window."""

_WINDOW = 30
"""Half the width of the first aspiration window, in centi-units."""

_WINDOW_FACTOR = 4
"""The failing side of an aspiration window grows by this factor, ..."""

_WIDEST_WINDOW = 1000
"""... until it is so wide, in centi-units; after that it is open."""

DEEPENING = aligned(
    [
        # Limits, from the caller.
        ("lines", np.int64),  # the number of different first moves to find (multi-PV)
        ("most_depth", np.int64),  # plies of the last iteration
        ("threat_nodes", np.int64),  # nodes of the search for a win by threats, at most
        ("soft_seconds", np.float64),  # no iteration but the first begins after so long
        ("root_count", np.int64),  # how many first moves alone may be searched, 0 for all ...
        ("root_cells", np.int16, MOST_MOVES),  # ... and which, the most plausible first
        ("seconds", np.float64),  # since the beginning, by the caller's clock
        # The result.
        ("number", np.int64),  # of the line, from 0
        ("cell", np.int64),  # the best move
        ("score", np.int64),  # in centi-units, for the side to move
        ("depth", np.int64),  # plies searched
        ("complete", np.int64),  # 0 if the iteration was broken off
        ("length", np.int64),  # plies of the principal variation; 0 before the first result
        ("line", np.int16, PLIES),  # its cells
        # The state of the search.
        ("iteration", np.int64),  # plies of the iteration under way; 0 before the first
        ("next_line", np.int64),  # the number of the line to search next
        ("settled", np.int64),  # 1 if no iteration could change the result
        ("over", np.int64),  # 1 after the last result
        ("scores", np.int64, MOST_MOVES),  # of each line in the last iteration
        ("cells", np.int64, MOST_MOVES),  # and its move
        ("forced", np.int16, MOST_MOVES),  # the forced moves by which a result is corrected
        # Memory of searches besides the main one.
        ("pn", PN_SCRATCH, (1,)),
        ("line_state", STATE, (1,)),  # a copy of the position, from the caller
        ("line_scratch", SCRATCH, (1,)),
    ]
)
"""A search by iterative deepening: its limits, its state and its last result."""

_DEEPENING_REF = Ref(DEEPENING)


@kernel(
    signature(
        BOOL,
        STATE_REF,
        TABLES_REF,
        NETWORKS_REF,
        SCRATCH_REF,
        table_of(2),
        table_of(2),
        _DEEPENING_REF,
    )
)
def next_result(state_ref, tables_ref, networks_ref, scratch_ref, table, pn_table, deepening_ref):
    """Search until the next result: that of one iteration for one of the lines.

    Before the first iteration wins by threats are searched, unless there are several lines. An iteration
    that is broken off has its best move so far as its result, if it has searched any move to the end.

    Args:
        state_ref: the position, with the limit of nodes and the stop flag of this thread.
        tables_ref: the tables of its rules.
        networks_ref: the networks of its rules.
        scratch_ref: the thread's scratch record, all zeros before the first call.
        table: the shared transposition table.
        pn_table: the table of the search for a win by threats.
        deepening_ref: the record `DEEPENING`: before the first call with limits and `line_state`, the rest
            zeros; before each further call with the time. It receives the result.

    Returns:
        False if the search is over, and there is no further result.
    """
    state, scratch, deepening = state_ref[0], scratch_ref[0], deepening_ref[0]
    if deepening.iteration == 0 and not deepening.over:
        begin_search(state_ref, networks_ref, scratch_ref)
        scratch.root_count = deepening.root_count
        for place in range(deepening.root_count):
            scratch.root_cells[place] = deepening.root_cells[place]
        deepening.next_line = deepening.lines
        if deepening.lines == 1 and win_by_threats(
            state_ref, tables_ref, scratch_ref, pn_table, deepening_ref
        ):
            deepening.over = 1
            return True
    while not deepening.over:
        if deepening.next_line == deepening.lines:
            if not goes_deeper(state, deepening):
                break
            deepening.iteration += 1
            deepening.next_line = scratch.skip = 0
        if search_line(state_ref, tables_ref, networks_ref, scratch_ref, table, deepening_ref):
            return True
        deepening.next_line = deepening.lines
    deepening.over = 1
    return False


@inlined
def goes_deeper(state, deepening):
    """Return whether another iteration follows one that has all of its lines."""
    depth = deepening.iteration
    if depth >= min(deepening.most_depth, np.int64(LAST_DEPTH)):
        return False
    late = deepening.seconds >= deepening.soft_seconds
    return depth == 0 or not (late or state.ended or deepening.settled)


@merged
def win_by_threats(state_ref, tables_ref, scratch_ref, pn_table, deepening_ref):
    """Search for a win by fours (VCF), then by threats (VCT), with a share of the nodes each.

    Returns:
        Whether there is one; then it is the result.
    """
    state, scratch, deepening = state_ref[0], scratch_ref[0], deepening_ref[0]
    most_nodes = state.most_nodes
    state.most_nodes = min(most_nodes // _VCF_SHARE, np.int64(_VCF_NODES))
    plies = find_vcf(state_ref, tables_ref, scratch_ref, state.ply, np.int64(LONGEST_LINE))
    state.ended = 0
    for place in range(plies):
        add_to_line(deepening, scratch.line[place])
    if plies == 0 and not tables_ref[0].closed and not tables_ref[0].without & _VCT:
        state.most_nodes = state.nodes + min(most_nodes // _VCT_SHARE, deepening.threat_nodes)
        plies = win_by_vct(state_ref, tables_ref, pn_table, deepening_ref)
        state.ended = 0
    state.most_nodes = most_nodes
    if deepening.length > 0 and not is_allowed(deepening, np.int64(deepening.line[0])):
        deepening.length = 0
    if deepening.length == 0:
        return False
    deepening.cell = np.int64(deepening.line[0])
    deepening.score, deepening.depth, deepening.complete = WIN - plies, plies, 1
    return True


@inlined
def is_allowed(deepening, cell):
    """Return whether a first move may be searched."""
    for place in range(deepening.root_count):
        if deepening.root_cells[place] == cell:
            return True
    return deepening.root_count == 0


@merged
def win_by_vct(state_ref, tables_ref, pn_table, deepening_ref):
    """Search for a win by threats (VCT); write its line, and return its plies, or 0 for none."""
    state, deepening = state_ref[0], deepening_ref[0]
    pn_ref, scratch_ref = deepening.pn[:], deepening.line_scratch[:]
    infinity, attacker = np.int64(INFINITY), state.turn
    begin_pn_search(state_ref, pn_ref, attacker, np.int64(THREES), np.int64(UNBOUNDED))
    if df_pn(state_ref, tables_ref, scratch_ref, pn_ref, pn_table, infinity, infinity) >> 40:
        return np.int64(0)
    nodes = state.nodes
    deepening.length = winning_line(
        state_ref,
        tables_ref,
        scratch_ref,
        pn_ref,
        pn_table,
        pn_ref,
        pn_table,
        np.int64(_RETRY_NODES),
        np.int64(PLIES),
        deepening.line[:],
    )
    state.nodes = nodes  # those that reconstruct the line are not counted
    return max(deepening.length, plies_to_win(state_ref, pn_table, attacker))


@merged
def search_line(state_ref, tables_ref, networks_ref, scratch_ref, table, deepening_ref):
    """Search one iteration for the next line.

    The line's best move of the iteration before is tried first, and stays until another is shown to be
    better.

    Returns:
        Whether there is a result: not if it was broken off before one move was searched, or if no move is
        left.
    """
    state, scratch, deepening = state_ref[0], scratch_ref[0], deepening_ref[0]
    number, depth = deepening.next_line, deepening.iteration
    guess, hash_move = deepening.scores[number], deepening.cells[number]
    scratch.best = 0 if is_skipped(scratch, hash_move) else hash_move
    score = search_window(state_ref, tables_ref, networks_ref, scratch_ref, table, depth, guess)
    cell, complete = scratch.best, not state.ended
    if cell == 0 and complete and number == 0:
        cell = any_move(state_ref, tables_ref)  # every move that would help is a foul
    if cell <= 0 or is_skipped(scratch, cell):
        return False
    if not complete:
        score = guess
    deepening.number, deepening.cell, deepening.score = number, cell, score
    deepening.depth, deepening.complete = depth, complete
    write_line(state_ref, tables_ref, networks_ref, table, deepening_ref)
    deepening.scores[number], deepening.cells[number] = score, cell
    scratch.skipped[scratch.skip] = cell
    scratch.skip += 1
    # A loss beyond the depth may still be put off.
    lost = score < -MATE and WIN + score <= depth
    deepening.settled = deepening.lines == 1 and (score > MATE or lost)
    deepening.next_line += 1
    deepening.over = not complete
    return True


@compiled
def search_window(state_ref, tables_ref, networks_ref, scratch_ref, table, depth, guess):
    """Search to a depth in an aspiration window around a guess, widened until the score lies inside."""
    below = above = np.int64(_WINDOW)
    if depth < _ASPIRATION_DEPTH or tables_ref[0].without & _ASPIRATION:
        below = above = np.int64(2 * WIN)
    cut_node = np.int64(0)
    while True:
        alpha, beta = max(guess - below, np.int64(-WIN)), min(guess + above, np.int64(WIN))
        score = search(
            state_ref, tables_ref, networks_ref, scratch_ref, table, depth, alpha, beta, cut_node
        )
        # A win at least so near is a win: a wider window might only lose it again.
        if state_ref[0].ended or alpha < score < beta or score > MATE:
            return score
        if score <= alpha:
            if alpha == -WIN:
                return score
            below = wider(below)
        else:
            if beta == WIN:
                return score
            above = wider(above)


@inlined
def wider(margin):
    """Return the next margin of an aspiration window that has failed."""
    return np.int64(margin * _WINDOW_FACTOR if margin < _WIDEST_WINDOW else 2 * WIN)


@kernel(signature(None, STATE_REF, TABLES_REF, NETWORKS_REF, SCRATCH_REF, table_of(2), INT64))
def fill_table(state_ref, tables_ref, networks_ref, scratch_ref, table, first_depth):
    """Deepen until nodes or time are used up, for the entries that it leaves in the shared table.

    Args:
        state_ref: the position, with the limit of nodes and the stop flag of this thread.
        tables_ref: the tables of its rules.
        networks_ref: the networks of its rules.
        scratch_ref: the thread's scratch record, all zeros.
        table: the shared transposition table.
        first_depth: plies of the first iteration, in which threads differ.
    """
    begin_search(state_ref, networks_ref, scratch_ref)
    score = np.int64(0)
    for depth in range(first_depth, LAST_DEPTH):
        score = search_window(
            state_ref, tables_ref, networks_ref, scratch_ref, table, np.int64(depth), score
        )
        if state_ref[0].ended:
            return


@kernel(signature(None, STATE_REF, TABLES_REF, _DEEPENING_REF))
def correct_result(state_ref, tables_ref, deepening_ref):
    """Correct the last result by the position as it is.

    A first move that is not a forced one is replaced, unless only some moves may be searched: under caro
    the search knows one answer to a five, and only another may stop it. A search that overlooks rows may
    find lines that are not legal: they end before the first illegal move, and with the move that ends the
    game.

    Args:
        state_ref: the position with all of its rows; as before when this returns.
        tables_ref: the tables of its rules.
        deepening_ref: the deepening's record with the result.
    """
    state, tables, deepening = state_ref[0], tables_ref[0], deepening_ref[0]
    if deepening.number == 0 and deepening.root_count == 0:
        count = list_forced_moves(state_ref, tables_ref, deepening.forced[:])
        if count > 0 and not is_forced(deepening, count):
            replace_result(deepening, np.int64(deepening.forced[0]))
    root_ply, legal = state.ply, np.int64(0)
    while legal < deepening.length:
        cell = np.int64(deepening.line[legal]) & (CELLS - 1)
        if state.cells[cell] != 0:
            break
        fouls = not may_play(state_ref, tables_ref, state.turn, cell)
        if fouls and tables.barred:
            break
        legal += 1
        if fouls or state.kinds[state.turn, cell] == _FIVE:
            break
        make(state_ref, tables_ref, cell)
    deepening.length = legal
    while state.ply > root_ply:
        unmake(state_ref, tables_ref)


@inlined
def is_forced(deepening, count):
    """Return whether the result's move is one of the forced moves."""
    for place in range(count):  # noqa: SIM110 - compiled
        if deepening.forced[place] == deepening.cell:
            return True
    return False


@inlined
def replace_result(deepening, cell):
    """Replace move and line of the result by a move that nothing is known of."""
    deepening.cell, deepening.score, deepening.length = cell, 0, 0
    add_to_line(deepening, cell)


@kernel(signature(None, STATE_REF, TABLES_REF, _DEEPENING_REF))
def fall_back(state_ref, tables_ref, deepening_ref):
    """Write a result without a search: a forced move, or else the move nearest to the centre.

    If only some moves may be searched, it is the first of these.

    It is for a search without a result: one that was stopped in the first iteration, or of a position where
    no empty point is near a stone.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        deepening_ref: the deepening's record, which receives the result.
    """
    deepening = deepening_ref[0]
    cell = central_move(state_ref, tables_ref)
    if deepening.root_count > 0:
        cell = np.int64(deepening.root_cells[0])
    elif list_forced_moves(state_ref, tables_ref, deepening.forced[:]) > 0:
        cell = np.int64(deepening.forced[0])
    deepening.number = deepening.depth = deepening.complete = 0
    replace_result(deepening, cell)
