"""A contest at work: what is left of a match or a tournament is played, game by game."""

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
    """A player has crashed or hung, and the contest was not to go on."""


class ContestState(Protocol):
    """The state of a contest: `tengen.arena.match.MatchState`, `tengen.arena.tournament.Table`."""

    @property
    def over(self) -> bool:
        """True when nothing is left to play."""

    @property
    def recover(self) -> bool:
        """True if the contest goes on after a crash or a hang."""

    def tasks(self) -> Iterable[GameTask]:
        """The games that can be played now."""

    def add(self, game: PlayedGame) -> None:
        """Add a finished game."""


def run_contest(
    state: ContestState,
    workers: Workers,
    on_game: Callable[[PlayedGame], None],
    tick: Callable[[], object] = lambda: None,
) -> None:
    """Play what is left of a contest.

    Args:
        state: the contest, and what of it has been played; finished games are added.
        workers: play the games.
        on_game: called with each game when it has been added.
        tick: called at least once a second.

    Raises:
        ContestStopped: after a crash or a hang, where it is not to recover; the game has been added.
        TengenError: what a game raised.
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
