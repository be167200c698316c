"""Self-play on all cores, kept in a file of games."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from itertools import count, islice
from pathlib import Path

from tengen.engine.evaluation.learned_file import FOLDER
from tengen.engine.evaluation.policy import load as load_policy
from tengen.engine.evaluation.weights import Weights, family, load
from tengen.engine.tables import CLASSES_ALONE, network_of
from tengen.executors import Workers, submit_ahead
from tengen.game.rules import Rules
from tengen.training.games.game_file import GameFile, Run
from tengen.training.games.point_classes import positions_of
from tengen.training.games.self_play import SelfPlayGame, SelfPlaySettings, play

_FEW_NODES = 20


def numbers_of(rules: Rules, folder: str | Path = "") -> Weights:
    """The numbers of some rules in a folder; those that come with Tengen if it is empty.

    Raises:
        FileError: there are none, or the file cannot be read.
        TengenError: it is damaged.
    """
    return load(family(rules), Path(folder).expanduser() if folder else FOLDER)


def warm_up(rules: Rules) -> None:
    """Have all kernels compiled, or loaded from the cache, before anybody waits for them.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    positions_of(rules, play(SelfPlaySettings(rules, nodes=_FEW_NODES), 0).samples)


def run_of(plan: SelfPlaySettings) -> Run:
    """Return the run of a plan, by the numbers, the network and the policy that play.

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
    on_game: Callable[[SelfPlayGame], object] = lambda _: None,
    tick: Callable[[], object] = lambda: None,
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
    left = None if games is None else max(games - len(there), 0)
    numbers = islice((number for number in count() if number not in there), left)
    began = time.monotonic()
    pool = workers.caller("training")

    def next_number() -> int | None:
        late = seconds is not None and time.monotonic() - began >= seconds
        return None if late else next(numbers, None)

    try:
        finished = submit_ahead(
            next_number,
            lambda number: pool.submit(play, plan, number),
            lambda: workers.slots + 1,
            tick=tick,
        )
        with closing(finished):
            for _, future in finished:
                game = future.result()
                game_file.add(run, game)
                on_game(game)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
