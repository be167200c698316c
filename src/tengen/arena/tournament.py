"""A tournament: many players, a schedule, and ratings at the end."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from tengen.arena.arena_error import ArenaError
from tengen.arena.contest import Contest
from tengen.arena.game import GameTask
from tengen.arena.rating import Ratings, rate
from tengen.arena.results import PlayedGame
from tengen.arena.schedule import Pairing, gauntlet, round_robin, swiss_round, with_colours
from tengen.arena.standings import standings
from tengen.arena.stored import from_data, to_data
from tengen.game.notation import shorten

Kind: TypeAlias = Literal["round-robin", "gauntlet", "swiss"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Contest):
    """The settings of a tournament.

    In a *meeting* two players play `games` games: two on each opening, with colours swapped. All meetings
    of a round use the same openings.

    Attributes:
        kind: the kind of schedule.
        rounds: the number of meetings of each pair, or of rounds of a Swiss tournament.
        games: the number of games in a meeting.
        champions: in a gauntlet, the number of players, from the first, that meet all others.
    """

    kind: Kind
    rounds: int = 1
    games: int = 2
    champions: int = 1

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ArenaError("error.arena.kind", kind=shorten(str(self.kind)), kinds=KINDS)
        if len(self.players) < 2:
            raise ArenaError("error.arena.players", count=len(self.players))
        if self.kind == "gauntlet" and not 0 < self.champions < len(self.players):
            raise ArenaError("error.arena.champions", most=len(self.players) - 1, count=self.champions)
        if self.rounds < 1 or self.games < 1:
            raise ArenaError("error.arena.games", games=min(self.rounds, self.games))
        Contest.__post_init__(self)

    @property
    def total(self) -> int:
        """The number of games of the whole tournament."""
        return self.rounds * self._meetings() * self.games

    def schedule(self) -> list[Pairing] | None:
        """Return all pairings in order; None for a Swiss tournament, where they depend on results."""
        if self.kind == "round-robin":
            return round_robin(len(self.players), self.rounds)
        if self.kind == "gauntlet":
            return gauntlet(len(self.players), self.champions, self.rounds)
        return None

    def meeting(self, number: int, pairing: Pairing) -> Iterator[GameTask]:
        """Yield the games of a meeting.

        Args:
            number: the number of the meeting in the tournament, from 0.
            pairing: the two players.
        """
        openings_per_meeting = math.ceil(self.games / 2)
        first_opening = number // self._meetings() * openings_per_meeting
        for game in range(self.games):
            colours = pairing if game % 2 == 0 else pairing[::-1]
            yield self.game(number * self.games + game, first_opening + game // 2, colours)

    def _meetings(self) -> int:
        """Return the number of meetings in a round."""
        count = len(self.players)
        if self.kind == "swiss":
            return count // 2
        if self.kind == "gauntlet":
            return self.champions * (count - self.champions)
        return count * (count - 1) // 2

    def to_dict(self) -> dict[str, Any]:
        """Return the tournament as JSON-ready data."""
        return to_data(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tournament:
        """Return the tournament from the data of `to_dict`.

        Raises:
            TengenError: the data are damaged, or a spec names no player.
        """
        return from_data(cls, data)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One player's row of the table.

    Attributes:
        name: the player.
        points: 1 for a win, 1/2 for a draw, and one for each game of a meeting missed by a bye.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        buchholz: the sum of the opponents' points, a tie-break: the higher, the stronger the opponents. In
            a Swiss tournament an opponent counts once a meeting, else once.
    """

    name: str
    points: float
    wins: int
    draws: int
    losses: int
    buchholz: float


@dataclass(slots=True)
class Table:
    """The state of a tournament.

    Attributes:
        tournament: its settings.
        games: the finished games, by number.
    """

    tournament: Tournament
    games: dict[int, PlayedGame] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """True when all games have been played."""
        return len(self.games) >= self.tournament.total

    @property
    def recover(self) -> bool:
        """True if the tournament goes on after a crash or a hang."""
        return self.tournament.recover

    def add(self, game: PlayedGame) -> None:
        """Add a finished game."""
        self.games[game.number] = game

    def ratings(self) -> Ratings:
        """Return the players' ratings; see `tengen.arena.rating`."""
        return rate((game.black, game.white, game.points) for _, game in sorted(self.games.items()))

    def rows(self) -> list[TableRow]:
        """Return the rows in order of points, then of Buchholz, then of the players in the settings."""
        names = self.tournament.names
        index = {name: number for number, name in enumerate(names)}
        games = [(index[game.black], index[game.white], game.points) for game in self.games.values()]
        bye_points: dict[int, float] = defaultdict(float)
        opponents: list[list[int]] = [[] for _ in names]
        if self.tournament.kind == "swiss":
            for pairs, bye in self.rounds():
                if bye is not None:
                    bye_points[bye] += self.tournament.games
                for first, second in pairs:
                    opponents[first].append(second)
                    opponents[second].append(first)
        else:
            for black, white, _ in games:
                if white not in opponents[black]:
                    opponents[black].append(white)
                    opponents[white].append(black)
        rows = [
            TableRow(name, player.points, player.wins, player.draws, player.losses, player.buchholz)
            for name, player in zip(names, standings(len(names), games, opponents, bye_points), strict=True)
        ]
        return sorted(rows, key=lambda row: (-row.points, -row.buchholz, index[row.name]))

    def rounds(self) -> list[tuple[list[Pairing], int | None]]:
        """Return the rounds of a Swiss tournament: all that are finished, and the next.

        Each round follows from the results of those before, so rounds are not saved.

        Returns:
            For each round its pairings, and the player with a bye, if any.
        """
        tournament = self.tournament
        count = len(tournament.players)
        index = {name: number for number, name in enumerate(tournament.names)}
        points = [0.0] * count
        met: dict[Pairing, int] = defaultdict(int)
        byes: list[int] = []
        rounds: list[tuple[list[Pairing], int | None]] = []
        size = (count // 2) * tournament.games
        for number in range(tournament.rounds):
            pairs, bye = swiss_round(points, met, byes)
            if tournament.games % 2:
                pairs = with_colours(pairs, [pair for earlier, _ in rounds for pair in earlier])
            rounds.append((pairs, bye))
            games = [self.games.get(game) for game in range(number * size, (number + 1) * size)]
            finished = [game for game in games if game is not None]
            if len(finished) < size:
                break
            for game in finished:
                points[index[game.black]] += game.points
                points[index[game.white]] += 1 - game.points
            for first, second in pairs:
                met[min(first, second), max(first, second)] += 1
            if bye is not None:
                byes.append(bye)
                points[bye] += tournament.games
        return rounds

    def tasks(self) -> Iterator[GameTask]:
        """Yield the games left to play; of a Swiss tournament, those left in the current round."""
        pairings = self.tournament.schedule()
        if pairings is None:
            rounds = self.rounds()
            first = (len(rounds) - 1) * (len(self.tournament.players) // 2)
            meetings = list(enumerate(rounds[-1][0], first))
        else:
            meetings = list(enumerate(pairings))
        for number, pairing in meetings:
            for task in self.tournament.meeting(number, pairing):
                if task.number not in self.games:
                    yield task
