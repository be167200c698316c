"""SGF, FF[4] and older: games, collections of games, variations, comments and marks.

Read as found in the field: any encoding (`tengen.formats.text.decode`), games that say they are Go, text
before and between games, a root or a variation that begins with an empty node, points and colours as
they stand in ``B[]`` and ``W[]`` whatever the order, long property names of old files. Points are two
letters, y from the *top*; `tengen.formats.sgf_properties` has the rest of what properties mean.

Where the same colour moves twice a pass comes between. Stones set up before the first move are the
record's set-up position. A single stone set up later is a move; several begin a game of their own there,
which follows the game that they were found in. Comments of nodes without a move belong to the move
before. Other annotations than comments, marks and values are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from tengen.formats import sgf_properties as sgf
from tengen.formats.common import FileProblem, FormatError, ReadResult
from tengen.formats.encodings import decode
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.sgf_properties import Properties
from tengen.formats.text import FileLimits, TextPositions, check_size, found, list_problem
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, opponent
from tengen.game.record import Mark, Node, Record
from tengen.game.rules import Rules
from tengen.words import Message

EXTENSIONS = (".sgf",)

_START = re.compile(r"\(\s*;")
_LIKELY_START = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|PB|PW|EV|GN)\s*\[")
_CHARSET = re.compile(rb"CA\s*\[([^\]\\]{1,40})\]")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z0-9]+)|\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\])", re.DOTALL)
_REST = re.compile(r"\s*")
_HEAD_BYTES = 100_000
_MOST_HEADS = 4
_STONES = (("AB", BLACK), ("AW", WHITE), ("AE", EMPTY))
_TURNS = {"B": BLACK, "W": WHITE}
_MOVES = frozenset(_TURNS)
_SETS_UP = frozenset(("AB", "AW", "AE", "PL"))
_CLOCKS = {"BL": BLACK, "WL": WHITE}
_NODES_A_LINE = 10
_MOST_GUESSES = 100
"""Of so many names of rules that mean nothing here the user is told."""


def read(data: bytes) -> ReadResult:
    """The games of a file.

    A game that the file breaks off in is kept as far as it goes, and listed as a problem too. Rules that
    mean nothing here are listed where a file first names them; their games are read, see
    `tengen.formats.sgf_properties.rules_of`.

    Raises:
        FormatError: no game can be read; the sentence names line and column.
    """
    check_size(data)
    declared = _CHARSET.search(data[:_HEAD_BYTES])
    text = decode(data, declared and declared.group(1).decode("latin-1"))
    games = ReadResult()
    places, limits = TextPositions(text), FileLimits(len(text))
    start = _START.search(text)
    if start is None:
        raise FormatError("error.format.sgf.start")
    number = 0
    guessed: set[str] = set()
    while start is not None:
        number += 1
        reader = _TreeReader(text, start.start(), limits)
        error = reader.run()
        if error is None or reader.broken_off:
            games.records += reader.records()
            games.problems += _guesses(reader, number, places, guessed)
        if error is not None:
            message = places.message(reader.place, error.message)
            if not list_problem(games, message, number) or reader.broken_off:
                break
        again = _START if error is None or reader.closed else _LIKELY_START
        start = again.search(text, max(reader.end, start.end()))
    return found(games)


def _guesses(
    reader: _TreeReader, number: int, places: TextPositions, told: set[str]
) -> Iterator[FileProblem]:
    """What had to be guessed about a game, unless the file has given reason for the same guess before."""
    for key, text, place in reader.guesses:
        if f"{key} {text}" not in told and len(told) < _MOST_GUESSES:
            told.add(f"{key} {text}")
            values = {
                "text": shorten(text),
                "rules": Message(f"rules.{reader.rules.name}"),
                "size": reader.rules.size_text,
            }
            yield FileProblem(number, places.message(place, Message(key, values)), "nothing")


def write(records: Sequence[Record]) -> bytes:
    """The games as one FF[4] collection in UTF-8."""
    return "".join(chain.from_iterable(map(_written, records))).encode("utf-8", "replace")


@dataclass
class _OpenGame:
    """A record in the making, with the time that both sides have left."""

    builder: RecordBuilder
    clocks: dict[Colour, float]


class _TreeReader:
    """Reads one game tree.

    Args:
        text: the whole file.
        start: where the tree begins.
        limits: what may still be taken up.

    Attributes:
        place: after an error, the offset that it is about.
        end: the offset that reading came to.
        closed: whether that is behind the bracket that closes the tree.
        broken_off: whether the file ended before.
        rules: what the game is played by, as read or guessed.
        guesses: what had to be guessed: the sentence's key, what the file says instead, and where.
    """

    def __init__(self, text: str, start: int, limits: FileLimits) -> None:
        self.place = self.end = start
        self.closed = self.broken_off = False
        self.rules = Rules()
        self.guesses: list[tuple[str, str, int]] = []
        self._text = text
        self._limits = limits
        self._head: Properties = {}
        self._heads = 0
        self._headers: dict[str, str] = {}
        self._games: list[_OpenGame] = []
        self._game: _OpenGame | None = None
        self._branches: list[tuple[_OpenGame | None, int, dict[Colour, float]]] = []
        self._comments: dict[Node, list[str]] = {}
        self._marks: dict[Node, list[Mark]] = {}

    def run(self) -> TengenError | None:
        """Read to the bracket that closes the tree, or as far as there is sense in it.

        After a node that makes no sense the rest of the tree is skipped.

        Returns:
            What is wrong, if anything; `place` says where.
        """
        wrong: TengenError | None = None
        depth = 0
        properties: Properties | None = None
        values: list[tuple[str, int]] | None = None
        while not self.closed:
            token = _TOKEN.match(self._text, self.end)
            if token is None:
                return wrong or self._stop(properties)
            kind = token.lastindex
            if kind == 3 and values is not None:
                values.append((token[3], token.start(3)))
            elif kind == 2 and properties is not None and values != []:
                name = token[2]
                values = properties.setdefault(name if name.isupper() else _short_name(name), [])
            elif kind == 1 and values != []:
                if wrong is None:
                    wrong = self._step(properties, token[1])
                properties = {} if token[1] == ";" else None
                values = None
                depth += (token[1] == "(") - (token[1] == ")")
                self.closed = depth == 0
            elif wrong is not None:
                return wrong
            else:
                self.place = token.start(kind or 0)
                return FormatError("error.format.sgf.token", found=shorten(token[kind or 0]))
            self.end = token.end()
        return wrong

    def records(self) -> list[Record]:
        """The game read, and those that begin from stones set up later in it."""
        for node, comments in self._comments.items():
            node.comment = "\n".join(comments)
        for node, marks in self._marks.items():
            node.marks = tuple(dict.fromkeys(marks))
        games = self._games
        if len(games) > 1 and _is_bare(games[0].builder):
            games = games[1:]
        return [game.builder.record(self._headers) for game in games]

    def _step(self, properties: Properties | None, sign: str) -> TengenError | None:
        """Finish a node, if one has been read, and follow the bracket after it."""
        try:
            if properties is not None:
                self._node(properties)
        except TengenError as error:
            return error
        if sign == "(":
            ply, clocks = 0, {}
            if self._game is not None:
                ply, clocks = self._game.builder.ply, dict(self._game.clocks)
            self._branches.append((self._game, ply, clocks))
        elif sign == ")":
            self._game, ply, clocks = self._branches.pop()
            if self._game is not None:
                self._game.builder.back_to(ply)
                self._game.clocks = clocks
        return None

    def _stop(self, properties: Properties | None) -> TengenError:
        """Why there is no token here; a node that was complete is kept."""
        rest = _REST.match(self._text, self.end)
        self.place = self.end if rest is None else rest.end()
        found_text = self._text[self.place : self.place + 40]
        self.broken_off = not found_text or found_text[0] == "["
        if not self.broken_off:
            return FormatError("error.format.sgf.token", found=shorten(found_text))
        if found_text:
            return FormatError("error.format.sgf.open")
        end = self.place
        complete = properties and {name: values for name, values in properties.items() if values}
        wrong = self._step(complete, ";")
        if wrong is None:
            self.place = end
        return wrong or FormatError("error.format.sgf.end")

    def _node(self, properties: Properties) -> None:
        self._limits.nodes()
        game = self._game
        if game is None or (
            game.builder.pristine and self._heads < _MOST_HEADS and sgf.names_game(properties)
        ):
            # Some programs leave the first node empty and put the headers into the next.
            properties = {**self._head, **properties}
            game = self._begin(properties)
        elif not _MOVES.issuperset(properties):
            named = {name: values for name, values in properties.items() if name in sgf.HEADERS}
            if named:
                self._headers = sgf.headers_of(named) | self._headers
            game = self._set_up(game, properties)
        before = game.builder.ply
        for name, values in properties.items():
            if name in _TURNS:
                self._play(game.builder, values, _TURNS[name])
        if not _MOVES.issuperset(properties):
            self._annotate(game, properties, game.builder.ply > before)

    def _begin(self, properties: Properties) -> _OpenGame:
        self._heads += 1
        self._head = properties
        rules = self.rules = sgf.rules_of(properties)
        guesses = {"rules": sgf.unknown_rules(properties), "other_game": sgf.foreign_game(properties)}
        self.guesses = [(f"error.format.sgf.{key}", *found) for key, found in guesses.items() if found]
        self._limits.game(rules.points)
        self._headers = sgf.headers_of(properties)
        builder = RecordBuilder(rules)
        builder.set_up(self._stones(properties, rules), _turn(properties))
        limit = sgf.number_of(properties, "TM")
        clocks = {} if limit is None else {BLACK: limit, WHITE: limit}
        if self._game is None:
            self._game = _OpenGame(builder, clocks)
            self._games.append(self._game)
        self._game.builder, self._game.clocks = builder, clocks
        return self._game

    def _set_up(self, game: _OpenGame, properties: Properties) -> _OpenGame:
        """Set up the stones of a node that is not the first; the game that goes on from there."""
        if _SETS_UP.isdisjoint(properties):
            return game
        builder, turn = game.builder, _turn(properties)
        stones = self._stones(properties, builder.rules)
        if builder.pristine and len(self._branches) == 1:
            builder.set_up(stones, turn)
            return game
        if not stones:
            return game
        if len(stones) == 1 and not (_TURNS.keys() & properties.keys()):
            (point, colour), *_ = stones.items()
            if colour != EMPTY and not builder.cells[point]:
                builder.play(point, colour)
                return game
        self._limits.game(builder.rules.points)
        begun = RecordBuilder(builder.rules, builder.cells)
        begun.set_up(stones, turn)
        self._game = _OpenGame(begun, dict(game.clocks))
        self._games.append(self._game)
        return self._game

    def _stones(self, properties: Properties, rules: Rules) -> dict[Point, Colour]:
        stones: dict[Point, Colour] = {}
        for name, colour in _STONES:
            for raw, self.place in properties.get(name, ()):
                if raw.strip():
                    points = sgf.parse_points(raw, rules.width, rules.height)
                    self._limits.expanded(len(points) - 1)
                    stones.update(dict.fromkeys(points, colour))
        return stones

    def _play(self, builder: RecordBuilder, values: list[tuple[str, int]], colour: Colour) -> None:
        raw, self.place = values[-1]
        if len(values) > 1:
            raise FormatError("error.format.sgf.moves")
        builder.play(sgf.parse_point(raw, builder.rules.width, builder.rules.height), colour)

    def _annotate(self, game: _OpenGame, properties: Properties, moved: bool) -> None:
        """Keep what a node says about the position, and about the move if it has one."""
        node = game.builder.node
        for name in ("N", "C"):
            text = "\n".join(sgf.text_of(raw) for raw, _ in properties.get(name, ()))
            comments = self._comments.setdefault(node, []) if text else []
            if text and text not in comments[-1:]:
                comments.append(text)
        if not sgf.MARK_PROPERTIES.isdisjoint(properties):
            self._mark(node, properties, game.builder.rules)
        if moved:
            node.score = sgf.score_of(properties, game.builder.mover) or node.score
            used = _time_used(game, properties)
            node.seconds = node.seconds if used is None else used

    def _mark(self, node: Node, properties: Properties, rules: Rules) -> None:
        marks = self._marks.setdefault(node, [])
        for kind, raw, label, self.place in sgf.marked(properties):
            points = sgf.parse_points(raw, rules.width, rules.height)
            self._limits.expanded(len(points) - 1)
            marks.extend(Mark(point, kind, label) for point in points)


def _time_used(game: _OpenGame, properties: Properties) -> float | None:
    """The seconds used for the last move: as we write them, or what the clock lost."""
    used = sgf.seconds_of(properties)
    for name, colour in _CLOCKS.items():
        left = sgf.number_of(properties, name)
        if left is not None:
            before = game.clocks.get(colour)
            game.clocks[colour] = left
            # More time than before is a new period: what was used cannot be told.
            if used is None and before is not None and before >= left and colour == game.builder.mover:
                used = round(before - left, 3)
    return used


def _turn(properties: Properties) -> Colour | None:
    return _TURNS.get((sgf.first(properties, "PL") or "").strip()[:1].upper())


def _is_bare(builder: RecordBuilder) -> bool:
    """Whether there is nothing in a game."""
    return builder.pristine and not any(builder.cells)


def _short_name(name: str) -> str:
    """A property name as FF[4] writes it; before, lower case letters in between had no meaning."""
    return "".join(letter for letter in name if not letter.islower()) or name


# Writing


def _written(record: Record) -> Iterator[str]:
    """The pieces of a game."""
    setup = record.setup
    rules = record.rules
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}:{rules.height}"
    yield f"(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[{size}]"
    for name, values in sgf.header_values(record.headers, rules):
        yield f"\n{name}[{']['.join(values)}]"
    if setup.turn != BLACK or any(setup.position):
        yield "\n"
        for name, colour in _STONES[:2]:
            stones = setup.stones(colour)
            if stones:
                points = (sgf.point_text(point, rules.width, rules.height) for point in stones)
                yield f"{name}[{']['.join(points)}]"
        yield f"PL[{'B' if setup.turn == BLACK else 'W'}]"
    yield from _annotations(record.root, rules)
    # What comes next: a node with the side that makes its move, or the end of a branch.
    waiting: list[tuple[Node, Colour] | None] = []
    _branch(waiting, record.root, setup.turn)
    on_line = 0
    while waiting:
        step = waiting.pop()
        if step is None:
            yield ")"
            continue
        node, colour = step
        siblings = node.parent.children if node.parent is not None else []
        if len(siblings) > 1:
            yield "\n("
            on_line = 0
        elif on_line == _NODES_A_LINE:
            yield "\n"
            on_line = 0
        on_line += 1
        point = PASS if node.point is None else node.point
        yield f";{'B' if colour == BLACK else 'W'}[{sgf.point_text(point, rules.width, rules.height)}]"
        yield from _annotations(node, rules)
        _branch(waiting, node, opponent(colour))
    yield ")\n"


def _branch(waiting: list[tuple[Node, Colour] | None], node: Node, colour: Colour) -> None:
    """Put the continuations of a node, which `colour` makes, next in line."""
    for child in reversed(node.children):
        if len(node.children) > 1:
            waiting.append(None)
        waiting.append((child, colour))


def _annotations(node: Node, rules: Rules) -> Iterator[str]:
    """All properties of a node but its move."""
    if node.comment:
        yield f"C[{sgf.escaped(node.comment)}]"
    for name, values in sgf.mark_values(node.marks, rules.width, rules.height).items():
        yield f"{name}[{']['.join(values)}]"
    if node.score is not None:
        yield f"TGS[{sgf.score_text(node.score)}]"
    if node.seconds is not None:
        yield f"TGT[{node.seconds!r}]"
