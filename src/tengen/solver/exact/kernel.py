"""Whether one side can force a line of k within so many plies: the search behind the exact value.

One side, the *attacker*, wants a line; the other, the *defender*, wants to prevent it, if need be by a line
of its own. Answered for one side and then for the other, this gives the value of a position. It is a search
of an AND/OR tree with a table, its depth raised step by step from outside; the answer is one number: n > 0,
the attacker wins within n plies; n <= 0, it does not within -n, and never where that is `NEVER`.

An own stone more does no harm, nor does an enemy's less: whoever has it plays as without it. (So the second
player never wins from the empty board: A. W. Hales and R. I. Jewett 1963, after J. Nash.) Therefore

- a point on no line that is open to either side is of no use: it is not played on, and positions that
  differ there only are one in the table;
- a line that is to be completed next is completed; a threat to complete one has to be met;
- where a side can make two threats with one stone, only points that stop this, and threats, are tried;
- where the defender holds by potential or pairs (`tengen.solver.exact.bounds`), nothing is tried.

None of this changes within how many plies the attacker wins, so the least such number is exact. Symmetric
positions are one in the table (`tengen.solver.exact.table`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np
from numba import typeof, types

from tengen.engine.board.bits import count_bits, lowest_bit
from tengen.engine.kernels.jit import inlined, kernel
from tengen.solver.exact.bounds import has_pairing, potential
from tengen.solver.exact.lines import (
    GAME,
    LEVELS,
    against_two_threats,
    completions,
    least_image,
    on_lines,
    weigh,
)
from tengen.solver.exact.table import (
    NEVER,
    keep_exact,
    known_exact,
    new_exact_table,
    stored_hold,
    stored_point,
    stored_win,
)

_FIRST = 1 << 62
"""The score of the move that was best before."""

_LOOKED_AT = 8
"""Moves of the defender's that are looked at for pairs, before one of them is searched."""

_ARGUMENTS = types.int64(
    typeof(np.zeros(1, GAME)),
    typeof(new_exact_table(0)),
    types.int64,
    types.int64,
    types.int64,
    types.int64,
)


@inlined
def _a_ply_later(found):
    """An answer about the next position, as one about this."""
    if found > 0:
        return found + 1
    return np.int64(-NEVER) if found <= -NEVER else found - 1


@inlined
def _list_moves(game, allowed, ply, turn, known, lacking):
    """List the moves worth trying, the most promising first.

    Args:
        game: with the weights of the position.
        allowed: the points that are tried.
        ply: stones on the board.
        turn: 0 where the attacker is to move, 1 for the defender.
        known: the point that was best before; -1 if there is none.
        lacking: what a move of the attacker's has to weigh so that the defender does not hold at once.

    Returns:
        How many moves there are, and whether moves of the attacker's were left out.
    """
    moves, scores = game.moves[ply & 63], game.scores[ply & 63]
    count, left_out = np.int64(0), False
    while allowed:
        point = lowest_bit(allowed)
        allowed &= allowed - 1
        weight = game.weights[0, point & 63]
        if turn == 0 and weight < lacking:
            left_out = True
            continue
        score = np.int64(_FIRST)
        if point != known:
            # How much the defender's lines count was tried out on (7,7,5), (6,5,4) and (6,6,4): more of it
            # when he is to move finds wins sooner, less proves draws sooner.
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
def _logarithm(work):
    """The logarithm of a number, rounded down."""
    found = np.int64(0)
    while work > 1:
        work >>= 1
        found += 1
    return found


@inlined
def _count_along(game, ply, done, width):
    """Note how much of a position near the root is finished."""
    level = ply - game.root
    if level < LEVELS:
        game.done[level & (LEVELS - 1)] = done
        game.width[level & (LEVELS - 1)] = width


