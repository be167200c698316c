"""Depth-first proof-number search over threats: a win against every defence, or a proof that there is none.

df-pn (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", dissertation, University
of Tokyo 2002) goes on where the fewest positions are still to be proven, and keeps what it has learned in a
table (`tengen.engine.threats.pn_table`). Each position has two numbers, seen from the side to move: `phi`,
how many open positions that side has to settle at least to reach its aim, and `delta`, the same for the
other side. The attacker's aim is the win; the defender's, that there is none by threats.

- The moves are those of `tengen.engine.threats.threat_moves`. Stones are only added, so a line of play
  never comes back to a position, and what is known of one does not depend on how it was reached.
- Positions that mirror one another are not taken for one, for there are hardly any: of 806 positions, most
  from games, none is symmetric, and of 78,072 that threats lead to from some of these no two are each
  other's image.
- Fours are threats like others: no search for fours is asked on the way. With one, however small, the same
  number of nodes proves less (`python -m benchmarks threats`). Only where quiet moves count it is asked, to
  say which of them threaten anything.
- The same position is reached by many orders of moves, so the other side's number is not the sum over the
  children, but the largest of theirs and one for each other (T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida,
  "Weak Proof-Number Search", 2008).

It is asked before the search of a move only: inside the tree it costs more than it finds
(`benchmarks/log/2026-11-24-proof-number-search.md`).
"""

from __future__ import annotations

import numpy as np
from numba import njit, typeof, types

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, MOST_MOVES, SCRATCH, STATE, TABLES, Kind
from tengen.engine.kernels.jit import OPTIONS, inlined, kernel
from tengen.engine.threats.foul_fours import foul_four
from tengen.engine.threats.pn_table import (
    NEVER,
    keep_proof,
    key_after,
    proof_at,
    proof_key,
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
    list_among,
    list_answers,
    list_answers_to_fours,
    threat_among,
)
from tengen.engine.threats.vcf_kernel import SEVERAL, UNLIMITED, any_five, five_to_stop, fours, may_play

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR
_FOUR_THREE, _FOUR_AND_MORE, _OPEN_THREE = Kind.FOUR_THREE, Kind.FOUR_AND_MORE, Kind.OPEN_THREE
_THREE, _THREE_AND_MORE, _DOUBLE_THREE = Kind.THREE, Kind.THREE_AND_MORE, Kind.DOUBLE_THREE

_ROOM = 1 << 15
"""Moves that all positions on the line of play have together, at most."""

_LOST, _OPEN = -1, 0
"""What is known of a new position besides the length of a win."""

_QUIET_EFFORT = np.int32(8)
"""How much is left to prove after a quiet move, as a first guess: more than after any threat of its own."""

PROOF = np.dtype(
    [
        ("attacker", np.int64),  # 0 Black, 1 White
        (
            "threats",
            np.int64,
        ),  # its moves: `THREES`, `FOURS` or `ANY` of `tengen.engine.threats.threat_moves`
        ("last", np.int64),  # the ply before which the five has to be made
        ("cut", np.int64),  # whether a line of threats was broken off there
        ("top", np.int64),  # moves in use
        ("cells", np.int16, _ROOM + MOST_MOVES),  # the moves of the positions on the line of play
        ("phis", np.int32, _ROOM + MOST_MOVES),  # the numbers of the positions they lead to
        ("deltas", np.int32, _ROOM + MOST_MOVES),
        ("lengths", np.int32, _ROOM + MOST_MOVES),  # plies to the win there
    ]
)
"""What a search for proofs needs besides the position and the scratch record."""

_RECORDS = tuple(typeof(np.zeros(1, kind)) for kind in (STATE, TABLES, SCRATCH, PROOF))
_ARGUMENTS = types.int64(*_RECORDS, typeof(np.zeros((2, 2), np.int64)), types.int64, types.int64)
_ANSWERS_ARGUMENTS = types.int64(*_RECORDS, typeof(np.zeros(MOST_MOVES, np.int16)))


@inlined
def packed(phi, delta, length):
    """Both numbers and the length of a win in one."""
    return (phi << 40) | (delta << 20) | length


