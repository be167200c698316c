"""Tournaments: entrants, rounds and the table, requests, and the message of their socket."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt, StrictStr

from tengen.schemas.base import Schema
from tengen.schemas.game import ClockText, SpecText, TermsRequest
from tengen.schemas.position import RulesRequest
from tengen.schemas.rules import WithRules

TournamentKind: TypeAlias = Literal["round-robin", "swiss"]
TournamentStatus: TypeAlias = Literal["open", "running", "over"]
NameText: TypeAlias = Annotated[StrictStr, Field(max_length=200)]


class EntrantData(Schema):
    """An entrant: a person with a name, or a computer."""

    id: int
    name: str | None
    occupant: str
    """`human`, or the spec of a computer player."""
    withdrawn: bool


class MeetingData(Schema):
    """A meeting of two entrants; the first one moves first."""

    first: int
    second: int
    game: str | None
    points: float | None
    """The first one's points."""
    reason: str | None
    """The reason of the result, `walkover` and `void` included; null while it is running."""


class RoundData(Schema):
    """A round, and the entrant with a bye."""

    meetings: tuple[MeetingData, ...]
    bye: int | None


class EntrantRowData(Schema):
    """One entrant's row of the table."""

    entrant: int
    place: int
    points: float
    wins: int
    draws: int
    losses: int
    buchholz: float
    sonneborn_berger: float


class TournamentData(WithRules):
    """A tournament, as one visitor sees it."""

    id: str
    version: int
    name: str
    kind: TournamentKind
    rounds: int
    opening: str | None
    clock: str | None
    listed: bool
    """True if it is listed for all visitors."""
    status: TournamentStatus
    last_entry: int
    """The last round during which one may still enter; 0 if entries close at the start."""
    created: float
    entrants: tuple[EntrantData, ...]
    played: tuple[RoundData, ...]
    """The rounds that have begun."""
    table: tuple[EntrantRowData, ...]
    you: int | None
    """The visitor's own entrant."""
    made: bool
    """True if the visitor has created it."""


class TournamentList(Schema):
    """The visitor's own tournaments, and the other listed ones."""

    tournaments: tuple[TournamentData, ...]
    listed: tuple[TournamentData, ...]


class TournamentMessage(Schema):
    """The message with a tournament, sent whenever it changes."""

    type: Literal["tournament"] = "tournament"
    tournament: TournamentData


class TournamentRequest(RulesRequest, TermsRequest):
    """A new tournament; with a name in `entry` its creator enters it."""

    name: NameText
    kind: TournamentKind = "round-robin"
    rounds: Annotated[StrictInt, Field(ge=1)] = 1
    clock: ClockText = "300+5"
    listed: StrictBool = False
    entry: NameText | None = None


class EntryRequest(Schema):
    """An entry under a name, which becomes the visitor's name."""

    name: NameText


class ComputerRequest(Schema):
    """The entry of a computer, by its spec."""

    player: SpecText


class WithdrawRequest(Schema):
    """The withdrawal of an entrant; of the visitor itself if `entrant` is null."""

    entrant: StrictInt | None = None
