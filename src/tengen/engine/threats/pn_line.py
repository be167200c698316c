"""The winning line of a proof-number search, from its table.

Positions whose entries were replaced in the table are searched again.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, SCRATCH_REF, STATE_REF, TABLES_REF
from tengen.engine.kernels.declarations import inlined, kernel, merged
from tengen.engine.kernels.signatures import INT16_ARRAY, INT64, signature, table_of
from tengen.engine.threats.pn_kernel import PN_REF, UNBOUNDED, df_pn, list_answers_to_threat
from tengen.engine.threats.pn_table import INFINITY, plies_to_win, pn_key, probe, stored_cell
from tengen.engine.threats.vcf_kernel import UNLIMITED, any_move, may_play, shortest_vcf

_SHORT_NODES = 2_000
"""Nodes of a first search for the shortest VCF that ends a line."""


@inlined
def allow(state, nodes):
    """Limit the next search to a number of nodes."""
    state.most_nodes = min(state.nodes + nodes, np.int64(UNBOUNDED))
    state.ended = 0


@merged
def reaches_aim(state_ref, tables_ref, scratch_ref, pn_ref, table, most_nodes):
    """Return whether the side to move reaches its aim, by a search where the table does not say it."""
    allow(state_ref[0], most_nodes)
    infinity = np.int64(INFINITY)
    return df_pn(state_ref, tables_ref, scratch_ref, pn_ref, table, infinity, infinity) >> 40 == 0


@inlined
def known_cell(state_ref, pn_ref, table):
    """Return the best move of a position from the table; 0 for none."""
    return stored_cell(probe(table, pn_key(state_ref[0], pn_ref[0].attacker)))


@inlined
def vcf_within(state_ref, tables_ref, scratch_ref, pn_ref, nodes):
    """Write the shortest VCF into `line` of the scratch record, if so many nodes find one."""
    allow(state_ref[0], nodes)
    most_fours = min((pn_ref[0].last_ply - state_ref[0].ply - 1) >> 1, np.int64(UNLIMITED))
    return shortest_vcf(state_ref, tables_ref, scratch_ref, most_fours)


@merged
def attack(state_ref, tables_ref, scratch_ref, pn_ref, table, most_nodes):
    """Write the attacker's continuation of a won position into `line` of the scratch record.

    It is the shortest VCF if few nodes find one, else a single threat. A position that `evaluate_attacker`
    found to be won by fours has no move in the table: then the VCF is searched with more nodes.

    Returns:
        The number of moves, 0 if the search is stopped; and whether the win is complete.
    """
    length = vcf_within(state_ref, tables_ref, scratch_ref, pn_ref, np.int64(_SHORT_NODES))
    if length > 0:
        return length, True
    if reaches_aim(state_ref, tables_ref, scratch_ref, pn_ref, table, most_nodes):
        cell = known_cell(state_ref, pn_ref, table)
        if cell > 0:
            scratch_ref[0].line[0] = cell
            return np.int64(1), False
    return vcf_within(state_ref, tables_ref, scratch_ref, pn_ref, most_nodes), True


@merged
def longest_defence(state_ref, tables_ref, scratch_ref, pn_ref, table, most_nodes):
    """Return the defender's answer that holds out longest; without one a legal move, or else a foul."""
    state, pn = state_ref[0], pn_ref[0]
    allow(state, most_nodes)
    # The answers stay on the stack, below the moves of the searches.
    first = pn.top
    count = list_answers_to_threat(state_ref, tables_ref, scratch_ref, pn_ref, pn.cells[first:])
    pn.top = first + count
    longest, best = np.int64(-1), np.int64(0)
    for place in range(first, first + count):
        cell = np.int64(pn.cells[place])
        make(state_ref, tables_ref, cell)
        length = np.int64(0)
        if reaches_aim(state_ref, tables_ref, scratch_ref, pn_ref, table, most_nodes):
            length = plies_to_win(state_ref, table, pn.attacker)
        unmake(state_ref, tables_ref)
        if length > longest:
            longest, best = length, cell
    pn.top = first
    if best == 0:
        best = any_move(state_ref, tables_ref)
    return best if best > 0 else first_empty(state)


@inlined
def first_empty(state):
    """Return the first empty cell of a board that is not full."""
    cell = np.int64(0)
    while cell < CELLS - 1 and state.cells[cell] != 0:
        cell += 1
    return cell


@kernel(
    signature(
        INT64,
        STATE_REF,
        TABLES_REF,
        SCRATCH_REF,
        PN_REF,
        table_of(2),
        PN_REF,
        table_of(2),
        INT64,
        INT64,
        INT16_ARRAY,
    )
)
def winning_line(
    state_ref, tables_ref, scratch_ref, pn_ref, table, shallower_ref, shallower_table, nodes, plies, out
):
    """Write the cells of a winning line into an array, with the longest defence that is known.

    Where the defender has only fouls left, a foul ends the line.

    Args:
        state_ref: the position, which `df_pn` has proven to be won; as before when this returns, but for
            `most_nodes` and `ended`.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        pn_ref: the search's `PN_SCRATCH`.
        table: the search's table.
        shallower_ref: the `PN_SCRATCH` of a search that has disproved a win within fewer plies, and then
            the line has the shortest length that the attacker can force; `pn_ref` if there is none.
        shallower_table: the table of that search.
        nodes: for each position that is searched again; if they are used up, or `stop` of the state is
            set, the line ends.
        plies: after so many the line ends; but a VCF is written to its end.
        out: int16, room for the board: receives the cells.

    Returns:
        The length of the line.
    """
    state, pn = state_ref[0], pn_ref[0]
    root_ply, length = state.ply, np.int64(0)
    while length < plies:
        if state.turn == pn.attacker:
            count, complete = attack(state_ref, tables_ref, scratch_ref, pn_ref, table, nodes)
            for place in range(count):
                out[length + place] = scratch_ref[0].line[place]
            length += count
            if complete:
                break
        else:
            reply = np.int64(0)
            if shallower_ref[0].last_ply < pn.last_ply:
                # An answer that leaves no win within so few plies.
                unbounded = np.int64(UNBOUNDED)
                if reaches_aim(
                    state_ref, tables_ref, scratch_ref, shallower_ref, shallower_table, unbounded
                ):
                    reply = known_cell(state_ref, shallower_ref, shallower_table)
            if reply == 0:
                reply = longest_defence(state_ref, tables_ref, scratch_ref, pn_ref, table, nodes)
            out[length] = reply
            length += 1
        cell = np.int64(out[length - 1])
        if not may_play(state_ref, tables_ref, state.turn, cell):
            break
        make(state_ref, tables_ref, cell)
    while state.ply > root_ply:
        unmake(state_ref, tables_ref)
    return length
