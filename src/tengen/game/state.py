"""All that a session remembers, and its form in JSON: what is saved is what there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from tengen.game.board import Outcome
from tengen.game.clock import Clock, TimeControl
from tengen.game.course import Course
from tengen.game.errors import NotationError, RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.openings import FIRST, SECOND
from tengen.game.player import Player
from tengen.game.points import BLACK, WHITE

HUMAN: Literal["human"] = "human"
FORMAT = "tengen session"
VERSION = 1

Occupant: TypeAlias = "Literal['human'] | Player"
TakeBackUnit: TypeAlias = Literal["stone", "round"]
PlayerMaker: TypeAlias = Callable[[str], Player]


@dataclass(slots=True)
class Seat:
    """One side of the table.

    Attributes:
        occupant: ``"human"``, or the player that sits there.
        take_backs: how many are left; None is no limit.
        clock: its clock between its moves, or None.
    """

    occupant: Occupant
    take_backs: int | None
    clock: Clock | None

    @property
    def name(self) -> str:
        """``"human"``, or the player's spec."""
        return self.occupant if isinstance(self.occupant, str) else self.occupant.name


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of the other side that waits for an answer: ``"draw"`` or ``"take_back"``."""

    kind: Literal["draw", "take_back"]
    by: int

    def __post_init__(self) -> None:
        if self.kind not in ("draw", "take_back") or self.by not in (FIRST, SECOND):
            raise ValueError(self)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        number: counts from 0 without gaps, so that a face can ask for what it has not seen.
        kind: ``"move"``, ``"choice"``, ``"take_back"``, ``"request"``, ``"decline"``, ``"claim"``,
            ``"pause"``, ``"resume"``, ``"seat"`` or ``"end"``.
        by: the participant who did it, or None.
        data: what else there is to say, ready for JSON.
    """

    number: int
    kind: str
    by: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """What a session remembers.

    Attributes:
        course: the game so far.
        control: the time control, or None for no clocks.
        take_back_unit: ``"stone"`` or ``"round"``.
        consent: whether a human opponent must agree to a take-back.
        seats: the two seats by participant.
        ended: the end of the game where the board has not decided it.
        request: what waits for an answer.
        declined: who had a draw declined, and after how many actions.
        events: all that has happened.
        spent: seconds that whoever is to act has used so far.
        paused: whether the clocks and the game stand still.
    """

    course: Course
    control: TimeControl | None
    take_back_unit: TakeBackUnit
    consent: bool
    seats: dict[int, Seat]
    ended: Outcome | None = None
    request: Request | None = None
    declined: tuple[int, int] | None = None
    events: list[Event] = field(default_factory=list)
    spent: float = 0.0
    paused: bool = False

    def __post_init__(self) -> None:
        if self.take_back_unit not in ("stone", "round"):
            raise RulesError("error.session.unit", value=shorten(repr(self.take_back_unit)))
        for seat in self.seats.values():
            if seat.take_backs is not None and seat.take_backs < 0:
                raise RulesError("error.session.take_backs", value=seat.take_backs)

    def to_json(self) -> str:
        """The state as JSON text."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "course": self.course.to_dict(),
            "control": None if self.control is None else asdict(self.control),
            "take_back_unit": self.take_back_unit,
            "consent": self.consent,
            "seats": [_seat_data(self.seats[participant]) for participant in (FIRST, SECOND)],
            "ended": None if self.ended is None else [self.ended.winner, self.ended.reason],
            "request": None if self.request is None else asdict(self.request),
            "declined": self.declined,
            "events": [asdict(event) for event in self.events],
            "spent": self.spent,
            "paused": self.paused,
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, make_player: PlayerMaker) -> State:
        """The state that was saved.

        Args:
            text: what `to_json` gave.
            make_player: makes a player of its spec.

        Raises:
            NotationError: text that is no saved session; the sentence says what is wrong with it.
        """
        try:
            return cls._from_dict(json.loads(text), make_player)
        except NotationError:
            raise
        except json.JSONDecodeError as error:
            raise NotationError("error.session.json", line=error.lineno, column=error.colno) from error
        except TengenError as error:
            raise NotationError("error.session.load", reason=error.message) from error
        except KeyError as error:
            raise NotationError("error.session.missing", field=shorten(str(error.args[0]))) from error
        except (TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            raise NotationError("error.session.damaged") from error

    @classmethod
    def _from_dict(cls, data: Any, make_player: PlayerMaker) -> State:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise NotationError("error.session.format")
        if data["version"] != VERSION:
            raise NotationError("error.session.version", version=shorten(str(data["version"])))
        control = None if data["control"] is None else TimeControl(**data["control"])
        given = zip((FIRST, SECOND), data["seats"], strict=True)
        ended, declined = data["ended"], data["declined"]
        return cls(
            course=Course.from_dict(data["course"]),
            control=control,
            take_back_unit=data["take_back_unit"],
            consent=_checked(data["consent"], bool),
            seats={participant: _seat(seat, control, make_player) for participant, seat in given},
            ended=None if ended is None else _ended(*ended),
            request=None if data["request"] is None else Request(**data["request"]),
            declined=None if declined is None else (_checked(declined[0], int), _checked(declined[1], int)),
            events=[_event(number, event) for number, event in enumerate(data["events"])],
            spent=TimeControl(_checked(data["spent"], float), periods=1, period=1.0).main,
            paused=_checked(data["paused"], bool),
        )


def _seat_data(seat: Seat) -> dict[str, Any]:
    data: dict[str, Any] = {"occupant": seat.name, "take_backs": seat.take_backs}
    if seat.clock is not None:
        data |= {"main": seat.clock.main, "periods": seat.clock.periods}
    return data


def _seat(data: dict[str, Any], control: TimeControl | None, make_player: PlayerMaker) -> Seat:
    name = _checked(data["occupant"], str)
    left = data["take_backs"]
    return Seat(
        HUMAN if name == HUMAN else make_player(name),
        None if left is None else _checked(left, int),
        None if control is None else Clock.full(control).with_left(data["main"], data["periods"]),
    )


def _ended(winner: Any, reason: Any) -> Outcome:
    if winner not in (None, BLACK, WHITE) or reason not in ("resigned", "time", "agreed"):
        raise ValueError(reason)
    return Outcome(winner, reason)


def _event(number: int, data: dict[str, Any]) -> Event:
    event = Event(**data)
    if event.number != number:
        raise ValueError(event.number)
    return Event(number, _checked(event.kind, str), event.by, _checked(event.data, dict))


def _checked(value: Any, kind: type) -> Any:
    """`value`, if JSON gave the right kind of it; a whole number is a float too."""
    kinds = (int, float) if kind is float else kind
    if not isinstance(value, kinds) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(value)
    return value
