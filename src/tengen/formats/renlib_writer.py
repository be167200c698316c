"""Writing the nodes of a RenLib library; `tengen.formats.renlib` describes how it maps to a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tengen.formats.common import WriteError
from tengen.formats.renlib_bytes import (
    BOARD_TEXT,
    COMMENT,
    DOWN,
    EXTENSION,
    HEADER_LENGTH,
    MAGIC,
    MARK,
    NEWEST,
    NO_MOVE,
    NUMBERS,
    OFF,
    ONE_LINE,
    RIGHT,
    SHAPES,
    SIZE,
    START,
    START_HEADER,
)
from tengen.game.errors import NotationError, OffBoard
from tengen.game.notation import parse_moves, shorten
from tengen.game.points import PASS, Point
from tengen.game.record import Mark, Node, Record


def texts_of(node: Node) -> Iterator[str]:
    """Yield the texts written for a node, in the order in which a reader finds them."""
    if node.comment:
        yield _plain(node.comment)
    if node.marks:
        yield from (text for _, text in sorted(_labels(node).items()))


def _plain(comment: str) -> str:
    """Return a comment without the characters that have a meaning in the file."""
    return comment.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\b", "")


def _labels(node: Node) -> dict[Point, str]:
    """Return the texts on the board after a node, one a point, without the circle on its own stone."""
    labels: dict[Point, str] = {}
    for mark in node.marks:
        text = mark.label.replace("\0", "") if mark.kind == "label" else SHAPES[mark.kind]
        if text and not _is_circle_on_stone(node, mark):
            labels.setdefault(mark.point, text)
    return labels


def _is_circle_on_stone(node: Node, mark: Mark) -> bool:
    return mark.kind == "circle" and mark.point == node.point


def start_node(record: Record) -> Node | None:
    """Return the node at which RenLib should open the library, if the header names one."""
    try:
        points = parse_moves(record.headers.get(START_HEADER, ""), SIZE, SIZE)
    except (NotationError, OffBoard):
        return None
    node: Node | None = record.root if points else None
    for point in points:
        node = node.child(point) if node is not None else None
    return node


class _LibraryEntry(NamedTuple):
    """A node to write, or a text on a point without a node."""

    node: Node | None
    point: Point
    label: str = ""


class LibraryWriter:
    """A writer of a tree.

    Args:
        encoding: encoding of all text.
        start: the node at which RenLib should open the library; None for the empty board.
    """

    def __init__(self, encoding: str, start: Node | None) -> None:
        self._encoding = encoding
        self._start = start
        self._out = bytearray(MAGIC + bytes(NEWEST)).ljust(HEADER_LENGTH, b"\xff")

    def write(self, root: Node) -> bytes:
        """Return the whole file."""
        entries = self._following(root)
        # A pass that comes first would be taken for the root.
        if root.comment or not entries or entries[-1].point == PASS:
            self._node(_LibraryEntry(root, PASS), last=True, leaf=not entries)
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

    def _following(self, node: Node) -> list[_LibraryEntry]:
        """Return the entries that follow a node and belong to it, in reverse."""
        labels = _labels(node) if node.marks else {}
        entries = []
        for child in node.children:
            point = OFF if child.point is None else child.point
            entries.append(_LibraryEntry(child, point, labels.pop(point, "")))
        entries += [_LibraryEntry(None, point, label) for point, label in labels.items()]
        entries.reverse()
        return entries

    def _node(self, entry: _LibraryEntry, *, last: bool, leaf: bool) -> None:
        node, point, text = entry
        number = NUMBERS.get(point)
        if number is None:
            raise WriteError("error.renlib.off", number=point)
        info = (0 if last else DOWN) | (RIGHT if leaf else 0)
        comment = label = b""
        if node is None:
            info |= NO_MOVE
        else:
            if node.comment:
                comment = self._comment(node.comment)
                info |= COMMENT if comment else 0
            if node.marks and any(_is_circle_on_stone(node, mark) for mark in node.marks):
                info |= MARK
            if node is self._start:
                info |= START
        if text:
            label = self._padded(text)
            info |= EXTENSION
        self._out += bytes((number, info))
        if label:
            self._out += BOARD_TEXT.to_bytes(2, "big")
        self._out += comment + label

    def _comment(self, comment: str) -> bytes:
        text = _plain(comment)
        line, newline, lines = text.partition("\n")
        if (newline and not (line and lines)) or len(line) > ONE_LINE:
            text = "\b" + text
        elif newline:
            text = line + "\b" + lines
        return self._padded(text.replace("\n", "\r\n")) if text else b""

    def _padded(self, text: str) -> bytes:
        """Encode text with one or two zero bytes behind it, which make its length even."""
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
