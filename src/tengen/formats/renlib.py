"""RenLib libraries, ``.lib``: one tree of moves on 15x15 with comments, marks and texts on the board.

The file is a stream of nodes, depth first: a byte for the point (column from 1, row from the *top*, 0
for a pass or the root), a byte of flags, and what the flags announce. Versions 3.0 and 3.04 begin with a
header, older files with their first move, h8. How a library maps to a `Record`:

- The comment above RenLib's board and the longer one beside it become one comment, the first on a line
  of its own.
- A *mark* on a move is a circle on the stone that it put.
- A *board text* lies on an empty point or a variation of the position before (RenLib 3.6 Users Guide,
  "Mouse Button"), so it is a label of the parent. Where no variation goes with it, the node is flagged as
  no move. The texts △, □, ○ and × are the shapes of those marks.
- The *start position*, where RenLib opens the library, is the header ``renlib:start``: its moves.
- The file names neither rules nor players. Records are read as renju in which a foul loses, since
  libraries show fouls too, and with passing where a move is passed.

Text is in whatever code page the writer's Windows had; see `read`. Not written: other headers,
evaluations, times, and a second text or shape on the same point.
"""

from __future__ import annotations

import gc
import itertools
import random
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from tengen.formats.common import MAX_NODES, MAX_TEXT, FormatError, ReadResult, WriteError
from tengen.formats.text import check_size, decode
from tengen.game.errors import NotationError, OffBoard
from tengen.game.notation import format_moves, parse_moves, point_name, shorten
from tengen.game.points import BLACK, PASS, WHITE, Point
from tengen.game.record import Mark, MarkKind, Node, Record
from tengen.game.rules import Rules

EXTENSIONS = (".lib",)

START_HEADER = "renlib:start"
"""The header of a record that says where RenLib opens the library, as move text."""

_SIZE = 15
_MAGIC = b"\xffRenLib\xff"
_HEADER_LENGTH = 20
_NEWEST = (3, 4)
_H8 = 0x78

# The names of the flags are RenLib's: its tree grows to the right, and variations lie below each other.
_DOWN = 0x80  # another variation of the same position follows later
_RIGHT = 0x40  # nothing follows this move
_OLD_COMMENT = 0x20
_MARK = 0x10
_COMMENT = 0x08
_START = 0x04
_NO_MOVE = 0x02
_EXTENSION = 0x01
_MORE = _OLD_COMMENT | _MARK | _COMMENT | _START | _NO_MOVE | _EXTENSION
_BOARD_TEXT = 0x0001  # in the two bytes that the extension adds

_ONE_LINE = 80  # characters that fit above RenLib's board
_SEPARATOR = b"\b"
_OLD_END = re.compile(rb"[\x80-\xff]")
_MAX_BYTES_OF_TEXT = 4 * MAX_TEXT

_SHAPES: dict[MarkKind, str] = {"triangle": "△", "square": "□", "circle": "○", "cross": "×"}
_KINDS = {text: kind for kind, text in _SHAPES.items()}

_OFF = -2


def _point_of(number: int) -> Point:
    """The point that a byte stands for, `PASS`, or `_OFF`."""
    if number == 0:
        return PASS
    row, column = divmod(number, 16)
    return (_SIZE - 1 - row) * _SIZE + column - 1 if column and row < _SIZE else _OFF


_POINTS = tuple(_point_of(number) for number in range(256))
_NUMBERS = {point: number for number, point in enumerate(_POINTS) if point != _OFF}


def read(data: bytes, *, encoding: str | None = None) -> ReadResult:
    """Read a library; it is one record.

    The encoding of text is guessed, see `tengen.formats.text.decode`. Where the guess is bound to fail,
    for Russian say, it needs its name: nothing in the file tells.

    Args:
        data: the file.
        encoding: of all its text, ``cp1251`` say; characters that are not in it become U+FFFD.

    Raises:
        FormatError: no library, or a damaged one; the sentence names the byte, counted from 0.
    """
    check_size(data)
    if encoding is not None and not _is_encoding(encoding):
        raise FormatError("error.renlib.encoding", encoding=shorten(encoding))
    reader = _Reader(data)
    with _collector_resting():
        reader.read(_body(data))
    record = Record(Rules.named("renju", fouls="loses", passing=reader.passes))
    if reader.start:
        record.headers[START_HEADER] = reader.start
    record.root = reader.root
    reader.decode(record, encoding)
    return ReadResult([record])


