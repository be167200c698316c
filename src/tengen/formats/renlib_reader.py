"""Reading the nodes of a RenLib library; `tengen.formats.renlib` describes how it maps to a record."""

from __future__ import annotations

from collections.abc import Iterator

from tengen.formats.common import MAX_NODES, FileProblem, FormatError, LimitError
from tengen.formats.encodings import decode_as, decode_pieces
from tengen.formats.renlib_bytes import (
    BOARD_TEXT,
    COMMENT,
    DOWN,
    EXTENSION,
    H8,
    HEADER_LENGTH,
    KINDS,
    MAGIC,
    MARK,
    MAX_BYTES_OF_TEXT,
    MORE,
    NEWEST,
    NO_MOVE,
    OFF,
    OLD_COMMENT,
    OLD_END,
    POINTS,
    RIGHT,
    SEPARATOR,
    SIZE,
    START,
)
from tengen.formats.text import MAX_PROBLEMS
from tengen.game.notation import format_moves, point_name
from tengen.game.points import PASS, Point
from tengen.game.record import Mark, Node, Record
from tengen.words import Message


def body_begins(data: bytes) -> int:
    """Return the offset of the first node.

    Raises:
        FormatError: no library, or one of an unknown version.
    """
    if data[:1] == bytes([H8]):
        return 0
    # One byte of the header may be damaged.
    if data[1:7] != MAGIC[1:7] and not data.startswith(MAGIC):
        raise FormatError("error.renlib.header")
    if len(data) < HEADER_LENGTH:
        raise FormatError("error.renlib.truncated", offset=len(data))
    major, minor = data[8], data[9]
    if (major, minor) > NEWEST:
        raise FormatError("error.renlib.version", version=f"{major}.{minor:02}")
    return HEADER_LENGTH


