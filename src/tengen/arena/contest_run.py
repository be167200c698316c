"""Play of contests: the remaining games of a match or a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Protocol

from tengen.arena.arena_error import ArenaError
from tengen.arena.concurrent_games import running
from tengen.arena.game import GameTask
from tengen.arena.results import PlayedGame
from tengen.executors import Workers


class ContestStopped(ArenaError):
    """Raised after a crash or a hang of a player, unless the contest recovers.

    Examples:
        >>> import tengen
        >>> from tengen.players.random import Random
        >>> class Broken(Random):
        ...     def choose(self, board, limit=None, stop=None):
        ...         raise RuntimeError("no idea")
        >>> try:
        ...     tengen.match(Broken(), "random", games=2, rules="tictactoe", recover=False)
        ... except tengen.ContestStopped as error:
        ...     print("stopped")
        stopped
    """


class ContestState(Protocol):
    """The state of a contest: `tengen.arena.match.MatchState`, `tengen.arena.tournament.Table`."""

    @property
    def over(self) -> bool:
        """True when all games have been played."""

    @property
    def recover(self) -> bool:
        """True if the contest goes on after a crash or a hang."""

    def tasks(self) -> Iterable[GameTask]:
        """Return the games that can be played now."""

    def add(self, game: PlayedGame) -> None:
        """Add a finished game."""


def run_contest(
    state: ContestState,
    workers: Workers,
    on_game: Callable[[PlayedGame], None],
    tick: Callable[[], object] = lambda: None,
) -> None:
    """Play the remaining games of a contest.

    Args:
        state: the contest and its finished games; further games are added as they finish.
        workers: the workers that play the games.
        on_game: called with each game after it has been added.
        tick: called at least once a second.

    Raises:
        ContestStopped: after a crash or a hang, unless the contest recovers; the game has been added.
        TengenError: a game raised it.
    """
    while not state.over:
        with closing(running(state.tasks(), workers, "contest", tick)) as games:
            for game in games:
                state.add(game)
                on_game(game)
                if game.end in ("crash", "hang") and not state.recover:
                    raise ContestStopped("error.arena.stopped", name=game.loser, detail=game.detail)
                if state.over:
                    return
