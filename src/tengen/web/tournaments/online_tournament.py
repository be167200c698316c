"""The model of a tournament: its entrants, its rounds with their results, its pairings and its table.

It is independent of the server: games are ids, and results are passed in. `advance` pairs the next round as
soon as all games of the previous one have ended.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tengen.arena.schedule import Pairing, round_robin, swiss_round, with_colours
from tengen.arena.standings import Standing, standings
from tengen.schemas.tournament import TournamentKind, TournamentStatus
from tengen.web.games.terms import GameTerms
from tengen.web.transport.errors import NotYourSeat, Refused

MOST_ENTRANTS = 32
MOST_COMPUTERS = 4
MOST_ROUNDS: Mapping[TournamentKind, int] = {"round-robin": 2, "swiss": 20}
"""The most rounds by kind: repetitions of a round robin, or rounds of a Swiss tournament."""

WALKOVER = "walkover"
"""The reason of a result where only one of the two entrants could play."""

VOID = "void"
"""The reason of a result for which neither entrant receives points."""


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """The options of a tournament.

    Attributes:
        name: the tournament's name.
        kind: the pairing system, round robin or Swiss.
        rounds: how often each pair meets in a round robin, or the number of rounds of a Swiss tournament.
        terms: the terms of its games.
        listed: whether the tournament is listed for all visitors; otherwise only its URL leads to it.
    """

    name: str
    kind: TournamentKind
    rounds: int
    terms: GameTerms
    listed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON data."""
        own = {"name": self.name, "kind": self.kind, "rounds": self.rounds, "listed": self.listed}
        return {**own, **self.terms.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TournamentOptions:
        """Return the options that `to_dict` wrote, now or in an earlier version."""
        terms = GameTerms.from_dict(data)
        return cls(data["name"], data["kind"], data["rounds"], terms, data.get("listed", False))


@dataclass(slots=True)
class Entrant:
    """An entrant of a tournament.

    Attributes:
        id: the entrant's number, from 1.
        name: a person's name at the time of entry; empty for a computer or a deleted visitor.
        visitor: the visitor's id, which must not be shown to others; None for a computer or a deleted
            visitor.
        player: a computer's spec; None for a person.
        withdrawn: whether the entrant has withdrawn.
        missed: the number of rounds that had begun at the time of entry, for which it has no points.
    """

    id: int
    name: str
    visitor: str | None
    player: str | None
    withdrawn: bool = False
    missed: int = 0


@dataclass(slots=True)
class Meeting:
    """A meeting of two entrants in a round, with or without a game.

    Attributes:
        first: the entrant who moves first.
        second: the opponent.
        game: the game's id; None without a game, or before it is created.
        points: the first entrant's points, 1, 0.5 or 0; None while the meeting is running, and if void.
        reason: the reason of the result, as in `Outcome`, or `WALKOVER` or `VOID`; empty while running.
    """

    first: int
    second: int
    game: str | None = None
    points: float | None = None
    reason: str = ""


@dataclass(slots=True)
class Round:
    """A round, whose meetings are played at the same time.

    Attributes:
        meetings: the meetings.
        bye: the entrant with a bye; None for none.
    """

    meetings: list[Meeting]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One entrant's row of the table.

    Attributes:
        entrant: the entrant's number.
        place: the place, from 1; entrants with equal points and tie-breaks share a place.
        standing: the points and tie-breaks.
    """

    entrant: int
    place: int
    standing: Standing


@dataclass(slots=True)
class OnlineTournament:
    """A tournament.

    Attributes:
        id: 128 random bits in URL-safe characters.
        creator: the id of the visitor who created and controls the tournament, which must not be shown to
            others; None for a deleted visitor.
        options: the tournament's options.
        created: the time of creation, in Unix seconds.
        version: a number that grows by one with every change.
        status: open for entries, running, or over.
        entrants: the entrants, in order of entry.
        lots: the entrants' numbers in the order drawn for the pairings, followed by late entrants; empty
            before the start.
        rounds: the rounds that have begun.
    """

    id: str
    creator: str | None
    options: TournamentOptions
    created: float
    version: int = 1
    status: TournamentStatus = "open"
    entrants: list[Entrant] = field(default_factory=list)
    lots: list[int] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    # Entrants

    def entrant(self, number: int) -> Entrant:
        """Return the entrant with a number.

        Raises:
            Refused: no entrant has this number.
        """
        for entrant in self.entrants:
            if entrant.id == number:
                return entrant
        raise Refused("error.web.tournament.entrant", number=number)

    def entrant_of(self, visitor: str | None) -> Entrant | None:
        """Return a visitor's entrant; None for a visitor who has not entered."""
        if visitor is None:
            return None
        return next((entrant for entrant in self.entrants if entrant.visitor == visitor), None)

    @property
    def last_entry(self) -> int:
        """The last round during which entries are still accepted; 0 if entries close at the start.

        A Swiss tournament can be entered during the first half of its rounds, as on Lichess
        (https://lichess.org/swiss), without points for missed rounds. In a round robin a late entrant would
        have to meet all the others later.
        """
        return self.options.rounds // 2 if self.options.kind == "swiss" else 0

    def enter(self, visitor: str, name: str) -> None:
        """Enter a visitor; before the start, a visitor who has entered already is renamed.

        Raises:
            Refused: it is too late to enter or to be renamed; the tournament is full; or another entrant
                has this name.
        """
        own = self.entrant_of(visitor)
        if own is not None or self.status == "over" or len(self.rounds) > self.last_entry:
            self._check_open()
        others = (entrant.name.casefold() for entrant in self.entrants if entrant is not own)
        if name.casefold() in others:
            raise Refused("error.web.tournament.name_taken", name=name)
        if own is not None:
            own.name = name
        else:
            self._add(Entrant(self._next_id(), name, visitor, None, missed=len(self.rounds)))

    def add_computer(self, visitor: str, player: str) -> None:
        """Enter a computer.

        Args:
            visitor: the visitor who asks for it.
            player: the computer's spec, already checked.

        Raises:
            NotYourSeat: the visitor is not the tournament's creator.
            Refused: the tournament has begun, is full, has this computer already, or has too many
                computers.
        """
        self.check_creator(visitor)
        self._check_open()
        computers = [entrant.player for entrant in self.entrants if entrant.player is not None]
        if player in computers:
            raise Refused("error.web.tournament.computer_twice")
        if len(computers) >= MOST_COMPUTERS:
            raise Refused("error.web.tournament.computers", most=MOST_COMPUTERS)
        self._add(Entrant(self._next_id(), "", None, player))

    def withdraw(self, visitor: str, number: int) -> None:
        """Withdraw an entrant: before the start it is removed, later it loses its remaining games.

        Raises:
            NotYourSeat: the visitor is neither the entrant nor the tournament's creator.
            Refused: the entrant does not exist, or the tournament is over.
        """
        entrant = self.entrant(number)
        if entrant.visitor != visitor:
            self.check_creator(visitor)
        if self.status == "over":
            raise Refused("error.web.tournament.over")
        if self.status == "open":
            self.entrants.remove(entrant)
        entrant.withdrawn = True

    def forget(self, visitor: str) -> None:
        """Withdraw a visitor and remove its name and id; results of its games stay."""
        own = self.entrant_of(visitor)
        if own is not None:
            if self.status == "open":
                self.entrants.remove(own)
            own.withdrawn = own.withdrawn or self.status == "running"
            own.name, own.visitor = "", None
        if self.creator == visitor:
            self.creator = None

    def check_creator(self, visitor: str) -> None:
        """Check that a visitor is the tournament's creator.

        Raises:
            NotYourSeat: the visitor is not the creator.
        """
        if visitor != self.creator:
            raise NotYourSeat("error.web.tournament.creator")

    def _check_open(self) -> None:
        if self.status != "open":
            raise Refused("error.web.tournament.begun")

    def _add(self, entrant: Entrant) -> None:
        if len(self.entrants) >= MOST_ENTRANTS:
            raise Refused("error.web.tournament.full", most=MOST_ENTRANTS)
        self.entrants.append(entrant)
        if self.status == "running":
            self.lots.append(entrant.id)

    def _next_id(self) -> int:
        return 1 + max((entrant.id for entrant in self.entrants), default=0)

    # Progress

    def start(self, visitor: str) -> None:
        """Start the tournament: draw lots, and pair the first round.

        Raises:
            NotYourSeat: the visitor is not the tournament's creator.
            Refused: the tournament has begun, or has fewer than two entrants.
        """
        self.check_creator(visitor)
        self._check_open()
        if len(self.entrants) < 2:
            raise Refused("error.web.tournament.few")
        self.status = "running"
        self.lots = [entrant.id for entrant in self.entrants]
        random.SystemRandom().shuffle(self.lots)
        self.advance()

    @property
    def most_games(self) -> int:
        """The most games of the tournament with its present entrants."""
        count, rounds = len(self.entrants), self.options.rounds
        return rounds * (count // 2 if self.options.kind == "swiss" else count * (count - 1) // 2)

    def going_on(self) -> Iterator[Meeting]:
        """Return the meetings without a result, whether or not their games have been created."""
        return (meeting for played in self.rounds for meeting in played.meetings if not meeting.reason)

    def settle(self, results: Mapping[str, tuple[float | None, str]]) -> None:
        """Record the results of finished games.

        Args:
            results: the first entrant's points and the reason of the result, by game id.
        """
        for meeting in self.going_on():
            if meeting.game is not None and meeting.game in results:
                meeting.points, meeting.reason = results[meeting.game]

    def advance(self) -> None:
        """Pair the next round once the present one is over, or end the tournament after the final round."""
        while self.status == "running" and not any(self.going_on()):
            following = self._swiss() if self.options.kind == "swiss" else self._round_robin()
            if following is None:
                self.status = "over"
            else:
                self.rounds.append(following)

    def _round_robin(self) -> Round | None:
        count = len(self.lots)
        size = count // 2
        begin = len(self.rounds) * size
        pairs = round_robin(count, self.options.rounds)[begin : begin + size]
        if not pairs:
            return None
        playing = {player for pair in pairs for player in pair}
        byes = [self.lots[player] for player in range(count) if player not in playing]
        return Round([self._meeting(pair, self.lots) for pair in pairs], byes[0] if byes else None)

    def _swiss(self) -> Round | None:
        active = [number for number in self.lots if not self.entrant(number).withdrawn]
        if len(self.rounds) >= self.options.rounds or len(active) < 2:
            return None
        place = {number: player for player, number in enumerate(active)}
        points = {row.entrant: row.standing.points for row in self.table()}
        before = [
            (place.get(meeting.first, -1), place.get(meeting.second, -1))
            for played in self.rounds
            for meeting in played.meetings
        ]
        met = Counter((min(pair), max(pair)) for pair in before)
        # Count rounds missed before a late entry as byes, so that the entrant does not begin with a bye.
        rests = Counter(played.bye for played in self.rounds)
        rests.update({entrant.id: entrant.missed for entrant in self.entrants})
        least = min(rests[number] for number in active)
        rested = {player for player, number in enumerate(active) if rests[number] > least}
        pairs, bye = swiss_round([points[number] for number in active], met, rested)
        meetings = [self._meeting(pair, active) for pair in with_colours(pairs, before)]
        return Round(meetings, None if bye is None else active[bye])

    def _meeting(self, pair: Pairing, numbers: list[int]) -> Meeting:
        """Return a meeting of two entrants; it has a result at once if one of them has withdrawn."""
        first, second = (numbers[player] for player in pair)
        gone = self.entrant(first).withdrawn, self.entrant(second).withdrawn
        if not any(gone):
            return Meeting(first, second)
        if all(gone):
            return Meeting(first, second, reason=VOID)
        return Meeting(first, second, points=float(gone[1]), reason=WALKOVER)

    # Standings

    def table(self) -> list[EntrantRow]:
        """Return the table, in order of place.

        Equal points are decided by Buchholz (in a Swiss tournament only), then Sonneborn-Berger, then wins.
        A bye in a Swiss round gives one point.
        """
        numbers = self.lots or [entrant.id for entrant in self.entrants]
        place = {number: player for player, number in enumerate(numbers)}
        games = [
            (place[meeting.first], place[meeting.second], meeting.points)
            for played in self.rounds
            for meeting in played.meetings
            if meeting.points is not None
        ]
        opponents: list[list[int]] = [[] for _ in numbers]
        for one, other, _ in games:
            opponents[one].append(other)
            opponents[other].append(one)
        swiss = self.options.kind == "swiss"
        byes = Counter(place[played.bye] for played in self.rounds if swiss and played.bye is not None)
        found = standings(len(numbers), games, opponents, {player: float(byes[player]) for player in byes})

        def merits(standing: Standing) -> tuple[float, ...]:
            buchholz = standing.buchholz if swiss else 0.0
            return (standing.points, buchholz, standing.sonneborn_berger, standing.wins)

        ranked = sorted(zip(numbers, found, strict=True), key=lambda pair: merits(pair[1]), reverse=True)
        order = [merits(standing) for _, standing in ranked]
        return [
            EntrantRow(number, 1 + order.index(merits(standing)), standing) for number, standing in ranked
        ]

    # Serialisation

    def to_json(self) -> str:
        """Return the tournament as JSON text."""
        data = {
            name: getattr(self, name) for name in ("id", "creator", "created", "version", "status", "lots")
        }
        data["options"] = self.options.to_dict()
        data["entrants"] = [asdict(entrant) for entrant in self.entrants]
        data["rounds"] = [asdict(played) for played in self.rounds]
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> OnlineTournament:
        """Return the tournament that `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        data["options"] = TournamentOptions.from_dict(data["options"])
        data["entrants"] = [Entrant(**entrant) for entrant in data["entrants"]]
        data["rounds"] = [
            Round([Meeting(**meeting) for meeting in played["meetings"]], played["bye"])
            for played in data["rounds"]
        ]
        return cls(**data)