def write(records: Sequence[Record], *, encoding: str | None = None) -> bytes:
    """A library of version 3.04.

    Without an `encoding`, text is written in code page 1252 or in GB18030 where `read` will recognise
    it, and else in UTF-8, which RenLib itself does not show.

    Args:
        records: one record on 15x15 from the empty board, under any rules.
        encoding: of all text.

    Raises:
        WriteError: several records, another board, set-up stones, or a character that is not in
            `encoding`.
    """
    if len(records) != 1:
        raise WriteError("error.renlib.games", count=len(records))
    record = records[0]
    if (record.rules.width, record.rules.height) != (_SIZE, _SIZE):
        raise WriteError("error.renlib.size", size=record.rules.size_text)
    setup = record.setup
    if setup.turn != BLACK or setup.stones(BLACK) or setup.stones(WHITE):
        raise WriteError("error.renlib.setup")
    if encoding is None:
        encoding = _encoding_for(text for node in record.nodes() for text in _texts(node))
    elif not _is_encoding(encoding):
        raise WriteError("error.renlib.encoding", encoding=shorten(encoding))
    return _Writer(encoding, _start_node(record)).write(record.root)


def transpositions(record: Record) -> Iterator[list[Node]]:
    """The positions that several lines of a record reach, each as its nodes in the order of the record.

    A library holds what follows such a position once, behind one of the nodes: the others are often
    leaves. Positions are the same where stones and side to move are; symmetric ones are different.
    While it searches it needs about 50 bytes a node, and finds every transposition and nothing else.
    """
    chance = random.Random(0)
    # Keys after Zobrist, "A New Hashing Method with Application for Game Playing" (1970), which few
    # different positions share; bit 0 is the side to move. What shares a key is then compared exactly.
    keys = [[chance.getrandbits(63) & ~1 for _ in range(record.rules.points)] for _ in range(2)]
    found = sorted(array("Q", (key for _, key in _keyed(record, keys))))
    twice = {key for key, following in itertools.pairwise(found) if key == following}
    del found
    if not twice:
        return
    size = record.rules.points
    exact = [[2 << colour * size + point for point in range(size)] for colour in range(2)]
    groups: dict[int, list[Node]] = {}
    walk = zip(_keyed(record, keys), _keyed(record, exact), strict=True)
    for (node, key), (_, position) in walk:
        if key in twice:
            groups.setdefault(position, []).append(node)
    yield from (nodes for nodes in groups.values() if len(nodes) > 1)


def _keyed(record: Record, keys: Sequence[Sequence[int]]) -> Iterator[tuple[Node, int]]:
    """All nodes, as `Record.nodes`, with the keys of their stones and bit 0 for the side to move."""
    waiting = [(record.root, 0)]
    while waiting:
        node, key = waiting.pop()
        yield node, key
        mine = keys[key & 1]
        for child in reversed(node.children):
            point = child.point
            stone = 0 if point is None or point == PASS else mine[point]
            waiting.append((child, key ^ stone ^ 1))


