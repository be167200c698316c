"""Training: the engine plays itself on all cores, and its numbers are fitted to what it saw.

>>> from tengen import Rules
>>> from tengen.training.self_play import SelfPlaySettings, play
>>> from tengen.training.run import gathered, learn
>>> plan = SelfPlaySettings(Rules.named("freestyle", 9), nodes=50)
>>> games = gathered(plan.rules, (play(plan, number) for number in range(12)))
>>> trained = learn(games, epochs=2)
>>> trained.weights.worths.shape
(2, 2, 3060)

`tengen.engine.evaluation.weights.save` writes the numbers into a folder, from where
``engine,weights=FOLDER`` plays by them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.worths import UNIT
from tengen.engine.engine import CLASSES_ALONE, network_of
from tengen.engine.evaluation.policy import load as load_policy
from tengen.engine.evaluation.weights import FOLDER, Weights, family, load
from tengen.executors import Workers
from tengen.game.rules import Rules
from tengen.training.fitting import (
    ORDERS,
    WORTHS,
    Fit,
    Floats,
    Ints,
    Positions,
    fit,
    held_out,
    joined,
    mean_loss,
    positions_of,
    predicted,
    ranks,
)
from tengen.training.game_file import GameFile, GamesReader, Run, TrainingError, sureness_in
from tengen.training.self_play import Sample, SelfPlayGame, SelfPlaySettings, play
from tengen.training.targets import TRACE, targets

EPOCHS = 8
"""How often all positions are seen; more hardly helps."""

LEAST = 200
"""Positions below which nothing is fitted."""

_TRUST, _GENTLE = 50.0, 0.003
"""How strongly numbers are pulled back to those it began with, and how fast they leave them."""

_LOOK = 0.5
"""Seconds after which the number of workers is looked at anew."""

_CHUNK = 10_000
_FIRST = 5
"""Moves at the head of an order."""

_FEW_NODES = 20

_BINS, _IN_BIN = 10, 50
"""Parts into which predictions are divided, at most, and how many a part holds at least."""


def numbers_of(rules: Rules, folder: str | Path = "") -> Weights:
    """The numbers of some rules in a folder; those that come with Tengen if it is empty.

    Raises:
        FileError: there are none, or the file cannot be read.
        TengenError: it is damaged.
    """
    return load(family(rules), Path(folder).expanduser() if folder else FOLDER)


def warm_up(rules: Rules) -> None:
    """Have everything compiled, or loaded from the cache, before anybody waits for it.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    positions = positions_of(rules, play(SelfPlaySettings(rules, nodes=_FEW_NODES), 0).samples)
    weights = fit(positions, shared=True, epochs=1)
    predicted(positions, weights, positions.usable(WORTHS))
    ranks(positions, weights, positions.usable(ORDERS))


def run_of(plan: SelfPlaySettings) -> Run:
    """How the games of a plan are played, the numbers, the network and the policy included.

    Raises:
        FileError: there are no numbers, or a file cannot be read.
        TengenError: one is damaged.
    """
    folder = "" if plan.weights == CLASSES_ALONE else plan.weights
    network = network_of(plan.rules, plan.weights)
    # Without a network the engine asks no policy.
    policy = (
        None if network is None else load_policy(family(plan.rules), Path(folder or FOLDER).expanduser())
    )
    return Run.of(plan, numbers_of(plan.rules, folder), network, policy)


