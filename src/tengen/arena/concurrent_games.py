"""Many games at once: tasks in, finished games out, in the order in which they finish."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field

from tengen.arena.game import GameTask, MoveAsked, play
from tengen.arena.player_pool import close_players
from tengen.arena.results import PlayedGame, PlayedMove
from tengen.executors import WorkerLost, Workers, submit_ahead
from tengen.game.points import Colour, opponent


@dataclass(slots=True)
class _RunningGame:
    """A game that is being played, as far as its worker has reported.

    Attributes:
        task: the game.
        moves: the players' moves so far.
        mover: the colour that has been asked for the next; None at the beginning.
    """

    task: GameTask
    moves: list[PlayedMove] = field(default_factory=list)
    mover: Colour | None = None

    def receive(self, asked: MoveAsked | None) -> None:
        """Take in what `tengen.arena.game.play` reports; it may begin anew, on another worker."""
        if asked is None:
            self.moves, self.mover = [], None
            return
        if asked.before is not None:
            self.moves.append(asked.before)
        self.mover = asked.mover

    def result(self, future: Future[PlayedGame]) -> PlayedGame:
        """Return the game; a player that ends its worker again and again has lost it.

        Raises:
            TengenError: what the game raised, or that the worker was lost and the culprit is unknown.
        """
        try:
            return future.result()
        except WorkerLost as lost:
            if self.mover is None:
                raise
            return self.task.played(self.moves, opponent(self.mover), "crash", str(lost))


def running(
    tasks: Iterable[GameTask],
    workers: Workers,
    name: str = "games",
    tick: Callable[[], object] = lambda: None,
) -> Generator[PlayedGame]:
    """Play games on the workers, and give each as it ends.

    Tasks are taken from `tasks` only as workers become free (a few ahead), so it may go on for ever.
    Closing the iterator cancels the games that are being played and ends the programs that played them.

    A player that ends the process it plays in has lost its game. On a cluster it cannot be identified.

    Args:
        tasks: the games.
        workers: play the games.
        name: the caller's name there.
        tick: called at least once a second while games are waited for.

    Raises:
        TengenError: what a game raised; see `tengen.arena.game.play`.
    """
    queue = map(_RunningGame, tasks)
    pool = workers.caller(name)

    def submit(game: _RunningGame) -> Future[PlayedGame]:
        # Where reports may get lost, a player would be blamed for what the other has done.
        if workers.lossless_reports:
            return pool.submit_with_listener(game.receive, play, game.task)
        return pool.submit(play, game.task)

    try:
        finished = submit_ahead(lambda: next(queue, None), submit, lambda: workers.slots + 1, tick=tick)
        with closing(finished):
            for game, future in finished:
                yield game.result(future)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        workers.everywhere(close_players)
