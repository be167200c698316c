"""The file format of proofs, read and written. ``docs/proofs.md`` describes it.

A proof makes *claims*: that a side wins, or that it holds, which means that it does not lose. A claim is a
graph of *nodes*, none of which names a position. A node gives its side's move, and the node that answers
each reply; the *default* answers every reply that is not listed. So one node can answer two hundred
replies, and serve in any number of positions. A reference may name a symmetry of the board that maps the
points below it. A node is written after those that it refers to, so that nothing has to be kept in memory,
and the graph has no cycles.

A win of the side to move is written in version 1 of the format, everything else in version 2.

`tengen.solver.proofs.verify` decides whether a proof proves its claims.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self, TypeAlias

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import format_moves, parse_moves
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules
from tengen.game.symmetry import symmetries

MAGIC = b"tengen proof 1\n"
"""The first bytes of a proof in version 1 of the format."""

_SECOND = MAGIC.replace(b"1", b"2")
_MAGICS = MAGIC, _SECOND

WINS, HOLDS = "wins", "holds"
"""The goals of a claim."""

_COLOURS = {"black": BLACK, "white": WHITE}
_NAMES = {colour: name for name, colour in _COLOURS.items()}
_ROOT, _DIGEST = 8, 32
_LONGEST_HEADER = 1 << 20
_HAS_DEFAULT, _HAS_SYMMETRIES, _HAS_PAIRS = 1, 2, 4
_COUNT_SHIFT = {MAGIC: 2, _SECOND: 3}
"""Flags of a node's second number, and the bit at which the number of replies, or pairs, begins."""

_MOST_CACHED = 1 << 16
"""Nodes that are cached after they have been read."""

Ref: TypeAlias = tuple[int, int]
"""The offset of a node in the file, and the symmetry that maps its points."""


class ProofError(TengenError):
    """A file that is no proof, is damaged, or does not prove its claims."""


class Unproven(ProofError):
    """The first place where a proof fails.

    Attributes:
        line: the moves from the position to that place.
    """

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(reason, line=line)
        self.line = line

    def __reduce__(self) -> tuple[type[Unproven], tuple[str, str]]:
        return Unproven, (self.message.key, self.line)


class Claim(NamedTuple):
    """A claim about a side in the position of a proof.

    Attributes:
        side: the side.
        goal: `WINS`, or `HOLDS` if it does not lose.
    """

    side: Colour
    goal: str


class ProofNode(NamedTuple):
    """A side's move in a position, and the answers to the replies.

    Attributes:
        point: the move; a pass at a root where the other side is to move.
        default: the answer to the replies that are not listed; None if there is none.
        replies: the answers to the listed replies.
        pairs: pairs of points of which the side gets one each, by answering the one with the other; a node
            with pairs lists no replies.
    """

    point: Point
    default: Ref | None
    replies: dict[Point, Ref]
    pairs: tuple[tuple[Point, Point], ...] = ()


