"""Whatever a caller hands to the public library by mistake is one clear `ValueError`, and nothing changes.

Tables say what each parameter of `tests/data/public.txt` takes, mostly by its name; a test holds them
complete.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tengen
from tengen import (
    Board,
    Choice,
    Engine,
    External,
    GameTime,
    Limit,
    Record,
    Review,
    Rules,
    Score,
    Session,
)
from tengen.game.arguments import shown
from tests.public_surface import LIST


class Awkward:
    """An object whose class cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Long:
    """An object that says far too much of itself."""

    def __repr__(self) -> str:
        return "two\nlines " * 500


ANYTHING: tuple[Any, ...] = (
    3.5,
    math.nan,
    b"h8",
    [3.5],
    {1: {}},
    {"a"},
    object(),
    Awkward(),
    Long(),
    Board,
    lambda: 0,
    1j,
    ...,
)
"""What hardly any parameter takes."""

NUMBERS = (0, -1, 7, 10**30, 10**5000, True)
TEXTS = ("", "nonsense", "two\nlines", "h" * 5000, "nul\0")
NO_POINTS = (*(value for value in ANYTHING if not isinstance(value, dict)), *NUMBERS, "nonsense")
NO_TEXT = (*ANYTHING, *NUMBERS)
NO_NUMBER = (*ANYTHING, *TEXTS, True, None)

