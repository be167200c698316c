"""A position with its history: the legal moves, the moves played, and the outcome."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tengen.game import notation
from tengen.game.arguments import is_colour, is_whole, shown, wrong
from tengen.game.diagram import diagram
from tengen.game.errors import Forbidden, GameOver, IllegalMove, NotationError, Occupied
from tengen.game.fouls import Foul, find_foul
from tengen.game.points import BLACK, DIRECTIONS, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import row_through, winning_rows, wins_along
from tengen.game.rules import Rules, as_rules
from tengen.words import Message

Reason: TypeAlias = Literal[
    "five", "foul", "full", "passes", "resigned", "time", "agreed", "abandoned", "aborted"
]
Move: TypeAlias = "Point | str"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. Always true, a draw too, so that ``if board.outcome():`` tests for the end.

    Attributes:
        winner: `BLACK`, `WHITE`, or None for a draw, or for no result.
        reason: ``"five"`` (k in a row), ``"foul"``, ``"full"`` (no legal point is left),
            ``"passes"``, and from sessions ``"resigned"``, ``"time"``, ``"agreed"``,
            ``"abandoned"`` (a draw: one side has left) and ``"aborted"`` (no result).
        line: the whole winning row, in order; empty unless the reason is ``"five"``.
        lines: all winning rows, where one stone makes several; `line` is the first.
        foul: the foul that lost, where the reason is ``"foul"``.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b1a2b2", "tictactoe")
        >>> board.outcome() is None
        True
        >>> board.push("a3")
        >>> outcome = board.outcome()
        >>> outcome.winner == tengen.BLACK, outcome.reason
        (True, 'five')
        >>> [board.name(point) for point in outcome.line]
        ['a1', 'a2', 'a3']

        A draw has no winner, but is an end all the same:

        >>> drawn = tengen.Board.from_moves("b2a1a2c2b1b3c3a3c1", "tictactoe").outcome()
        >>> bool(drawn), drawn.winner, drawn.reason
        (True, None, 'full')
    """

    winner: Colour | None
    reason: Reason
    line: tuple[Point, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()
    foul: Foul | None = None


class Board:
    """A board with stones, the side to move and the moves that led here.

    Points are given as numbers or names (``112`` or ``"h8"``) and returned as numbers. Two boards are
    equal if play can continue from both in the same ways: same rules, stones, side to move and, where
    they matter, pending passes and claims; the order of the moves does not count. The hash follows the
    position, so never play on a board that is a key in a dict; use a copy.

    Args:
        rules: `Rules`, or the name of a preset.

    Raises:
        RulesError: `rules` is neither.

    Examples:
        >>> import tengen
        >>> board = tengen.Board("tictactoe")
        >>> for move in ("b2", "a3", "c1"):
        ...     board.push(move)
        >>> print(board)
        3  O . .
        2  . X .
        1  . .[X]
           a b c
        >>> board
        <Board tictactoe 3x3 'b2a3c1'>
        >>> board.turn == tengen.WHITE, board["b2"] == tengen.BLACK, board.outcome()
        (True, True, None)

        The order of the moves does not count:

        >>> board == tengen.Board.from_moves("c1a3b2", "tictactoe")
        True
    """

    __slots__ = ("_cells", "_claimed", "_empty", "_grid", "_moves", "_outcome", "_setup", "rules", "turn")

    turn: Colour
    """The side to move: `BLACK` or `WHITE`."""
    rules: Rules

    def __init__(self, rules: Rules | str = "freestyle") -> None:
        self.rules = as_rules(rules)
        self.turn = BLACK
        self._grid = axes(self.rules.width, self.rules.height)
        self._cells = bytearray(self.rules.points)
        self._empty = self.rules.points
        self._moves: list[Point] = []
        self._setup: tuple[bytes, Colour] | None = None
        self._claimed: Foul | None = None
        self._outcome: Outcome | None = None

    @classmethod
    def from_moves(cls, moves: str | Iterable[Move], rules: Rules | str = "freestyle") -> Board:
        """Return the board after these moves: move text, or points.

        Raises:
            NotationError: text that is no move text.
            IllegalMove: as `push`.
            TengenError: neither text nor points.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9g7", "renju")
            >>> board.ply, board.name(board.last)
            (3, 'g7')
            >>> tengen.Board.from_moves(["h8", "i9", 96], "renju") == board
            True
            >>> tengen.Board.from_moves("h8i9h8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.Occupied: h8 is occupied
        """
        board = cls(rules)
        for move in board.parse_moves(moves):
            board.push(move)
        return board

    @classmethod
    def from_stones(
        cls,
        black: Iterable[Move] = (),
        white: Iterable[Move] = (),
        turn: Colour | None = None,
        rules: Rules | str = "freestyle",
    ) -> Board:
        """Return a set-up position of any number of stones; how it could have arisen is not judged.

        A winning row on the board ends the game (if both colours have one, the side that is not to
        move has won); a black row or shape that would have been a foul does not.

        Args:
            black: points of the black stones; text such as ``"h8 i9"`` as well.
            white: points of the white stones, likewise.
            turn: the side to move; if None Black, unless Black has more stones than White.
            rules: `Rules`, or the name of a preset.

        Raises:
            NotationError, OffBoard: not a point of the board.
            Occupied: a point named twice.
            TengenError: neither text nor points, or no side to move.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_stones("b2 c2", ["b3"], tengen.BLACK, "tictactoe")
            >>> print(board)
            3  . O .
            2  . X X
            1  . . .
               a b c
            >>> board.push("a2")
            >>> board.outcome().reason, board.ply
            ('five', 1)
        """
        board = cls(rules)
        for colour, stones in ((BLACK, black), (WHITE, white)):
            for move in board.parse_moves(stones):
                point = board.point(move)
                if point == PASS:
                    raise IllegalMove("error.pass.setup")
                if board._cells[point]:
                    raise Occupied("error.occupied", point=board.name(point))
                board._cells[point] = colour
        more_black = board._cells.count(BLACK) > board._cells.count(WHITE)
        if turn is None:
            turn = WHITE if more_black else BLACK
        elif not is_colour(turn):
            raise IllegalMove("error.turn", turn=shown(turn))
        board.turn = turn
        board._empty = board._cells.count(EMPTY)
        board._setup = bytes(board._cells), turn
        board._outcome = board._standing_five() or board._dead_end()
        return board

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.rules.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.rules.height

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves played, passes included, since the empty board or the set-up position.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9")
            >>> board.moves
            (112, 128)
            >>> [board.name(move) for move in board.moves]
            ['h8', 'i9']
        """
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self._moves)

    @property
    def last(self) -> Point | None:
        """The last move, or None before the first."""
        return self._moves[-1] if self._moves else None

    @property
    def setup(self) -> Board | None:
        """The set-up position the moves began from, or None for the empty board.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_stones("h8", "i9")
            >>> board.push("g7")
            >>> board.setup.stones(tengen.BLACK), board.stones(tengen.BLACK)
            ([112], [96, 112])
            >>> tengen.Board.from_moves("h8i9g7").setup is None
            True
        """
        return None if self._setup is None else _set_up(self.rules, self._setup)

    def __getitem__(self, point: Move) -> Colour:
        """Return the colour of the stone on a point, or `EMPTY`."""
        number = self.point(point)
        if number == PASS:
            raise IllegalMove("error.pass.point")
        return self._cells[number]

    # Without these, a loop or `in` would index the points from 0 on, until one is off the board.
    __iter__ = None
    __contains__ = None

    def stones(self, colour: Colour) -> list[Point]:
        """Return all points that hold this colour (`EMPTY` too), in order.

        Raises:
            TengenError: no colour.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9g7")
            >>> [board.name(point) for point in board.stones(tengen.BLACK)]
            ['g7', 'h8']
            >>> len(board.stones(tengen.EMPTY))
            222
        """
        if not (is_colour(colour) or (is_whole(colour) and colour == EMPTY)):
            raise wrong("colour", colour, "argument.cell")
        return [point for point, stone in enumerate(self._cells) if stone == colour]

    @property
    def position(self) -> bytes:
        """The colour of every point, in order, one byte each.

        Examples:
            >>> import tengen
            >>> list(tengen.Board.from_moves("b2a3c1", "tictactoe").position)
            [0, 0, 1, 0, 1, 0, 2, 0, 0]
        """
        return bytes(self._cells)

    def name(self, point: Point) -> str:
        """Return the name of a point, ``"h8"``, or ``"--"`` for a pass.

        Raises:
            NotationError: neither a number nor text that is a point.
            OffBoard: no such point.

        Examples:
            >>> import tengen
            >>> board = tengen.Board()
            >>> board.name(112), board.name(0), board.name(tengen.PASS)
            ('h8', 'a1', '--')
        """
        return notation.point_name(self.point(point), self.width)

    def point(self, move: Move) -> Point:
        """Return the number of a point given by name or number; `PASS` for a pass.

        Raises:
            NotationError: text that is no point, or neither text nor a whole number.
            OffBoard: a point that is not on this board.

        Examples:
            >>> import tengen
            >>> board = tengen.Board()
            >>> board.point("h8"), board.point("a1"), board.point("--"), board.point(112)
            (112, 0, -1, 112)
            >>> board.point("p16")
            Traceback (most recent call last):
                ...
            tengen.game.errors.OffBoard: p16 is off the 15x15 board, whose points run from a1 to o15
            >>> board.point("h")
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotationError: 'h' is not a point: expected a letter and a number, such as h8
        """
        if isinstance(move, str):
            return notation.parse_point(move, self.width, self.height)
        if isinstance(move, bool):
            raise NotationError("error.notation.point", text=shown(move))
        try:
            number = operator.index(move)
        except TypeError as error:
            raise NotationError("error.notation.point", text=shown(move)) from error
        if number != PASS and not 0 <= number < len(self._cells):
            raise notation.off_board(shown(number), self.width, self.height)
        return number

    def parse_moves(self, moves: str | Iterable[Move]) -> list[Point]:
        """Return the numbers of points given as move text or one by one, without playing them.

        Raises:
            NotationError: text that is no move text, or no point.
            OffBoard: a point that is not on this board.
            TengenError: neither text nor points.

        Examples:
            >>> import tengen
            >>> board = tengen.Board()
            >>> board.parse_moves("h8i9 g7"), board.parse_moves(["h8", 128])
            ([112, 128, 96], [112, 128])
            >>> board.ply
            0
        """
        if isinstance(moves, str):
            return notation.parse_moves(moves, self.width, self.height)
        if isinstance(moves, (bytes, bytearray)) or not isinstance(moves, Iterable):
            raise wrong("moves", moves, "argument.moves")
        return [self.point(move) for move in moves]

    def push(self, move: Move) -> None:
        """Play a move for the side to move.

        Raises:
            NotationError: text that is no point.
            GameOver: the game has ended.
            OffBoard, Occupied: no empty point of the board.
            Forbidden: a foul, where the rules do not let it be played.
            IllegalMove: a pass that the rules do not allow.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
            >>> board.push("h8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.Forbidden: h8 is forbidden to Black: three-three
            >>> board.push("g8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.Occupied: g8 is occupied

            A move that is refused changes nothing:

            >>> board.ply, board.name(board.last)
            (8, 'g5')
        """
        point = self.point(move)
        if self._outcome is not None:
            raise GameOver("error.game_over", point=self.name(point))
        if point == PASS:
            self._pass()
            return
        if self._cells[point]:
            raise Occupied("error.occupied", point=self.name(point))
        foul = None
        if self.turn == BLACK and self.rules.has_fouls and self.rules.fouls != "claimed":
            foul = find_foul(self.rules, self._cells, self._grid, point)
            if foul is not None and self.rules.fouls == "forbidden":
                kind = Message(f"foul.{foul.kind}")
                raise Forbidden("error.forbidden", point=self.name(point), kind=kind)
        self._cells[point] = self.turn
        self._empty -= 1
        self._moves.append(point)
        rows = winning_rows(self.rules, self._cells, point, self._grid[point], self.turn)
        colour, self.turn = self.turn, opponent(self.turn)
        if rows:
            self._outcome = Outcome(colour, "five", rows[0], rows)
        elif foul is not None:
            self._outcome = Outcome(WHITE, "foul", foul=foul)
        else:
            self._outcome = self._dead_end()

    def pop(self) -> Point:
        """Take the last move back, with its consequences (the end of the game, a claim).

        Returns:
            The move taken back.

        Raises:
            IllegalMove: there is no move to take back.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("a1b1a2b2a3", "tictactoe")
            >>> board.outcome().reason
            'five'
            >>> board.name(board.pop())
            'a3'
            >>> board.outcome() is None, board.ply
            (True, 4)
            >>> tengen.Board().pop()
            Traceback (most recent call last):
                ...
            tengen.game.errors.IllegalMove: there is no move to take back
        """
        if not self._moves:
            raise IllegalMove("error.nothing_to_pop")
        point = self._moves.pop()
        if point != PASS:
            self._cells[point] = EMPTY
            self._empty += 1
        self.turn = opponent(self.turn)
        self._outcome = None
        self._claimed = None
        return point

    def copy(self) -> Board:
        """Return an independent board in the same state.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8")
            >>> other = board.copy()
            >>> other.push("i9")
            >>> board.ply, other.ply
            (1, 2)
        """
        other = Board(self.rules)
        other.turn = self.turn
        other._cells = self._cells.copy()
        other._empty = self._empty
        other._moves = self._moves.copy()
        other._setup = self._setup
        other._claimed = self._claimed
        other._outcome = self._outcome
        return other

    def legal_points(self) -> list[Point]:
        """Return the points that the side to move may play on, in order; none once the game is over.

        A pass is not among them; `is_legal` covers it.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
            >>> board.turn == tengen.BLACK, len(board.stones(tengen.EMPTY)), len(board.legal_points())
            (True, 217, 216)
            >>> [board.name(point) for point in board.stones(tengen.EMPTY) if not board.is_legal(point)]
            ['h8']
        """
        if self._outcome is not None:
            return []
        empty = self.stones(EMPTY)
        if not self._fouls_barred():
            return empty
        return [point for point in empty if self._find_foul(point) is None]

    def is_legal(self, move: Move) -> bool:
        """Return whether `push` would accept this move. A point off the board is not legal.

        Raises:
            NotationError: text that is no point.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9", "renju")
            >>> board.is_legal("g7"), board.is_legal("h8"), board.is_legal("p16"), board.is_legal("--")
            (True, False, False, False)
        """
        try:
            point = self.point(move)
        except IllegalMove:
            return False
        if self._outcome is not None:
            return False
        if point == PASS:
            return self._may_pass()
        if self._cells[point]:
            return False
        return not (self._fouls_barred() and self._find_foul(point) is not None)

    def foul(self, point: Move) -> Foul | None:
        """Return the foul that Black would make on an empty point, whoever is to move.

        None where the rules have no fouls, or where a five already stands.

        Raises:
            NotationError, OffBoard, Occupied: not an empty point of the board.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
            >>> foul = board.foul("h8")
            >>> foul.kind
            'double-three'
            >>> [" ".join(board.name(point) for point in line) for line in foul.lines]
            ['f8 g8 h8', 'h6 h7 h8']
            >>> board.foul("h9") is None
            True
        """
        number = self.point(point)
        if self[number]:
            raise Occupied("error.occupied", point=self.name(number))
        return None if self._five_stands() else self._find_foul(number)

    def fouls(self) -> dict[Point, Foul]:
        """Return all points where a black stone would be a foul, whoever is to move; see `foul`.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
            >>> {board.name(point): foul.kind for point, foul in board.fouls().items()}
            {'h8': 'double-three'}
        """
        if not self.rules.has_fouls or self._five_stands():
            return {}
        fouls = ((point, self._find_foul(point)) for point in self.stones(EMPTY))
        return {point: foul for point, foul in fouls if foul is not None}

    def claimable(self) -> Foul | None:
        """Return the foul that White can claim now, where fouls are ``"claimed"``.

        A double-three or double-four lapses when White plays on; an overline on the board can be
        claimed for the rest of the game, even if the foul itself has filled the board and so ended
        the game.

        Examples:
            >>> import tengen
            >>> rules = tengen.Rules.named("renju", fouls="claimed")
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5h8", rules)
            >>> board.claimable().kind
            'double-three'
            >>> board.push("a1")
            >>> board.claimable() is None
            True
        """
        if self.rules.fouls != "claimed" or not self.rules.has_fouls:
            return None
        if self._outcome is not None and self._outcome.reason != "full":
            return None
        return self._last_foul() or self._standing_overline()

    def claim(self) -> None:
        """Claim Black's foul for White, who wins.

        Raises:
            GameOver: the game has ended.
            IllegalMove: there is nothing to claim, or fouls are not claimed under these rules.

        Examples:
            >>> import tengen
            >>> rules = tengen.Rules.named("renju", fouls="claimed")
            >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5h8", rules)
            >>> board.claim()
            >>> board.outcome().winner == tengen.WHITE, board.outcome().reason, board.outcome().foul.kind
            (True, 'foul', 'double-three')
            >>> tengen.Board.from_moves("h8", rules).claim()
            Traceback (most recent call last):
                ...
            tengen.game.errors.IllegalMove: there is no foul to claim
        """
        foul = self.claimable()
        if foul is None:
            if self._outcome is not None:
                raise GameOver("error.claim.over")
            if self.rules.fouls != "claimed" or not self.rules.has_fouls:
                raise IllegalMove("error.claim.rules")
            raise IllegalMove("error.claim.nothing")
        self._claimed = foul
        self._outcome = Outcome(WHITE, "foul", foul=foul)

    @property
    def claimed(self) -> bool:
        """True if the game has ended by White's claim."""
        return self._claimed is not None

    def outcome(self) -> Outcome | None:
        """Return the end of the game, or None while it goes on.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("d4a1d5a2d6a3d7a4", tengen.Rules.named("freestyle", 9))
            >>> board.outcome() is None
            True
            >>> board.push("d8")
            >>> if outcome := board.outcome():
            ...     print(outcome.reason, " ".join(board.name(point) for point in outcome.line))
            five d4 d5 d6 d7 d8
        """
        return self._outcome

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state())

    def __str__(self) -> str:
        return diagram(self.position, self.width, self.last)

    def __repr__(self) -> str:
        moves = notation.format_moves(self._moves, self.width)
        setup = " on a set-up position" if self._setup else ""
        return f"<Board {self.rules.name} {self.rules.size_text} {moves!r}{setup}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.rules, self._setup, tuple(self._moves), self._claimed is not None)

    def _state(self) -> tuple[object, ...]:
        passed = self.last == PASS
        return self.rules, bytes(self._cells), self.turn, passed, self.claimable(), self._outcome

    def _fouls_barred(self) -> bool:
        return self.turn == BLACK and self.rules.has_fouls and self.rules.fouls == "forbidden"

    def _find_foul(self, point: Point) -> Foul | None:
        if not self.rules.has_fouls:
            return None
        return find_foul(self.rules, self._cells, self._grid, point)

    def _may_pass(self) -> bool:
        # RIF 9.2 counts moves; three stones stand exactly when three moves have been made.
        return self.rules.passing and len(self._cells) - self._empty >= 3

    def _pass(self) -> None:
        if not self._may_pass():
            raise IllegalMove("error.pass.early" if self.rules.passing else "error.pass.rules")
        second = self.last == PASS
        self._moves.append(PASS)
        self.turn = opponent(self.turn)
        if second:
            self._outcome = Outcome(None, "passes")

    def _dead_end(self) -> Outcome | None:
        """Return a draw if the side to move has no legal point: a full board, or only fouls left."""
        if self._empty and (self._may_pass() or not self._fouls_barred()):
            return None
        empty = (point for point, stone in enumerate(self._cells) if stone == EMPTY)
        if any(self._find_foul(point) is None for point in empty):
            return None
        return Outcome(None, "full")

    def _five_stands(self) -> bool:
        return self._outcome is not None and self._outcome.reason == "five"

    def _standing_five(self) -> Outcome | None:
        for colour in (opponent(self.turn), self.turn):
            rows = tuple(
                dict.fromkeys(
                    row_through(self._cells, point, self._grid[point][number], colour)
                    for number in range(len(DIRECTIONS))
                    for point in self.stones(colour)
                    if wins_along(self.rules, self._cells, self._grid[point][number], colour)
                )
            )
            if rows:
                return Outcome(colour, "five", rows[0], rows)
        return None

    def _last_foul(self) -> Foul | None:
        point = self.last
        if point is None or point == PASS or self._cells[point] != BLACK:
            return None
        self._cells[point] = EMPTY
        foul = self._find_foul(point)
        self._cells[point] = BLACK
        return foul

    def _standing_overline(self) -> Foul | None:
        if self.rules.overline != "foul":
            return None
        rows = {
            row
            for point in self.stones(BLACK)
            for axis in self._grid[point]
            if len(row := row_through(self._cells, point, axis, BLACK)) > self.rules.k
        }
        return Foul("overline", tuple(sorted(rows))) if rows else None


def _set_up(rules: Rules, setup: tuple[bytes, Colour]) -> Board:
    cells, turn = setup
    black, white = ([p for p, c in enumerate(cells) if c == colour] for colour in (BLACK, WHITE))
    return Board.from_stones(black, white, turn, rules)


def _restore(
    rules: Rules, setup: tuple[bytes, Colour] | None, moves: tuple[Point, ...], claimed: bool
) -> Board:
    board = Board(rules) if setup is None else _set_up(rules, setup)
    for move in moves:
        board.push(move)
    if claimed:
        board.claim()
    return board
