"""The AND/OR search behind the exact value: can one side force a line of k within a number of plies?

One side, the *attacker*, wants a line; the other, the *defender*, wants to prevent it, if need be by a line
of its own. The answers for both sides as attacker give the value of a position. The search uses a
transposition table, and its caller deepens it iteratively. Its result is one number n: if n > 0, the
attacker wins within n plies; if n <= 0, it does not win within -n plies, and never if -n is `NEVER`.

An additional stone of its own never harms a side, nor does one enemy stone less: the side can play as if
nothing had changed. (So the second player never wins from the empty board: A. W. Hales and R. I. Jewett
1963, after J. Nash.) Therefore

- a point on no line that is open to either side is useless: it is not played, and positions that differ
  only there share a table entry;
- a line that can be completed is completed, and a threat to complete one has to be met;
- if a side could make two threats with one stone, only points that prevent it, and threats, are tried;
- if the defender holds by potential or by pairs (`tengen.solver.exact.bounds`), nothing is tried.

None of this changes the number of plies within which the attacker wins, so the least such number is exact.
Symmetric positions share a table entry (`tengen.solver.exact.table`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import count_bits, lowest_bit
from tengen.engine.board.stop_flag import stopped
from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import INT64, Ref, signature, table_of
from tengen.solver.exact.bounds import has_pairing, potential
from tengen.solver.exact.lines import (
    GAME,
    LEVELS,
    against_two_threats,
    completions,
    least_image,
    on_lines,
    weigh_points,
)
from tengen.solver.exact.table import (
    NEVER,
    known_exact,
    store_exact,
    stored_hold,
    stored_point,
    stored_win,
)

_HASH_MOVE_SCORE = 1 << 62
"""Ordering score of the best move from the transposition table."""

_PAIRING_MOVES = 8
"""Moves of the defender's that are tested for a pairing, before any of them is searched."""


@inlined
def _one_ply_up(value):
    """Convert the value of a child to its parent."""
    if value > 0:
        return value + 1
    return np.int64(-NEVER) if value <= -NEVER else value - 1


@inlined
def _list_moves(game, allowed, ply, turn, hash_move, least_weight):
    """Fill `moves` with the moves worth trying, the most promising first.

    Args:
        game: the game's record, with the weights of the position.
        allowed: the candidate points, as bits.
        ply: stones on the board.
        turn: 0 with the attacker to move, 1 with the defender to move.
        hash_move: the best point from the table; -1 if there is none.
        least_weight: the least weight of an attacking move after which the defender does not hold by the
            potential at once.

    Returns:
        The number of moves, and whether attacking moves were left out.
    """
    moves, scores = game.moves[ply & 63], game.scores[ply & 63]
    count, left_out = np.int64(0), False
    while allowed:
        point = lowest_bit(allowed)
        allowed &= allowed - 1
        weight = game.weights[0, point & 63]
        if turn == 0 and weight < least_weight:
            left_out = True
            continue
        score = np.int64(_HASH_MOVE_SCORE)
        if point != hash_move:
            # The weight of the defender's lines was tuned on (7,7,5), (6,5,4) and (6,6,4): with the
            # defender to move, more finds wins sooner, and less proves draws sooner.
            other = game.weights[1, point & 63]
            score = 5 * weight + 4 * other if turn else 4 * weight + other
        place = count
        while place > 0 and scores[(place - 1) & 63] < score:
            scores[place & 63] = scores[(place - 1) & 63]
            moves[place & 63] = moves[(place - 1) & 63]
            place -= 1
        scores[place & 63] = score
        moves[place & 63] = point
        count += 1
    return count, left_out


@inlined
def _log2(number):
    """Return the binary logarithm of a number, rounded down."""
    logarithm = np.int64(0)
    while number > 1:
        number >>= 1
        logarithm += 1
    return logarithm


@inlined
def _record_progress(game, ply, done, count):
    """Record for a node near the root how many of its moves are finished."""
    level = ply - game.root
    if level < LEVELS:
        game.moves_done[level & (LEVELS - 1)] = done
        game.move_count[level & (LEVELS - 1)] = count


