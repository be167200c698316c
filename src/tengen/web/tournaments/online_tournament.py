"""A tournament as it is kept: who takes part, the rounds and their results, and what follows from them.

Nothing here knows of a server: games are ids, and results come from outside. `advance` pairs the next round
as soon as all games of the last one have ended.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from tengen.arena.schedule import Pairing, round_robin, swiss_round, with_colours
from tengen.arena.standings import Standing, standings
from tengen.web.server.http_errors import NotYourSeat, Refused

Kind: TypeAlias = Literal["round-robin", "swiss"]
Status: TypeAlias = Literal["open", "running", "over"]

MOST_ENTRANTS = 32
MOST_COMPUTERS = 4
MOST_ROUNDS: Mapping[Kind, int] = {"round-robin": 2, "swiss": 20}
"""How often each pair meets at most, and how many rounds a Swiss tournament has at most."""

WALKOVER = "walkover"
"""How a meeting has ended to which only one of both could come."""

VOID = "void"
"""How a meeting has ended that nobody gets anything for."""


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """What is to be played.

    Attributes:
        name: what the tournament is called.
        kind: everybody meets everybody, or by points.
        rounds: how often each pair meets, or how many rounds a Swiss tournament has.
        rules: `Rules.to_dict`.
        opening: an opening rule, or None.
        clock: the time control as text.
        listed: whether everybody on this server is shown it; else it is for those who have its address.
    """

    name: str
    kind: Kind
    rounds: int
    rules: dict[str, Any]
    opening: str | None
    clock: str
    listed: bool = False


@dataclass(slots=True)
class Entrant:
    """Somebody who takes part.

    Attributes:
        id: its number, from 1; nobody else gets it later.
        name: of a person, as it was when entering; empty for a computer, and for who has been forgotten.
        visitor: who that is; nobody else's business. None where there is no name.
        player: a computer's spec; None for a person.
        withdrawn: whether it plays no more.
        missed: rounds that had begun when it came; it has no points for them.
    """

    id: int
    name: str
    visitor: str | None
    player: str | None
    withdrawn: bool = False
    missed: int = 0


@dataclass(slots=True)
class Meeting:
    """One game of a round, or what is in its place.

    Attributes:
        first: the entrant who begins.
        second: the other one.
        game: the game's id; None where there is none (yet).
        points: of the first one, 1, 0.5 or 0; None as long as it goes on, and where nobody gets any.
        reason: how it ended, as in `Outcome`, or `WALKOVER` or `VOID`; empty as long as it goes on.
    """

    first: int
    second: int
    game: str | None = None
    points: float | None = None
    reason: str = ""


@dataclass(slots=True)
class Round:
    """Meetings that go on at the same time.

    Attributes:
        meetings: the games.
        bye: the entrant who sits out; None for nobody.
    """

    meetings: list[Meeting]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One entrant's row of the table.

    Attributes:
        entrant: its number.
        place: from 1; those whom nothing decides between share one.
        standing: points and tie-breaks.
    """

    entrant: int
    place: int
    standing: Standing