class _Bytes:
    """A reader of successive numbers, which raises IndexError at the end of the data."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def fixed(self, size: int) -> int:
        """Read a number of `size` bytes, the highest first."""
        value = 0
        for _ in range(size):
            value = value << 8 | self._byte()
        return value

    def number(self) -> int:
        """Read a number in the encoding of `_number`."""
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


class NodeFormat:
    """The encoding of a file's nodes.

    Args:
        rules: of the game.
        begin: offset of the first node.
        magic: first bytes of the file.
    """

    def __init__(self, rules: Rules, begin: int, magic: bytes = MAGIC) -> None:
        self._points = rules.points
        self._symmetries = len(symmetries(rules.width, rules.height))
        self._size = 1 if rules.points < 256 else 2
        self._begin, self._count_shift = begin, _COUNT_SHIFT[magic]
        self.longest = (rules.points + 2) * (self._size + 11) + 20

    def encoded(self, node: ProofNode, at: int) -> bytes:
        """Return the bytes of a node at an offset."""
        refs = [*node.replies.values()] if node.default is None else [node.default, *node.replies.values()]
        mapped = any(symmetry for _, symmetry in refs)
        head = len(node.pairs or node.replies) << self._count_shift | mapped * _HAS_SYMMETRIES
        head |= (node.default is not None) * _HAS_DEFAULT | bool(node.pairs) * _HAS_PAIRS
        parts = [self._point_bytes(node.point), _number(head)]
        parts += [self._point_bytes(point) for pair in node.pairs for point in pair]
        if node.default is not None:
            parts.append(_ref_bytes(node.default, at, mapped))
        for reply, ref in sorted(node.replies.items()):
            parts += self._point_bytes(reply), _ref_bytes(ref, at, mapped)
        return b"".join(parts)

    def decoded(self, data: bytes, at: int) -> ProofNode:
        """Return the node at an offset of the file, given the bytes from there on.

        Raises:
            ProofError: there is no node.
        """
        bytes_ = _Bytes(data)
        try:
            move, head = self._point(bytes_), bytes_.number()
            count = range(head >> self._count_shift)
            if self._count_shift > _COUNT_SHIFT[MAGIC] and head & _HAS_PAIRS:
                pairs = [(self._point(bytes_), self._point(bytes_)) for _ in count]
                return ProofNode(move, None, {}, tuple(pairs))
            default = self._ref(bytes_, at, head) if head & _HAS_DEFAULT else None
            listed = [(self._point(bytes_), self._ref(bytes_, at, head)) for _ in count]
        except IndexError as error:
            raise ProofError("error.proof.node", at=at) from error
        return ProofNode(move, default, dict(listed))

    def _point(self, bytes_: _Bytes) -> Point:
        value = bytes_.fixed(self._size)
        if value > self._points:
            raise IndexError
        return PASS if value == self._points else value

    def _ref(self, bytes_: _Bytes, at: int, head: int) -> Ref:
        target = at - bytes_.number()
        symmetry = bytes_.number() if head & _HAS_SYMMETRIES else 0
        if not self._begin <= target < at or symmetry >= self._symmetries:
            raise IndexError
        return target, symmetry

    def _point_bytes(self, point: Point) -> bytes:
        return (self._points if point == PASS else point).to_bytes(self._size, "big")


class ProofWriter:
    """A proof that is written to a file, and can be read back node by node.

    Args:
        file: open for reading and writing, and empty.
        board: the position.
        claims: the claims, at most one for a side; that the side to move wins, if left out.

    Attributes:
        size: bytes written.
        nodes: nodes written.
    """

    def __init__(self, file: BinaryIO, board: Board, claims: Sequence[Claim] = ()) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = self.nodes = 0
        setup = board.setup or Board(board.rules)
        header: dict[str, Any] = {
            "rules": board.rules.to_dict(),
            "black": format_moves(setup.stones(BLACK), board.width),
            "white": format_moves(setup.stones(WHITE), board.width),
            "turn": _NAMES[setup.turn],
            "moves": format_moves(board.moves, board.width),
        }
        if tuple(claims) in ((), (Claim(board.turn, WINS),)):
            magic, header["winner"] = MAGIC, _NAMES[board.turn]
        else:
            magic = _SECOND
            header["claims"] = [{"side": _NAMES[claim.side], "goal": claim.goal} for claim in claims]
        self._write(magic + json.dumps(header).encode() + b"\n")
        self._shape = NodeFormat(board.rules, self.size, magic)
        self.node = lru_cache(_MOST_CACHED)(self._node)

    def add(self, node: ProofNode) -> int:
        """Write a node whose references have been written, and return its offset."""
        at = self.size
        self._write(self._shape.encoded(node, at))
        self.nodes += 1
        return at

    def finish(self, *roots: int) -> None:
        """Write the end: the offset of each claim's root, and the digest of the file."""
        for root in roots:
            self._write(root.to_bytes(_ROOT, "big"))
        self._write(self._digest.digest())
        self._file.flush()

    def _node(self, at: int) -> ProofNode:
        """Return the node at an offset."""
        self._file.seek(at)
        data = self._file.read(min(self._shape.longest, self.size - at))
        self._file.seek(self.size)
        return self._shape.decoded(data, at)

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)