class LibraryReader:
    """A reader that builds the tree.

    Text is kept as Latin-1, which holds any bytes, until all of it is known.

    Args:
        data: the file.
        stops: stop at the first impossible move, instead of leaving out the moves after it.

    Attributes:
        problems: the faults, and the losses caused by them.
        is_out_of_step: True if the file does not end where its nodes do, and had an impossible move.
    """

    def __init__(self, data: bytes, *, stops: bool = False) -> None:
        self.root = Node()
        self.start = ""
        self.passes = False
        self.problems: list[FileProblem] = []
        self.is_out_of_step = False
        self._data = data
        self._stops = stops
        self._occupied = bytearray(256)
        self._path: list[int] = []  # the bytes of the moves that led here, 0 for a move without a stone
        self._waiting: list[tuple[Node, int]] = []  # where variations follow, and the path's length there
        self._labels: dict[Node, dict[Point, str]] = {}  # none, for a node with only a foreign comment
        self._left_out: set[Node] = set()  # impossible moves: their trees are read, and not kept

    def read(self, place: int) -> None:
        """Read the nodes from `place` on, up to their end or where the file breaks off."""
        try:
            end = self._nodes(place)
        except FormatError as error:
            self._report(error, self._node)
            self.is_out_of_step = bool(self._left_out)
            return
        padding = not self._data[end:].strip(b"\0\x1a\r\n")
        if end < len(self._data):
            message = Message("error.renlib.trailing", {"offset": end})
            self.problems.append(FileProblem(1, message, "nothing" if padding else "detail"))
        self.is_out_of_step = bool(self._left_out) and not padding

    def _nodes(self, place: int) -> int:
        """Read all nodes and return the offset behind them.

        Raises:
            FormatError: the file breaks off, or goes beyond a limit.
        """
        data, size = self._data, len(self._data)
        parent: Node | None = self.root
        self._node = self.root
        if place < size and data[place] == 0:
            parent, place = self._root(place)
        elif place == size:
            parent = None
        nodes = 0
        while parent is not None:
            self._node = parent
            nodes += 1
            if nodes > MAX_NODES:
                raise LimitError("error.renlib.nodes", offset=place, most=MAX_NODES)
            if place + 2 > size:
                raise FormatError("error.renlib.truncated", offset=size)
            parent, place = self._next(parent, place, data[place], data[place + 1])
        return place

    def _next(self, parent: Node, place: int, number: int, info: int) -> tuple[Node | None, int]:
        """Read a node; return the parent of the next node, and that node's offset."""
        if info & MORE:
            node, place = self._special(parent, place)
            if place > len(self._data):
                self._node = node
                raise FormatError("error.renlib.truncated", offset=len(self._data))
        else:
            node = self._child(parent, number, place)
            place += 2
        if info & DOWN:
            self._waiting.append((parent, len(self._path)))
        if info & RIGHT:
            return self._back(), place
        if node in self._left_out:
            number = 0
        self._path.append(number)
        self._occupied[number] = number != 0
        return node, place

    def _report(self, error: FormatError, parent: Node) -> None:
        """Add a fault that costs the next continuation of a node."""
        node: Node | None = parent
        main = not parent.children
        while node is not None and node.parent is not None:
            if node in self._left_out:
                return
            main = main and node.parent.children[0] is node
            node = node.parent
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(FileProblem(1, error.message, "moves" if main else "variation"))

    def decode(self, record: Record, codec: str | None) -> str:
        """Decode all text, in an encoding or the likeliest one.

        Returns:
            The name of the encoding that was guessed; empty if none was.
        """
        if not self._labels:
            return ""
        # In the order of the tree, as when `write` checks the encoding.
        nodes = [node for node in record.nodes() if node in self._labels]
        foreign = [text for node in nodes for text in self._held(node) if not text.isascii()]
        raw = [text.encode("latin-1") for text in foreign]
        decoded, guessed = (
            decode_pieces(raw) if codec is None else ([decode_as(text, codec) for text in raw], "")
        )
        texts = dict(zip(foreign, decoded, strict=True))
        for node in nodes:
            node.comment = texts.get(node.comment, node.comment)
            labels = self._labels[node].items()
            marks = {*node.marks, *(_mark(point, texts.get(text, text)) for point, text in labels)}
            node.marks = tuple(sorted(marks, key=lambda mark: (mark.point, mark.kind)))
        return guessed

    def _held(self, node: Node) -> Iterator[str]:
        """The texts of a node, those on the board in the order of their points."""
        yield node.comment
        yield from (text for _, text in sorted(self._labels[node].items()))

    def _root(self, place: int) -> tuple[Node | None, int]:
        """Read a node that stands for the empty board; its parent is the root just as its children's."""
        info = self._data[place + 1] if place + 1 < len(self._data) else 0
        comment, _, place = self._more(info, place + 2)
        self._comment(self.root, comment)
        if place > len(self._data):
            raise FormatError("error.renlib.truncated", offset=len(self._data))
        if info & RIGHT:
            return (self.root if info & DOWN else None), place
        if info & DOWN:
            self._waiting.append((self.root, 0))
        return self.root, place

    def _child(self, parent: Node, number: int, offset: int) -> Node:
        """Return the continuation by the point of a byte; if it is impossible, a node that is not kept."""
        point = POINTS[number]
        if point == OFF:
            return self._impossible(
                FormatError("error.renlib.point", offset=offset, value=number), parent, PASS
            )
        if self._occupied[number]:
            name = point_name(point, SIZE)
            return self._impossible(
                FormatError("error.renlib.occupied", offset=offset, point=name), parent, point
            )
        if point < 0:
            self.passes = True
        for child in parent.children:
            if child.point == point:
                return child
        child = Node(point, parent)
        parent.children.append(child)
        return child

    def _impossible(self, error: FormatError, parent: Node, point: Point) -> Node:
        """Return the node of an impossible move: beside the tree, so that no move after it is kept."""
        if self._stops:
            raise error
        self._report(error, parent)
        node = Node(point, parent)
        self._left_out.add(node)
        return node

    def _back(self) -> Node | None:
        """Return the parent of the next variation; None if none is left."""
        if not self._waiting:
            return None
        parent, depth = self._waiting.pop()
        for number in self._path[depth:]:
            self._occupied[number] = False
        del self._path[depth:]
        return parent

    def _special(self, parent: Node, offset: int) -> tuple[Node, int]:
        """Read a node with details; return it and the offset of the next node.

        A text on a point without a move is no node: its parent is returned.
        """
        number, info = self._data[offset], self._data[offset + 1]
        comment, label, place = self._more(info, offset + 2)
        point = POINTS[number]
        if label and point not in (PASS, OFF):
            self._labels.setdefault(parent, {})[point] = label.decode("latin-1")
        if info & NO_MOVE and info & RIGHT:
            return parent, place
        node = self._child(parent, number, offset)
        self._comment(node, comment)
        if info & MARK and point not in (PASS, OFF):
            node.marks = (Mark(point, "circle"),)
        if info & START and not self.start and node not in self._left_out:
            self.start = format_moves(node.path(), SIZE)
        return node, place

    def _more(self, info: int, place: int) -> tuple[bytes, bytes, int]:
        """Read the comment and the board text that flags announce: raw, with the offset behind them."""
        extension = 0
        if info & EXTENSION:
            extension = int.from_bytes(self._data[place : place + 2], "big")
            place += 2
        comment = label = b""
        if info & OLD_COMMENT:
            comment, place = self._old_text(place)
        elif info & COMMENT:
            comment, place = self._text(place)
        if extension & BOARD_TEXT:
            label, place = self._text(place)
        return comment, label, place

    def _text(self, place: int) -> tuple[bytes, int]:
        """Read text up to a zero byte; the next offset is beyond the end of a file that breaks off."""
        end = self._data.find(b"\0", place, place + MAX_BYTES_OF_TEXT)
        if end < 0:
            self._check_length(place)
            return self._data[place:], len(self._data) + 1
        return self._data[place:end], place + (end - place) // 2 * 2 + 2

    def _old_text(self, place: int) -> tuple[bytes, int]:
        """Read text of seven bits that ends at the first byte with the top bit set.

        The other bits of that byte are the last character, if they are one.
        """
        match = OLD_END.search(self._data, place, place + MAX_BYTES_OF_TEXT)
        if match is None:
            self._check_length(place)
            return self._data[place:], len(self._data) + 1
        end = match.start()
        last = bytes([self._data[end] & 0x7F])
        text = self._data[place:end] + (last if last.decode("ascii").isprintable() else b"")
        return text, place + (end - place) // 2 * 2 + 2

    def _check_length(self, place: int) -> None:
        if place + MAX_BYTES_OF_TEXT < len(self._data):
            raise FormatError("error.renlib.text", offset=place)

    def _comment(self, node: Node, comment: bytes) -> None:
        """Give a node its comment; as in RenLib, of variations that are merged the first keeps its own."""
        if comment and not node.comment:
            node.comment = _one_text(comment).decode("latin-1")
            if not comment.isascii():
                self._labels.setdefault(node, {})


def _one_text(comment: bytes) -> bytes:
    """Join the two comments of a node, and normalise line breaks."""
    line, _, lines = comment.replace(b"\0", b"").partition(SEPARATOR)
    lines = lines.replace(SEPARATOR, b"")
    whole = line + b"\n" + lines if line and lines else line + lines
    return whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _mark(point: Point, text: str) -> Mark:
    """Return the mark for a text on the board."""
    kind = KINDS.get(text)
    return Mark(point, "label", text) if kind is None else Mark(point, kind)
