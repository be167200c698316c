"""Games of the engine against itself, from which its evaluation is learned.

A game begins with a few stones at random near the centre and is played with a fixed number of nodes a move,
now and then with a move that is only likely. It ends where a win is found. Beside the positions of the game
itself, which know how it ended, others are looked at that a search meets as well: those after a likely move
that was not played, and positions drawn from within the searches themselves. The last are what an
evaluation is asked about when it plays: ends of lines that no game has come to. To learn from the nodes of
a search instead of its root is the idea of J. Veness, D. Silver, W. Uther and A. Blair, "Bootstrapping from
game tree search" (2009). Games can also begin at such positions: then it is known of these, too, how a game
from there ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from tengen.engine.board.fouls import is_forbidden
from tengen.engine.board.position import make
from tengen.engine.board.records import SCRATCH, Kind, Record, cell_of, copy_of, new_record
from tengen.engine.board.scores import MATE
from tengen.engine.search.deepening import DepthResult, SearchTask, run
from tengen.engine.search.moves import generate_moves
from tengen.engine.search.table import new_table
from tengen.engine.tables import prepared
from tengen.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Sample:
    """A position that was searched.

    Attributes:
        cells: the moves that led to it, as the engine's cells.
        score: what the search said, for the side to move, in centi-units.
        best: the cell it chose.
        result: 1, 0.5 or 0 for the side to move, as the game ended; None beside the game.
    """

    cells: tuple[int, ...]
    score: int
    best: int
    result: float | None


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """Settings of self-play.

    Attributes:
        rules: the rules and the board.
        nodes: stones put down for each move.
        seed: of everything random.
        stray: how often another likely move is played, in the first moves of a game.
        beside: how often a position beside the game is looked at.
        within: how many positions from within the search for each move are looked at, each with an eighth
            of its nodes.
        begin_within: the share of games that begin at a position from within the search of a game in
            progress. There are no positions beside these games: they lie beside one themselves.
        weights: what the engine evaluates by; see `tengen.engine.engine.Engine`.
    """

    rules: Rules
    nodes: int = 3000
    seed: int = 1
    stray: float = 0.15
    beside: float = 0.4
    within: int = 0
    begin_within: float = 0.0
    weights: str = ""


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game, and what was seen in it.

    Attributes:
        number: of the game, from 0; with the plan it is all that the game depends on.
        cells: its moves, the stones it began with included, up to where its end was known.
        points: what Black got: 1, 0.5 or 0.
        samples: the positions that were searched, in order.
    """

    number: int
    cells: tuple[int, ...]
    points: float
    samples: tuple[Sample, ...]


_Searched = tuple[DepthResult | None, list[tuple[int, ...]]]
"""What a search has found, and positions from within it."""


def sample_order(sample: Sample) -> tuple[int, bool]:
    """Return the sort key of a sample: the plies before it; those of the game itself last."""
    return len(sample.cells), sample.result is not None


_EVEN = 250
"""Centi-units from which on an opening is seldom played ..."""

_UNEVEN = 0.1
"""... how seldom."""

_STRAY_PLIES = 16
_LONGEST = 120
_LEAD = 32
"""Moves at most that are played before a game begins within a search."""

_TRIED = 4
"""Positions from within a search at which a game is tried to begin."""

_MOST_STONES = 70
"""No game begins within a search with more stones."""

_WITHIN_SHARE = 8
"""What part of a move's nodes a position from within its search gets, and a move that leads up to one."""

_ASKED_SHARE = 5
"""What part of the positions of a search need a static score, about."""

_DRAWING, _LEADING = 1, 2
"""Tell what is drawn from within searches, and how a game comes to begin there, from all else that is
left to chance, which is the same without."""

_DRAWN_FROM = 4
"""Of so many times as many positions those from within a search are drawn."""

_MEGABYTES = 1


def games(plan: SelfPlaySettings) -> Iterator[list[Sample]]:
    """Play games for ever; the samples of each."""
    return (list(play(plan, number).samples) for number in count())