WRONG: dict[str, tuple[Any, ...]] = {
    "point": (*ANYTHING, *TEXTS, None, True, -2, 225, 10**30, 10**5000, (7, 7)),
    "moves": (
        *(v for v in ANYTHING if not isinstance(v, dict)),
        *NUMBERS,
        None,
        "nonsense",
        [None],
        [True],
        ["zz"],
    ),
    "moves?": (
        *(v for v in ANYTHING if not isinstance(v, dict)),
        *NUMBERS,
        "nonsense",
        [None],
        [True],
        ["zz"],
    ),
    "stones": (
        *(v for v in ANYTHING if not isinstance(v, dict)),
        *NUMBERS,
        None,
        "nonsense",
        [None],
        [True],
        ["--"],
    ),
    "rules": (*ANYTHING, *NUMBERS, *TEXTS, None, "mnk:0,0,0", "mnk:3"),
    "board": (*ANYTHING, *NUMBERS, *TEXTS, None, Rules()),
    "record": (*ANYTHING, *NUMBERS, *TEXTS, None, Board()),
    "board?": (*ANYTHING, *NUMBERS, *TEXTS, Rules()),
    "limit?": (*ANYTHING, *NUMBERS, *TEXTS, {"nodes": 5}),
    "stop?": (*ANYTHING, *NUMBERS, *TEXTS),
    "colour": (*ANYTHING, *TEXTS, True, None, 0, 3, -1, 1.0, 10**30, 10**5000, "black"),
    "colour?": (*ANYTHING, *TEXTS, True, 0, 3, -1, 1.0, 10**30, 10**5000, "black"),
    "cell": (*ANYTHING, *TEXTS, True, None, 3, -1, 1.0, 10**30, "black"),
    "participant": (*ANYTHING, *TEXTS, True, None, 0, 3, -1, 1.0, 10**30, 10**5000),
    "participant?": (*ANYTHING, *TEXTS, True, 0, 3, -1, 1.0, 10**30, 10**5000),
    "count": (*NO_NUMBER, 0, -1, 10**30, 10**5000, math.inf, "5"),
    "count?": (*ANYTHING, *TEXTS, True, 0, -1, 10**30, 10**5000, math.inf, "5"),
    "natural": (*NO_NUMBER, -1, 10**30, 10**5000, math.inf, "5"),
    "least one": (*NO_NUMBER, 0, -1, 2.0, math.inf, "5"),
    "whole": (*NO_NUMBER, math.inf, 2.0, "5"),
    "whole?": (*NO_NUMBER[:-1], math.inf, 2.0, "5"),
    "seconds?": (*ANYTHING[1:], *TEXTS, True, 0, -1, math.inf, -math.inf, 10**30, 10**5000),
    "time?": (*ANYTHING[1:], *TEXTS, True, -1, math.inf, -math.inf, 10**30, 10**5000),
    "time": (*NO_NUMBER[1:], -1, math.inf, -math.inf, 10**30, 10**5000),
    "rate": (*NO_NUMBER[1:], math.inf, -math.inf),
    "flag": (*ANYTHING, *TEXTS, None, 0, 1, "yes"),
    "text": (*NO_TEXT, None),
    "text?": NO_TEXT,
    "word": (*NO_TEXT, *TEXTS, None),
    "word?": (*NO_TEXT, *TEXTS),
    "choices": (*NO_TEXT, *TEXTS, None),
    "side": (*NO_NUMBER, 0, -1, 51, 10**30, 10**5000, math.inf, "5"),
    "size?": (
        *ANYTHING,
        *TEXTS,
        True,
        0,
        -1,
        51,
        10**30,
        (15,),
        (15, 0),
        (1, 2, 3),
        ("a", "b"),
        "51",
        "15x",
    ),
    "callable": tuple(value for value in (*ANYTHING, *NUMBERS, *TEXTS, None) if not callable(value)),
    "occupant": (*ANYTHING, *NUMBERS, *TEXTS, None, "shapes", tengen.player),
    "player?": (*ANYTHING, *NUMBERS, *TEXTS, "shapes"),
    "headers?": (*ANYTHING, *NUMBERS, *TEXTS, {"event": 5}, {5: "event"}),
    "node": (*ANYTHING, *NUMBERS, *TEXTS, None, Record().root),
    "node?": (*ANYTHING, *NUMBERS, *TEXTS, Record().root),
    "take-backs?": (*ANYTHING, *TEXTS, -1, True, 2.0, "5"),
    "clock?": (*ANYTHING, *NUMBERS, *TEXTS, "5+", "-5"),
    "score?": (*ANYTHING, *NUMBERS, *TEXTS),
    "game time?": (*ANYTHING, *NUMBERS, *TEXTS),
    "answer": (*ANYTHING, *NUMBERS, *TEXTS, None),
    "data": (*ANYTHING, *NUMBERS, *TEXTS, None, {"k": "5"}, {"nonsense": 5}),
    "marks?": (*ANYTHING, 7, True, "h8", "nonsense", {"zz": "x"}, {"h8": 5}, ["h8"]),
    "heat?": (*ANYTHING, 7, True, "h8", "nonsense", {"zz": 1}, {"h8": "x"}, {"h8": math.nan}, {"h8": True}),
    "numbers": (*ANYTHING, *TEXTS, None, -1, "5"),
    "arrows": (
        *(v for v in ANYTHING if not isinstance(v, dict)),
        7,
        True,
        "h8",
        ["h8"],
        [("h8",)],
        [("h8", "h8")],
        [("h8", "zz")],
        None,
    ),
    "file?": (*NO_TEXT, 5),
    "strength": (*NO_NUMBER, -1, 101, 10**30, 10**5000, math.inf, "5"),
    "nodes?": (*ANYTHING, *TEXTS, True, 0, -1, 1 << 63, 10**30, 10**5000, math.inf, "5"),
    "settings": (*NO_TEXT, *TEXTS[1:], None),
    "progress?": (*ANYTHING, *NUMBERS, *TEXTS),
    "callable?": tuple(value for value in (*ANYTHING, *NUMBERS, *TEXTS) if not callable(value)),
    "rules?": (*ANYTHING, *NUMBERS, *TEXTS, "mnk:0,0,0", "mnk:3"),
    "source": (*(v for v in ANYTHING if not isinstance(v, bytes)), *NUMBERS, *TEXTS[1:], None),
    "records": (*ANYTHING, *NUMBERS, *TEXTS, None, Board(), []),
    "object": (*ANYTHING, *NUMBERS, *TEXTS, None),
    "contestant": (*ANYTHING, *NUMBERS, *TEXTS, None, tengen.player),
    "openings?": (*ANYTHING, *NUMBERS, *TEXTS, ["zz"], []),
    "sprt?": (*ANYTHING, *NUMBERS, *TEXTS, (10,), (10, 0), ("0", "10"), (0, math.nan)),
    "command": (*ANYTHING, *NUMBERS, "", "two\nlines", "nul\0", None),
    "spec text": (*ANYTHING[2:], None),
}
"""For each kind of argument what must be refused; those with a question mark may be None."""

