"""A tournament: many players, a schedule, and ratings at the end."""

from __future__ import annotations

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
    """The settings of a tournament; all meetings of one round begin with the same opening.

    Attributes:
        kind: the kind of schedule.
        rounds: the number of meetings of each pair, or of rounds of a Swiss tournament.
        games: the number of games in a meeting: each opening twice, colours swapped.
        champions: the number of first players that run a gauntlet.
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
        """The number of all games."""
        return self.rounds * self._meetings() * self.games

    def schedule(self) -> list[Pairing] | None:
        """All pairings in order; None for a Swiss tournament, where they depend on results."""
        if self.kind == "round-robin":
            return round_robin(len(self.players), self.rounds)
        if self.kind == "gauntlet":
            return gauntlet(len(self.players), self.champions, self.rounds)
        return None

    def meeting(self, place: int, pairing: Pairing) -> Iterator[GameTask]:
        """The games of one meeting.

        Args:
            place: its place among all meetings, from 0.
            pairing: the two players.
        """
        pairs = -(-self.games // 2)
        first = place // self._meetings() * pairs
        for game in range(self.games):
            colours = pairing if game % 2 == 0 else pairing[::-1]
            yield self.game(place * self.games + game, first + game // 2, colours)

    def _meetings(self) -> int:
        """Meetings in one round."""
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
        """Return the tournament that `to_dict` made data of.

        Raises:
            TengenError: the data are damaged, or a spec is of no player.
        """
        return from_data(cls, data)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One player's row of the table.

    Attributes:
        name: the player.
        points: a win 1, a draw 1/2, and what it got for sitting out.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        buchholz: the points of all it has met, once a meeting: who had the harder opponents.
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
        """Take a finished game in."""
        self.games[game.number] = game

    def ratings(self) -> Ratings:
        """The players' ratings; see `tengen.arena.rating`."""
        return rate((game.black, game.white, game.points) for _, game in sorted(self.games.items()))

    def rows(self) -> list[TableRow]:
        """The table, by points, then Buchholz, then the order of the players."""
        names = self.tournament.names
        place = {name: number for number, name in enumerate(names)}
        games = [(place[game.black], place[game.white], game.points) for game in self.games.values()]
        rested: dict[int, float] = defaultdict(float)
        opponents: list[list[int]] = [[] for _ in names]
        if self.tournament.kind == "swiss":
            for pairs, bye in self.rounds():
                if bye is not None:
                    rested[bye] += self.tournament.games
                for one, other in pairs:
                    opponents[one].append(other)
                    opponents[other].append(one)
        else:
            for black, white, _ in games:
                if white not in opponents[black]:
                    opponents[black].append(white)
                    opponents[white].append(black)
        found = standings(len(names), games, opponents, rested)
        rows = [
            TableRow(name, one.points, one.wins, one.draws, one.losses, one.buchholz)
            for name, one in zip(names, found, strict=True)
        ]
        return sorted(rows, key=lambda row: (-row.points, -row.buchholz, place[row.name]))

    def rounds(self) -> list[tuple[list[Pairing], int | None]]:
        """The rounds of a Swiss tournament so far: those whose games have all been played, and the next.

        Each follows from the results of those before, so it need not be saved.
        """
        tournament = self.tournament
        count = len(tournament.players)
        points, met, byes = [0.0] * count, defaultdict(int), []  # type: ignore[var-annotated]
        found: list[tuple[list[Pairing], int | None]] = []
        size = (count // 2) * tournament.games
        for turn in range(tournament.rounds):
            pairs, bye = swiss_round(points, met, byes)
            if tournament.games % 2:
                pairs = with_colours(pairs, [pair for before, _ in found for pair in before])
            found.append((pairs, bye))
            numbers = range(turn * size, (turn + 1) * size)
            if not all(number in self.games for number in numbers):
                break
            places = {name: place for place, name in enumerate(tournament.names)}
            for number in numbers:
                game = self.games[number]
                points[places[game.black]] += game.points
                points[places[game.white]] += 1 - game.points
            for one, other in pairs:
                met[min(one, other), max(one, other)] += 1
            if bye is not None:
                byes.append(bye)
                points[bye] += tournament.games
        return found

    def tasks(self) -> Iterator[GameTask]:
        """The games that can be played now: all that are left, or those left of a Swiss round."""
        pairings = self.tournament.schedule()
        if pairings is None:
            rounds = self.rounds()
            first = (len(rounds) - 1) * (len(self.tournament.players) // 2)
            meetings = list(enumerate(rounds[-1][0], first))
        else:
            meetings = list(enumerate(pairings))
        for place, pairing in meetings:
            for task in self.tournament.meeting(place, pairing):
                if task.number not in self.games:
                    yield task
