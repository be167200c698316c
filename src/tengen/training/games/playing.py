"""Self-play on all cores, appended to a file of games."""

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
    """Load the weights for some rules from a folder, or those that come with Tengen if it is empty.

    Raises:
        FileError: the folder has no such file, or it cannot be read.
        TengenError: the file is damaged.
    """
    return load(family(rules), Path(folder).expanduser() if folder else FOLDER)


def warm_up(rules: Rules) -> None:
    """Compile all kernels, or load them from the cache, before the first request.

    Raises:
        RulesError: the engine does not support the rules or the board.
    """
    positions_of(rules, play(SelfPlaySettings(rules, nodes=_FEW_NODES), 0).samples)


def run_of(plan: SelfPlaySettings) -> Run:
    """Return the run of self-play settings, with a digest of the weights, network and policy that play.

    Raises:
        FileError: a file is missing or cannot be read.
        TengenError: a file is damaged.
    """
    folder = "" if plan.weights == CLASSES_ALONE else plan.weights
    network = network_of(plan.rules, plan.weights)
    # Without a network the engine does not use the policy.
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
    """Play the games of a plan that are not in a file yet, and append them to it.

    If it ends early (Ctrl-C, an error), the finished games are in the file.

    Args:
        game_file: the file that receives the games.
        plan: the self-play settings.
        workers: the worker processes that play.
        games: the total number of games of this plan; None for no limit.
        seconds: the time after which no further game is started; None for no limit.
        on_game: called with each game after it has been appended.
        tick: called at least once a second.

    Raises:
        TengenError: a game raised an error, or the file cannot be written.
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