@contextmanager
def _collector_resting() -> Iterator[None]:
    """Keep the garbage collector from walking a growing tree again and again: it halves the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# -- reading


def _body(data: bytes) -> int:
    """Where the nodes begin."""
    if data[:1] == bytes([_H8]):
        return 0
    if not data.startswith(_MAGIC):
        raise FormatError("error.renlib.header")
    if len(data) < _HEADER_LENGTH:
        raise FormatError("error.renlib.truncated", offset=len(data))
    major, minor = data[8], data[9]
    if (major, minor) > _NEWEST:
        raise FormatError("error.renlib.version", version=f"{major}.{minor:02}")
    return _HEADER_LENGTH


class _Reader:
    """Builds the tree. Text is kept as Latin-1, which holds any bytes, until all of it is known."""

    def __init__(self, data: bytes) -> None:
        self.root = Node()
        self.start = ""
        self.passes = False
        self._data = data
        self._occupied = bytearray(256)
        self._path: list[int] = []  # the bytes of the moves that led here
        self._waiting: list[tuple[Node, int]] = []  # where variations follow, and the path's length there
        self._labels: dict[Node, dict[Point, str]] = {}  # none, for a node with only a foreign comment

    def read(self, place: int) -> None:
        """Read all nodes, from `place` on."""
        data, size = self._data, len(self._data)
        parent: Node | None = self.root
        if place < size and data[place] == 0:
            parent, place = self._root(place)
        elif place == size:
            parent = None
        nodes = 0
        while parent is not None:
            if place + 2 > size:
                raise FormatError("error.renlib.truncated", offset=size)
            nodes += 1
            if nodes > MAX_NODES:
                raise FormatError("error.renlib.nodes", offset=place, most=MAX_NODES)
            number, info = data[place], data[place + 1]
            if info & _MORE:
                node, place = self._special(parent, place)
            else:
                node = self._child(parent, number, place)
                place += 2
            if info & _DOWN:
                self._waiting.append((parent, len(self._path)))
            if info & _RIGHT:
                parent = self._back()
            else:
                parent = node
                self._path.append(number)
                self._occupied[number] = number != 0
        if place < size:
            raise FormatError("error.renlib.trailing", offset=place)

    def decode(self, record: Record, encoding: str | None) -> None:
        """Turn all text into what it says, in an encoding or the likeliest one."""
        if not self._labels:
            return
        # In the order of the tree, as `write` has it when it makes sure of the encoding.
        nodes = [node for node in record.nodes() if node in self._labels]
        foreign = [text for node in nodes for text in self._held(node) if not text.isascii()]
        raw = [text.encode("latin-1") for text in foreign]
        told = _told(raw) if encoding is None else [_replaced(text, encoding) for text in raw]
        said = dict(zip(foreign, told, strict=True))
        for node in nodes:
            node.comment = said.get(node.comment, node.comment)
            labels = self._labels[node].items()
            marks = {*node.marks, *(_mark(point, said.get(text, text)) for point, text in labels)}
            node.marks = tuple(sorted(marks, key=lambda mark: (mark.point, mark.kind)))

    def _held(self, node: Node) -> Iterator[str]:
        """The texts of a node, those on the board in the order of their points."""
        yield node.comment
        yield from (text for _, text in sorted(self._labels[node].items()))

    def _root(self, place: int) -> tuple[Node | None, int]:
        """Read a node that stands for the empty board; its parent is the root just as its children's."""
        info = self._data[place + 1] if place + 1 < len(self._data) else 0
        comment, _, place = self._more(info, place + 2)
        self._comment(self.root, comment)
        if info & _RIGHT:
            return (self.root if info & _DOWN else None), place
        if info & _DOWN:
            self._waiting.append((self.root, 0))
        return self.root, place

    def _child(self, parent: Node, number: int, offset: int) -> Node:
        """The continuation by the point that a byte stands for, as `Node.add`."""
        point = _POINTS[number]
        if point < 0:
            if point == _OFF:
                raise FormatError("error.renlib.point", offset=offset, value=number)
            self.passes = True
        if self._occupied[number]:
            raise FormatError("error.renlib.occupied", offset=offset, point=point_name(point, _SIZE))
        for child in parent.children:
            if child.point == point:
                return child
        child = Node(point, parent)
        parent.children.append(child)
        return child

    def _back(self) -> Node | None:
        """Where the next variation follows; None where none is left."""
        if not self._waiting:
            return None
        parent, depth = self._waiting.pop()
        for number in self._path[depth:]:
            self._occupied[number] = False
        del self._path[depth:]
        return parent

    def _special(self, parent: Node, offset: int) -> tuple[Node, int]:
        """A node with more than its point and its place in the tree, and where the next one begins.

        A text on a point without a move is no node: its parent stands for it.
        """
        number, info = self._data[offset], self._data[offset + 1]
        comment, label, place = self._more(info, offset + 2)
        point = _POINTS[number]
        if point == _OFF:
            raise FormatError("error.renlib.point", offset=offset, value=number)
        if label and point != PASS:
            self._labels.setdefault(parent, {})[point] = label.decode("latin-1")
        if info & _NO_MOVE and info & _RIGHT:
            return parent, place
        node = self._child(parent, number, offset)
        self._comment(node, comment)
        if info & _MARK and point != PASS:
            node.marks = (Mark(point, "circle"),)
        if info & _START and not self.start:
            self.start = format_moves(node.path(), _SIZE)
        return node, place

    def _more(self, info: int, place: int) -> tuple[bytes, bytes, int]:
        """Comment and board text that flags announce, as they stand, and where the next node begins."""
        extension = 0
        if info & _EXTENSION:
            extension = int.from_bytes(self._data[place : place + 2], "big")
            place += 2
        comment = label = b""
        if info & _OLD_COMMENT:
            comment, place = self._old_text(place)
        elif info & _COMMENT:
            comment, place = self._text(place)
        if extension & _BOARD_TEXT:
            label, place = self._text(place)
        if place > len(self._data):
            raise FormatError("error.renlib.truncated", offset=len(self._data))
        return comment, label, place

    def _text(self, place: int) -> tuple[bytes, int]:
        """Text up to a zero byte, and where the next pair of bytes begins."""
        end = self._data.find(b"\0", place, place + _MAX_BYTES_OF_TEXT)
        if end < 0:
            raise self._endless(place)
        return self._data[place:end], place + (end - place) // 2 * 2 + 2

    def _old_text(self, place: int) -> tuple[bytes, int]:
        """Text of seven bits that ends at the first byte with the top bit set.

        What else that byte holds is the last character, if it is one.
        """
        match = _OLD_END.search(self._data, place, place + _MAX_BYTES_OF_TEXT)
        if match is None:
            raise self._endless(place)
        end = match.start()
        last = bytes([self._data[end] & 0x7F])
        text = self._data[place:end] + (last if last.decode("ascii").isprintable() else b"")
        return text, place + (end - place) // 2 * 2 + 2

    def _endless(self, place: int) -> FormatError:
        if place + _MAX_BYTES_OF_TEXT < len(self._data):
            return FormatError("error.renlib.text", offset=place)
        return FormatError("error.renlib.truncated", offset=len(self._data))

    def _comment(self, node: Node, comment: bytes) -> None:
        """Give a node its comment; as in RenLib, of variations that are merged the first keeps its own."""
        if comment and not node.comment:
            node.comment = _one_text(comment).decode("latin-1")
            if not comment.isascii():
                self._labels.setdefault(node, {})


