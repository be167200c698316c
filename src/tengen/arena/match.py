"""A match: two players, colour-swapped pairs of games, one answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen.arena.arena_error import ArenaError
from tengen.arena.contest import Contest
from tengen.arena.game import GameTask
from tengen.arena.results import PlayedGame
from tengen.arena.sprt import Hypothesis
from tengen.arena.statistics import Tally
from tengen.arena.stored import StoredSprt, from_data, to_data


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Contest):
    """The settings of a match; they determine the games, wherever and in whatever order they are played.

    Figures are the first player's.

    Attributes:
        games: the number of games.
        repeat: each opening twice, colours swapped. Otherwise each opening once, colours in turn.
        sprt: the test that may end the match, or None.
        log: keep the lines to and from external programs.
    """

    games: int
    repeat: bool = True
    sprt: StoredSprt | None = None
    log: bool = False

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ArenaError("error.arena.games", games=self.games)
        Contest.__post_init__(self)

    def tasks(self, played: Iterable[int] = ()) -> Iterator[GameTask]:
        """Yield the games in order, except those with a number in `played`."""
        done = frozenset(played)
        return (self.task(number) for number in range(self.games) if number not in done)

    def task(self, number: int) -> GameTask:
        """Return a game by its number; in each pair the first player has Black first."""
        turn = number // 2 if self.repeat else number
        return self.game(number, turn, (number % 2, 1 - number % 2), log=self.log)

    def to_dict(self) -> dict[str, Any]:
        """Return the match as JSON-ready data."""
        return to_data(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Match:
        """Return the match from the data of `to_dict`.

        Raises:
            TengenError: the data are damaged, or a spec names no player.
        """
        match = from_data(cls, data)
        if len(match.players) != 2:
            raise ArenaError("error.arena.settings")
        return match


@dataclass(slots=True)
class MatchState:
    """The state of a match: finished games in any order, figures that do not depend on it.

    A test that may end the match takes the pairs in the order of their numbers, and only as far as none is
    missing: the games that happen to end first (the short ones) must not decide. Games beyond the deciding
    pair are not counted.

    Attributes:
        match: its settings.
        games: the finished games, by number.
    """

    match: Match
    games: dict[int, PlayedGame] = field(default_factory=dict)
    _decided: int | None = None
    _examined: int = 0
    _examined_tally: Tally = field(default_factory=Tally)

    @property
    def recover(self) -> bool:
        """True if the match goes on after a crash or a hang."""
        return self.match.recover

    def tasks(self) -> Iterator[GameTask]:
        """The games that are left, in order."""
        return self.match.tasks(self.games)

    def add(self, game: PlayedGame) -> None:
        """Add a finished game."""
        self.games[game.number] = game
        sprt = self.match.sprt
        step = 2 if self.match.repeat else 1
        while sprt is not None and self._decided is None and self._whole(self._examined, step):
            self._examined_tally += self._tally(range(self._examined, self._examined + step))
            self._examined += step
            if sprt.decision(self._examined_tally) is not None:
                self._decided = self._examined

    @property
    def over(self) -> bool:
        """True when nothing is left to play."""
        return self._decided is not None or len(self.games) >= self.match.games

    @property
    def uncounted(self) -> int:
        """Games that ended after the test had decided."""
        return len(self.games) - len(self.counted())

    @property
    def tally(self) -> Tally:
        """Wins, draws and losses of the first player, and its pairs."""
        return self._examined_tally if self._decided is not None else self._tally(sorted(self.games))

    def counted(self) -> list[PlayedGame]:
        """Return the games that count, in order."""
        end = self._decided
        return [game for number, game in sorted(self.games.items()) if end is None or number < end]

    def decision(self) -> Hypothesis | None:
        """Return the hypothesis that the test accepts, ``"H0"`` or ``"H1"``, or None."""
        sprt = self.match.sprt
        return None if sprt is None or self._decided is None else sprt.decision(self.tally)

    def llr(self) -> float | None:
        """Return the log-likelihood ratio of the test; None without a test."""
        return None if self.match.sprt is None else self.match.sprt.llr(self.tally)

    def faults(self) -> dict[str, dict[str, int]]:
        """Count the losses of each player by each fault; those that never happened are left out."""
        faults: dict[str, dict[str, int]] = {name: {} for name in self.match.names}
        for game in self.counted():
            if game.lost_by_fault is not None:
                counts = faults[game.lost_by_fault]
                counts[game.end] = counts.get(game.end, 0) + 1
        return faults

    def points(self, game: PlayedGame) -> float:
        """Return the first player's points in a game."""
        return game.points if game.number % 2 == 0 else 1 - game.points

    def _whole(self, start: int, step: int) -> bool:
        return all(number in self.games for number in range(start, start + step))

    def _tally(self, numbers: Iterable[int]) -> Tally:
        """Count the results of these games."""
        points = {number: self.points(self.games[number]) for number in numbers}
        if not self.match.repeat:
            return Tally.from_points(list(points.values()))
        pairs = []
        for pair in dict.fromkeys(number // 2 for number in points):
            first, second = points.get(2 * pair), points.get(2 * pair + 1)
            pairs.append((second, None) if first is None else (first, second))
        return Tally.from_pairs(pairs)