NAMED: dict[str, str] = {
    "answer": "answer",
    "command": "cmd",
    "contestant": "a b",
    "object": "adjudication path review",
    "openings?": "openings",
    "records": "records",
    "source": "source",
    "spec text": "folder",
    "sprt?": "sprt",
    "arrows": "arrows",
    "board": "board",
    "board?": "setup start",
    "callable": "make_player now",
    "clock?": "clock",
    "colour?": "colour turn",
    "count": "concurrency games memory_mb nodes threads",
    "count?": "depth",
    "data": "data",
    "file?": "resume",
    "flag": "accept consent coordinates double_four double_three last passing playing recover repeat"
    " shortest value_only variations",
    "game time?": "time",
    "headers?": "headers",
    "heat?": "heat",
    "least one": "k lines",
    "limit?": "limit",
    "marks?": "marks",
    "moves": "avoid moves",
    "moves?": "allow",
    "natural": "plies",
    "node": "node",
    "node?": "after",
    "numbers": "numbers",
    "occupant": "occupant",
    "participant": "participant",
    "participant?": "by",
    "player?": "adviser",
    "point": "move point",
    "progress?": "progress",
    "rate": "rate",
    "record": "record",
    "rules": "rules",
    "score?": "score",
    "seconds?": "seconds",
    "settings": "weights without",
    "side": "height m n width",
    "size?": "size",
    "stones": "black white",
    "stop?": "stop",
    "strength": "strength",
    "take-backs?": "take_backs",
    "text?": "encoding title",
    "time": "away increment margin memory patience ready settle tolerance",
    "time?": "game left",
    "whole": "seed value",
    "whole?": "mate",
    "word": "blocked_five coordinate_style extension fouls lang moment name option overline spec text"
    " theme threats",
    "word?": "opening style take_back_unit",
}
"""What a parameter takes, by its name: the names of each kind."""

PARTICULAR = {
    "Board.stones(colour)": "cell",
    "External(name)": "spec text",
    "External(seconds)": "time",
    "External(start)": "time",
    "External(threads)": "natural",
    "GameTime(turn)": "time?",
    "Limit(nodes)": "nodes?",
    "Limit.after(nodes)": "natural",
    "Limit.after(seconds)": "time",
    "Record.board(node)": "node?",
    "Rules.overline_wins(colour)": "colour",
    "Session(black)": "occupant",
    "Session(white)": "occupant",
    "Session.occupant(colour)": "colour",
    "Session.player_of(colour)": "colour",
    "draw(fouls)": "flag",
    "match(progress)": "callable?",
    "read(rules)": "rules?",
    "review(progress)": "callable?",
}
"""Parameters that take something else than others of their name."""

CALLERS_MAKE = (GameTime, Limit, Rules, Score)
"""Values that callers make; all others are what they are answered, and read."""

SAME = {"solve_exact": "solve"}
NAMED_OVERRIDES = ("Rules.named(overrides)", "Rules.parse(overrides)")


def _is_answer(parameter: str) -> bool:
    thing = getattr(tengen, parameter.partition("(")[0].partition(".")[0])
    return dataclasses.is_dataclass(thing) and thing not in CALLERS_MAKE


def _parameters() -> list[str]:
    """The parameters of the public surface that callers fill."""
    names = (
        line.removeprefix("name ")
        for line in LIST.read_text("utf-8").splitlines()
        if line.startswith("name ")
    )
    return [
        name
        for name in names
        if name.endswith(")")
        and name.partition("(")[0] not in SAME
        and not _is_answer(name)
        and not name.startswith("Player")
        and name not in NAMED_OVERRIDES
    ]


KINDS = {name: kind for kind, names in NAMED.items() for name in names.split()}
TAKES = {
    parameter: PARTICULAR.get(parameter) or KINDS.get(parameter[:-1].partition("(")[2], "")
    for parameter in _parameters()
}
"""What each parameter of the public surface takes."""


def _swap2() -> Session:
    session = Session(opening="swap2")
    for point in ("h8", "i9", "j10"):
        session.play(point)
    return session


def _asked() -> Session:
    session = Session()
    session.offer_draw()
    return session


@functools.cache
def _engine() -> Engine:
    return Engine(memory_mb=1)


SUBJECTS: dict[str, Callable[[], Any]] = {
    "Board": lambda: Board.from_moves("h8i9", rules="renju"),
    "Engine": _engine,
    "External": lambda: External("./no-such-program"),
    "Limit": lambda: Limit(1.0, 10, 3),
    "Record": lambda: Record.from_board(Board.from_moves("h8i9")),
    "Rules": Rules,
    "Session": lambda: Session(black=tengen.player("random"), clock="60+5"),
    "Session.answer": _asked,
    "Session.choose": _swap2,
    "Session.hint": lambda: Session(white=tengen.player("random")),
    "Session.play": Session,
}
"""What methods are called on."""


