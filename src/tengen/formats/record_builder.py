"""Building a record while a file is read: stones, turns, passes and fouls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from tengen.formats.common import MAX_NODES, LimitError
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import Occupied
from tengen.game.fouls import find_foul
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.record import Node, Record
from tengen.game.rules import Rules

_MANY_CHILDREN = 16


class RecordBuilder:
    """A builder of records; a reader walks the tree of its file and calls `play` and `back_to`.

    Moves are checked against the stones only: no point twice, none off the board. If a file has the same
    colour move twice in a row, a pass is inserted, and the record's rules have passing. If Black makes a
    forbidden foul, the rules are relaxed: the foul ``"loses"``, or, if the game goes on after it, loses if
    ``"claimed"``.

    Args:
        rules: the rules of the file, or those that the reader assumes.
        cells: the colour of every point before the first move; empty if None.
        turn: the side that makes the first move; either, if None.
        most: the most moves that may be added.

    Attributes:
        root: the root of the tree.
        node: the last move played, where the tree grows.
        moves: the number of nodes added.
    """

    def __init__(
        self,
        rules: Rules,
        cells: Iterable[Colour] | None = None,
        turn: Colour | None = None,
        most: int = MAX_NODES,
    ) -> None:
        self.rules = rules
        self.root = self.node = Node()
        self.moves = 0
        self.cells = bytearray(rules.points) if cells is None else bytearray(cells)
        self._setup = bytes(self.cells)
        self._first = self._turn = turn
        self._most = most
        self._grid = axes(rules.width, rules.height)
        self._judging = rules.has_fouls and rules.fouls == "forbidden"
        self._trail: list[Point] = []
        self._passing = rules.passing
        self._fouls: set[Node] = set()
        self._fouls_lapse = False
        self._wide: dict[Node, dict[Point, Node]] = {}

    @property
    def pristine(self) -> bool:
        """True if no move has been played yet, in any variation."""
        return not self.root.children

    @property
    def mover(self) -> Colour:
        """The side that made the last move."""
        return opponent(self._turn or self._natural_turn())

    def set_up(self, stones: Mapping[Point, Colour], turn: Colour | None = None) -> None:
        """Change the stones before the first move, which must not have been played yet."""
        for point, colour in stones.items():
            self.cells[point] = colour
        self._setup = bytes(self.cells)
        if turn is not None:
            self._first = self._turn = turn

    def play(self, point: Point, colour: Colour | None = None) -> Node:
        """Add a move, or follow one that is already there.

        Args:
            point: a point of the board, or `PASS`.
            colour: the side that makes the move; the side to move if None.

        Raises:
            OffBoard, Occupied: the point does not exist, or has a stone.
            LimitError: there are too many moves.
        """
        if point != PASS:
            if not 0 <= point < len(self.cells):
                raise notation.off_board(str(point), self.rules.width, self.rules.height)
            if self.cells[point]:
                raise Occupied("error.occupied", point=notation.point_name(point, self.rules.width))
        if self._first is None or (colour is not None and self.pristine):
            self._first = self._turn = colour or self._natural_turn()
        if colour is not None and colour != self._turn:
            self._step(PASS)
        return self._step(point)

    @property
    def ply(self) -> int:
        """The number of moves that lead to `node`."""
        return len(self._trail)

    def back_to(self, ply: int) -> None:
        """Go back along the line to this ply."""
        while len(self._trail) > ply:
            point = self._trail.pop()
            if point != PASS:
                self.cells[point] = EMPTY
            if self._turn is not None:
                self._turn = opponent(self._turn)
            if self.node.parent is not None:
                self.node = self.node.parent

    def record(self, headers: Mapping[str, str] | None = None) -> Record:
        """The finished record."""
        rules = self.rules
        if self._passing and not rules.passing:
            rules = replace(rules, passing=True)
        if self._fouls:
            rules = replace(rules, fouls=self._enforced())
        record = Record(rules, self._board(rules), headers)
        record.root = self.root
        return record

    def _step(self, point: Point) -> Node:
        parent, turn = self.node, self._turn or BLACK
        node = self._child(parent, point)
        if node is None:
            if self.moves >= self._most:
                raise LimitError("error.format.nodes", most=MAX_NODES)
            self.moves += 1
            node = Node(point, parent)
            parent.children.append(node)
            if parent in self._fouls:
                self._fouls_lapse = True
            if point == PASS:
                self._passing = True
            elif self._judging and turn == BLACK and find_foul(self.rules, self.cells, self._grid, point):
                self._fouls.add(node)
        if point != PASS:
            self.cells[point] = turn
        self._trail.append(point)
        self._turn = opponent(turn)
        self.node = node
        return node

    def _child(self, parent: Node, point: Point) -> Node | None:
        """Return the continuation by that move, in constant time however many there are."""
        children = parent.children
        if len(children) <= _MANY_CHILDREN:
            return parent.child(point)
        index = self._wide.setdefault(parent, {})
        for node in children[len(index) :]:
            if node.point is not None:
                index[node.point] = node
        return index.get(point)

    def _natural_turn(self) -> Colour:
        more_black = self._setup.count(BLACK) > self._setup.count(WHITE)
        return WHITE if more_black else BLACK

    def _enforced(self) -> Literal["loses", "claimed"]:
        return "claimed" if self._fouls_lapse else "loses"

    def _board(self, rules: Rules) -> Board | None:
        turn = self._first or self._natural_turn()
        if turn == BLACK and not any(self._setup):
            return None
        black, white = ([p for p, c in enumerate(self._setup) if c == colour] for colour in (BLACK, WHITE))
        return Board.from_stones(black, white, turn, rules)


def under(record: Record, rules: Rules) -> Record:
    """Return the same game under other rules, on a board of the same size."""
    setup = record.setup
    sized = replace(rules, width=setup.width, height=setup.height)
    builder = RecordBuilder(sized, setup.position, setup.turn)
    waiting = [(record.root, 0)]
    while waiting:
        node, ply = waiting.pop()
        copy = builder.root
        if node.point is not None:
            builder.back_to(ply)
            copy = builder.play(node.point)
        copy.comment, copy.marks = node.comment, node.marks
        copy.score, copy.seconds = node.score, node.seconds
        waiting.extend((child, builder.ply) for child in reversed(node.children))
    return builder.record(record.headers)
