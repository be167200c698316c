"""Self-play: games of the engine against itself, from which its evaluation is learned.

A game begins with a few stones at random near the centre and is played with a fixed number of nodes a move,
now and then with another likely move instead of the best. It ends where a win is found. Besides the
positions of the game itself, whose result is known, further positions are searched: those after a likely
move that was not played, and positions sampled from within the searches themselves. The latter are what an
evaluation is applied to in play: leaves of lines that no game has reached. To learn from the nodes of a
search instead of its root is the idea of J. Veness, D. Silver, W. Uther and A. Blair, "Bootstrapping from
game tree search" (2009). Games can also begin at such positions, so that the results of games from there
are known, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from tengen.engine.board.fouls import is_forbidden
from tengen.engine.board.position import make
from tengen.engine.board.records import SCRATCH, Kind, Record, borrowed_record, cell_of, copy_of
from tengen.engine.board.scores import MATE
from tengen.engine.search.deepening import DepthResult, SearchTask, run
from tengen.engine.search.moves import generate_moves
from tengen.engine.search.table import new_table
from tengen.engine.tables import prepared, prepared_networks
from tengen.engine.threats.pn_table import new_pn_table
from tengen.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Sample:
    """A position that was searched.

    Attributes:
        cells: the moves that led to it, as the engine's cells.
        score: the score of the search, for the side to move, in centi-units.
        best: the cell that the search chose.
        result: 1, 0.5 or 0 for the side to move, by the result of the game; None for positions outside the
            game.
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
        nodes: the number of stones placed in the search for each move.
        seed: the seed of all random choices.
        stray: the probability of playing another likely move, in the first moves of a game.
        beside: the probability, at each move, of searching a position beside the game.
        within: the number of positions sampled from the search for each move, each searched with an eighth
            of its nodes.
        begin_within: the share of games that begin at a position from within the search of a game in
            progress. Positions beside these games are not searched: the games themselves lie beside one.
        weights: the folder of the weights of the player; see `tengen.engine.engine.Engine`.
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
    """A game of self-play and its searched positions.

    Attributes:
        number: the number of the game, from 0; with the settings it determines the game.
        cells: its moves, including the opening stones, until the result was known.
        points: Black's points: 1, 0.5 or 0.
        samples: the positions that were searched, in order.
    """

    number: int
    cells: tuple[int, ...]
    points: float
    samples: tuple[Sample, ...]


_Searched = tuple[DepthResult | None, list[tuple[int, ...]]]
"""The result of a search, or None, and positions sampled from it."""


def sample_order(sample: Sample) -> tuple[int, bool]:
    """Return the sort key of a sample: its ply; at the same ply, positions of the game itself come last."""
    return len(sample.cells), sample.result is not None


_EVEN = 250
"""The absolute score, in centi-units, from which an opening counts as uneven."""

_UNEVEN = 0.1
"""The probability of accepting an uneven opening."""

_STRAY_PLIES = 16
_LONGEST = 120
_LEAD = 32
"""The most moves played before a game begins within a search."""

_TRIED = 4
"""The number of positions from within a search that are tried as the beginning of a game."""

_MOST_STONES = 70
"""The most stones of a position from within a search at which a game may begin."""

_WITHIN_SHARE = 8
"""The divisor of a move's nodes for a position from within its search, and for each move of a lead-up."""

_ASKED_SHARE = 5
"""About one in this many positions of a search needs a static score."""

_DRAWING, _LEADING = 1, 2
"""Streams of the random generators for sampling from searches, and for beginning games there; separate
streams leave all other random choices unchanged."""

_DRAWN_FROM = 4
"""The oversampling factor: positions from within a search are drawn from this many times as many."""

_MEGABYTES = 1


def games(plan: SelfPlaySettings) -> Iterator[list[Sample]]:
    """Play games without end, and yield the samples of each."""
    return (list(play(plan, number).samples) for number in count())


def play(plan: SelfPlaySettings, number: int) -> SelfPlayGame:
    """Play a game of the plan; the result is deterministic.

    Args:
        plan: the self-play settings.
        number: the number of the game, from 0.

    Raises:
        RulesError: the engine does not support the rules or the board.
    """
    random = np.random.default_rng([plan.seed, number])
    drawing = np.random.default_rng([plan.seed, number, _DRAWING])
    leading = np.random.default_rng([plan.seed, number, _LEADING])
    searcher = _Searcher(plan)
    tables = searcher.tables
    begins_within = leading.random() < plan.begin_within
    if begins_within:
        state, (found, inside) = _opened_within(searcher, leading)
    else:
        state, (found, inside) = _opened(searcher, random)
    # A position from within a search may recur in the next search, or be reached: the latest result counts.
    samples: dict[tuple[int, ...], Sample] = {}
    while found is not None:
        samples[_moves(state)] = _sample(state, found)
        new = [cells for cells in inside if cells not in samples]
        samples |= {sample.cells: sample for sample in _within(searcher, state, new, drawing)}
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
                beside, _ = searcher(other, plan.nodes)
                if beside is not None:
                    samples[_moves(other)] = _sample(other, beside)
        make(state, tables, chosen)
        if int(state[0]["ply"]) >= min(_LONGEST, plan.rules.points - 2):
            break
        found, inside = searcher(state, plan.nodes, _sampling(plan))
    return _judged(number, samples, state, None)