@kernel(signature(INT64, Ref(GAME), table_of(3), INT64, INT64, INT64, INT64))
def attack(games, table, attacker, defender, turn, depth):
    """Search for a line of the attacker's within `depth` plies.

    Args:
        games: the record of the game, shape (1,).
        table: the transposition table, int64, shape (entries, 3).
        attacker: the attacker's stones, as bits.
        defender: the defender's stones, as bits; neither side has a line yet.
        turn: 0 with the attacker to move, 1 with the defender to move.
        depth: plies, from 1 up; `NEVER` for the whole game.

    Returns:
        The number described above; undefined, with `ended` set, if the search was interrupted.
    """
    game = games[0]
    if stopped(game) or game.nodes >= game.most_nodes:
        game.ended = 1
        return np.int64(0)
    game.nodes += 1
    nodes_before = game.nodes
    ply = count_bits(attacker | defender)
    free = game.board & ~(attacker | defender)

    # 1. Immediate wins and forced replies.
    wins = completions(game, attacker, free)
    if turn == 0 and wins:
        return np.int64(1)
    losses = completions(game, defender, free)
    if turn == 0:
        if depth < 3:
            return np.int64(-2)
        if losses & (losses - 1):
            return np.int64(-NEVER)
        if losses:
            _record_progress(game, ply, np.int64(0), np.int64(1))
            return _one_ply_up(attack(games, table, attacker | losses, defender, np.int64(1), depth - 1))
    else:
        if losses:
            return np.int64(-NEVER)
        if depth < 2:
            return np.int64(-1)
        if wins & (wins - 1):
            return np.int64(2)
        if wins:
            _record_progress(game, ply, np.int64(0), np.int64(1))
            return _one_ply_up(attack(games, table, attacker, defender | wins, np.int64(0), depth - 1))

    # 2. The defender holds: no line is left, or the depth is too small, or the potential is below 1.
    stones = (depth + 1 - turn) >> 1
    total, most, left_out = potential(game, attacker, defender, stones)
    if most < 0:
        return np.int64(-NEVER)
    least = 2 * (game.k - most) - 1 + turn
    if least > depth:
        return 1 - least
    held = -depth if left_out else np.int64(-NEVER)
    threshold = np.int64(1) << game.k
    if turn and total < threshold:
        return held

    # 3. Transposition table.
    useful = on_lines(game, attacker | free) | on_lines(game, defender | free)
    useless = game.board & ~useful
    first, second, symmetry = least_image(game, attacker | useless, defender | useless)
    data = known_exact(table, first, second, turn)
    if 0 < stored_win(data) <= depth:
        return stored_win(data)
    if stored_hold(data) >= depth:
        return -stored_hold(data)
    best = stored_point(data)

    # 4. Pairing strategy of the defender.
    if turn == 0 and has_pairing(game, attacker, defender, free, stones):
        return held

    # 5. Double threats, and the list of moves.
    threats, answers = weigh_points(game, attacker, defender, free, stones)
    allowed = useful & free
    forced = against_two_threats(game, np.int64(0), threats)
    longest = np.int64(0)
    if turn == 0:
        if forced != -1:
            return np.int64(3)
        forced = against_two_threats(game, np.int64(1), answers)
        allowed &= forced | threats
    elif forced != -1:
        longest = np.int64(4)  # any other move is answered by two threats
        allowed &= forced | answers
    hash_move = game.preimage[symmetry & 7, (best - 1) & 63] if best else np.int64(-1)
    count, pruned = _list_moves(game, allowed, ply, turn, hash_move, threshold - total)

    # 6. A move of the defender's that allows a pairing strategy.
    if turn:
        for number in range(min(count, _PAIRING_MOVES)):
            stone = np.int64(1) << game.moves[ply & 63, number & 63]
            if has_pairing(game, attacker, defender | stone, free ^ stone, stones):
                return held

    # 7. Search of the moves.
    result, shortest = np.int64(0), -held if pruned else np.int64(NEVER)
    for number in range(count):
        _record_progress(game, ply, np.int64(number), count)
        point = game.moves[ply & 63, number & 63]
        stone = np.int64(1) << point
        if turn == 0:
            value = attack(games, table, attacker | stone, defender, np.int64(1), depth - 1)
        else:
            value = attack(games, table, attacker, defender | stone, np.int64(0), depth - 1)
        if game.ended:
            return np.int64(0)
        value = _one_ply_up(value)
        if (value > 0) == (turn == 0):
            result, best = value, game.image[symmetry & 7, point & 63] + 1
            break
        longest, shortest = max(longest, value), min(shortest, -value)
    if result == 0:
        result = -shortest if turn == 0 else longest
    win, hold = (result, np.int64(0)) if result > 0 else (np.int64(0), -result)
    store_exact(table, first, second, turn, win, hold, best, _log2(game.nodes - nodes_before))
    return result
