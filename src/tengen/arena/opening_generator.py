"""The generator of openings: a few stones from which neither side should win more often.

From the empty board Black is ahead, and two players that choose their moves by rule alone play the same
game again and again. A match therefore begins each pair of games from a position of its own, which both
players get with both colours. How an opening is made here:

1. *A shape.* Some stones near the centre, each within three king's moves of another one, Black and White in
   turn. None of them wins or is a foul. A position that is another one turned round or mirrored is not
   new (`tengen.game.symmetry`). Where Black has fouls, the first five stones lie as in the tournament rule
   Taraguchi-10: the first in the centre, the next ones in the central squares of 3, 5, 7 and 9 points; so
   the first three make one of renju's 26 openings.
2. *A verdict* (`tengen.arena.opening_judge`). Neither side has a win by continuous fours, and a judge, the
   engine where it plays the rules, finds neither side ahead by much.
3. *Both ways.* What is left leans a little to one side or the other. An opening that leans to the side to
   which more have leaned already is left out once these are some more.

Shapes are numbered, and the fate of each depends on its number and the seed alone: a seed determines the
openings, however many workers judge them.

From: Gomocup's tournaments, where every opening is published and played with both colours; the rule pages
of the Renju International Federation for Taraguchi-10. How these are made is our own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import closing
from itertools import count as counting
from random import Random
from threading import Event
from typing import TypeAlias

from tengen.arena.opening_judge import Candidate, Judge, appoint, judged
from tengen.executors import submit_ahead
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.points import BLACK, Point, distance
from tengen.game.rules import Rules
from tengen.game.symmetry import canonical

Opening: TypeAlias = tuple[Point, ...]
"""The moves of an opening in order, Black's first."""

Plies: TypeAlias = tuple[int, int]
"""The fewest and the most stones of an opening."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many shapes have been judged, and how many of them were kept."""

_PATIENCE = 2_000
"""The number of useless shapes in a row after which the generator gives up."""

_ATTEMPTS = 100
"""Attempts to place one stone."""

_STEPS = (1, 2, 2, 3)
"""Distances to another stone, in king's moves, each as often as it is to be drawn."""

_LOOK = 0.1
"""Seconds between checks of the stop signal while workers judge."""

_TARAGUCHI = 5
"""The number of stones that lie in a central square of their own where Black has fouls."""

_EVEN_STONES = 2
"""The weight of even numbers of stones: with Black to move fewer positions are balanced."""

_LEAN = 3
"""The most openings by which those that favour one side may outnumber the others."""


def default_plies(rules: Rules) -> Plies:
    """Return the default range of stones in an opening: 3 to 8 for five in a row, else fewer."""
    low, high = (3, 8) if rules.k >= 5 else (2, 5) if rules.k == 4 else (0, 2)
    most = rules.points // 4
    return min(low, most), min(high, most)


def make_openings(
    rules: Rules,
    count: int,
    seed: int = 0,
    judge: str | None = None,
    plies: Plies | None = None,
    playouts: int | None = None,
    progress: Progress | None = None,
    stop: Event | None = None,
    pool: Executor | None = None,
    slots: int = 1,
    bound: int | None = None,
) -> Generator[Opening]:
    """Generate openings; each is yielded when it is found, in an order that depends on the seed alone.

    Args:
        rules: the rules.
        count: the number of openings.
        seed: any whole number.
        judge: the spec of the engine, or of a player that takes a seed; it plays without a limit. The
            engine, where it plays the rules, if None.
        plies: the fewest and the most stones; `default_plies` if None.
        playouts: games in which Black has to score half, an even number; not for the engine.
        progress: called after each shape that has been judged.
        stop: when set, the generator ends.
        pool: judges the shapes; None judges them here, one after the other.
        slots: the number of shapes that the pool judges at a time.
        bound: the largest score of a balanced opening, either way, in centi-units; for the engine alone.

    Raises:
        SpecError: the judge's spec names no player.
        RulesError: rules that the engine, as the judge, does not play.
        TengenError: an invalid judge, invalid numbers or some that the judge does not use, or, later, no
            balanced opening in a very long time.
    """
    low, high = plies or default_plies(rules)
    if not 0 <= low <= high < rules.points:
        most = rules.points - 1
        raise TengenError("error.arena.openings.plies", low=low, high=high, most=most)
    if count < 1:
        raise TengenError("error.arena.openings.count", count=count)
    candidates = _candidates(rules, seed, (low, high), appoint(rules, judge, bound, playouts))
    verdicts = (
        _judged_here(candidates, stop)
        if pool is None
        else _judged_by_workers(candidates, stop, pool, slots)
    )
    return _selected(verdicts, count, progress)


