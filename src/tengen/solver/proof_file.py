"""Proofs of wins as files: how they are written, and read again. ``docs/proofs.md`` describes the format.

A proof is a graph of *nodes*, none of which names a position. A node says where the winner moves, and which
node answers each reply: the *default* every reply that is not listed. So one node can answer two hundred
replies, and serve in any number of positions. A reference may say by which symmetry of the board the points
below it are turned. A node is written after those it refers to, so that nothing has to be kept in memory,
and no line of references ever comes back.

Whether a proof proves anything is for `tengen.solver.verify` to say.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self, TypeAlias

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import format_moves, parse_moves
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules
from tengen.game.symmetry import symmetries

MAGIC = b"tengen proof 1\n"
"""How a proof begins: the version of the format."""

_COLOURS = {"black": BLACK, "white": WHITE}
_NAMES = {colour: name for name, colour in _COLOURS.items()}
_ROOT, _DIGEST = 8, 32
_LONGEST_HEADER = 1 << 20
_DEFAULT, _TURNED, _LISTED = 1, 2, 2
"""Bits of a node's second number, and where the number of replies begins."""

_KEPT = 1 << 16
"""Nodes that are kept when they have been read."""

Ref: TypeAlias = tuple[int, int]
"""Where a node begins in the file, and the symmetry that its points are turned by."""


class ProofError(TengenError):
    """A file that is no proof, is damaged, or does not prove what it claims."""


class Unproven(ProofError):
    """The first place where a proof fails.

    Attributes:
        line: the moves that lead there from the position.
    """

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(reason, line=line)
        self.line = line

    def __reduce__(self) -> tuple[type[Unproven], tuple[str, str]]:
        return Unproven, (self.message.key, self.line)


class Node(NamedTuple):
    """What the winner does in a position, and after each reply.

    Attributes:
        point: its move.
        default: what answers the replies that are not listed; None if there is nothing.
        replies: what answers the others.
    """

    point: Point
    default: Ref | None
    replies: dict[Point, Ref]


class _Bytes:
    """Numbers, read one after the other; raises IndexError where there are no more."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def fixed(self, size: int) -> int:
        """A number of so many bytes, the highest first."""
        value = 0
        for _ in range(size):
            value = value << 8 | self._byte()
        return value

    def number(self) -> int:
        """A number as `_number` writes it."""
        value = 0
        for shift in range(0, 63, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise IndexError

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]


class Shape:
    """How the numbers of a file's nodes are to be read.

    Args:
        rules: of the game.
        begin: where the first node begins.
    """

    def __init__(self, rules: Rules, begin: int) -> None:
        self._points = rules.points
        self._symmetries = len(symmetries(rules.width, rules.height))
        self._size = 1 if rules.points < 256 else 2
        self._begin = begin
        self.longest = (rules.points + 2) * (self._size + 11) + 20

    def encoded(self, node: Node, at: int) -> bytes:
        """A node as it is written at this place."""
        refs = [*node.replies.values()] if node.default is None else [node.default, *node.replies.values()]
        turned = any(symmetry for _, symmetry in refs)
        head = len(node.replies) << _LISTED | turned * _TURNED | (node.default is not None) * _DEFAULT
        parts = [self._point_bytes(node.point), _number(head)]
        if node.default is not None:
            parts.append(_ref_bytes(node.default, at, turned))
        for reply, ref in sorted(node.replies.items()):
            parts += self._point_bytes(reply), _ref_bytes(ref, at, turned)
        return b"".join(parts)

    def decoded(self, data: bytes, at: int) -> Node:
        """The node that begins at this place of the file, whose bytes from there are `data`.

        Raises:
            ProofError: there is none.
        """
        bytes_ = _Bytes(data)
        try:
            move, head = self._point(bytes_), bytes_.number()
            default = self._ref(bytes_, at, head) if head & _DEFAULT else None
            listed = [(self._point(bytes_), self._ref(bytes_, at, head)) for _ in range(head >> _LISTED)]
        except IndexError as error:
            raise ProofError("error.proof.node", at=at) from error
        return Node(move, default, dict(listed))

    def _point(self, bytes_: _Bytes) -> Point:
        value = bytes_.fixed(self._size)
        if value > self._points:
            raise IndexError
        return PASS if value == self._points else value

    def _ref(self, bytes_: _Bytes, at: int, head: int) -> Ref:
        target = at - bytes_.number()
        symmetry = bytes_.number() if head & _TURNED else 0
        if not self._begin <= target < at or symmetry >= self._symmetries:
            raise IndexError
        return target, symmetry

    def _point_bytes(self, point: Point) -> bytes:
        return (self._points if point == PASS else point).to_bytes(self._size, "big")


class ProofWriter:
    """Writes a proof to a file that can be read back, node by node.

    Args:
        file: open for reading and writing, and empty.
        board: the position; its side to move is said to win.
    """

    def __init__(self, file: BinaryIO, board: Board) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = self.nodes = 0
        setup = board.setup or Board(board.rules)
        header = {
            "rules": board.rules.to_dict(),
            "black": format_moves(setup.stones(BLACK), board.width),
            "white": format_moves(setup.stones(WHITE), board.width),
            "turn": _NAMES[setup.turn],
            "moves": format_moves(board.moves, board.width),
            "winner": _NAMES[board.turn],
        }
        self._write(MAGIC + json.dumps(header).encode() + b"\n")
        self._shape = Shape(board.rules, self.size)
        self.node = lru_cache(_KEPT)(self._node)

    def add(self, node: Node) -> int:
        """Write a node whose references have been written; where it begins."""
        at = self.size
        self._write(self._shape.encoded(node, at))
        self.nodes += 1
        return at

    def finish(self, root: int) -> None:
        """Write the end: where the position's own node begins, and the digest of it all."""
        self._write(root.to_bytes(_ROOT, "big"))
        self._write(self._digest.digest())
        self._file.flush()

    def _node(self, at: int) -> Node:
        """A node that has been written."""
        self._file.seek(at)
        data = self._file.read(min(self._shape.longest, self.size - at))
        self._file.seek(self.size)
        return self._shape.decoded(data, at)

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)


