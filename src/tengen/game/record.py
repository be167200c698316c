"""The record of a game: headers and a tree of moves with comments, marks and evaluations.

Readers and writers of every file format work on records. The tree is walked without recursion, so that
a record may be as deep and as large as memory allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from tengen.game import notation
from tengen.game.arguments import check_flag, check_kind, check_number, check_text, is_whole, shown, wrong
from tengen.game.board import Board, Move
from tengen.game.errors import NotAllowed
from tengen.game.player import Score
from tengen.game.points import Point
from tengen.game.rules import Rules

MarkKind: TypeAlias = Literal["triangle", "square", "circle", "cross", "label"]

_MARK_KINDS = get_args(MarkKind)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a point: a shape, or a short text if `kind` is ``"label"``.

    Examples:
        >>> import tengen
        >>> from tengen.game.record import Mark
        >>> record = tengen.Record()
        >>> node = record.add("h8")
        >>> node.marks = (Mark(112, "triangle"), Mark(113, "label", "A"))
        >>> print(tengen.to_text(record).strip())
        (;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]
        RU[freestyle];B[hh]TR[hh]LB[ih:A])
    """

    point: Point
    kind: MarkKind
    label: str = ""


class Node:
    """A node of the tree: a move and the position after it; the root has no move.

    Nodes do not check their moves. A reader may add illegal moves from a file; `Record.board` raises for
    them. Nor do they check what is set; whoever writes a record does (`check_record`).

    Attributes:
        point: the move; `PASS` for a pass, None at the root.
        parent: the node before; None at the root.
        children: the continuations, the main line first.
        comment: free text about the position after the move.
        marks: marks to draw on that position.
        score: the evaluation of the move for the side that made it, or None.
        seconds: the time used for the move, or None.

    Examples:
        >>> import tengen
        >>> record = tengen.Record()
        >>> node = record.add("h8i9")
        >>> node.comment, node.score, node.seconds = "close", tengen.Score(-35), 1.5
        >>> node.ply, node.parent.point, node.parent.parent is record.root, node.children
        (2, 112, True, [])
    """

    __slots__ = ("children", "comment", "marks", "parent", "point", "score", "seconds")

    def __init__(self, point: Point | None = None, parent: Node | None = None) -> None:
        self.point = point
        self.parent = parent
        self.children: list[Node] = []
        self.comment = ""
        self.marks: tuple[Mark, ...] = ()
        self.score: Score | None = None
        self.seconds: float | None = None

    def child(self, point: Point) -> Node | None:
        """Return the continuation by a move, or None.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> node = record.add("h8")
            >>> record.root.child(112) is node, record.root.child(113)
            (True, None)
        """
        return next((node for node in self.children if node.point == point), None)

    def add(self, point: Point) -> Node:
        """Return the continuation by a move, appended if it is new.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> node = record.root.add(112)
            >>> record.root.add(112) is node, len(record.root.children)
            (True, 1)
        """
        node = self.child(point)
        if node is None:
            node = Node(point, self)
            self.children.append(node)
        return node

    @property
    def ply(self) -> int:
        """The number of moves from the root to this node."""
        return len(self.path())

    def path(self) -> list[Point]:
        """Return the moves from the root to this node.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> record.add("h8i9g7").path()
            [112, 128, 96]
        """
        points = []
        node: Node | None = self
        while node is not None:
            if node.point is not None:
                points.append(node.point)
            node = node.parent
        return points[::-1]

    def content(self) -> tuple[object, ...]:
        """Return the data of the node, and the number of its children."""
        return self.point, len(self.children), self.comment, self.marks, self.score, self.seconds