def _one_text(comment: bytes) -> bytes:
    """The two comments of a node as one, with plain ends of lines."""
    line, _, lines = comment.replace(b"\0", b"").partition(_SEPARATOR)
    lines = lines.replace(_SEPARATOR, b"")
    whole = line + b"\n" + lines if line and lines else line + lines
    return whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _mark(point: Point, text: str) -> Mark:
    """The mark that a text on the board is."""
    kind = _KINDS.get(text)
    return Mark(point, "label", text) if kind is None else Mark(point, kind)


# -- encodings


def _is_encoding(name: str) -> bool:
    try:
        "a".encode(name)
    except (LookupError, ValueError):
        return False
    return True


def _told(raw: Sequence[bytes]) -> list[str]:
    """What texts say that are all in the same, unknown encoding."""
    # None holds a zero byte; the first one keeps a text from looking like a byte order mark.
    texts = decode(b"".join(b"\0" + text for text in raw)).split("\0")[1:]
    return texts if len(texts) == len(raw) else [text.decode("latin-1") for text in raw]


def _replaced(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding, "replace")
    except UnicodeError:  # some codecs know no replacement
        return raw.decode("latin-1")


def _encoding_for(texts: Iterable[str]) -> str:
    """The encoding to write: one that other programs show, if it will be recognised."""
    foreign = [text for text in texts if not text.isascii()]
    for encoding in ("cp1252", "gb18030"):
        try:
            raw = [text.encode(encoding) for text in foreign]
        except UnicodeEncodeError:
            continue
        if _told(raw) == foreign:
            return encoding
    return "utf-8"


# -- writing


def _texts(node: Node) -> Iterator[str]:
    """The text that is written for a node, in the order in which a reader finds it."""
    if node.comment:
        yield _plain(node.comment)
    if node.marks:
        yield from (text for _, text in sorted(_labels(node).items()))


