"""Depth-first proof-number search over threats: a win against every defence, or a proof that there is none.

df-pn (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", dissertation, University
of Tokyo 2002) expands the most-proving node and stores the results in a transposition table
(`tengen.engine.threats.pn_table`). Each node has two numbers from the point of view of the side to move:
`phi`, the least number of open leaves that this side has to settle to reach its aim, and `delta`, the
number for the other side. The attacker (OR nodes) wants the win, the defender (AND nodes) a proof that no
threats win.

- The moves are those of `tengen.engine.threats.threat_moves`. Stones are only added, so a line of play
  never repeats a position, and the result of a position does not depend on its history.
- Symmetric positions are not merged, for there are hardly any: of 806 positions, most from games, none is
  symmetric, and of 78,072 that threats lead to from some of these no two are mirror images.
- Fours are threats like others: the tree is searched without a VCF search at its nodes. With one, however
  small, the same number of nodes proves less (`python -m benchmarks threats`). Only where quiet moves
  count, a VCF search finds out which of them threaten anything.
- Transpositions are frequent, so `delta` is not the sum over the children, but the largest of theirs plus
  one for each other open child (T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, "Weak Proof-Number Search",
  2008).

The engine calls it before the search of a move only: inside the tree it costs more than it finds
(`benchmarks/log/2026-11-24-proof-number-search.md`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, MOST_MOVES, SCRATCH_REF, STATE_REF, TABLES_REF, Kind
from tengen.engine.board.stop_flag import stopped
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import BOOL, INT16_ARRAY, INT64, Ref, signature, table_of
from tengen.engine.threats.foul_fours import find_foul_four
from tengen.engine.threats.pn_table import (
    INFINITY,
    pn_key,
    pn_key_after,
    probe,
    store,
    stored_delta,
    stored_length,
    stored_phi,
    stored_work,
)
from tengen.engine.threats.threat_moves import (
    ANY,
    NO_THREAT,
    OF_FIVE,
    OF_FOURS,
    is_scarce,
    list_answers,
    list_answers_to_fours,
    list_threats,
    threat_in_set,
)
from tengen.engine.threats.vcf_kernel import SEVERAL, UNLIMITED, any_five, find_vcf, five_to_stop, may_play

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR
_FOUR_THREE, _FOUR_AND_MORE = Kind.FOUR_THREE, Kind.FOUR_AND_MORE
_THREE, _THREE_AND_MORE, _DOUBLE_THREE = Kind.THREE, Kind.THREE_AND_MORE, Kind.DOUBLE_THREE

_STACK = 1 << 15
"""Moves of all positions on the line of play together, at most."""

_DISPROVEN, _UNKNOWN = -1, 0
"""Results of `evaluate_attacker` besides the length of a win."""

_QUIET_DELTA = np.int32(8)
"""The initial `delta` after a quiet move: more than after any threat (`initial_delta`)."""

PN_SCRATCH = np.dtype(
    [
        ("attacker", np.int64),  # 0 Black, 1 White
        ("threats", np.int64),  # the attacker's moves: `THREES`, `FOURS` or `ANY` of `threat_moves`
        ("last_ply", np.int64),  # the ply before which the five has to be made
        ("truncated", np.int64),  # 1 if a line of threats was broken off at `last_ply`
        ("top", np.int64),  # moves in use
        ("cells", np.int16, _STACK + MOST_MOVES),  # the moves of the positions on the line of play
        ("phis", np.int32, _STACK + MOST_MOVES),  # `phi` of the position after each move
        ("deltas", np.int32, _STACK + MOST_MOVES),  # `delta` of it
        ("lengths", np.int32, _STACK + MOST_MOVES),  # plies to the win from it
    ]
)
"""Scratch memory of a proof-number search: its settings, and the stack of moves."""

PN_REF = Ref(PN_SCRATCH)

_RECORDS = (STATE_REF, TABLES_REF, SCRATCH_REF, PN_REF)

UNBOUNDED = 1 << 62
"""A number of plies or nodes that is no bound."""


@kernel(signature(BOOL, STATE_REF, PN_REF, INT64, INT64, INT64))
def begin_pn_search(state_ref, pn_ref, attacker, threats, plies):
    """Prepare the scratch memory of a proof-number search.

    Args:
        state_ref: the position.
        pn_ref: the search's `PN_SCRATCH`.
        attacker: 0 Black, 1 White.
        threats: the attacker's moves: `THREES`, `FOURS` or `ANY`.
        plies: the number within which the five has to be made.

    Returns:
        Whether the search covers all plies that the board has room for.
    """
    state, pn = state_ref[0], pn_ref[0]
    free = np.int64(0)
    for cell in range(CELLS):
        free += state.cells[cell] == 0
    covers_all = plies >= free
    pn.attacker, pn.threats, pn.truncated, pn.top = attacker, threats, 0, 0
    # A foul that fills the board, and loses, stands in the place of a five after it.
    pn.last_ply = state.ply + (free + 1 if covers_all else plies)
    return covers_all


@inlined
def pack(phi, delta, length):
    """Pack both numbers and the length of a win into one integer."""
    return (phi << 40) | (delta << 20) | length


@compiled
def evaluate_attacker(state_ref, tables_ref, scratch_ref, pn_ref):
    """Evaluate a position with the attacker to move, without a search over threats.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        pn_ref: the search's `PN_SCRATCH`.

    Returns:
        The plies to a win, `_DISPROVEN` or `_UNKNOWN`.
    """
    state, tables, pn = state_ref[0], tables_ref[0], pn_ref[0]
    side = state.turn
    left = pn.last_ply - state.ply
    if left < 1 or (left < 3 and state.counts[side, _FIVE] == 0):
        pn.truncated = 1
        return np.int64(_DISPROVEN)
    if state.counts[side, _FIVE] > 0:
        return np.int64(1)
    if not tables.closed:
        forced_reply = five_to_stop(state, tables, 1 - side)
        if forced_reply == SEVERAL or (
            forced_reply >= 0 and not may_play(state_ref, tables_ref, side, forced_reply)
        ):
            return np.int64(_DISPROVEN)
        if (
            forced_reply < 0
            and (
                state.counts[side, _OPEN_FOUR] > 0
                or (side == 1 and find_foul_four(state_ref, tables_ref) >= 0)
            )
            and not is_scarce(state, tables, 1 - side)
        ):
            return np.int64(3)
    if pn.threats == ANY:
        return find_vcf(
            state_ref, tables_ref, scratch_ref, state.ply, min((left - 1) >> 1, np.int64(UNLIMITED))
        )
    return np.int64(_UNKNOWN)


@inlined
def initial_delta(kind):
    """Return the initial `delta` after a threat of a kind: a guess at the work that is left to prove it."""
    if kind in (_FOUR_THREE, _OPEN_FOUR, _FIVE):
        return np.int32(1)
    if kind in (_FOUR_AND_MORE, _DOUBLE_THREE):
        return np.int32(2)
    if kind in (_THREE_AND_MORE, _FOUR):
        return np.int32(3)
    return np.int32(4)


@inlined
def evaluate_children(state_ref, tables_ref, scratch_ref, pn_ref, table, first, count):
    """Fill in the numbers of the positions after `count` moves on the stack, from `first` on.

    New positions with the attacker to move are evaluated at once. The first that is lost for the attacker
    ends the list.

    Returns:
        The number of moves that remain.
    """
    state, pn = state_ref[0], pn_ref[0]
    side = state.turn
    attacks = side == pn.attacker
    for place in range(first, first + count):
        cell = np.int64(pn.cells[place]) & (CELLS - 1)
        key = pn_key_after(state, pn.attacker, cell)
        data = probe(table, key)
        pn.lengths[place] = 0
        if data != 0:
            pn.phis[place], pn.deltas[place] = stored_phi(data), stored_delta(data)
            pn.lengths[place] = stored_length(data)
        elif attacks:
            pn.phis[place] = 1
            pn.deltas[place] = initial_delta(state.kinds[side, cell])
            if pn.threats == ANY and state.kinds[side, cell] < _THREE:
                pn.deltas[place] = _QUIET_DELTA
        else:
            if state.nodes >= state.most_nodes or stopped(state):
                state.ended = 1
                return place - first
            make(state_ref, tables_ref, cell)
            state.nodes += 1
            length = evaluate_attacker(state_ref, tables_ref, scratch_ref, pn_ref)
            unmake(state_ref, tables_ref)
            if state.ended:
                return place - first
            pn.phis[place] = pn.deltas[place] = 1
            if length == _DISPROVEN:
                pn.phis[place], pn.deltas[place] = INFINITY, 0
            elif length > 0:
                pn.phis[place], pn.deltas[place] = 0, INFINITY
                pn.lengths[place] = length
            phi, delta = np.int64(pn.phis[place]), np.int64(pn.deltas[place])
            store(table, key, phi, delta, np.int64(0), max(length, np.int64(0)), np.int64(1))
        if not attacks and pn.deltas[place] == 0:
            return place - first + 1
    return count


@kernel(signature(INT64, *_RECORDS, table_of(2), INT64, INT64))
def df_pn(state_ref, tables_ref, scratch_ref, pn_ref, table, phi_threshold, delta_threshold):
    """Search a position until one of its numbers reaches a threshold.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        pn_ref: the search's `PN_SCRATCH`.
        table: the transposition table (`tengen.engine.threats.pn_table`).
        phi_threshold: of the number of the side to move.
        delta_threshold: of the number of the other side.

    Returns:
        `phi` from bit 40, `delta` from bit 20, and from bit 0 the plies to a proven win. `ended` of the
        state is 1 if nodes or time were used up.
    """
    state, pn = state_ref[0], pn_ref[0]
    side = state.turn
    attacks = side == pn.attacker
    begun = state.nodes
    # Step 1. Transposition table lookup.
    key = pn_key(state, pn.attacker)
    data = probe(table, key)
    phi, delta, length, spent = np.int64(1), np.int64(1), np.int64(0), np.int64(0)
    if data != 0:
        phi, delta, length, spent = (
            stored_phi(data),
            stored_delta(data),
            stored_length(data),
            stored_work(data),
        )
        if phi >= phi_threshold or delta >= delta_threshold:
            return pack(phi, delta, length)
    # Step 2. Out of nodes, stopped, or no room on the stack.
    if state.nodes >= state.most_nodes or stopped(state) or pn.top >= _STACK:
        state.ended = 1
        return pack(phi, delta, length)
    first, count, least = pn.top, np.int64(0), np.int64(0)
    # Step 3. OR node: the attacker's threats.
    if attacks:
        if data == 0:
            length = evaluate_attacker(state_ref, tables_ref, scratch_ref, pn_ref)
            if state.ended:
                return pack(phi, delta, np.int64(0))
        if length == _UNKNOWN:
            forced_reply = np.int64(-1)
            if state.counts[1 - side, _FIVE] > 0:
                forced_reply = any_five(state, 1 - side, np.int64(-1))
            count = list_threats(state_ref, tables_ref, pn.threats, forced_reply, pn.cells[first:])
        if length > 0:
            phi, delta = np.int64(0), np.int64(INFINITY)
        elif count == 0:
            phi, delta, length = np.int64(INFINITY), np.int64(0), np.int64(0)
    # Step 4. AND node: the defender's answers to a threat; a draw if the defender has no move at all.
    else:
        threat = threat_in_set(state_ref, tables_ref, scratch_ref, pn.attacker, pn.threats)
        if threat > OF_FIVE and pn.last_ply - state.ply < 4:
            pn.truncated = 1
            threat = np.int64(NO_THREAT)
        if threat == OF_FOURS:
            left = pn.last_ply - state.ply
            listed = list_answers_to_fours(state_ref, tables_ref, scratch_ref, left, pn.cells[first:])
            count, least = listed >> 10, listed & 1023
        elif threat != NO_THREAT:
            count = list_answers(state_ref, tables_ref, scratch_ref, threat, pn.cells[first:])
        if state.ended:
            return pack(phi, delta, length)
        if threat == NO_THREAT:
            phi, delta = np.int64(0), np.int64(INFINITY)
        elif count == 0 and is_scarce(state, tables_ref[0], side):
            phi, delta = np.int64(0), np.int64(INFINITY)
            state.stuck = 1
        elif count == 0:
            phi, delta = np.int64(INFINITY), np.int64(0)
            length = max(np.int64(2 if threat == OF_FIVE else 4), least)
    # Step 5. The numbers of the children.
    best = np.int64(-1)
    if count > 0:
        pn.top = first + count
        count = evaluate_children(state_ref, tables_ref, scratch_ref, pn_ref, table, first, count)
        if state.ended:
            pn.top = first
            return pack(phi, delta, length)
    while count > 0:
        # Step 6. Both numbers: `phi` is the least delta of a child; `delta` is the largest phi, plus one
        # for each other open child, because many of them share their positions.
        low, second, most = np.int64(INFINITY), np.int64(INFINITY), np.int64(0)
        others = np.int64(-1)
        best = first
        for place in range(first, first + count):
            number = np.int64(pn.deltas[place])
            if number < low:
                second, low, best = low, number, np.int64(place)
            elif number < second:
                second = number
            most = max(most, np.int64(pn.phis[place]))
            others += pn.phis[place] > 0
        others = max(others, np.int64(0))
        phi, delta = (
            low,
            np.int64(INFINITY) if most == INFINITY else min(most + others, np.int64(INFINITY - 1)),
        )
        if phi >= phi_threshold or delta >= delta_threshold or state.ended:
            break
        if state.nodes >= state.most_nodes:
            state.ended = 1
            break
        # Step 7. The most-proving child, within thresholds up to which it remains so.
        child_phi_threshold = delta_threshold if delta_threshold == INFINITY else delta_threshold - others
        child_delta_threshold = min(phi_threshold, second + 1)
        make(state_ref, tables_ref, np.int64(pn.cells[best]))
        state.nodes += 1
        child = df_pn(
            state_ref, tables_ref, scratch_ref, pn_ref, table, child_phi_threshold, child_delta_threshold
        )
        unmake(state_ref, tables_ref)
        pn.phis[best], pn.deltas[best] = child >> 40, (child >> 20) & INFINITY
        pn.lengths[best] = child & INFINITY
    # Step 8. The longest defence, or the win.
    if count > 0:
        length = np.int64(0)
        if phi in (0, INFINITY):
            for place in range(first, first + count):
                if (phi == INFINITY or pn.deltas[place] == 0) and pn.lengths[place] >= length:
                    length, best = np.int64(pn.lengths[place]), np.int64(place)
            length = max(length + 1, least)
        if attacks == (phi == INFINITY) or phi not in (0, INFINITY):
            length = np.int64(0)
    cell = np.int64(pn.cells[best]) if best >= 0 else np.int64(0)
    pn.top = first
    store(table, key, phi, delta, cell, length, spent + state.nodes - begun)
    return pack(phi, delta, length)


@kernel(signature(INT64, *_RECORDS, INT16_ARRAY))
def list_answers_to_threat(state_ref, tables_ref, scratch_ref, pn_ref, out):
    """Write the answers of the defender, who is to move, to the attacker's threat into an array.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        pn_ref: the search's `PN_SCRATCH`.
        out: int16, shape (`MOST_MOVES`,): receives the cells.

    Returns:
        The number of answers.
    """
    state, pn = state_ref[0], pn_ref[0]
    threat = threat_in_set(state_ref, tables_ref, scratch_ref, pn.attacker, pn.threats)
    if threat == OF_FOURS:
        return list_answers_to_fours(state_ref, tables_ref, scratch_ref, pn.last_ply - state.ply, out) >> 10
    return list_answers(state_ref, tables_ref, scratch_ref, threat, out)
