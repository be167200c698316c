"""Proofs as files: how they are written, and read again. ``docs/proofs.md`` describes the format.

A proof makes *claims*: that a side wins, or that it holds, which is not to lose. A claim is a graph of
*nodes*, none of which names a position. A node says where its side moves, and which node answers each
reply: the *default* every reply that is not listed. So one node can answer two hundred replies, and serve
in any number of positions. A reference may say by which symmetry of the board the points below it are
turned. A node is written after those it refers to, so that nothing has to be kept in memory, and no line of
references ever comes back.

A win of the side to move is written in version 1 of the format, everything else in version 2.

Whether a proof proves anything is for `tengen.solver.proofs.verify` to say.
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
"""How a proof begins: the version of the format, here the first."""

_SECOND = MAGIC.replace(b"1", b"2")
_MAGICS = MAGIC, _SECOND

WINS, HOLDS = "wins", "holds"
"""What a side may be said to do."""

_COLOURS = {"black": BLACK, "white": WHITE}
_NAMES = {colour: name for name, colour in _COLOURS.items()}
_ROOT, _DIGEST = 8, 32
_LONGEST_HEADER = 1 << 20
_DEFAULT, _TURNED, _PAIRED = 1, 2, 4
_LISTED = {MAGIC: 2, _SECOND: 3}
"""Bits of a node's second number, and where the number of replies, or pairs, begins."""

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


class Claim(NamedTuple):
    """What is said about a side in the position of a proof.

    Attributes:
        side: the side.
        goal: `WINS`, or `HOLDS`: it does not lose.
    """

    side: Colour
    goal: str


class ProofNode(NamedTuple):
    """What a side does in a position, and after each reply.

    Attributes:
        point: its move; a pass at a root where the other side is to move, as it has none there.
        default: what answers the replies that are not listed; None if there is nothing.
        replies: what answers the others.
        pairs: points of which it gets one each, by answering the one with the other; what holds by them
            names no replies.
    """

    point: Point
    default: Ref | None
    replies: dict[Point, Ref]
    pairs: tuple[tuple[Point, Point], ...] = ()


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


class NodeFormat:
    """How the numbers of a file's nodes are to be read.

    Args:
        rules: of the game.
        begin: where the first node begins.
        magic: how the file begins.
    """

    def __init__(self, rules: Rules, begin: int, magic: bytes = MAGIC) -> None:
        self._points = rules.points
        self._symmetries = len(symmetries(rules.width, rules.height))
        self._size = 1 if rules.points < 256 else 2
        self._begin, self._listed = begin, _LISTED[magic]
        self.longest = (rules.points + 2) * (self._size + 11) + 20

    def encoded(self, node: ProofNode, at: int) -> bytes:
        """A node as it is written at this place."""
        refs = [*node.replies.values()] if node.default is None else [node.default, *node.replies.values()]
        turned = any(symmetry for _, symmetry in refs)
        head = len(node.pairs or node.replies) << self._listed | turned * _TURNED
        head |= (node.default is not None) * _DEFAULT | bool(node.pairs) * _PAIRED
        parts = [self._point_bytes(node.point), _number(head)]
        parts += [self._point_bytes(point) for pair in node.pairs for point in pair]
        if node.default is not None:
            parts.append(_ref_bytes(node.default, at, turned))
        for reply, ref in sorted(node.replies.items()):
            parts += self._point_bytes(reply), _ref_bytes(ref, at, turned)
        return b"".join(parts)

    def decoded(self, data: bytes, at: int) -> ProofNode:
        """The node that begins at this place of the file, whose bytes from there are `data`.

        Raises:
            ProofError: there is none.
        """
        bytes_ = _Bytes(data)
        try:
            move, head = self._point(bytes_), bytes_.number()
            count = range(head >> self._listed)
            if self._listed > _LISTED[MAGIC] and head & _PAIRED:
                pairs = [(self._point(bytes_), self._point(bytes_)) for _ in count]
                return ProofNode(move, None, {}, tuple(pairs))
            default = self._ref(bytes_, at, head) if head & _DEFAULT else None
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
        board: the position.
        claims: what is said about it, once for a side; that the side to move wins, if left out.
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
        self.node = lru_cache(_KEPT)(self._node)

    def add(self, node: ProofNode) -> int:
        """Write a node whose references have been written; where it begins."""
        at = self.size
        self._write(self._shape.encoded(node, at))
        self.nodes += 1
        return at

    def finish(self, *roots: int) -> None:
        """Write the end: where the position's own node begins, for each claim, and the digest of it all."""
        for root in roots:
            self._write(root.to_bytes(_ROOT, "big"))
        self._write(self._digest.digest())
        self._file.flush()

    def _node(self, at: int) -> ProofNode:
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
        claims: what is said about it.
        roots: where the position's own node begins, for each claim.
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
            if start not in _MAGICS:
                raise ProofError("error.proof.version")
            self._magic = start
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
        with memoryview(data) as view, view[:-_DIGEST] as told:
            if hashlib.sha256(told).digest() != data[-_DIGEST:]:
                raise ProofError("error.proof.damaged")
        line = data.find(b"\n", len(MAGIC), min(self.size - _DIGEST - _ROOT, _LONGEST_HEADER))
        if line < 0:
            raise ProofError("error.proof.damaged")
        self.board, self.claims = _claimed(data[len(MAGIC) : line], self._magic)
        self._end = self.size - _DIGEST - _ROOT * len(self.claims)
        places = range(self._end, self.size - _DIGEST, _ROOT)
        self.roots = tuple(int.from_bytes(data[place : place + _ROOT], "big") for place in places)
        if not all(line < root < self._end for root in self.roots):
            raise ProofError("error.proof.damaged")
        self._shape = NodeFormat(self.board.rules, line + 1, self._magic)

    def _node(self, at: int) -> ProofNode:
        """The node that begins at a place of the file.

        Raises:
            ProofError: there is none.
        """
        return self._shape.decoded(self._data[at : min(at + self._shape.longest, self._end)], at)


def _claimed(header: bytes, magic: bytes) -> tuple[Board, tuple[Claim, ...]]:
    """The position that a header describes, and what is said about it."""
    try:
        said = json.loads(header.decode())
        fields = said["rules"]
        rules = Rules.from_dict({**dict.fromkeys(Rules().to_dict()), **fields})
        black, white = (parse_moves(said[name], rules.width, rules.height) for name in ("black", "white"))
        board = Board.from_stones(black, white, _COLOURS[said["turn"]], rules)
        for move in parse_moves(said["moves"], rules.width, rules.height):
            board.push(move)
        if magic == MAGIC:
            return board, (Claim(_COLOURS[said["winner"]], WINS),)
        return board, _claims(said["claims"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = error.message if isinstance(error, TengenError) else f"{type(error).__name__}: {error}"
        raise ProofError("error.proof.header", reason=reason) from error


def _claims(said: list[dict[str, str]]) -> tuple[Claim, ...]:
    """What a header says of one side, or of both."""
    claims = tuple(Claim(_COLOURS[claim["side"]], claim["goal"]) for claim in said)
    sides = {claim.side for claim in claims}
    if not claims or len(sides) < len(claims) or any(goal not in (WINS, HOLDS) for _, goal in claims):
        raise ValueError(said)
    return claims


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