class ProofFile:
    """A proof that is read; a context manager, which closes the file.

    Args:
        path: of the file.

    Attributes:
        board: the position.
        winner: who is said to win.
        root: where the position's own node begins.
        size: bytes.

    Raises:
        ProofError: no proof, or a damaged one.
        OSError: it cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        with Path(path).open("rb") as file:
            start = file.read(len(MAGIC))
            if start[: len(MAGIC) - 2] != MAGIC[:-2]:
                raise ProofError("error.proof.magic")
            if start != MAGIC:
                raise ProofError("error.proof.version")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._read()
        except BaseException:
            self._data.close()
            raise
        self.node = lru_cache(_KEPT)(self._node)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._data.close()

    def _read(self) -> None:
        data, self.size = self._data, len(self._data)
        self._end = self.size - _DIGEST - _ROOT
        with memoryview(data) as view, view[:-_DIGEST] as told:
            if hashlib.sha256(told).digest() != data[-_DIGEST:]:
                raise ProofError("error.proof.damaged")
        line = data.find(b"\n", len(MAGIC), min(self._end, _LONGEST_HEADER))
        if line < 0:
            raise ProofError("error.proof.damaged")
        self.board, self.winner = _claim(data[len(MAGIC) : line])
        self.root = int.from_bytes(data[self._end : -_DIGEST], "big")
        if not line < self.root < self._end:
            raise ProofError("error.proof.damaged")
        self._shape = Shape(self.board.rules, line + 1)

    def _node(self, at: int) -> Node:
        """The node that begins at a place of the file.

        Raises:
            ProofError: there is none.
        """
        return self._shape.decoded(self._data[at : min(at + self._shape.longest, self._end)], at)


def _claim(header: bytes) -> tuple[Board, Colour]:
    """The position that a header describes, and who wins there."""
    try:
        said = json.loads(header.decode())
        fields = said["rules"]
        rules = Rules.from_dict({**dict.fromkeys(Rules().to_dict()), **fields})
        black, white = (parse_moves(said[name], rules.width, rules.height) for name in ("black", "white"))
        board = Board.from_stones(black, white, _COLOURS[said["turn"]], rules)
        for move in parse_moves(said["moves"], rules.width, rules.height):
            board.push(move)
        return board, _COLOURS[said["winner"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = error.message if isinstance(error, TengenError) else f"{type(error).__name__}: {error}"
        raise ProofError("error.proof.header", reason=reason) from error


def _number(value: int) -> bytes:
    """A number in groups of seven bits, the lowest first; all but the last have the highest bit set."""
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _ref_bytes(ref: Ref, at: int, turned: bool) -> bytes:
    offset, symmetry = ref
    return _number(at - offset) + (_number(symmetry) if turned else b"")