@kernel(_ARGUMENTS)
def attack(games, table, attacker, defender, turn, depth):
    """Whether the attacker completes a line within so many plies.

    Args:
        games: the record of the game, shape (1,).
        table: what is known of it, int64, shape (entries, 3).
        attacker: its stones.
        defender: its stones; neither has a line yet.
        turn: 0 where the attacker is to move, 1 for the defender.
        depth: plies, from 1 up; `NEVER` for the whole game.

    Returns:
        What is said above; anything, with `ended` set, where the search was ended.
    """
    game = games[0]
    if game.stop or game.nodes >= game.most_nodes:
        game.ended = 1
        return np.int64(0)
    game.nodes += 1
    begun = game.nodes
    ply = count_bits(attacker | defender)
    free = game.board & ~(attacker | defender)

    # 1. Lines that are completed next, or have to be prevented.
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
            _count_along(game, ply, np.int64(0), np.int64(1))
            return _a_ply_later(attack(games, table, attacker | losses, defender, np.int64(1), depth - 1))
    else:
        if losses:
            return np.int64(-NEVER)
        if depth < 2:
            return np.int64(-1)
        if wins & (wins - 1):
            return np.int64(2)
        if wins:
            _count_along(game, ply, np.int64(0), np.int64(1))
            return _a_ply_later(attack(games, table, attacker, defender | wins, np.int64(0), depth - 1))

    # 2. The defender holds, because no line is left, or not enough time, or by the potential.
    stones = (depth + 1 - turn) >> 1
    total, most, left_out = potential(game, attacker, defender, stones)
    if most < 0:
        return np.int64(-NEVER)
    least = 2 * (game.k - most) - 1 + turn
    if least > depth:
        return 1 - least
    held = -depth if left_out else np.int64(-NEVER)
    certain = np.int64(1) << game.k
    if turn and total < certain:
        return held

    # 3. What is known already.
    useful = on_lines(game, attacker | free) | on_lines(game, defender | free)
    useless = game.board & ~useful
    first, second, symmetry = least_image(game, attacker | useless, defender | useless)
    data = known_exact(table, first, second, turn)
    if 0 < stored_win(data) <= depth:
        return stored_win(data)
    if stored_hold(data) >= depth:
        return -stored_hold(data)
    best = stored_point(data)

    # 4. The defender holds by pairs.
    if turn == 0 and has_pairing(game, attacker, defender, free, stones):
        return held

    # 5. Two threats at once, and the moves.
    threats, answers = weigh(game, attacker, defender, free, stones)
    allowed = useful & free
    must = against_two_threats(game, np.int64(0), threats)
    longest = np.int64(0)
    if turn == 0:
        if must != -1:
            return np.int64(3)
        must = against_two_threats(game, np.int64(1), answers)
        allowed &= must | threats
    elif must != -1:
        longest = np.int64(4)  # any other move is answered by two threats
        allowed &= must | answers
    known = game.back[symmetry & 7, (best - 1) & 63] if best else np.int64(-1)
    count, passed_over = _list_moves(game, allowed, ply, turn, known, certain - total)

    # 6. A move after which the defender holds by pairs.
    if turn:
        for number in range(min(count, _LOOKED_AT)):
            stone = np.int64(1) << game.moves[ply & 63, number & 63]
            if has_pairing(game, attacker, defender | stone, free ^ stone, stones):
                return held

    # 7. One after the other.
    result, shortest = np.int64(0), -held if passed_over else np.int64(NEVER)
    for number in range(count):
        _count_along(game, ply, np.int64(number), count)
        point = game.moves[ply & 63, number & 63]
        stone = np.int64(1) << point
        if turn == 0:
            found = attack(games, table, attacker | stone, defender, np.int64(1), depth - 1)
        else:
            found = attack(games, table, attacker, defender | stone, np.int64(0), depth - 1)
        if game.ended:
            return np.int64(0)
        found = _a_ply_later(found)
        if (found > 0) == (turn == 0):
            result, best = found, game.there[symmetry & 7, point & 63] + 1
            break
        longest, shortest = max(longest, found), min(shortest, -found)
    if result == 0:
        result = -shortest if turn == 0 else longest
    win, hold = (result, np.int64(0)) if result > 0 else (np.int64(0), -result)
    keep_exact(table, first, second, turn, win, hold, best, _logarithm(game.nodes - begun))
    return result
