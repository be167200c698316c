"""Many games at once: tasks in, finished games out, in the order in which they finish."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing

from tengen.arena.game import GameTask, play
from tengen.arena.player_pool import close_players
from tengen.arena.results import PlayedGame
from tengen.executors import Workers

_LOOK = 0.5
"""Seconds after which the number of workers is looked at anew."""


def running(
    tasks: Iterable[GameTask],
    workers: Workers,
    name: str = "games",
    tick: Callable[[], None] | None = None,
) -> Generator[PlayedGame]:
    """Play games on the workers, and give each as it ends.

    Tasks are taken from `tasks` only as workers become free (a few ahead), so it may go on for ever.
    Closing the iterator calls off the games that are being played and ends the programs that played them.

    Args:
        tasks: the games.
        workers: where they are played.
        name: the caller's name there.
        tick: called at least once a second while games are waited for.

    Raises:
        TengenError: what a game raised; see `tengen.arena.game.play`.
    """
    waiting = iter(tasks)
    pool = workers.caller(name)
    futures: set[Future[PlayedGame]] = set()
    try:
        more = True
        while True:
            while more and len(futures) < workers.slots + 1:
                task = next(waiting, None)
                if task is None:
                    more = False
                else:
                    futures.add(pool.submit(play, task))
            if not (futures or more):
                return
            done, futures = wait(futures, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
            if tick is not None:
                tick()
    finally:
        for future in futures:
            future.cancel()
        pool.shutdown(wait=True, cancel_futures=True)
        workers.everywhere(close_players)


def all_played(tasks: Iterable[GameTask], workers: Workers, name: str = "games") -> list[PlayedGame]:
    """All games, by number."""
    with closing(running(tasks, workers, name)) as games:
        return sorted(games, key=lambda game: game.number)