@njit(**OPTIONS)
def first_look(state_ref, tables_ref, scratch_ref, proofs):
    """What is known at once where the attacker is to move: the plies to a win, `_LOST` or `_OPEN`.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        proofs: the record of the search.
    """
    state, tables, proof = state_ref[0], tables_ref[0], proofs[0]
    side = state.turn
    left = proof.last - state.ply
    if left < 1 or (left < 3 and state.counts[side, _FIVE] == 0):
        proof.cut = 1
        return np.int64(_LOST)
    if state.counts[side, _FIVE] > 0:
        return np.int64(1)
    if not tables.closed:
        must = five_to_stop(state, tables, 1 - side)
        if must == SEVERAL or (must >= 0 and not may_play(state_ref, tables_ref, side, must)):
            return np.int64(_LOST)
        if (
            must < 0
            and (
                state.counts[side, _OPEN_FOUR] > 0 or (side == 1 and foul_four(state_ref, tables_ref) >= 0)
            )
            and not is_scarce(state, tables, 1 - side)
        ):
            return np.int64(3)
    if proof.threats == ANY:
        return fours(
            state_ref, tables_ref, scratch_ref, state.ply, min((left - 1) >> 1, np.int64(UNLIMITED))
        )
    return np.int64(_OPEN)


@inlined
def first_effort(kind):
    """How much is left to prove after a threat that has not been looked at, as a first guess."""
    if kind in (_FOUR_THREE, _OPEN_FOUR, _FIVE):
        return np.int32(1)
    if kind in (_FOUR_AND_MORE, _DOUBLE_THREE):
        return np.int32(2)
    if kind in (_THREE_AND_MORE, _FOUR):
        return np.int32(3)
    return np.int32(4)


@inlined
def know_children(state_ref, tables_ref, scratch_ref, proofs, table, first, count):
    """Fill in what is known of the positions that the moves lead to.

    Where the attacker is to move there, new ones are looked at at once; after one that is lost, no more.
    """
    state, proof = state_ref[0], proofs[0]
    side = state.turn
    attacks = side == proof.attacker
    for place in range(first, first + count):
        cell = np.int64(proof.cells[place]) & (CELLS - 1)
        key = key_after(state, proof.attacker, cell)
        data = proof_at(table, key)
        proof.lengths[place] = 0
        if data != 0:
            proof.phis[place], proof.deltas[place] = stored_phi(data), stored_delta(data)
            proof.lengths[place] = stored_length(data)
        elif attacks:
            proof.phis[place] = 1
            proof.deltas[place] = first_effort(state.kinds[side, cell])
            if proof.threats == ANY and state.kinds[side, cell] < _THREE:
                proof.deltas[place] = _QUIET_EFFORT
        else:
            if state.nodes >= state.most_nodes or state.stop:
                state.ended = 1
                return place - first
            make(state_ref, tables_ref, cell)
            state.nodes += 1
            length = first_look(state_ref, tables_ref, scratch_ref, proofs)
            unmake(state_ref, tables_ref)
            if state.ended:
                return place - first
            proof.phis[place] = proof.deltas[place] = 1
            if length == _LOST:
                proof.phis[place], proof.deltas[place] = NEVER, 0
            elif length > 0:
                proof.phis[place], proof.deltas[place] = 0, NEVER
                proof.lengths[place] = length
            phi, delta = np.int64(proof.phis[place]), np.int64(proof.deltas[place])
            keep_proof(table, key, phi, delta, np.int64(0), max(length, np.int64(0)), np.int64(1))
        if not attacks and proof.deltas[place] == 0:
            return place - first + 1
    return count