def play(plan: SelfPlaySettings, number: int) -> SelfPlayGame:
    """Play one of the games of a plan, the same whenever it is asked for.

    Args:
        plan: how.
        number: which, from 0.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    random = np.random.default_rng([plan.seed, number])
    drawing = np.random.default_rng([plan.seed, number, _DRAWING])
    leading = np.random.default_rng([plan.seed, number, _LEADING])
    begins_within = leading.random() < plan.begin_within
    if begins_within:
        state, tables, (found, inside) = _opened_within(plan, leading)
    else:
        state, tables, (found, inside) = _opened(plan, random)
    # A position from within a search may come up in the next one, or be reached: what was found last holds.
    samples: dict[tuple[int, ...], Sample] = {}
    while found is not None:
        samples[_moves(state)] = _sample(state, found)
        new = [cells for cells in inside if cells not in samples]
        samples |= {sample.cells: sample for sample in _within(plan, state, tables, new, drawing)}
        if abs(found.score) > MATE:
            turn = int(state[0]["turn"])
            return _judged(number, samples, state, turn if found.score > 0 else 1 - turn)
        chosen = found.cell
        if int(state[0]["ply"]) < _STRAY_PLIES and random.random() < plan.stray:
            chosen = _likely(state, tables, random) or chosen
        if not begins_within and random.random() < plan.beside:
            away = _likely(state, tables, random)
            if away not in (0, chosen):
                other = copy_of(state)
                make(other, tables, away)
                beside, _ = _searched(other, tables, plan.nodes)
                if beside is not None:
                    samples[_moves(other)] = _sample(other, beside)
        make(state, tables, chosen)
        if int(state[0]["ply"]) >= min(_LONGEST, plan.rules.points - 2):
            break
        found, inside = _searched(state, tables, plan.nodes, _sampling(plan))
    return _judged(number, samples, state, None)


def _within(
    plan: SelfPlaySettings,
    state: Record,
    tables: Record,
    inside: list[tuple[int, ...]],
    random: np.random.Generator,
) -> Iterator[Sample]:
    """Some of the positions from within the search of a position, searched themselves."""
    for place in random.permutation(len(inside))[: plan.within]:
        other = _led_to(state, tables, inside[place])
        found, _ = _searched(other, tables, _share(plan))
        if found is not None:
            yield _sample(other, found)


def _led_to(state: Record, tables: Record, cells: tuple[int, ...]) -> Record:
    """The position that moves lead to, the first of which lead to that of the state."""
    other = copy_of(state)
    for cell in cells[int(state[0]["ply"]) :]:
        make(other, tables, cell)
    return other


def _share(plan: SelfPlaySettings) -> int:
    """The nodes of a search that is not one of a move of the game."""
    return max(plan.nodes // _WITHIN_SHARE, 1)


def _sampling(plan: SelfPlaySettings) -> int:
    """Of how many positions of a search one is kept; see `SearchTask.sampling`."""
    return _one_in(plan.nodes, plan.within) if plan.within else 0


def _one_in(nodes: int, wanted: int) -> int:
    """One of how many positions to keep, a power of two, to draw so many from a search."""
    most = nodes // (_ASKED_SHARE * _DRAWN_FROM * wanted)
    return 1 << max(most.bit_length() - 1, 0)


def _opened(plan: SelfPlaySettings, random: np.random.Generator) -> tuple[Record, Record, _Searched]:
    """A position with a few stones that a search does not think decided, and what it has found."""
    empty, tables = prepared(plan.rules, weights=plan.weights)
    while True:
        state = copy_of(empty)
        _open(state, tables, random)
        searched = _searched(state, tables, plan.nodes, _sampling(plan))
        if _open_enough(searched[0], random):
            return state, tables, searched


def _opened_within(plan: SelfPlaySettings, random: np.random.Generator) -> tuple[Record, Record, _Searched]:
    """A position from within the search of a game that has just been begun, and what is found from there.

    That game is played with an eighth of the nodes a move, up to a move drawn by lot.
    """
    empty, tables = prepared(plan.rules, weights=plan.weights)
    while True:
        game = copy_of(empty)
        _open(game, tables, random)
        for _ in range(int(random.integers(_LEAD + 1))):
            found, _ = _searched(game, tables, _share(plan))
            if found is None or abs(found.score) > MATE:
                break
            make(game, tables, found.cell)
        _, inside = _searched(game, tables, plan.nodes, _one_in(plan.nodes, _TRIED))
        short = [cells for cells in inside if len(cells) <= min(_MOST_STONES, plan.rules.points // 2)]
        for place in random.permutation(len(short))[:_TRIED]:
            state = _led_to(game, tables, short[place])
            searched = _searched(state, tables, plan.nodes, _sampling(plan))
            if _open_enough(searched[0], random):
                return state, tables, searched


def _open_enough(found: DepthResult | None, random: np.random.Generator) -> bool:
    """Tell whether a game may begin where a search has found this."""
    return (found is not None and abs(found.score) < _EVEN) or bool(random.random() < _UNEVEN)


def _judged(
    number: int, samples: dict[tuple[int, ...], Sample], state: Record, winner: int | None
) -> SelfPlayGame:
    """The game with the results of its samples; those beside it keep none."""
    path = _moves(state)
    judged = []
    for cells, sample in samples.items():
        result = None
        if cells == path[: len(cells)]:
            result = 0.5 if winner is None else float(len(cells) % 2 == winner)
        judged.append(Sample(cells, sample.score, sample.best, result))
    points = 0.5 if winner is None else float(winner == 0)
    return SelfPlayGame(number, path, points, tuple(sorted(judged, key=sample_order)))


def _sample(state: Record, found: DepthResult) -> Sample:
    return Sample(_moves(state), int(found.score), int(found.cell), None)


def _moves(state: Record) -> tuple[int, ...]:
    return tuple(int(cell) for cell in state[0]["moves"][: int(state[0]["ply"])])


def _open(state: Record, tables: Record, random: np.random.Generator) -> None:
    """Put a few stones near the centre, none of which decides the game."""
    size = int(state[0]["size"])
    stones = int(random.integers(1, 9))
    reach = int(random.integers(2, 5))
    centre = size // 2
    while int(state[0]["ply"]) < stones:
        x, y = (int(centre + random.integers(-reach, reach + 1)) for _ in range(2))
        cell = cell_of(min(max(x, 0), size - 1), min(max(y, 0), size - 1))
        side = int(state[0]["turn"])
        if state[0]["cells"][cell] or max(state[0]["kinds"][:, cell]) >= Kind.OPEN_THREE:
            if random.random() < 0.05:
                return
            continue
        if side == 0 and is_forbidden(state, tables, cell):
            continue
        make(state, tables, cell)


def _searched(state: Record, tables: Record, nodes: int, sampling: int = 0) -> _Searched:
    """Search so many nodes, or else a single ply; None where no move is left.

    Beside it positions from within the search; see `SearchTask.sampling`.
    """
    for most_nodes, most_depth in ((nodes, None), (None, 1)):
        table = new_table(_MEGABYTES)
        task = SearchTask(
            state, tables, table, most_nodes=most_nodes, most_depth=most_depth, sampling=sampling
        )
        depths = deque(run(task), maxlen=1)
        if depths:
            return depths[0], task.samples
    return None, []


def _likely(state: Record, tables: Record, random: np.random.Generator) -> int:
    """A move at random, by the chances with which moves are ordered; 0 where there is none."""
    work = new_record(SCRATCH)
    work[0]["root"] = state[0]["ply"]
    for colour in (int(state[0]["turn"]), 1 - int(state[0]["turn"])):
        fives = np.flatnonzero((state[0]["kinds"][colour] == Kind.FIVE) & (state[0]["cells"] == 0))
        if len(fives):
            return int(fives[0])
    moves = int(generate_moves(state, tables, work, 0, -1, -1, -1))
    if not moves:
        return 0
    order = work[0]["order"][0, :moves] / 100.0
    chances = np.exp((order - order.max()) / 1.5)
    return int(work[0]["cells"][0, random.choice(moves, p=chances / chances.sum())])