def _plain(comment: str) -> str:
    """A comment without what means something else in the file."""
    return comment.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\b", "")


def _labels(node: Node) -> dict[Point, str]:
    """The texts on the board after a node, one a point; the circle on its own stone is none."""
    labels: dict[Point, str] = {}
    for mark in node.marks:
        text = mark.label.replace("\0", "") if mark.kind == "label" else _SHAPES[mark.kind]
        if text and not _is_circle_on_stone(node, mark):
            labels.setdefault(mark.point, text)
    return labels


def _is_circle_on_stone(node: Node, mark: Mark) -> bool:
    return mark.kind == "circle" and mark.point == node.point


def _start_node(record: Record) -> Node | None:
    """The node where RenLib is to open the library, if the header names one."""
    try:
        points = parse_moves(record.headers.get(START_HEADER, ""), _SIZE, _SIZE)
    except (NotationError, OffBoard):
        return None
    node: Node | None = record.root if points else None
    for point in points:
        node = node.child(point) if node is not None else None
    return node


class _Entry(NamedTuple):
    """A node to write, or a text on a point where there is none."""

    node: Node | None
    point: Point
    label: str = ""


class _Writer:
    def __init__(self, encoding: str, start: Node | None) -> None:
        self._encoding = encoding
        self._start = start
        self._out = bytearray(_MAGIC + bytes(_NEWEST)).ljust(_HEADER_LENGTH, b"\xff")

    def write(self, root: Node) -> bytes:
        """The whole file."""
        entries = self._following(root)
        # A pass that comes first would be taken for the root.
        if root.comment or not entries or entries[-1].point == PASS:
            self._node(_Entry(root, PASS), last=True, leaf=not entries)
        waiting = [entries] if entries else []
        while waiting:
            siblings = waiting[-1]
            entry = siblings.pop()
            if not siblings:
                waiting.pop()
            entries = self._following(entry.node) if entry.node is not None else []
            self._node(entry, last=not siblings, leaf=not entries)
            if entries:
                waiting.append(entries)
        return bytes(self._out)

    def _following(self, node: Node) -> list[_Entry]:
        """What is written after a node and belongs to it, in reverse."""
        labels = _labels(node) if node.marks else {}
        entries = []
        for child in node.children:
            point = _OFF if child.point is None else child.point
            entries.append(_Entry(child, point, labels.pop(point, "")))
        entries += [_Entry(None, point, label) for point, label in labels.items()]
        entries.reverse()
        return entries

    def _node(self, entry: _Entry, *, last: bool, leaf: bool) -> None:
        node, point, text = entry
        number = _NUMBERS.get(point)
        if number is None:
            raise WriteError("error.renlib.off", number=point)
        info = (0 if last else _DOWN) | (_RIGHT if leaf else 0)
        comment = label = b""
        if node is None:
            info |= _NO_MOVE
        else:
            if node.comment:
                comment = self._comment(node.comment)
                info |= _COMMENT if comment else 0
            if node.marks and any(_is_circle_on_stone(node, mark) for mark in node.marks):
                info |= _MARK
            if node is self._start:
                info |= _START
        if text:
            label = self._padded(text)
            info |= _EXTENSION
        self._out += bytes((number, info))
        if label:
            self._out += _BOARD_TEXT.to_bytes(2, "big")
        self._out += comment + label

    def _comment(self, comment: str) -> bytes:
        text = _plain(comment)
        line, newline, lines = text.partition("\n")
        if (newline and not (line and lines)) or len(line) > _ONE_LINE:
            text = "\b" + text
        elif newline:
            text = line + "\b" + lines
        return self._padded(text.replace("\n", "\r\n")) if text else b""

    def _padded(self, text: str) -> bytes:
        """Text with one or two zero bytes behind it, which make its length even."""
        try:
            raw = text.encode(self._encoding)
        except UnicodeError as error:
            raise self._unwritable(text[getattr(error, "start", 0)]) from error
        if b"\0" in raw:
            raise self._unwritable(text[0])
        return raw + bytes(2 - len(raw) % 2)

    def _unwritable(self, character: str) -> WriteError:
        return WriteError(
            "error.renlib.encode", character=shorten(character), encoding=shorten(self._encoding)
        )
