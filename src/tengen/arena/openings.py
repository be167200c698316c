"""Making openings: a few stones from which neither side should win more often.

From the empty board Black is ahead, and two players that choose their moves by rule alone play the same
game again and again. A match therefore begins each pair of games from a position of its own, which both
players get with both colours. How an opening is made here:

1. *A shape.* Some stones near the centre, each within three king's moves of another one, Black and White in
   turn. None of them wins or is a foul. A position that is another one turned round or mirrored is no new
   one (`tengen.game.symmetry`). Under renju the first stone stands in the centre; the other two of the
   first three need not make one of the 26 openings of the tournament rules, as the judge decides.
2. *A look for wins.* Neither side, were it to move, may have a win by continuous fours
   (`tengen.players.threats`).
3. *A judge.* A player plays it out against itself, some games with different seeds, which take turns with
   the colours. The opening is kept if Black scores exactly half. That alone proves little: if Black wins
   three games of four, 2 games come out even with a chance of 38 %, 8 games with one of 9 %; from a truly
   even position it is 50 % and 27 %. So more playouts make better openings, of more shapes.

Shapes are numbered, and what becomes of one depends on its number and the seed alone: the same seed makes
the same openings, however many workers judge them.

From: Gomocup's tournaments, where every opening is published and played with both colours. How these are
made is our own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count as counting
from random import Random
from threading import Event
from typing import TypeAlias

from tengen.executors import stop_signal
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit, Player
from tengen.game.points import BLACK, Point, opponent
from tengen.game.rules import Rules
from tengen.game.symmetry import canonical
from tengen.players.registry import player, shorten_reason
from tengen.players.threats import find_vcf

Opening: TypeAlias = tuple[Point, ...]
"""The moves of an opening in order, Black's first."""

Plies: TypeAlias = tuple[int, int]
"""The fewest and the most stones of an opening."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many shapes have been judged, and how many of them were kept."""

JUDGE = "level:3"
"""Who plays the openings out unless told otherwise."""

PLAYOUTS = 8
"""How many games of the judge an opening has to be even in unless told otherwise."""

_VCF_NODES = 5_000
"""Stones that the look for wins may place; where it needs more the opening is not kept."""

_PATIENCE = 2_000
"""After so many shapes in a row that were no use there is no point in going on."""

_ATTEMPTS = 100
"""How often a place for one stone is looked for."""

_STEPS = (1, 2, 2, 3)
"""How far from another stone, in king's moves, one may stand, as often as it is to happen."""

_LOOK = 0.1
"""Seconds after which the stop signal is looked at while workers judge."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An opening to be judged; it can be sent to another process or machine.

    Attributes:
        rules: the rules.
        opening: its moves.
        judge: the spec of the player that plays it out, one that takes a seed.
        seed: of its players.
        playouts: how many games, an even number.
    """

    rules: Rules
    opening: Opening
    judge: str
    seed: int
    playouts: int


def default_plies(rules: Rules) -> Plies:
    """How many stones an opening has unless told otherwise: 3 to 8 for five in a row, else fewer."""
    low, high = (3, 8) if rules.k >= 5 else (2, 5) if rules.k == 4 else (0, 2)
    most = rules.points // 4
    return min(low, most), min(high, most)


def make_openings(
    rules: Rules,
    count: int,
    seed: int = 0,
    judge: str = JUDGE,
    plies: Plies | None = None,
    playouts: int = PLAYOUTS,
    progress: Progress | None = None,
    stop: Event | None = None,
    pool: Executor | None = None,
    slots: int = 1,
) -> Generator[Opening]:
    """Make openings; each is given as soon as it is found, in an order that depends on the seed alone.

    Args:
        rules: the rules.
        count: how many.
        seed: any whole number.
        judge: the spec of a player that takes a seed. Its games are played without a limit.
        plies: the fewest and the most stones; `default_plies` if None.
        playouts: games in which Black has to score half; an even number.
        progress: called after each shape that has been judged.
        stop: when set, the openings end.
        pool: where the judging is done; here, one after the other, if None.
        slots: how many shapes the pool is to judge at a time.

    Raises:
        SpecError: the judge's spec names no player.
        TengenError: a judge without a seed, numbers that make no sense, or, later, no even opening in a
            very long time.
    """
    low, high = plies or default_plies(rules)
    if not 0 <= low <= high < rules.points:
        most = rules.points - 1
        raise TengenError("error.arena.openings.plies", low=low, high=high, most=most)
    if count < 1:
        raise TengenError("error.arena.openings.count", count=count)
    if playouts < 2 or playouts % 2:
        raise TengenError("error.arena.openings.playouts", playouts=playouts)
    _check_judge(judge)
    candidates = _candidates(rules, seed, (low, high), judge, playouts)
    verdicts = _here(candidates, stop) if pool is None else _spread(candidates, stop, pool, slots)
    return _kept(verdicts, count, progress)


def judged(candidate: Candidate, stop: Event | None = None) -> bool:
    """Whether an opening is quiet and even.

    Args:
        candidate: the opening and how to judge it.
        stop: when set, the answer comes at once and means nothing; the executor's own signal if None.

    Raises:
        TengenError: a judge that is none, or that fails.
    """
    stop = stop or stop_signal()
    board = Board.from_moves(candidate.opening, candidate.rules)
    return is_quiet(board) and _is_even(board, candidate, stop)


