"""The last reply of a winning line, as a person would play it."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game.board import Board
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import five_points


def with_block(board: Board, line: Sequence[Point], attacker: Colour) -> tuple[Point, ...]:
    """Return a winning line with a sensible last reply.

    If the defender has no defence left, a search puts any legal reply before the five. Here the reply
    blocks one of the fives, and the attacker makes another; if no block is legal, the reply is the legal
    point nearest to the five.

    Args:
        board: the position in which the line begins.
        line: the moves of both sides in turn, the attacker's first. A line that does not end with a five
            by the attacker stays as it is.
        attacker: the side that makes the line's first move, whoever is to move on the board.
    """
    rules, defender = board.rules, opponent(attacker)
    if len(line) % 2 == 0 or len(line) < 3 or PASS in line:
        return tuple(line)
    cells = list(board.position)
    for number, point in enumerate(line[:-2]):
        cells[point] = defender if number % 2 else attacker
    five = line[-1]
    grid = axes(rules.width, rules.height)
    if five_points(rules, cells, grid, line[-2:], attacker) != [five]:
        return tuple(line)
    empty = [point for point, colour in enumerate(cells) if colour == EMPTY]
    fives = five_points(rules, cells, grid, empty, attacker)

    def fives_after(answer: Point) -> list[Point]:
        cells[answer] = defender
        left = five_points(rules, cells, grid, fives, attacker)
        cells[answer] = EMPTY
        return left

    stones = {colour: [p for p, stone in enumerate(cells) if stone == colour] for colour in (BLACK, WHITE)}
    before = Board.from_stones(stones[BLACK], stones[WHITE], defender, rules)
    x, y = five % rules.width, five // rules.width
    nearest = sorted(empty, key=lambda p: (max(abs(p % rules.width - x), abs(p // rules.width - y)), p))
    wins = five_points(rules, cells, grid, empty, defender)
    answers = (*fives, *(point for point in nearest if point not in fives))
    sensible = (a for a in answers if a not in wins and before.is_legal(a) and fives_after(a))
    answer = next(sensible, line[-2])
    left = fives_after(answer)
    return (*line[:-2], answer, five if five in left else left[0])
