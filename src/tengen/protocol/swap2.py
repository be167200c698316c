"""The engine's decisions under the opening rule swap2.

The first side places two black stones and a white one; the other takes White and moves, takes Black (SWAP),
or places another white and black stone and leaves the choice to the first side. The side that chooses gets
the colour that it considers better, with an expected score of at least half; the side that leaves the
choice gets at most half. So Tengen never leaves the choice.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from tengen.arena.opening_generator import Opening, shape
from tengen.arena.opening_sets import shipped
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Point
from tengen.game.rules import Rules
from tengen.protocol.game_settings import at_once

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info

STONES = 3
"""The number of stones that the first side places; two more may follow."""

_CANDIDATES = 12
_TRIES = 200
_LONGEST = 3.0
"""The most seconds spent on an opening."""


def wants_black(info: Info) -> bool:
    """Return whether Black is better; `info` is for White, who is to move."""
    return info.score.win_rate < 0.5


def opening(
    engine: Engine, rules: Rules, limit: Limit, random: Random, *, stop: threading.Event
) -> Opening:
    """Return an opening of three stones, Black's, White's and Black's; a work function of a search.

    Of some candidates, from the book and random, it is the one whose evaluation is closest to even.
    """
    openings = list(candidates(rules, random))
    share = at_once(limit.nodes, limit.depth)
    if limit.seconds is not None:
        share = Limit(min(limit.seconds, _LONGEST) / len(openings), limit.nodes, limit.depth)
    best, least = openings[0], 1.0
    for each in openings:
        info = engine.analyse(Board.from_moves(each, rules), share, stop=stop)[0]
        away = abs(info.score.win_rate - 0.5)
        if info.depth and away < least:
            best, least = each, away
        if stop.is_set():
            break
    return best


def candidates(rules: Rules, random: Random) -> Iterator[Opening]:
    """Yield openings of three stones: from the book for these rules, and random shapes."""
    book = [each for each in shipped(rules) or () if len(each) == STONES]
    chosen = random.sample(book, min(len(book), _CANDIDATES // 2))
    yield from chosen
    count = len(chosen)
    for _ in range(_TRIES):
        drawn = shape(rules, random, STONES)
        if drawn is not None:
            yield drawn
            count += 1
        if count == _CANDIDATES:
            return
    if count == 0:
        yield _row(rules)


def _row(rules: Rules) -> tuple[Point, Point, Point]:
    centre = rules.points // 2
    return centre, centre - 1, centre + 1