def is_quiet(board: Board) -> bool:
    """Whether the game is open and neither side, if it were to move, would win by continuous fours."""
    if board.outcome() is not None:
        return False
    limit = Limit(nodes=_VCF_NODES)
    wins = (find_vcf(board, limit, colour=colour) for colour in (board.turn, opponent(board.turn)))
    return all(win.proven and not win.line for win in wins)


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


def shapes(rules: Rules, seed: int, plies: Plies) -> Generator[Opening | None]:
    """Shapes without end, by number; None in the place of one that is none, or no new one.

    Args:
        rules: the rules.
        seed: any whole number.
        plies: the fewest and the most stones.
    """
    seen = set()
    for number in counting():
        random = Random(f"{seed} {number}")
        opening = shape(rules, random, random.randint(*plies))
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
    return y * width + x if 0 <= x < width and 0 <= y < height else None


def _is_foul(board: Board, point: Point) -> bool:
    return board.turn == BLACK and board.rules.has_fouls and board.foul(point) is not None


def _candidates(
    rules: Rules, seed: int, plies: Plies, judge: str, playouts: int
) -> Generator[Candidate | None]:
    """All shapes by number, without end; None for one that is none, or no new one."""
    for number, opening in enumerate(shapes(rules, seed, plies)):
        games = Random(f"{seed} {number} {judge}").randrange(2**31)
        yield None if opening is None else Candidate(rules, opening, judge, games, playouts)


_Verdict: TypeAlias = tuple[Candidate | None, bool]
"""A candidate, or None where there was none, and whether to keep it."""


def _kept(verdicts: Generator[_Verdict], count: int, progress: Progress | None) -> Generator[Opening]:
    """The openings to keep, until there are enough."""
    tried = kept = in_vain = 0
    try:
        for candidate, keep in verdicts:
            in_vain = 0 if keep else in_vain + 1
            if candidate is not None:
                tried, kept = tried + 1, kept + keep
                if progress is not None:
                    progress(tried, kept)
                if keep:
                    yield candidate.opening
            if kept == count:
                return
            if in_vain == _PATIENCE:
                raise TengenError("error.arena.openings.few", kept=kept, count=count, tried=tried)
    finally:
        verdicts.close()


def _here(candidates: Generator[Candidate | None], stop: Event | None) -> Generator[_Verdict]:
    for candidate in candidates:
        keep = candidate is not None and judged(candidate, stop)
        if stop is not None and stop.is_set():
            return
        yield candidate, keep


def _spread(
    candidates: Generator[Candidate | None], stop: Event | None, pool: Executor, slots: int
) -> Generator[_Verdict]:
    """The verdicts of the workers, in the order of the candidates."""
    waiting: deque[tuple[Candidate | None, Future[bool] | None]] = deque()
    try:
        while stop is None or not stop.is_set():
            # One that takes long holds up the order, but not the others' work.
            busy = [future for _, future in waiting if future is not None and not future.done()]
            while len(busy) < max(slots, 1) and len(waiting) < 8 * max(slots, 1):
                candidate = next(candidates)
                future = None if candidate is None else pool.submit(judged, candidate)
                busy += [] if future is None else [future]
                waiting.append((candidate, future))
            candidate, first = waiting[0]
            if first is None or first.done():
                waiting.popleft()
                yield candidate, first is not None and first.result()
            else:
                wait(busy, _LOOK, FIRST_COMPLETED)
    finally:
        for _, future in waiting:
            if future is not None:
                future.cancel()


def _is_even(board: Board, candidate: Candidate, stop: Event) -> bool:
    """Whether Black scores half in all playouts; given up as soon as that cannot be any more."""
    half = candidate.playouts / 2
    points = 0.0
    for number in range(candidate.playouts):
        # Two players of the judge's kind, who then change colours.
        seeds = [candidate.seed + number // 2 * 2 + side for side in (0, 1)]
        specs = [_seeded(candidate.judge, seed) for seed in (seeds[::-1] if number % 2 else seeds)]
        result = _played_out(board.copy(), specs, stop)
        if result is None:
            return False
        points += result
        if points > half or number + 1 - points > half:
            return False
    return points == half


def _played_out(board: Board, specs: list[str], stop: Event) -> float | None:
    """What Black scores when these two play on; None when stopped."""
    with ExitStack() as stack:
        players = []
        for spec in specs:
            players.append(made := player(spec))
            if callable(close := getattr(made, "close", None)):
                stack.callback(close)  # there is a program behind it
        while (outcome := board.outcome()) is None:
            if stop.is_set():
                return None
            _move(board, players[board.turn - 1], stop)
    return 0.5 if outcome.winner is None else float(outcome.winner == BLACK)


def _move(board: Board, judge: Player, stop: Event) -> None:
    """Play the judge's next move.

    Raises:
        TengenError: it has none, which ends the making of openings.
    """
    try:
        board.push(judge.choose(board, stop=stop).point)
    except Exception as error:  # a judge may be anybody's code
        why = error.message if isinstance(error, TengenError) else shorten_reason(error)
        raise TengenError("error.arena.openings.failed", judge=judge.name, reason=why) from error


def _seeded(judge: str, seed: int) -> str:
    return f"{judge},seed={seed}"


def _check_judge(judge: str) -> None:
    """Refuse a player whose games would all be the same.

    Raises:
        TengenError: it is one, or no player at all.
    """
    player(judge)
    try:
        player(_seeded(judge, 0))
    except TengenError as error:
        if error.message.key == "error.spec.twice":
            raise
        raise TengenError("error.arena.openings.judge", judge=judge) from error
