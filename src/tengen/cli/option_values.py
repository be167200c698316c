"""Parsers of option values: numbers, times, and settings such as ``elo0=0,elo1=5``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tengen.cli.errors import CliError
from tengen.game.clock import TimeControl
from tengen.game.notation import shorten
from tengen.words import LANGUAGES

if TYPE_CHECKING:
    from tengen.arena.sprt import Sprt

_MOST = 999_999_999
_MOST_NODES = 10**18
"""The largest numbers that options accept, unless they have their own bound."""

_DIGITS = 20
"""The most digits of a number."""

STANDARD_OUTPUT = "-"

Value = TypeVar("Value")


class Writing(Enum):
    """The treatment of a file that is there, where a command writes one; see `tengen.cli.output_files`."""

    REPLACES = auto()
    """It is replaced, unless it is also read, or holds computed results: for what takes moments."""
    KEEPS = auto()
    """It is kept, and the command refused: for what took long to compute."""
    KEEPS_UNLESS_RESUMED = auto()
    """It is replaced only if the command resumes a former run, whose games it wrote."""
    APPENDS = auto()
    """It is continued."""


@dataclass(frozen=True, slots=True)
class Reader(Generic[Value]):
    """A parser of option values.

    Attributes:
        metavar: the placeholder of such values in help pages.
        parse: parses the value of an option; it receives the option's name and the text, and raises a
            `CliError` for invalid text.
        writes: the treatment of a file that is there, if the value is a file that is written.
    """

    metavar: str
    parse: Callable[[str, str], Value]
    writes: Writing | None = None

    def __call__(self, option: str, text: str) -> Value:
        """Parse the value of an option."""
        return self.parse(option, text)


def reader(metavar: str) -> Callable[[Callable[[str, str], Value]], Reader[Value]]:
    """Declare a function as a reader of values with this placeholder."""
    return partial(Reader, metavar)


@reader("|".join(LANGUAGES))
def language(option: str, text: str) -> str:  # noqa: ARG001 - read like the others
    """Parse a supported language."""
    if text not in LANGUAGES:
        raise CliError("error.cli.lang", lang=shorten(text), languages=LANGUAGES)
    return text


@reader("N")
def whole(option: str, text: str) -> int:
    """Parse a whole number, 0 or more."""
    return _within(option, text, 0, _MOST)


@reader("N")
def positive(option: str, text: str) -> int:
    """Parse a whole number, 1 or more."""
    return _within(option, text, 1, _MOST)


@reader("N")
def node_count(option: str, text: str) -> int:
    """Parse a number of nodes, which may be larger than other numbers."""
    return _within(option, text, 1, _MOST_NODES)


def at_most(most: int, least: int = 1) -> Reader[int]:
    """Return a reader of whole numbers within bounds; the least is 0 or 1."""

    @reader("N")
    def bounded(option: str, text: str) -> int:
        return _within(option, text, least, most)

    return bounded


def one_of(*names: str) -> Reader[Any]:
    """Return a reader of one of some words."""

    @reader("|".join(names))
    def chosen(option: str, text: str) -> Any:
        if text not in names and option == "|".join(names):  # an argument, whose name nobody types
            raise CliError("error.cli.one_of", text=shorten(text), names=names)
        if text not in names:
            raise CliError("error.cli.choice", option=option, text=shorten(text), names=names)
        return text

    return chosen


@reader("SECONDS")
def seconds(option: str, text: str) -> float:
    """Parse a time in seconds, more than 0."""
    value = _float(text)
    if value is None or not 0 < value <= 1_000_000:
        raise CliError("error.cli.seconds", option=option, text=shorten(text))
    return value


@reader("X")
def number(option: str, text: str) -> float:
    """Parse a finite decimal number."""
    value = _float(text)
    if value is None or not math.isfinite(value):
        raise CliError("error.cli.number", option=option, text=shorten(text))
    return value


@reader("M")
def minutes(option: str, text: str) -> float:
    """Parse a time in minutes, more than 0; return seconds."""
    value = 60 * number(option, text)
    if value <= 0:
        raise CliError("error.cli.minutes", option=option, text=text)
    return value


@reader("X")
def share(option: str, text: str) -> float:
    """Parse a number from 0 to 1."""
    value = number(option, text)
    if not 0 <= value <= 1:
        raise CliError("error.cli.share", option=option, text=text)
    return value


@reader("MS")
def milliseconds(option: str, text: str) -> float:
    """Parse a whole number of milliseconds; return seconds."""
    return whole(option, text) / 1000


@reader("SECONDS[+INC]")
def time_control(option: str, text: str) -> TimeControl:  # noqa: ARG001 - read like the others
    """Parse a time control such as ``60+0.5``."""
    return TimeControl.parse(text)


@reader("LOW-HIGH")
def span(option: str, text: str) -> tuple[int, int]:
    """Parse a range of two whole numbers with a hyphen between them, or a single number."""
    low, hyphen, high = text.partition("-")
    parts = (low, high) if hyphen else (low, low)
    if not all(map(_is_whole, parts)):
        raise CliError("error.cli.span", option=option, text=shorten(text))
    return int(parts[0]), int(parts[1])


def each(read: Reader[Value]) -> Reader[tuple[Value, Value]]:
    """Return a reader for the values of both players: a shared value, or two with a colon between them."""

    @reader(read.metavar)
    def pair(option: str, text: str) -> tuple[Value, Value]:
        first, colon, second = text.partition(":")
        one = read(option, first)
        return one, read(option, second) if colon else one

    return pair


def settings(
    make: Callable[..., Value], known: Mapping[str, Reader[Any]], bare: str | None = None
) -> Reader[Value]:
    """Return a reader of settings such as ``movecount=3,score=400``.

    Args:
        make: builds the result from the given settings, by name.
        known: the reader of each setting, by name.
        bare: the setting that a part without ``=`` is the value of; None if there is none.
    """

    @reader(",".join(f"{name}={read.metavar}" for name, read in known.items()))
    def given(option: str, text: str) -> Value:
        found: dict[str, Any] = {}
        for part in text.split(","):
            key, equals, value = part.partition("=")
            if not equals and bare is not None:
                key, value = bare, part
            key = key.strip()
            if key not in known or key in found:
                raise CliError("error.cli.setting", option=option, text=shorten(part), names=tuple(known))
            found[key] = known[key](f"{option} {key}", value.strip())
        return make(**found)

    return given


@reader("true|false")
def truth(option: str, text: str) -> bool:
    """Parse ``true`` or ``false``."""
    return bool(one_of("true", "false")(option, text) == "true")


@reader("elo0=0,elo1=10")
def sprt_test(option: str, text: str) -> Sprt:  # noqa: ARG001 - read like the others
    """Parse a sequential test of two hypotheses, such as ``elo0=0,elo1=10``."""
    from tengen.arena.sprt import Sprt

    return Sprt.parse(text)


@reader("NAME=LOW:HIGH")
def bounds(option: str, text: str) -> tuple[str, tuple[float, float]]:  # noqa: ARG001 - read like the others
    """Parse the bounds of a tuned parameter, ``name=low:high``."""
    from tengen.arena.tuning_parameters import parse_bounds

    return parse_bounds(text)


@reader("NAME,...")
def names(option: str, text: str) -> tuple[str, ...]:  # noqa: ARG001 - read like the others
    """Parse names separated by commas."""
    return tuple(name.strip() for name in text.split(","))


@reader("FILE")
def file_path(option: str, text: str) -> Path:
    """Parse the path of a file or folder; ``~`` is expanded to a home folder."""
    try:
        if text:
            return Path(text).expanduser()
    except RuntimeError:  # the home folder of an unknown user
        pass
    raise CliError("error.cli.path", option=option, text=shorten(text))


@reader("FILE")
def _output_path(option: str, text: str) -> Path:
    """Parse the path of a file to write."""
    if text == STANDARD_OUTPUT:
        raise CliError("error.output.stdout", option=option)
    return file_path(option, text)


output_file = replace(_output_path, writes=Writing.REPLACES)
"""The reader of a file that is made in moments, such as a picture."""

converted_file = replace(file_path, writes=Writing.REPLACES)
"""The reader of a file or folder for converted games, or ``-`` for standard output."""

results_file = replace(_output_path, writes=Writing.KEEPS)
"""The reader of a file for what takes long to compute, such as a proof."""

log_file = replace(_output_path, writes=Writing.APPENDS)
"""The reader of a file that is continued."""


@reader("FILE")
def _record_path(option: str, text: str) -> Path:
    """Parse the path of a file for games, with the extension of a format that can be written."""
    from tengen.formats.files import format_of

    file = _output_path(option, text)
    format_of(file)
    return file


record_file = replace(_record_path, writes=Writing.REPLACES)
"""The reader of a file for games that are converted."""

played_file = replace(_record_path, writes=Writing.KEEPS_UNLESS_RESUMED)
"""The reader of a file for games that are played."""


def _within(option: str, text: str, least: int, most: int) -> int:
    """Parse a whole number within bounds; the least is 0 or 1."""
    # A longer text is too large in any case, and Python limits the digits that it parses.
    value = int(text[:_DIGITS]) if text.isascii() and text.isdigit() else -1
    if value < least:
        key = "error.cli.positive" if least else "error.cli.whole"
        raise CliError(key, option=option, text=shorten(text))
    if value > most or len(text) > _DIGITS:
        raise CliError("error.cli.most", option=option, text=shorten(text), most=most)
    return value


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