def shape(rules: Rules, random: Random, stones: int) -> Opening | None:
    """Stones near the centre that neither win nor are fouls; None where no such place was found."""
    board = Board(rules)
    for _ in range(stones):
        for _ in range(_ATTEMPTS):
            point = _drawn(board, random)
            if point is not None and board.is_legal(point) and not _is_foul(board, point):
                board.push(point)
                if board.outcome() is None:
                    break
                board.pop()
        else:
            return None
    return board.moves


def shapes(rules: Rules, seed: int, plies: Plies, even: int = 1) -> Generator[Opening | None]:
    """Shapes without end, by number; None in the place of one that is none, or no new one.

    Args:
        rules: the rules.
        seed: any whole number.
        plies: the fewest and the most stones.
        even: the weight of even numbers of stones, after which Black is to move.
    """
    low, high = plies
    lengths = [stones for stones in range(low, high + 1) for _ in range(1 if stones % 2 else even)]
    seen = set()
    for number in counting():
        random = Random(f"{seed} {number}")
        opening = shape(rules, random, random.choice(lengths))
        key = None if opening is None else canonical(Board.from_moves(opening, rules))[0]
        yield None if key in seen else opening
        seen.add(key)


def _drawn(board: Board, random: Random) -> Point | None:
    """A place near the centre or near a stone, or None where that is off the board."""
    width, height = board.width, board.height
    if board.ply:
        (y, x), step = divmod(random.choice(board.moves), width), random.choice(_STEPS)
        x, y = x + random.randint(-step, step), y + random.randint(-step, step)
    else:
        # Renju begins in the centre, and elsewhere games do so mostly.
        reach = 0 if board.rules.has_fouls else min(width, height) // 5
        x, y = (side // 2 + round(random.triangular(-reach, reach)) for side in (width, height))
    if not (0 <= x < width and 0 <= y < height):
        return None
    point, centre = y * width + x, height // 2 * width + width // 2
    if board.rules.has_fouls and board.ply < _TARAGUCHI and distance(point, centre, width) > board.ply:
        return None
    return point


def _is_foul(board: Board, point: Point) -> bool:
    return board.turn == BLACK and board.rules.has_fouls and board.foul(point) is not None


def _candidates(rules: Rules, seed: int, plies: Plies, judge: Judge) -> Generator[Candidate | None]:
    """All shapes by number, without end; None for one that is none, or no new one."""
    for number, opening in enumerate(shapes(rules, seed, plies, _EVEN_STONES)):
        games = Random(f"{seed} {number} {judge.spec}").randrange(2**31)
        yield None if opening is None else Candidate(rules, opening, judge, games)


_Verdict: TypeAlias = tuple[Candidate | None, int | None]
"""A candidate, or None where there was none, and the verdict of `judged`."""


def _selected(verdicts: Generator[_Verdict], count: int, progress: Progress | None) -> Generator[Opening]:
    """The openings to keep, until there are enough."""
    tried = kept = in_vain = lean = 0
    try:
        for candidate, ahead in verdicts:
            side = 0 if ahead is None else (ahead > 0) - (ahead < 0)
            keep = ahead is not None and abs(lean + side) <= _LEAN
            in_vain = 0 if keep else in_vain + 1
            if candidate is not None:
                tried, kept = tried + 1, kept + keep
                if progress is not None:
                    progress(tried, kept)
                if keep:
                    lean += side
                    yield candidate.opening
            if kept == count:
                return
            if in_vain == _PATIENCE:
                raise TengenError("error.arena.openings.few", kept=kept, count=count, tried=tried)
    finally:
        verdicts.close()


def _judged_here(candidates: Generator[Candidate | None], stop: Event | None) -> Generator[_Verdict]:
    for candidate in candidates:
        ahead = None if candidate is None else judged(candidate, stop)
        if stop is not None and stop.is_set():
            return
        yield candidate, ahead


def _judged_by_workers(
    candidates: Generator[Candidate | None], stop: Event | None, pool: Executor, slots: int
) -> Generator[_Verdict]:
    """The verdicts of the workers, in the order of the candidates."""

    def submit(attempt: tuple[Candidate | None]) -> Future[int | None]:
        if attempt[0] is not None:
            return pool.submit(judged, attempt[0])
        vain: Future[int | None] = Future()
        vain.set_result(None)
        return vain

    verdicts = submit_ahead(
        lambda: (next(candidates),),
        submit,
        lambda: max(slots, 1),
        ordered=True,
        over=lambda: stop is not None and stop.is_set(),
        pause=_LOOK,
    )
    with closing(verdicts):
        for (candidate,), future in verdicts:
            yield candidate, future.result()