@dataclass(slots=True)
class OnlineTournament:
    """A tournament.

    Attributes:
        id: 128 random bits, fit for an address.
        creator: the visitor who has made it and decides about it; nobody else's business. None for one who
            has been forgotten.
        options: what is to be played.
        created: in Unix seconds.
        version: grows by one with every change.
        status: whether it can be entered, is being played, or is over.
        entrants: those who take part, in the order in which they came.
        lots: the entrants' numbers in the order that was drawn for the pairings, and after them those who
            came later; empty while it is open.
        rounds: those that have begun.
    """

    id: str
    creator: str | None
    options: TournamentOptions
    created: float
    version: int = 1
    status: Status = "open"
    entrants: list[Entrant] = field(default_factory=list)
    lots: list[int] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    # Who takes part

    def entrant(self, number: int) -> Entrant:
        """The entrant of a number.

        Raises:
            Refused: nobody here has it.
        """
        for one in self.entrants:
            if one.id == number:
                return one
        raise Refused("error.web.tournament.entrant", number=number)

    def entrant_of(self, visitor: str | None) -> Entrant | None:
        """The entrant that a visitor is; None for somebody who takes no part."""
        if visitor is None:
            return None
        return next((one for one in self.entrants if one.visitor == visitor), None)

    @property
    def last_entry(self) -> int:
        """The last round during which somebody can still come in; 0 where that ends with the beginning.

        A Swiss tournament can be entered during the first half of its rounds, as on Lichess
        (https://lichess.org/swiss), without points for those that one has missed. In a round robin
        everybody would have to be met later.
        """
        return self.options.rounds // 2 if self.options.kind == "swiss" else 0

    def enter(self, visitor: str, name: str) -> None:
        """Let somebody take part; whoever does already gets the name, before it has begun.

        Raises:
            Refused: it has begun, and it is too late for this one; it is full; or somebody else here has
                that name.
        """
        own = self.entrant_of(visitor)
        if own is not None or self.status == "over" or len(self.rounds) > self.last_entry:
            self._check_open()
        if any(one.name.casefold() == name.casefold() for one in self.entrants if one is not own):
            raise Refused("error.web.tournament.name_taken", name=name)
        if own is not None:
            own.name = name
        else:
            self._add(Entrant(self._next_id(), name, visitor, None, missed=len(self.rounds)))

    def add_computer(self, visitor: str, player: str) -> None:
        """Let a computer take part.

        Args:
            visitor: who asks for it.
            player: its spec, checked.

        Raises:
            NotYourSeat: somebody else has made the tournament.
            Refused: it has begun, or is full, or that computer takes part already.
        """
        self.check_creator(visitor)
        self._check_open()
        computers = [one.player for one in self.entrants if one.player is not None]
        if player in computers:
            raise Refused("error.web.tournament.computer_twice")
        if len(computers) >= MOST_COMPUTERS:
            raise Refused("error.web.tournament.computers", most=MOST_COMPUTERS)
        self._add(Entrant(self._next_id(), "", None, player))

    def withdraw(self, visitor: str, number: int) -> None:
        """Let an entrant take part no more: before the start it goes, later it loses what is left.

        Raises:
            NotYourSeat: it is neither the visitor, nor has the visitor made the tournament.
            Refused: there is no such entrant, or the tournament is over.
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
        """Say nothing of a visitor any more, who takes part no more; what has been played stays."""
        own = self.entrant_of(visitor)
        if own is not None:
            if self.status == "open":
                self.entrants.remove(own)
            own.withdrawn = own.withdrawn or self.status == "running"
            own.name, own.visitor = "", None
        if self.creator == visitor:
            self.creator = None

    def check_creator(self, visitor: str) -> None:
        """Refuse whoever has not made the tournament.

        Raises:
            NotYourSeat: that.
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
        return 1 + max((one.id for one in self.entrants), default=0)

    # How it goes on

    def start(self, visitor: str) -> None:
        """Close the entries, draw lots, and pair the first round.

        Raises:
            NotYourSeat: somebody else has made the tournament.
            Refused: it has begun, or nobody could meet.
        """
        self.check_creator(visitor)
        self._check_open()
        if len(self.entrants) < 2:
            raise Refused("error.web.tournament.few")
        self.status = "running"
        self.lots = [one.id for one in self.entrants]
        random.SystemRandom().shuffle(self.lots)
        self.advance()

    @property
    def most_games(self) -> int:
        """The most games that it has with those who take part now."""
        count, rounds = len(self.entrants), self.options.rounds
        return rounds * (count // 2 if self.options.kind == "swiss" else count * (count - 1) // 2)

    def going_on(self) -> Iterator[Meeting]:
        """The meetings whose games go on, or are still to be made."""
        return (meeting for one in self.rounds for meeting in one.meetings if not meeting.reason)

    def settle(self, results: Mapping[str, tuple[float | None, str]]) -> None:
        """Take in how games have ended.

        Args:
            results: the points of who was first, and the reason, by the game's id.
        """
        for meeting in self.going_on():
            if meeting.game is not None and meeting.game in results:
                meeting.points, meeting.reason = results[meeting.game]

    def advance(self) -> None:
        """Pair the next round if the last one is over, or end the tournament after the last one."""
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
            for one in self.rounds
            for meeting in one.meetings
        ]
        met = Counter((min(pair), max(pair)) for pair in before)
        # Who came later has sat out the rounds before, and is not to begin by sitting out.
        rests = Counter(one.bye for one in self.rounds)
        rests.update({one.id: one.missed for one in self.entrants})
        least = min(rests[number] for number in active)
        rested = {player for player, number in enumerate(active) if rests[number] > least}
        pairs, bye = swiss_round([points[number] for number in active], met, rested)
        meetings = [self._meeting(pair, active) for pair in with_colours(pairs, before)]
        return Round(meetings, None if bye is None else active[bye])

    def _meeting(self, pair: Pairing, numbers: list[int]) -> Meeting:
        """A meeting of two entrants; it is over already where one of them plays no more."""
        first, second = (numbers[player] for player in pair)
        gone = self.entrant(first).withdrawn, self.entrant(second).withdrawn
        if not any(gone):
            return Meeting(first, second)
        if all(gone):
            return Meeting(first, second, reason=VOID)
        return Meeting(first, second, points=float(gone[1]), reason=WALKOVER)

    # How it stands

    def table(self) -> list[EntrantRow]:
        """The table, the first one first.

        Between equal points decide in a Swiss tournament Buchholz, then Sonneborn-Berger, then the wins;
        where everybody meets everybody, Sonneborn-Berger, then the wins. Who sits out in a Swiss round
        gets a point for it.
        """
        numbers = self.lots or [one.id for one in self.entrants]
        place = {number: player for player, number in enumerate(numbers)}
        games = [
            (place[meeting.first], place[meeting.second], meeting.points)
            for one in self.rounds
            for meeting in one.meetings
            if meeting.points is not None
        ]
        opponents: list[list[int]] = [[] for _ in numbers]
        for one, other, _ in games:
            opponents[one].append(other)
            opponents[other].append(one)
        swiss = self.options.kind == "swiss"
        byes = Counter(place[one.bye] for one in self.rounds if swiss and one.bye is not None)
        found = standings(len(numbers), games, opponents, {player: float(byes[player]) for player in byes})

        def merits(standing: Standing) -> tuple[float, ...]:
            buchholz = standing.buchholz if swiss else 0.0
            return (standing.points, buchholz, standing.sonneborn_berger, standing.wins)

        ranked = sorted(zip(numbers, found, strict=True), key=lambda one: merits(one[1]), reverse=True)
        order = [merits(standing) for _, standing in ranked]
        return [
            EntrantRow(number, 1 + order.index(merits(standing)), standing) for number, standing in ranked
        ]

    # As it is kept

    def to_json(self) -> str:
        """The tournament as JSON text."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> OnlineTournament:
        """The tournament that `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        data["options"] = TournamentOptions(**data["options"])
        data["entrants"] = [Entrant(**one) for one in data["entrants"]]
        data["rounds"] = [
            Round([Meeting(**meeting) for meeting in one["meetings"]], one["bye"]) for one in data["rounds"]
        ]
        return cls(**data)
