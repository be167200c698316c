"""A sensible last reply for the losing side of a winning line."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game.board import Board
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, distance, opponent
from tengen.game.rows import five_points


def with_block(board: Board, line: Sequence[Point], attacker: Colour) -> tuple[Point, ...]:
    """Replace the last reply in a winning line by a block of a five.

    Where no defence is left, the line of a search holds an arbitrary legal reply before the five. A person
    would block one of the fives, and the attacker then makes another. If every block is a foul, the reply
    becomes the nearest point to the five that is none.

    Args:
        board: the position in which the line begins.
        line: the moves of both sides in turn, the attacker's first. A line that does not end with a five
            by the attacker is returned unchanged.
        attacker: the side that makes the first move of the line, whichever side is to move on the board.
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

    def fives_after(reply: Point) -> list[Point]:
        cells[reply] = defender
        left = five_points(rules, cells, grid, fives, attacker)
        cells[reply] = EMPTY
        return left

    if five not in fives_after(line[-2]):
        return tuple(line)  # caro: the reply closes the row
    stones = {colour: [p for p, stone in enumerate(cells) if stone == colour] for colour in (BLACK, WHITE)}
    before = Board.from_stones(stones[BLACK], stones[WHITE], defender, rules)
    nearest = sorted(empty, key=lambda p: (distance(p, five, rules.width), p))
    wins = five_points(rules, cells, grid, empty, defender)
    replies = (*fives, *(point for point in nearest if point not in fives))
    # A foul may be legal and lose: then the line would go on after the end of the game.
    sensible = (
        p
        for p in replies
        if p not in wins and fives_after(p) and (defender == WHITE or before.foul(p) is None)
    )
    reply = next(sensible, line[-2])
    left = fives_after(reply)
    return (*line[:-2], reply, five if five in left else left[0])