class Record:
    """A game, or many games in one tree.

    Args:
        rules: `Rules`, or the name of a preset; ignored if there is a `setup`.
        setup: the position before the first move, which also gives the rules; None for the empty board.
        headers: names of players, event, date and the like: any keys, values of text.

    Raises:
        RulesError: `rules` is no preset.
        NotAllowed: moves have been played on `setup`.
        TengenError: an argument of the wrong type.

    Examples:
        >>> import tengen
        >>> record = tengen.Record("renju", headers={"black": "Ann", "white": "Bob"})
        >>> node = record.add("h8i9g7")
        >>> variation = record.add("g9", after=node.parent)
        >>> variation.comment = "sharper"
        >>> record
        <Record renju 15x15 'h8i9g7'>
        >>> [(node.ply, board.name(node.point)) for node, board in record.walk() if node.point is not None]
        [(1, 'h8'), (2, 'i9'), (3, 'g7'), (3, 'g9')]
        >>> print(tengen.to_text(record).strip())
        (;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]
        PB[Ann]
        PW[Bob]
        RU[renju];B[hh];W[ig]
        (;B[gi])
        (;B[gg]C[sharper]))
    """

    def __init__(
        self,
        rules: Rules | str = "freestyle",
        setup: Board | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if setup is not None:
            check_kind("setup", setup, Board, "argument.board")
        start = Board(rules) if setup is None else setup.copy()
        if start.moves:
            raise NotAllowed("error.record.setup")
        self._start = start
        self.headers = _checked_headers(headers)
        self.root = Node()

    @classmethod
    def from_board(cls, board: Board, headers: Mapping[str, str] | None = None) -> Record:
        """Return the record of the moves that led to a board.

        Raises:
            TengenError: an argument of the wrong type.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("b2a3c1", "tictactoe")
            >>> tengen.Record.from_board(board, {"event": "at breakfast"})
            <Record tictactoe 3x3 'b2a3c1'>
        """
        check_kind("board", board, Board, "argument.board")
        record = cls(board.rules, board.setup, headers)
        node = record.root
        for point in board.moves:
            node = node.add(point)
        return record

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._start.rules

    @property
    def setup(self) -> Board:
        """The position before the first move."""
        return self._start.copy()

    def add(self, moves: str | Iterable[Move], after: Node | None = None) -> Node:
        """Add a line of moves; moves that are in the tree already are not added again.

        Args:
            moves: move text, or points.
            after: the node before the first of them; the root if None.

        Returns:
            The node of the last move.

        Raises:
            NotationError: the text is no move text.
            IllegalMove: a move cannot be played; nothing is added.
            TengenError: `moves` has the wrong type, or `after` is no node of this record.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> last = record.add("h8i9g7")
            >>> record.add("h8i9g9").ply, len(last.parent.children)
            (3, 2)
            >>> record.add("f6", after=last).path()
            [112, 128, 96, 80]
            >>> record.add("h8h8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.Occupied: h8 is occupied
        """
        node = self.root if after is None else after
        board = self.board(node)
        played = board.ply
        for move in board.parse_moves(moves):
            board.push(move)
        for point in board.moves[played:]:
            node = node.add(point)
        return node

    def remove(self, node: Node) -> None:
        """Remove a node and everything after it.

        Raises:
            NotAllowed: `node` is the root.
            TengenError: `node` is no node of this record.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> node = record.add("h8i9g7")
            >>> record.remove(node.parent)
            >>> record
            <Record freestyle 15x15 'h8'>
            >>> record.remove(record.root)
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: the start of a record cannot be removed
        """
        self._check_node(node)
        if node.parent is None:
            raise NotAllowed("error.record.root")
        node.parent.children.remove(node)
        node.parent = None

    def promote(self, node: Node) -> None:
        """Make the line through `node` the main line.

        Raises:
            TengenError: `node` is no node of this record.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> first, second = record.add("h8i9g7"), record.add("h8i8")
            >>> record
            <Record freestyle 15x15 'h8i9g7'>
            >>> record.promote(second)
            >>> record
            <Record freestyle 15x15 'h8i8'>
        """
        self._check_node(node)
        while (parent := node.parent) is not None:
            parent.children.remove(node)
            parent.children.insert(0, node)
            node = parent

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, without the root.

        Examples:
            >>> import tengen
            >>> record = tengen.Record.from_board(tengen.Board.from_moves("h8i9"))
            >>> [(node.ply, node.point) for node in record.main_line()]
            [(1, 112), (2, 128)]
        """
        line = []
        node = self.root
        while node.children:
            node = node.children[0]
            line.append(node)
        return line

    def board(self, node: Node | None = None) -> Board:
        """Return the board after the move of `node`; after the main line if None.

        Raises:
            IllegalMove: a move on the path cannot be played; the message names it.
            TengenError: `node` is no node of this record.

        Examples:
            >>> import tengen
            >>> record = tengen.Record.from_board(tengen.Board.from_moves("b2a3c1", "tictactoe"))
            >>> print(record.board())
            3  O . .
            2  . X .
            1  . .[X]
               a b c
            >>> first = record.main_line()[0]
            >>> record.board(first).ply, record.board(record.root).ply
            (1, 0)
        """
        if node is None:
            node = (self.main_line() or [self.root])[-1]
        else:
            self._check_node(node)
        board = self._start.copy()
        for point in node.path():
            board.push(point)
        return board

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes in preorder, main lines first.

        Examples:
            >>> import tengen
            >>> record = tengen.Record()
            >>> last = record.add("h8i9g7")
            >>> variation = record.add("g9", after=last.parent)
            >>> [node.point for node in record.nodes()]
            [None, 112, 128, 96, 126]
        """
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def walk(self, *, variations: bool = True) -> Iterator[tuple[Node, Board]]:
        """Iterate over the nodes in preorder, main lines first, each with the board after its move.

        The boards are copies, which may be changed and kept.

        Args:
            variations: False for the main line alone.

        Raises:
            IllegalMove: a move cannot be played; the message names it.
            TengenError: `variations` is neither True nor False.

        Examples:
            >>> import tengen
            >>> record = tengen.Record("tictactoe")
            >>> last = record.add("a1b1a2b2a3")
            >>> variation = record.add("a3", after=last.parent.parent)
            >>> for node, board in record.walk():
            ...     if node.point is not None:
            ...         outcome = board.outcome()
            ...         print(node.ply, board.name(node.point), outcome.reason if outcome else "goes on")
            1 a1 goes on
            2 b1 goes on
            3 a2 goes on
            4 b2 goes on
            5 a3 five
            4 a3 goes on
            >>> len(list(record.walk(variations=False)))
            6
        """
        check_flag("variations", variations)
        board = self._start.copy()
        stack = [(self.root, 0)]
        while stack:
            node, ply = stack.pop()
            while board.ply > max(ply - 1, 0):
                board.pop()
            if node.point is not None:
                board.push(node.point)
            yield node, board.copy()
            children = node.children if variations else node.children[:1]
            stack.extend((child, ply + 1) for child in reversed(children))

    def _check_node(self, node: object) -> None:
        """Raise TengenError if `node` is no node of this tree."""
        root = node
        while isinstance(root, Node) and root.parent is not None:
            root = root.parent
        if root is not self.root:
            raise wrong("node", node, "argument.node")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        if (self.headers, self._start) != (other.headers, other._start):
            return False
        mine, theirs = self.nodes(), other.nodes()
        # The contents include the number of children, so both walks end together.
        return all(a.content() == b.content() for a, b in zip(mine, theirs, strict=False))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle and copy would walk the tree by recursion and fail after some hundred moves.
        return _restore, (self._start, self.headers, [node.content() for node in self.nodes()])

    def __repr__(self) -> str:
        points = (node.point for node in self.main_line() if node.point is not None)
        moves = notation.format_moves(points, self.rules.width)
        return f"<Record {self.rules.name} {self.rules.size_text} {moves!r}>"


def _checked_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Return a copy of headers; raise TengenError if a key or a value is no text."""
    given: Any = {} if headers is None else headers
    if not isinstance(given, Mapping):
        raise wrong("headers", given, "argument.headers")
    for name, value in given.items():
        if not (isinstance(name, str) and isinstance(value, str)):
            raise wrong(f"headers[{shown(name)}]", value, "argument.headers")
    return dict(given)


def check_record(record: Record) -> None:
    """Require that everything a caller can set in a record is what it should be.

    Raises:
        TengenError: headers, a comment, marks, a score, a time, a move, or the tree is of another kind.
    """
    _checked_headers(record.headers)
    stack: list[Any] = [record.root]
    while stack:
        node = stack.pop()
        check_kind("node", node, Node, "argument.node")
        check_text("comment", node.comment)
        if not (isinstance(node.marks, (tuple, list)) and all(map(_is_mark, node.marks))):
            raise wrong("marks", node.marks, "argument.record.marks", kinds=_MARK_KINDS)
        if node.score is not None:
            check_kind("score", node.score, Score, "argument.score")
        if node.seconds is not None:
            check_number("seconds", node.seconds)
        if node is not record.root and not is_whole(node.point):
            raise wrong("point", node.point, "argument.point")
        if not isinstance(node.children, (list, tuple)):
            raise wrong("children", node.children, "argument.nodes")
        stack += reversed(node.children)


def _is_mark(thing: object) -> bool:
    """Return whether `thing` is a mark of a known kind, on a number."""
    if not isinstance(thing, Mark) or not isinstance(thing.label, str):
        return False
    return is_whole(thing.point) and isinstance(thing.kind, str) and thing.kind in _MARK_KINDS


def _restore(start: Board, headers: dict[str, str], contents: list[tuple[Any, ...]]) -> Record:
    """Rebuild a record from the contents of its nodes, in the order of `Record.nodes`."""
    record = Record(setup=start, headers=headers)
    parents: list[Node | None] = [None]  # a stack: the parent of each node still to come
    for point, children, comment, marks, score, seconds in contents:
        parent = parents.pop()
        node = record.root if parent is None else Node(point, parent)
        node.comment, node.marks, node.score, node.seconds = comment, marks, score, seconds
        if parent is not None:
            parent.children.append(node)
        parents.extend([node] * children)
    return record
