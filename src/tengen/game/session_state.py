"""The complete state of a session, and its form in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from tengen.game.arguments import check_flag, check_text, shown
from tengen.game.board import Outcome
from tengen.game.clock import Clock, TimeControl, is_seconds
from tengen.game.course import Course
from tengen.game.errors import ArgumentError, NotationError, RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import Player, is_player

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
        occupant: ``"human"``, or a player.
        take_backs: the number left; None is no limit.
        clock: its clock between its moves, or None.
    """

    occupant: Occupant
    take_backs: int | None
    clock: Clock | None

    def __post_init__(self) -> None:
        if self.occupant != HUMAN and not is_player(self.occupant):
            raise RulesError("error.session.occupant", value=shown(self.occupant))
        _check_take_backs(self.take_backs)

    @property
    def name(self) -> str:
        """``"human"``, or the player's spec."""
        return self.occupant if isinstance(self.occupant, str) else self.occupant.name


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the other side that waits for an answer: ``"draw"`` or ``"take_back"``."""

    kind: Literal["draw", "take_back"]
    by: int

    def __post_init__(self) -> None:
        if self.kind not in ("draw", "take_back"):
            raise ValueError(self.kind)
        _participant(self.by)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a session.

    Attributes:
        number: counts from 0 without gaps, so that a client can ask for the events it has not received.
        kind: ``"move"``, ``"choice"``, ``"take_back"``, ``"request"``, ``"decline"``, ``"claim"``,
            ``"pause"``, ``"resume"``, ``"seat"``, ``"restore"`` or ``"end"``.
        by: the participant who caused it, or None.
        data: details, ready for JSON.
    """

    number: int
    kind: str
    by: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class SessionState:
    """The state of a session.

    Attributes:
        course: the game so far.
        control: the time control, or None for no clocks.
        take_backs: the number each side began with; None is no limit.
        take_back_unit: ``"stone"``, ``"round"``, or None to choose by the occupants.
        consent: True if a human opponent must agree to a take-back.
        seats: the two seats by participant.
        ended: the end of the game if the board has not decided it.
        request: the pending request.
        declined: the participants whose draw offer was declined in this position.
        events: all events so far.
        spent: seconds that the participant to act has used so far.
        paused: True if the clocks and the game are stopped.
    """

    course: Course
    control: TimeControl | None
    take_backs: int | None
    take_back_unit: TakeBackUnit | None
    consent: bool
    seats: dict[int, Seat]
    ended: Outcome | None = None
    request: Request | None = None
    declined: tuple[int, ...] = ()
    events: list[Event] = field(default_factory=list)
    spent: float = 0.0
    paused: bool = False

    def __post_init__(self) -> None:
        if self.take_back_unit not in ("stone", "round", None):
            raise RulesError("error.session.unit", value=shown(self.take_back_unit))
        _check_take_backs(self.take_backs)
        check_flag("consent", self.consent)

    def to_json(self) -> str:
        """Return the state as JSON text."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "course": self.course.to_dict(),
            "control": None if self.control is None else asdict(self.control),
            "take_backs": self.take_backs,
            "take_back_unit": self.take_back_unit,
            "consent": self.consent,
            "seats": [_seat_data(self.seats[participant]) for participant in (FIRST, SECOND)],
            "ended": None if self.ended is None else [self.ended.winner, self.ended.reason],
            "request": None if self.request is None else asdict(self.request),
            "declined": self.declined,
            "events": [{"kind": event.kind, "by": event.by, "data": event.data} for event in self.events],
            "spent": self.spent,
            "paused": self.paused,
        }
        return json.dumps(data, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, make_player: PlayerMaker) -> SessionState:
        """Load a saved state.

        Args:
            text: the text that `to_json` returned.
            make_player: makes a player of its spec.

        Raises:
            NotationError: text that is no saved session; the sentence gives the reason.
            TengenError: no text at all.
        """
        check_text("text", text)
        try:
            return cls._from_dict(json.loads(text, parse_constant=_no_number), make_player)
        except NotationError:
            raise
        except json.JSONDecodeError as error:
            raise NotationError("error.session.json", line=error.lineno, column=error.colno) from error
        except ArgumentError as error:
            raise NotationError("error.session.damaged") from error
        except TengenError as error:
            raise NotationError("error.session.load", reason=error.message) from error
        except KeyError as error:
            raise NotationError("error.session.missing", field=shorten(str(error.args[0]))) from error
        except (TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            raise NotationError("error.session.damaged") from error

    @classmethod
    def _from_dict(cls, data: Any, make_player: PlayerMaker) -> SessionState:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise NotationError("error.session.format")
        if type(data["version"]) is not int or data["version"] != VERSION:
            raise NotationError("error.session.version", version=shorten(str(data["version"])))
        control = None if data["control"] is None else TimeControl(**data["control"])
        given = zip((FIRST, SECOND), data["seats"], strict=True)
        state = cls(
            course=Course.from_dict(data["course"]),
            control=control,
            take_backs=data["take_backs"],
            take_back_unit=data["take_back_unit"],
            consent=_checked(data["consent"], bool),
            seats={participant: _seat(seat, control, make_player) for participant, seat in given},
            ended=None if data["ended"] is None else _ended(*data["ended"]),
            request=None if data["request"] is None else Request(**data["request"]),
            declined=tuple(_participant(by) for by in data["declined"]),
            events=[_event(number, event) for number, event in enumerate(data["events"])],
            spent=data["spent"],
            paused=_checked(data["paused"], bool),
        )
        if not is_seconds(state.spent) or not state.consistent():
            raise ValueError
        return state

    def consistent(self) -> bool:
        """Return whether the parts are consistent, as they always are if a session has made them."""
        decided = self.course.board.outcome() is not None
        request = self.request
        if self.ended is not None and (decided or request is not None):
            return False
        if self.paused and (self.ended is not None or decided):
            return False
        if request is None:
            return True
        # A move that decided the game on the board may still be taken back.
        if request.kind == "draw":
            return not decided
        return self.course.last_play(request.by) is not None


def _check_take_backs(number: Any) -> None:
    if number is not None and (type(number) is not int or number < 0):
        raise RulesError("error.session.take_backs", value=shown(number))


def _seat_data(seat: Seat) -> dict[str, Any]:
    data: dict[str, Any] = {"occupant": seat.name, "take_backs": seat.take_backs}
    if seat.clock is not None:
        data |= {"main": seat.clock.main, "periods": seat.clock.periods}
    return data


def _seat(data: dict[str, Any], control: TimeControl | None, make_player: PlayerMaker) -> Seat:
    name = _checked(data["occupant"], str)
    return Seat(
        HUMAN if name == HUMAN else _player(name, make_player),
        data["take_backs"],
        None if control is None else Clock.full(control).with_left(data["main"], data["periods"]),
    )


def _player(name: str, make_player: PlayerMaker) -> Player:
    try:
        return make_player(name)
    except TengenError:
        raise
    except (Exception, SystemExit) as error:  # a player may be anybody's class
        raise NotationError("error.session.player", name=shorten(name)) from error


def _ended(winner: Any, reason: Any) -> Outcome:
    without_winner = ("agreed", "abandoned", "aborted")
    if reason not in (("resigned", "time") if winner is not None else without_winner):
        raise ValueError(reason)
    return Outcome(None if winner is None else _participant(winner), reason)


def _event(number: int, data: dict[str, Any]) -> Event:
    by = None if data["by"] is None else _participant(data["by"])
    values = _checked(data["data"], dict)
    for value in values.values():
        if not (value is None or isinstance(value, (bool, int, float, str))):
            raise TypeError(value)
    return Event(number, _checked(data["kind"], str), by, values)


def _participant(value: Any) -> int:
    """Return `value` if it is `FIRST` or `SECOND` (or a colour: the numbers are equal); else raise."""
    if type(value) is not int or value not in (FIRST, SECOND):
        raise ValueError(value)
    return value


def _checked(value: Any, kind: type) -> Any:
    """Return `value` if JSON gave it the right type, else raise TypeError."""
    if type(value) is not kind:
        raise TypeError(value)
    return value


def _no_number(name: str) -> Any:
    """Reject NaN and the infinities, which Python's JSON accepts."""
    raise ValueError(name)
