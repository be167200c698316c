"""JSON of our own, version 1: everything that a `Record` holds, in a form that other programs read easily.

    {"format": "tengen record", "version": 1, "games": [{
        "rules": {"width": 15, "height": 15, "k": 5, ...},
        "setup": {"black": ["h8"], "white": [], "turn": "white"},
        "headers": {"black": "...", "result": "white"},
        "nodes": [
            {"comment": "the root comes first and has no move"},
            {"move": "i9", "score": {"value": 35}, "seconds": 1.5},
            {"move": "g7", "marks": [["triangle", "h8"], ["label", "i9", "A"]]},
            {"parent": 0, "move": "j10"}]}]}

The tree is a flat list: a node follows the one before it, or else ``parent`` is the place, counted from
0, of the node that it follows. Siblings stand in their order, the main continuation first. ``setup`` is
left out where the game begins on the empty board, and so is anything that a node does not have.
``rules`` are the fields of `tengen.game.rules.Rules`; points are written as everywhere in Tengen, a pass
as ``--``; ``score`` is for the side that made the move, ``value`` in centi-units and ``mate`` in plies.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from threading import Event
from typing import Any, NoReturn, get_args

from tengen.formats import movetext
from tengen.formats.common import MAX_TEXT, FormatError, Missing, ReadResult, WriteError
from tengen.formats.encodings import decode
from tengen.formats.text import FileLimits, check_size, list_problem, require_games, well_formed
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import NotationError, Occupied, TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit, Score
from tengen.game.points import BLACK, PASS, WHITE, Point
from tengen.game.record import Mark, MarkKind, Node, Record
from tengen.game.rules import Rules
from tengen.game.session_state import FORMAT as SESSION
from tengen.words import Message

EXTENSIONS = (".json",)
FORMAT = "tengen record"
VERSION = 1

_KINDS = get_args(MarkKind)
_COLOURS = {"black": BLACK, "white": WHITE}
_STONE_LISTS = ("stones", "blackStones", "whiteStones")
_LARGEST = 10**9
_DETAILS = ("comment", "marks", "score", "seconds")


def read(data: bytes) -> ReadResult:
    """Read the games of a file.

    A game that Tengen has saved in the middle (``tengen session``) is read as the record of its moves, and
    a list of stones as puzzle sites give it, ``{"stones": ["H8", ...]}`` in the order of play or
    ``{"blackStones": [...], "whiteStones": [...]}``, as one game on 15x15, or larger where needed.

    Raises:
        FormatError: the file is no JSON of ours, or no game in it can be read.
    """
    text = decode(data)
    content = _content(data, text)
    if content.get("format") == SESSION:
        return ReadResult([_saved_session(text)])
    if any(name in content for name in _STONE_LISTS):
        return ReadResult([_stones(content)])
    if content.get("format") != FORMAT:
        raise FormatError("error.format.json.format")
    if content.get("version") != VERSION:
        version = shorten(repr(content.get("version")))
        raise FormatError("error.format.json.version", version=version)
    games = ReadResult()
    limits = FileLimits(len(data))
    for number, game in enumerate(_list(content, "games"), 1):
        faults = _Faults()
        try:
            games.records.append(_record(game, limits, faults))
        except TengenError as error:
            faults.add(error.message, "game")
        if not all(list_problem(games, message, number, missing) for message, missing in faults.listed):
            break
    return require_games(games)


def write(records: Sequence[Record]) -> bytes:
    """Write the games as one file.

    Raises:
        WriteError: a time is no number of seconds.
    """
    games = [game_data(record) for record in records]
    line = line_of({"format": FORMAT, "version": VERSION, "games": games})
    # A line a node, for the sake of text editors and diffs.
    return line.replace(b'},{"', b'},\n{"').replace(b'"nodes":[', b'"nodes":[\n')


def read_lines(data: bytes) -> ReadResult:
    """Read the games of a file with one game a line (``.jsonl``), each as in ``games`` above.

    A line that holds no game, such as the head of a match's journal, is skipped; an incomplete last line is
    listed as a problem.

    Raises:
        FormatError: no game in it can be read.
    """
    check_size(data)
    games = ReadResult()
    limits = FileLimits(len(data))
    # Not `splitlines`: JSON has the other separators of lines, such as U+2028, as they are within a text.
    for number, line in enumerate(decode(data).split("\n"), 1):
        faults = _Faults()
        game_number = len(games.records) + len(games.unread) + 1
        try:
            game = json.loads(line, parse_constant=_no_constant) if line.strip() else {}
            if isinstance(game, dict) and "nodes" not in game:
                continue
            games.records.append(_record(game, limits, faults))
        except (RecursionError, ValueError) as error:
            faults.add(getattr(error, "message", Message("error.format.json.other")), "game")
        placed = [
            (Message("error.format.line", {"line": number, "reason": message}), missing)
            for message, missing in faults.listed
        ]
        if not all(list_problem(games, message, game_number, missing) for message, missing in placed):
            break
    return require_games(games)


def write_lines(records: Sequence[Record]) -> bytes:
    """Write the games, one a line.

    Raises:
        WriteError: a time is no number of seconds.
    """
    return b"".join(line_of(game_data(record)) for record in records)


def line_of(content: dict[str, Any]) -> bytes:
    """Write JSON on one line.

    Raises:
        WriteError: a number that JSON cannot hold.
    """
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise WriteError("error.write.seconds") from error
    return (text + "\n").encode("utf-8", "replace")


def _content(data: bytes, text: str) -> dict[str, Any]:
    check_size(data)
    try:
        content = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise FormatError("error.format.json", line=error.lineno, column=error.colno) from error
    except (RecursionError, ValueError) as error:
        raise FormatError("error.format.json.other") from error
    if not isinstance(content, dict):
        raise FormatError("error.format.json.format")
    return content


def game_data(record: Record) -> dict[str, Any]:
    """Return one game as JSON-ready data: an element of ``games``."""
    width = record.rules.width
    game: dict[str, Any] = {"rules": record.rules.to_dict()}
    setup = record.setup
    if setup.turn == WHITE or any(setup.position):
        stones = {name: list(map(setup.name, setup.stones(colour))) for name, colour in _COLOURS.items()}
        game["setup"] = {**stones, "turn": "black" if setup.turn == BLACK else "white"}
    if record.headers:
        game["headers"] = record.headers
    nodes: list[dict[str, Any]] = []
    places: dict[Node, int] = {}
    for place, node in enumerate(record.nodes()):
        places[node] = place
        content: dict[str, Any] = {}
        if node.parent is not None and places[node.parent] != place - 1:
            content["parent"] = places[node.parent]
        nodes.append(content | _node(node, width))
    game["nodes"] = nodes
    return game


def _node(node: Node, width: int) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if node.point is not None:
        content["move"] = notation.point_name(node.point, width)
    if node.comment:
        content["comment"] = node.comment
    if node.marks:
        content["marks"] = [
            [mark.kind, notation.point_name(mark.point, width), *([mark.label] if mark.label else [])]
            for mark in node.marks
        ]
    if node.score is not None:
        content["score"] = {"value": node.score.value}
        if node.score.mate is not None:
            content["score"]["mate"] = node.score.mate
    if node.seconds is not None:
        content["seconds"] = node.seconds
    return content


def _saved_session(text: str) -> Record:
    from tengen.game.session import Session

    try:
        return Session.from_json(text, _Absent).record()
    except NotationError as error:
        raise FormatError(error.message.key, **error.message.values) from error


class _Absent:
    """A stand-in for a player of a saved session; never asked for a move."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> NoReturn:
        raise NotImplementedError

    def explain(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> NoReturn:
        raise NotImplementedError


def _stones(content: dict[str, Any]) -> Record:
    stones, black, white = ([_name(name, key) for name in _list(content, key)] for key in _STONE_LISTS)
    if black or white:
        return movetext.from_stones(black, white)
    return movetext.from_moves(" ".join(stones))


def game_record(game: Any) -> Record:
    """Read a game that `game_data` wrote.

    Raises:
        TengenError: it is no such data; the sentence names the place.
    """
    return _record(game, FileLimits(MAX_TEXT), None)


class _Faults:
    """The faults of one game, each with the loss caused by it."""

    def __init__(self) -> None:
        self.listed: list[tuple[Message, Missing]] = []

    def add(self, message: Message, missing: Missing) -> None:
        self.listed.append((message, missing))


def _record(game: Any, limits: FileLimits, faults: _Faults | None) -> Record:
    """Read a game; with a list of `faults` one fault loses one thing, without it raises."""
    _check(isinstance(game, dict), "games")
    rules = Rules.from_dict(_dict(game, "rules"))
    limits.game(rules.points)
    headers: dict[str, str] = {}
    for key, value in _dict(game, "headers").items():
        try:
            headers[_text(key, "headers")] = _text(value, "headers")
        except FormatError as error:
            if faults is None:
                raise
            faults.add(error.message, "detail")
    record = Record(rules, _setup(game, rules), headers)
    contents = _list(game, "nodes")
    limits.nodes(len(contents))
    _Nodes(record, faults).read(contents)
    return record


def _setup(game: dict[str, Any], rules: Rules) -> Board | None:
    if "setup" not in game:
        return None
    setup = _dict(game, "setup")
    black, white = (_list(setup, name) for name in _COLOURS)
    _check(all(isinstance(name, str) for name in (*black, *white)), "setup")
    turn = setup.get("turn", "black")
    _check(isinstance(turn, str) and turn in _COLOURS, "turn")
    return Board.from_stones(black, white, _COLOURS[turn], rules)


class _Nodes:
    """The tree of a game, read from its flat list.

    A `RecordBuilder` would merge siblings with the same move, and adapt the rules to the moves; here
    everything comes back as it was written.

    Attributes:
        _nodes: the nodes by their places; None for those lost with a fault.
        _line: the nodes from the root to the last one read, whose points are occupied.
    """

    def __init__(self, record: Record, faults: _Faults | None) -> None:
        self._record, self._faults = record, faults
        self._nodes: list[Node | None] = []
        self._line: list[Node] = [record.root]
        self._occupied = {point for point, stone in enumerate(record.setup.position) if stone}

    def read(self, contents: list[Any]) -> None:
        for place, content in enumerate(contents):
            parent: Node | None = None
            node: Node | None = None
            try:
                parent = self._parent(content)
                if place == 0 or parent is not None:
                    node = self._node(content, parent)
            except TengenError as error:
                if place == 0:
                    raise self._at(place, error) from error
                of_main_line = parent is None or _goes_on(parent)
                self._lose(place, error, "moves" if of_main_line else "variation")
            self._nodes.append(node)
            if node is not None:
                self._details(place, content, node)

    def _parent(self, content: Any) -> Node | None:
        """Return the parent of a node; None for the root, and for a parent lost with a fault."""
        _check(isinstance(content, dict), "nodes")
        if not self._nodes:
            return None
        number = content.get("parent", len(self._nodes) - 1)
        _check(_is_whole(number) and 0 <= number < len(self._nodes), "parent")
        parent: Node | None = self._nodes[number]
        return parent

    def _node(self, content: dict[str, Any], parent: Node | None) -> Node:
        if parent is None:
            _check("move" not in content, "move")
            return self._record.root
        point = _point(self._record, content.get("move"))
        self._go_to(parent)
        if point in self._occupied:
            raise Occupied("error.occupied", point=notation.point_name(point, self._record.rules.width))
        node = Node(point, parent)
        parent.children.append(node)
        self._line.append(node)
        if point != PASS:
            self._occupied.add(point)
        return node

    def _go_to(self, parent: Node) -> None:
        """Make the line to a node current; mostly it is a part of the line read last."""
        while self._line and self._line[-1] is not parent:
            self._occupied.discard(_point_of(self._line.pop()))
        if self._line:
            return
        node: Node | None = parent
        while node is not None:
            self._line.append(node)
            node = node.parent
        self._line.reverse()
        self._occupied.update(_point_of(node) for node in self._line[1:])
        self._occupied.discard(PASS)

    def _details(self, place: int, content: dict[str, Any], node: Node) -> None:
        """Read the details of a node, each by itself."""
        for name in _DETAILS:
            if name in content:
                try:
                    _take(self._record, node, content, name)
                except TengenError as error:
                    self._lose(place, error, "detail")

    def _lose(self, place: int, error: TengenError, missing: Missing) -> None:
        if self._faults is None:
            raise self._at(place, error) from error
        self._faults.add(self._at(place, error).message, missing)

    def _at(self, place: int, error: TengenError) -> FormatError:
        return FormatError("error.format.json.node", node=place, reason=error.message)


def _goes_on(parent: Node) -> bool:
    """Return whether the next continuation of a node belongs to the main line."""
    node: Node | None = parent
    if parent.children:
        return False
    while node is not None and node.parent is not None:
        if node.parent.children[0] is not node:
            return False
        node = node.parent
    return True


def _point_of(node: Node) -> Point:
    return PASS if node.point is None else node.point


def _take(record: Record, node: Node, content: dict[str, Any], name: str) -> None:
    """Set a detail of a node from its data."""
    if name == "comment":
        node.comment = _text(content[name], name)
    elif name == "marks":
        node.marks = tuple(_mark(record, mark) for mark in _list(content, name))
    elif name == "score":
        score = _dict(content, name)
        _check(all(_is_whole(score.get(key, 0)) for key in ("value", "mate")), name)
        node.score = Score(score.get("value", 0), score.get("mate"))
    else:
        seconds = content[name]
        _check(_is_whole(seconds) or (isinstance(seconds, float) and math.isfinite(seconds)), name)
        node.seconds = float(seconds)


def _mark(record: Record, mark: Any) -> Mark:
    _check(isinstance(mark, list) and len(mark) in (2, 3) and mark[0] in _KINDS, "marks")
    label = _text(mark[2], "marks") if len(mark) == 3 else ""
    point = _point(record, mark[1])
    _check(point >= 0, "marks")
    return Mark(point, mark[0], label)


def _point(record: Record, name: Any) -> Point:
    return notation.parse_point(_name(name, "move"), record.rules.width, record.rules.height)


def _name(name: Any, field: str) -> str:
    _check(isinstance(name, str), field)
    return str(name)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _list(content: dict[str, Any], name: str) -> list[Any]:
    value = content.get(name, [])
    _check(isinstance(value, list), name)
    return list(value)


def _dict(content: dict[str, Any], name: str) -> dict[str, Any]:
    value = content.get(name, {})
    _check(isinstance(value, dict), name)
    return dict(value)


def _text(value: Any, name: str) -> str:
    _check(isinstance(value, str), name)
    if len(value) > MAX_TEXT:
        raise FormatError("error.format.text", most=MAX_TEXT)
    return well_formed(value)


def _check(true: bool, name: str) -> None:
    if not true:
        raise FormatError("error.format.json.field", field=name)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
