"""Games written as transcripts, and a runner that plays them on a `Session`.

    ## A stone is charged to the side that just moved  [clock=60 take_backs=1]
    h8 i9 +20 undo          = moves h8; left 1 0; time 60 40
    ! undo: no take-backs are left
    ! a1: the game is over (GameOver)

A title begins a game, with its options: rules by name, then fields of `Session`. A line of steps is carried
out, and what follows ``=`` must hold after it (`FACTS`). A line with ``!`` is one step that is refused with
this sentence, changing nothing; the error is `NotAllowed` unless another is named.

A step is a point, or one of `CALLS`; ``+20`` lets 20 seconds pass. ``draw/2`` names who makes the call.
After every line the game is saved and loaded, and must be equal to itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import tengen
from tengen.game import errors
from tengen.game.board import Board
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.game.session import Session

TICTACTOE = Rules.named("tictactoe")
CLAIMED = Rules.named("renju", fouls="claimed")
RANDOM = tengen.player("random,seed=1")

DOUBLE_THREE = "g8 a1 i8 a3 h7 a5 h9 a7 h8"
"""Black's last stone makes two threes."""

CALLS: dict[str, tuple[str, tuple[Any, ...]]] = {
    **{option: ("choose", (option,)) for option in ("black", "white", "place", "offer", "red", "1", "3")},
    "undo": ("take_back", ()),
    "draw": ("offer_draw", ()),
    "yes": ("answer", (True,)),
    "no": ("answer", (False,)),
    "flag": ("check_time", ()),
    "leave": ("end_abandoned", ()),
    "computer": ("play_computer", ()),
    "swap": ("swap_sides", ()),
    "robot/1": ("hand_over", (FIRST, RANDOM)),
    "robot/2": ("hand_over", (SECOND, RANDOM)),
    "human/1": ("hand_over", (FIRST, "human")),
    **{name: (name, ()) for name in ("claim", "resign", "abort", "pause", "resume", "hint", "think")},
}
"""Steps by name: the method, and its arguments."""

COLOURS = {None: "nobody", BLACK: "black", WHITE: "white"}


class Watch:
    """A clock that stands still until it is told how long something takes."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.seconds += seconds


def _both(fact: Callable[[int], Any]) -> str:
    """A fact of both participants."""
    values = map(fact, (FIRST, SECOND))
    return " ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def _points(session: Session, points: Iterable[int]) -> str:
    return " ".join(map(session.board.name, points)) or "none"


def _asks(session: Session) -> str:
    decision = session.decision
    if decision is None:
        return "nothing"
    return f"{decision.player} {' '.join(decision.options) or decision.kind}"


def _result(session: Session) -> str:
    result = session.result
    return "none" if result is None else f"{COLOURS[result.winner]} {result.reason}"


def _request(session: Session) -> str:
    request = session.request
    return "none" if request is None else f"{request.kind} {request.by}"


def _last(session: Session) -> str:
    event = session.events[-1]
    return " ".join([event.kind, str(event.by), *(f"{key}={value}" for key, value in event.data.items())])


FACTS: dict[str, Callable[[Session], str]] = {
    "moves": lambda session: _points(session, session.board.moves),
    "ply": lambda session: str(session.board.ply),
    "actor": lambda session: str(session.actor),
    "asks": _asks,
    "stone": lambda session: "" if session.decision is None else str(session.decision.number),
    "offered": lambda session: _points(session, session.opening.offered if session.opening else ()),
    "colours": lambda session: _both(lambda who: COLOURS[session.colour_of(who)]),
    "seats": lambda session: _both(lambda who: session.seats[who].name),
    "left": lambda session: _both(lambda who: session.seats[who].take_backs),
    "time": lambda session: _both(lambda who: getattr(session.clock(who), "main", None)),
    "periods": lambda session: _both(lambda who: getattr(session.clock(who), "periods", None)),
    "running": lambda session: _both(session.time_left),
    "used": lambda session: " ".join(f"{action.seconds:g}" for action in session.actions),
    "result": _result,
    "request": _request,
    "events": lambda session: " ".join(event.kind for event in session.events),
    "last": _last,
    "paused": lambda session: str(session.paused),
}
"""What a line may state after ``=``."""

LINE = re.compile(r"! (?P<step>\S+): (?P<sentence>.*?)(?: \((?P<error>\w+)\))?|(?P<steps>[^!].*)")


@dataclass(frozen=True)
class Script:
    """A game to play: its title, the options of its session, and the lines under it."""

    title: str
    options: str
    lines: tuple[str, ...]


def scripts(text: str) -> list[Any]:
    """The scripts of a text as parameters of a test, called by their titles."""
    return [pytest.param(script, id=script.title) for script in _split(text)]


def _split(text: str) -> Iterator[Script]:
    for part in re.split(r"^\s*## ", text, flags=re.MULTILINE)[1:]:
        title, *lines = (line.strip() for line in part.strip().splitlines())
        match = re.fullmatch(r"(.*?)\s*(?:\[(.*)\])?", title)
        assert match is not None
        yield Script(match[1], match[2] or "", tuple(line for line in lines if line))


def table(rules: Rules | str = "freestyle", *seats: Any, **options: Any) -> Session:
    """A session whose time stands still, unless it is given a watch."""
    return Session(rules, *seats, **({"now": Watch()} | options))


def play(session: Session, moves: str) -> Session:
    """Play these moves."""
    for move in moves.split():
        session.play(move)
    return session


def begin(options: str) -> Session:
    """A session with the options of a title."""
    given: dict[str, Any] = {}
    rules: Rules | str = "freestyle"
    for word in options.split():
        key, equals, value = word.partition("=")
        if not equals:
            rules = CLAIMED if word == "claimed" else word
        elif key == "start":
            given[key] = Board.from_moves(value, rules)
        elif key in ("black", "white"):
            given[key] = tengen.player(f"{value},seed=1")
        else:
            key = {"unit": "take_back_unit"}.get(key, key)
            given[key] = {"none": None, "yes": True, "0": 0, "1": 1}.get(value, value)
    return table(rules, **given)


def call(session: Session, step: str) -> None:
    """Carry out one step."""
    name, _, by = step.partition("/")
    if step.startswith("+"):
        session._now.wait(float(step))  # type: ignore[attr-defined]
        return
    method, arguments = CALLS.get(step) or CALLS.get(name) or ("play", (name,))
    getattr(session, method)(*arguments, **({"by": int(by)} if by and step not in CALLS else {}))


def run(script: Script) -> Session:
    """Play a script, and check what it states."""
    session = begin(script.options)
    for line in script.lines:
        match = LINE.fullmatch(line)
        assert match is not None, line
        if match["step"]:
            error = getattr(errors, match["error"] or "NotAllowed")
            refused(session, error, match["sentence"], call, session, match["step"])
            continue
        steps, _, facts = match["steps"].partition("=")
        for step in steps.split():
            call(session, step)
        for fact in filter(None, map(str.strip, facts.split(";"))):
            name, _, expected = fact.partition(" ")
            assert FACTS[name](session) == expected, f"{name}, after: {line}"
        assert Session.from_json(session.to_json(), tengen.player, session._now) == session
    return session


def refused(
    session: Session,
    error: type[errors.TengenError],
    sentence: str,
    function: Callable[..., object],
    *arguments: Any,
    **more: Any,
) -> None:
    """Check that a call is refused with this sentence, and that nothing at all has changed."""
    before = session.to_json()
    with pytest.raises(error) as caught:
        function(*arguments, **more)
    assert type(caught.value) is error
    assert str(caught.value) == sentence
    assert session.to_json() == before
