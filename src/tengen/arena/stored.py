"""Settings as they are stored: JSON of dataclasses, by pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import PlainSerializer, PlainValidator, TypeAdapter, ValidationError, ValidationInfo

from tengen.arena.arena_error import ArenaError
from tengen.arena.sprt import Sprt
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.clock import TimeControl
from tengen.game.errors import TengenError
from tengen.game.points import Point
from tengen.game.rules import Rules

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def _rules(data: Any) -> Rules:
    return data if isinstance(data, Rules) else Rules.from_dict(data)


def _time(data: Any) -> TimeControl:
    return data if isinstance(data, TimeControl) else TimeControl.parse(str(data))


def _sprt(data: Any) -> Sprt:
    return data if isinstance(data, Sprt) else Sprt.parse(str(data))


StoredRules: TypeAlias = Annotated[Rules, PlainValidator(_rules), PlainSerializer(Rules.to_dict)]
"""Rules, stored as an object with their fields."""

StoredTime: TypeAlias = Annotated[TimeControl, PlainValidator(_time), PlainSerializer(str)]
"""A time control, stored as the text that it is typed as."""

StoredSprt: TypeAlias = Annotated[Sprt, PlainValidator(_sprt), PlainSerializer(str)]
"""A sequential test, stored as the text that it is typed as."""


def openings_to_data(openings: tuple[tuple[Point, ...], ...], rules: Rules) -> list[str]:
    """Return openings as JSON-ready data: the text of each one's moves."""
    return [notation.format_moves(moves, rules.width) for moves in openings]


def openings_from_data(data: Any, info: ValidationInfo) -> tuple[tuple[Point, ...], ...]:
    """Return the openings from the data of `openings_to_data`; `info` holds the rules.

    Raises:
        TengenError: an opening cannot be played.
        ValueError: the rules could not be read.
    """
    rules = info.data.get("rules")
    if rules is None:
        raise ValueError("rules")
    return tuple(
        Board.from_moves(opening, rules).moves if isinstance(opening, str) else tuple(opening)
        for opening in data
    )


def to_data(settings: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a dataclass as JSON-ready data."""
    data: dict[str, Any] = _adapter(type(settings)).dump_python(settings, mode="json")
    return data


def from_data(kind: type[T], data: Mapping[str, Any], damaged: ArenaError | None = None) -> T:
    """Return a dataclass from the data of `to_data`.

    Args:
        kind: the dataclass.
        data: its fields; all of them have to be there.
        damaged: raised for damaged data; an error about the settings of a match if None.

    Raises:
        ArenaError: the data are damaged.
        TengenError: what the dataclass raises.
    """
    damaged = damaged or ArenaError("error.arena.settings")
    try:
        if any(field.name not in data for field in fields(kind)):
            raise damaged
        made: T = _adapter(kind).validate_python(data)
    except TengenError:
        raise
    except ValidationError as error:
        for reason in (each.get("ctx", {}).get("error") for each in error.errors()):
            if isinstance(reason, TengenError):
                raise reason from error
        raise damaged from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged from error
    return made


@lru_cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