GOOD: dict[str, Any] = {
    "participant": 1,
    "occupant": "human",
    "point": "h9",
    "moves": "a1",
    "flag": False,
    "colour": 1,
    "board": Board.from_moves("h8i9"),
    "callable": tengen.player,
    "record": Record.from_board(Board.from_moves("h8i9")),
    "records": Record(),
    "contestant": "random",
    "command": "./no-such-program",
    "source": "h8",
}
"""What other parameters are given that have to be there."""

GOOD_FOR: dict[str, dict[str, Any]] = {
    "annotate": {"review": Review((), (), {}, None, ())},
    "write": {"path": "game.sgf"},
    "Session.choose": {"option": "black"},
    "Session.apply": {"answer": Choice(0)},
    "Session.from_json": {"text": Session().to_json()},
    "Limit": {},
    "Rules.mnk": {"m": 3, "n": 3, "k": 3},
    "Rules.parse": {"text": "renju"},
    "Rules.named": {"name": "renju"},
    "Score": {"value": 0},
    "solve": {"board": Board("tictactoe")},
}


def test_every_public_parameter_has_its_kind():
    assert [parameter for parameter, kind in TAKES.items() if kind not in WRONG] == []
    assert PARTICULAR.keys() <= TAKES.keys()
    assert KINDS.keys() == {parameter[:-1].partition("(")[2] for parameter in TAKES}
    for alias, name in SAME.items():
        assert getattr(tengen, alias) is getattr(tengen, name)


@pytest.mark.parametrize("target", TAKES)
def test_what_is_wrong_is_refused_in_one_clear_line(target):
    name, _, parameter = target.rstrip(")").partition("(")
    owner, _, method = name.partition(".")
    needed = _needed(name)
    for value in WRONG[TAKES[target]]:
        if target == "Board.is_legal(move)" and type(value) is int:
            continue  # such a point is not legal, and that is the answer
        subject = SUBJECTS.get(name, SUBJECTS.get(owner, lambda: None))() if method else None
        call = getattr(subject, method) if subject is not None else _named(name)
        before = _state(subject)
        try:
            result = call(**{**needed, parameter: value})
            if isinstance(result, Iterator):
                next(result)
        except tengen.TengenError as error:
            sentence = str(error)
            assert "\n" not in sentence
            assert 5 < len(sentence) < 400, sentence
            assert _state(subject) == before, shown(value)
        except Exception as error:
            pytest.fail(f"{shown(value)} raises {type(error).__name__}: {error}")
        else:
            pytest.fail(f"{shown(value)} is accepted")


def _named(name: str) -> Any:
    """What a dotted name of the library stands for."""
    return functools.reduce(getattr, name.split("."), tengen)


def _needed(name: str) -> dict[str, Any]:
    """Good values of the parameters that have no default."""
    needed = {}
    for parameter in inspect.signature(_named(name)).parameters.values():
        kind = TAKES.get(f"{name}({parameter.name})")
        empty = parameter.default is inspect.Parameter.empty
        if kind is not None and empty:
            needed[parameter.name] = GOOD_FOR.get(name, {}).get(parameter.name, GOOD.get(kind))
    return needed


def _state(subject: Any) -> Any:
    if isinstance(subject, Session):
        return subject._still()
    if isinstance(subject, Board):
        return subject.copy()
    if isinstance(subject, Record):
        return [node.content() for node in subject.nodes()]
    return None


@pytest.mark.parametrize(
    "value", [3.5, math.nan, b"h8", [1], True, None, 10**30, "zz", -1, slice(1, 2)], ids=str
)
def test_a_point_in_brackets(value):
    board = Board.from_moves("h8")
    with pytest.raises(tengen.TengenError):
        board[value]


@pytest.mark.parametrize("call", [Rules.named, Rules.parse])
@pytest.mark.parametrize(
    "fields",
    [{"k": 0}, {"k": "5"}, {"width": 2.0}, {"nonsense": 1}, {"passing": 1}, {"overline": []}],
    ids=str,
)
def test_fields_of_rules_by_name(call, fields):
    with pytest.raises(tengen.RulesError):
        call("freestyle", **fields)


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    board = Board.from_moves([numpy.int64(112), numpy.int32(113)])
    assert board.is_legal(numpy.int16(0))
    assert board[numpy.uint8(112)] == tengen.BLACK
    assert Limit(numpy.float32(0.5), numpy.int64(5)).nodes == 5
    assert GameTime(left=numpy.float64(1)).left == 1
    with pytest.raises(tengen.TengenError):
        board.push(numpy.float64(3.0))
    with pytest.raises(tengen.TengenError):
        Score(numpy.int64(3))