def play_games(
    game_file: GameFile,
    plan: SelfPlaySettings,
    workers: Workers,
    games: int | None = None,
    seconds: float | None = None,
    on_game: Callable[[SelfPlayGame], None] | None = None,
    tick: Callable[[], None] | None = None,
) -> None:
    """Play games of a plan that are not in a file yet, and add them to it.

    Whatever ends it early (Ctrl-C, an error), the games that have ended are in the file.

    Args:
        game_file: where the games are kept.
        plan: how they are played.
        workers: where they are played.
        games: how many games of this plan there are to be in all; None for any number.
        seconds: no game is begun after so long; None for any time.
        on_game: called with each game when it has been added.
        tick: called at least once a second.

    Raises:
        TengenError: what a game raised, or the file cannot be written.
    """
    run = run_of(plan)
    there = game_file.played(run)
    numbers = (number for number in count() if number not in there)
    left = None if games is None else max(games - len(there), 0)
    began = time.monotonic()
    pool = workers.caller("training")
    futures: set[Future[SelfPlayGame]] = set()
    try:
        while True:
            late = seconds is not None and time.monotonic() - began >= seconds
            while len(futures) < workers.slots + 1 and not late and left != 0:
                futures.add(pool.submit(play, plan, next(numbers)))
                left = None if left is None else left - 1
            if not futures:
                return
            done, futures = wait(futures, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                game = future.result()
                game_file.add(run, game)
                if on_game is not None:
                    on_game(game)
            if tick is not None:
                tick()
    finally:
        for future in futures:
            future.cancel()
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(slots=True)
class TrainingData:
    """What some games hold.

    Attributes:
        rules: by which they were played.
        positions: those that were searched, as they are fitted.
        results: 1, 0.5 or 0 for the side to move as the game ended; NaN beside the game. Shape (n,).
        games: how many.
        black: those that Black won.
        white: those that White won.
        plies: moves of all games together, the stones they began with included.
        nodes: stones put down for each move in them, in order, each number once; empty where nothing says.
    """

    rules: Rules
    positions: Positions
    results: Floats
    games: int = 0
    black: int = 0
    white: int = 0
    plies: int = 0
    nodes: tuple[int, ...] = ()

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return self.games - self.black - self.white


def gathered(
    rules: Rules,
    games: Iterable[SelfPlayGame],
    trace: float = TRACE,
    sureness: float = 1.0,
    tick: Callable[[], None] | None = None,
) -> TrainingData:
    """Describe the positions of games.

    Args:
        rules: by which they were played.
        games: the games; gone through once.
        trace: what each position of a game counts against the one before it (`tengen.training.targets`).
        sureness: how much of the searches' scores is to be believed.
        tick: called now and then.
    """
    found = TrainingData(rules, joined([]), np.zeros(0))
    parts: list[Positions] = []
    results: list[float] = []
    samples: list[Sample] = []
    wanted: list[float] = []

    def describe() -> None:
        parts.append(positions_of(rules, samples, wanted, sureness))
        samples.clear()
        wanted.clear()
        if tick is not None:
            tick()

    for game in games:
        found.games += 1
        found.black += game.points == 1
        found.white += game.points == 0
        found.plies += len(game.cells)
        samples.extend(game.samples)
        wanted.extend(targets(game, trace, sureness))
        results.extend(np.nan if sample.result is None else sample.result for sample in game.samples)
        if len(samples) >= _CHUNK:
            describe()
    describe()
    found.positions, found.results = joined(parts), np.array(results)
    return found


def gathered_from(
    rules: Rules,
    paths: Sequence[str | Path],
    trace: float = TRACE,
    tick: Callable[[], None] | None = None,
) -> TrainingData:
    """The same, from files. They may be of other sizes, as long as the same numbers are good for them.

    How much of the scores is to be believed, the games tell.

    Raises:
        TrainingError: a file holds other games, or is damaged.
        FileError: it cannot be read.
    """
    sureness = sureness_in(paths, rules, tick)
    readers = [GamesReader(path) for path in paths]
    all_games = [
        gathered(reader.rules, (game for game, _ in reader.games()), trace, sureness, tick)
        for reader in readers
    ]
    counted = ("games", "black", "white", "plies")
    return TrainingData(
        rules,
        joined([each.positions for each in all_games]),
        np.concatenate([np.zeros(0), *(each.results for each in all_games)]),
        nodes=tuple(sorted({run.nodes for reader in readers for run in reader.counts})),
        **{name: sum(getattr(each, name) for each in all_games) for name in counted},
    )


@dataclass(frozen=True, slots=True)
class FitMetrics:
    """How good some numbers are on positions that they were not fitted to.

    Attributes:
        worths: the mean cross-entropy of their predictions.
        orders: the mean of minus the logarithm of the chance they gave to the move that was chosen.
        first: how often that move came first in their order; NaN where it is not known.
        among: how often it was among the first five.
    """

    worths: float
    orders: float
    first: float
    among: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose predictions are about the same.

    Attributes:
        predicted: the mean chance of winning that the numbers saw.
        result: the mean of how their games ended.
        count: how many they are.
    """

    predicted: float
    result: float
    count: int


@dataclass(slots=True)
class Trained:
    """What has been learned, and how well.

    Attributes:
        games: from what.
        weights: the numbers.
        epochs: the losses of each epoch, by what was fitted: `WORTHS` or `ORDERS`.
        constant: nothing known: every position and every move alike.
        before: the numbers that it began with.
        after: those that were learned, rounded as the engine has them.
        least: the loss of `WORTHS` that nothing can go below, because outcomes are no certainty.
        calibration: predictions and results of positions of games that were kept apart.
        seen: how often each class occurred, by colour, shape (2, `CLASSES`).
    """

    games: TrainingData
    weights: Weights
    epochs: dict[str, list[Fit]]
    constant: FitMetrics
    before: FitMetrics
    after: FitMetrics
    least: float
    calibration: list[Bin] = field(default_factory=list)
    seen: Ints = field(default_factory=lambda: np.zeros((2, CLASSES), np.int64))


def learn(
    games: TrainingData,
    start: Weights | None = None,
    *,
    epochs: int = EPOCHS,
    seed: int = 1,
    before: Weights | None = None,
    report: Callable[[str, Fit], None] | None = None,
) -> Trained:
    """Fit numbers to games, and measure them on positions that were kept apart.

    Args:
        games: what to learn from.
        start: numbers to begin with; nothing if None.
        epochs: how often all positions are seen.
        seed: of the order in which they are seen, and of which are kept apart.
        before: numbers to compare with; those that come with Tengen if None.
        report: told after each epoch what was fitted, and its losses.

    Raises:
        TrainingError: too few positions.
    """
    positions = games.positions
    apart = held_out(len(positions), seed)
    worths, orders = (_where(positions, what, apart) for what in (WORTHS, ORDERS))
    enough = min(len(positions.usable(what)) for what in (WORTHS, ORDERS)) >= LEAST
    if not (enough and len(worths) and len(orders)):
        raise TrainingError("error.train.few", count=len(positions), least=LEAST)
    done: dict[str, list[Fit]] = {WORTHS: [], ORDERS: []}

    def heard(what: str, now: Fit) -> None:
        done[what].append(now)
        if report is not None:
            report(what, now)

    shared = not games.rules.has_fouls
    if start is None:
        weights = fit(positions, shared, epochs, seed=seed, report=heard)
    else:
        # What is known already should give way slowly, and the less, the less there is to learn from.
        decay = _TRUST / len(positions)
        weights = fit(positions, shared, epochs, decay, seed, heard, start=start, rate=_GENTLE)
    compared = numbers_of(games.rules) if before is None else before
    training = _where(positions, WORTHS, ~apart)
    return Trained(
        games,
        weights,
        done,
        _of_constant(positions, training, worths, orders),
        _of_numbers(positions, compared, worths, orders),
        _of_numbers(positions, weights, worths, orders),
        float(_entropy(positions.targets[worths], positions.targets[worths]).mean()),
        calibrated(predicted(positions, weights, worths), games.results[worths]),
        _seen(positions, shared),
    )


def _where(positions: Positions, what: str, chosen: npt.NDArray[np.bool_]) -> Ints:
    usable = positions.usable(what)
    return usable[chosen[usable]]


def _entropy(chances: Floats, targets: Floats) -> Floats:
    chances = np.clip(chances, 1e-9, 1 - 1e-9)
    found: Floats = -(targets * np.log(chances) + (1 - targets) * np.log(1 - chances))
    return found


def _of_constant(positions: Positions, training: Ints, worths: Ints, orders: Ints) -> FitMetrics:
    mean = np.full(len(worths), positions.targets[training].mean())
    before = np.concatenate([[0], np.cumsum(positions.near, dtype=np.int64)])
    moves = np.diff(before[positions.starts])[orders]
    first, among = (1 / moves).mean(), np.minimum(_FIRST / moves, 1).mean()
    chances = _entropy(mean, positions.targets[worths]).mean(), np.log(moves).mean()
    return FitMetrics(*map(float, (*chances, first, among)))


def _of_numbers(positions: Positions, weights: Weights, worths: Ints, orders: Ints) -> FitMetrics:
    places = ranks(positions, weights, orders)
    return FitMetrics(
        mean_loss(positions, weights, WORTHS, worths),
        mean_loss(positions, weights, ORDERS, orders),
        float((places == 0).mean()),
        float((places < _FIRST).mean()),
    )


def calibrated(chances: Floats, results: Floats) -> list[Bin]:
    """Positions in equal parts by their predictions.

    Args:
        chances: what was predicted of each, shape (n,).
        results: how their games ended; NaN where that is not known, shape (n,).
    """
    known = ~np.isnan(results)
    chances, results = chances[known], results[known]
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, min(max(len(order) // _IN_BIN, 1), _BINS)) if len(order) else []
    return [Bin(float(chances[part].mean()), float(results[part].mean()), len(part)) for part in parts]


def _seen(positions: Positions, shared: bool) -> Ints:
    movers = np.repeat(positions.turns, np.diff(positions.starts))
    found = np.zeros((2, CLASSES), np.int64)
    for colour in range(2):
        found[colour] = np.bincount(positions.own[movers == colour], minlength=CLASSES)
        found[colour] += np.bincount(positions.other[movers != colour], minlength=CLASSES)
    if shared:
        found[:] = found.sum(axis=0)
    return found


def most_valued(trained: Trained, colour: int, count: int = 15) -> Iterator[tuple[int, float, float, int]]:
    """The classes that are worth most, of those that have been seen often enough to know.

    Args:
        trained: what has been learned.
        colour: 0 Black, 1 White.
        count: how many.

    Yields:
        The class; what it is worth to the side to move, and to a side that has to wait, in centi-units; how
        often it was seen.
    """
    worths, seen = trained.weights.worths[colour] / UNIT, trained.seen[colour]
    known = seen >= max(len(trained.games.positions) // 1000, 20)
    order = np.argsort(-np.where(known, np.maximum(worths[0], worths[1]), -np.inf), kind="stable")
    for number in order[:count]:
        if known[number]:
            yield int(number), float(worths[0, number]), float(worths[1, number]), int(seen[number])