class _Searcher:
    """The searches of a game, one after the other: the position before its first move, tables, and memory.

    Args:
        plan: the self-play settings.

    Attributes:
        plan: the same.
        empty: the empty board.
        tables: the tables of its rules.
    """

    def __init__(self, plan: SelfPlaySettings) -> None:
        self.plan = plan
        self.empty, self.tables = prepared(plan.rules, weights=plan.weights)
        self._networks = prepared_networks(plan.rules, plan.weights)
        self._table, self._pn_table = new_table(_MEGABYTES), new_pn_table(_MEGABYTES)

    def __call__(self, state: Record, nodes: int, sampling: int = 0) -> _Searched:
        """Search with a node limit, or else a single ply; the result is None where no move is left.

        Positions from within the search are returned with it; see `SearchTask.sampling`.
        """
        for most_nodes, most_depth in ((nodes, None), (None, 1)):
            self._table.fill(0)
            self._pn_table.fill(0)
            task = SearchTask(
                state,
                self.tables,
                self._networks,
                self._table,
                most_nodes=most_nodes,
                most_depth=most_depth,
                pn_table=self._pn_table,
                sampling=sampling,
            )
            depths = deque(run(task), maxlen=1)
            if depths:
                return depths[0], task.samples
        return None, []


def _within(
    searcher: _Searcher, state: Record, inside: list[tuple[int, ...]], random: np.random.Generator
) -> Iterator[Sample]:
    """Search a random selection of the positions from within a search."""
    for place in random.permutation(len(inside))[: searcher.plan.within]:
        other = _led_to(state, searcher.tables, inside[place])
        found, _ = searcher(other, _share(searcher.plan))
        if found is not None:
            yield _sample(other, found)


def _led_to(state: Record, tables: Record, cells: tuple[int, ...]) -> Record:
    """Return the position after all the moves, which extend those of the state."""
    other = copy_of(state)
    for cell in cells[int(state[0]["ply"]) :]:
        make(other, tables, cell)
    return other


def _share(plan: SelfPlaySettings) -> int:
    """Return the node limit of a search that does not choose a move of the game."""
    return max(plan.nodes // _WITHIN_SHARE, 1)


def _sampling(plan: SelfPlaySettings) -> int:
    """Return the sampling rate of a search: it keeps one in this many positions (`SearchTask.sampling`)."""
    return _one_in(plan.nodes, plan.within) if plan.within else 0


def _one_in(nodes: int, wanted: int) -> int:
    """Return the sampling rate, a power of two, that draws about this many positions from a search."""
    most = nodes // (_ASKED_SHARE * _DRAWN_FROM * wanted)
    return 1 << max(most.bit_length() - 1, 0)


def _opened(searcher: _Searcher, random: np.random.Generator) -> tuple[Record, _Searched]:
    """Return a position with a few stones that a search finds undecided, and the result of that search."""
    plan = searcher.plan
    while True:
        state = copy_of(searcher.empty)
        _open(state, searcher.tables, random)
        searched = searcher(state, plan.nodes, _sampling(plan))
        if _open_enough(searched[0], random):
            return state, searched


def _opened_within(searcher: _Searcher, random: np.random.Generator) -> tuple[Record, _Searched]:
    """Return a position from within the search of a game in progress, and the result of its own search.

    That game is played with an eighth of the nodes per move, up to a randomly drawn move.
    """
    plan, tables = searcher.plan, searcher.tables
    while True:
        game = copy_of(searcher.empty)
        _open(game, tables, random)
        for _ in range(int(random.integers(_LEAD + 1))):
            found, _ = searcher(game, _share(plan))
            if found is None or abs(found.score) > MATE:
                break
            make(game, tables, found.cell)
        _, inside = searcher(game, plan.nodes, _one_in(plan.nodes, _TRIED))
        short = [cells for cells in inside if len(cells) <= min(_MOST_STONES, plan.rules.points // 2)]
        for place in random.permutation(len(short))[:_TRIED]:
            state = _led_to(game, tables, short[place])
            searched = searcher(state, plan.nodes, _sampling(plan))
            if _open_enough(searched[0], random):
                return state, searched


def _open_enough(found: DepthResult | None, random: np.random.Generator) -> bool:
    """Return whether a game may begin at a position with this search result."""
    return (found is not None and abs(found.score) < _EVEN) or bool(random.random() < _UNEVEN)


def _judged(
    number: int, samples: dict[tuple[int, ...], Sample], state: Record, winner: int | None
) -> SelfPlayGame:
    """Return the game, with results on the samples of the game itself; samples outside it keep None."""
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
    """Place a few stones near the centre, none of which decides the game."""
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


def _likely(state: Record, tables: Record, random: np.random.Generator) -> int:
    """Return a random move, by the probabilities of the move ordering; 0 where there is none."""
    for colour in (int(state[0]["turn"]), 1 - int(state[0]["turn"])):
        fives = np.flatnonzero((state[0]["kinds"][colour] == Kind.FIVE) & (state[0]["cells"] == 0))
        if len(fives):
            return int(fives[0])
    with borrowed_record(SCRATCH) as work:
        work[0]["root"] = state[0]["ply"]
        moves = int(generate_moves(state, tables, work, 0, -1, -1, -1))
        if not moves:
            return 0
        order = work[0]["order"][0, :moves] / 100.0
        chances = np.exp((order - order.max()) / 1.5)
        return int(work[0]["cells"][0, random.choice(moves, p=chances / chances.sum())])