@kernel(_ARGUMENTS)
def prove(state_ref, tables_ref, scratch_ref, proofs, table, most_phi, most_delta):
    """Go on with the proof of a position until one of its numbers reaches a bound.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        proofs: the record of the search.
        table: what is known; see `tengen.engine.threats.pn_table`.
        most_phi: the bound of the side to move's number.
        most_delta: the bound of the other side's.

    Returns:
        `phi` from bit 40, `delta` from bit 20, and the plies to a proven win. `ended` of the state tells
        whether nodes or time were used up.
    """
    state, proof = state_ref[0], proofs[0]
    side = state.turn
    attacks = side == proof.attacker
    begun = state.nodes
    # Step 1. What is known.
    key = proof_key(state, proof.attacker)
    data = proof_at(table, key)
    phi, delta, length, spent = np.int64(1), np.int64(1), np.int64(0), np.int64(0)
    if data != 0:
        phi, delta, length, spent = (
            stored_phi(data),
            stored_delta(data),
            stored_length(data),
            stored_work(data),
        )
        if phi >= most_phi or delta >= most_delta:
            return packed(phi, delta, length)
    # Step 2. No nodes left, or told to stop; or no room.
    if state.nodes >= state.most_nodes or state.stop or proof.top >= _ROOM:
        state.ended = 1
        return packed(phi, delta, length)
    first, count, least = proof.top, np.int64(0), np.int64(0)
    # Step 3. The attacker's position; its threats.
    if attacks:
        if data == 0:
            length = first_look(state_ref, tables_ref, scratch_ref, proofs)
            if state.ended:
                return packed(phi, delta, np.int64(0))
        if length == _OPEN:
            must = np.int64(-1)
            if state.counts[1 - side, _FIVE] > 0:
                must = any_five(state, 1 - side, np.int64(-1))
            count = list_among(state_ref, tables_ref, proof.threats, must, proof.cells[first:])
        if length > 0:
            phi, delta = np.int64(0), np.int64(NEVER)
        elif count == 0:
            phi, delta, length = np.int64(NEVER), np.int64(0), np.int64(0)
    # Step 4. The defender's answers, if there is a threat; without a move at all, it is a draw.
    else:
        threat = threat_among(state_ref, tables_ref, scratch_ref, proof.attacker, proof.threats)
        if threat > OF_FIVE and proof.last - state.ply < 4:
            proof.cut = 1
            threat = np.int64(NO_THREAT)
        if threat == OF_FOURS:
            left = proof.last - state.ply
            listed = list_answers_to_fours(state_ref, tables_ref, scratch_ref, left, proof.cells[first:])
            count, least = listed >> 10, listed & 1023
        elif threat != NO_THREAT:
            count = list_answers(state_ref, tables_ref, scratch_ref, threat, proof.cells[first:])
        if state.ended:
            return packed(phi, delta, length)
        if threat == NO_THREAT:
            phi, delta = np.int64(0), np.int64(NEVER)
        elif count == 0 and is_scarce(state, tables_ref[0], side):
            phi, delta = np.int64(0), np.int64(NEVER)
            state.stuck = 1
        elif count == 0:
            phi, delta = np.int64(NEVER), np.int64(0)
            length = max(np.int64(2 if threat == OF_FIVE else 4), least)
    # Step 5. Where the moves lead.
    best = np.int64(-1)
    if count > 0:
        proof.top = first + count
        count = know_children(state_ref, tables_ref, scratch_ref, proofs, table, first, count)
        if state.ended:
            proof.top = first
            return packed(phi, delta, length)
    while count > 0:
        # Step 6. Both numbers: the least that one move leaves to settle; for the other side the most, and
        # one for each other move that is open, because the same positions are behind many of them.
        low, second, most = np.int64(NEVER), np.int64(NEVER), np.int64(0)
        others = np.int64(-1)
        best = first
        for place in range(first, first + count):
            number = np.int64(proof.deltas[place])
            if number < low:
                second, low, best = low, number, np.int64(place)
            elif number < second:
                second = number
            most = max(most, np.int64(proof.phis[place]))
            others += proof.phis[place] > 0
        others = max(others, np.int64(0))
        phi, delta = low, np.int64(NEVER) if most == NEVER else min(most + others, np.int64(NEVER - 1))
        if phi >= most_phi or delta >= most_delta or state.ended:
            break
        if state.nodes >= state.most_nodes:
            state.ended = 1
            break
        # Step 7. The move that is closest to the aim, until it is so no more.
        child_phi = most_delta if most_delta == NEVER else most_delta - others
        child_delta = min(most_phi, second + 1)
        make(state_ref, tables_ref, np.int64(proof.cells[best]))
        state.nodes += 1
        found = prove(state_ref, tables_ref, scratch_ref, proofs, table, child_phi, child_delta)
        unmake(state_ref, tables_ref)
        proof.phis[best], proof.deltas[best] = found >> 40, (found >> 20) & NEVER
        proof.lengths[best] = found & NEVER
    # Step 8. The longest defence, or the win.
    if count > 0:
        length = np.int64(0)
        if phi in (0, NEVER):
            for place in range(first, first + count):
                if (phi == NEVER or proof.deltas[place] == 0) and proof.lengths[place] >= length:
                    length, best = np.int64(proof.lengths[place]), np.int64(place)
            length = max(length + 1, least)
        if attacks == (phi == NEVER) or phi not in (0, NEVER):
            length = np.int64(0)
    cell = np.int64(proof.cells[best]) if best >= 0 else np.int64(0)
    proof.top = first
    keep_proof(table, key, phi, delta, cell, length, spent + state.nodes - begun)
    return packed(phi, delta, length)


@kernel(_ANSWERS_ARGUMENTS)
def answers_to(state_ref, tables_ref, scratch_ref, proofs, found):
    """Write the answers of the defender, who is to move after a threat, into an int16 array; how many."""
    state, proof = state_ref[0], proofs[0]
    threat = threat_among(state_ref, tables_ref, scratch_ref, proof.attacker, proof.threats)
    if threat == OF_FOURS:
        return (
            list_answers_to_fours(state_ref, tables_ref, scratch_ref, proof.last - state.ply, found) >> 10
        )
    return list_answers(state_ref, tables_ref, scratch_ref, threat, found)