class ProofFile:
    """A proof that is read; a context manager that closes the file.

    Args:
        path: of the file.

    Attributes:
        board: the position.
        claims: the claims about it.
        roots: the offset of each claim's root node.
        size: bytes of the file.

    Raises:
        ProofError: the file is no proof, or damaged.
        OSError: the file cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        with Path(path).open("rb") as file:
            start = file.read(len(MAGIC))
            if start[: len(MAGIC) - 2] != MAGIC[:-2]:
                raise ProofError("error.proof.magic")
            if start not in _MAGICS:
                raise ProofError("error.proof.version")
            self._magic = start
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._read()
        except BaseException:
            self._data.close()
            raise
        self.node = lru_cache(_MOST_CACHED)(self._node)

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
        with memoryview(data) as view, view[:-_DIGEST] as content:
            if hashlib.sha256(content).digest() != data[-_DIGEST:]:
                raise ProofError("error.proof.damaged")
        line = data.find(b"\n", len(MAGIC), min(self.size - _DIGEST - _ROOT, _LONGEST_HEADER))
        if line < 0:
            raise ProofError("error.proof.damaged")
        self.board, self.claims = _parse_header(data[len(MAGIC) : line], self._magic)
        self._end = self.size - _DIGEST - _ROOT * len(self.claims)
        places = range(self._end, self.size - _DIGEST, _ROOT)
        self.roots = tuple(int.from_bytes(data[place : place + _ROOT], "big") for place in places)
        if not all(line < root < self._end for root in self.roots):
            raise ProofError("error.proof.damaged")
        self._shape = NodeFormat(self.board.rules, line + 1, self._magic)

    def _node(self, at: int) -> ProofNode:
        """Return the node at an offset.

        Raises:
            ProofError: there is no node.
        """
        return self._shape.decoded(self._data[at : min(at + self._shape.longest, self._end)], at)


def _parse_header(text: bytes, magic: bytes) -> tuple[Board, tuple[Claim, ...]]:
    """Return the position and the claims of a header."""
    try:
        header = json.loads(text.decode())
        fields = header["rules"]
        rules = Rules.from_dict({**dict.fromkeys(Rules().to_dict()), **fields})
        black, white = (parse_moves(header[name], rules.width, rules.height) for name in ("black", "white"))
        board = Board.from_stones(black, white, _COLOURS[header["turn"]], rules)
        for move in parse_moves(header["moves"], rules.width, rules.height):
            board.push(move)
        if magic == MAGIC:
            return board, (Claim(_COLOURS[header["winner"]], WINS),)
        return board, _parse_claims(header["claims"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = error.message if isinstance(error, TengenError) else f"{type(error).__name__}: {error}"
        raise ProofError("error.proof.header", reason=reason) from error


def _parse_claims(rows: list[dict[str, str]]) -> tuple[Claim, ...]:
    """Return the claims of a header, about one side or both; raise ValueError if they are wrong."""
    claims = tuple(Claim(_COLOURS[row["side"]], row["goal"]) for row in rows)
    sides = {claim.side for claim in claims}
    if not claims or len(sides) < len(claims) or any(goal not in (WINS, HOLDS) for _, goal in claims):
        raise ValueError(rows)
    return claims


def _number(value: int) -> bytes:
    """Encode a number in groups of seven bits, the lowest first; all but the last have the top bit set."""
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _ref_bytes(ref: Ref, at: int, mapped: bool) -> bytes:
    offset, symmetry = ref
    return _number(at - offset) + (_number(symmetry) if mapped else b"")
