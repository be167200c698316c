"""A player that has seen every position before: it looks the answer up in a table.

The idea. A small game can be worked out once and for all. Give every position a *value* for the side to
move, and a move is worth what its position is worth to the opponent, the other way round (*negamax*):

- a move that completes k in a row is worth the most there is, N, the number of points of the board;
- any other move is worth minus the value of the position it leads to, one step closer to 0;
- a position is worth its best move; a full board is worth 0, a draw.

So a win in d plies is worth N + 1 - d, a loss in d plies minus that, and who takes the largest number
wins as soon as possible and, where all is lost, holds out as long as possible.

The boards of tic-tac-toe can be counted like the numbers with nine digits to the base 3, a digit for each
point: 0 empty, 1 black, 2 white. A stone only ever makes the number larger. Filled from the last number
down to 0, the table therefore always holds the answers it needs: no recursion, and no search.

- ``all`` does exactly that: it holds all 3^9 = 19,683 boards, those that no game reaches too (nine black
  stones, say), each with one value for Black to move and one for White to move.
- ``reachable`` asks what it needs to know at all. It will always play its own best move, so of each of
  its turns it needs one line onward, and only of the opponent's turns all of them: 9*7*5*3*1 = 945 lines
  against a human who begins, and not 300 different positions in them. It searches these once, depth first,
  remembering what it has seen, and keeps only the positions in which it is to move, as either colour. If
  the game has gone elsewhere by other moves than its own, it makes a table of what can come from there.

>>> from tengen.players.lookup import Lookup
>>> from tengen import Board, Rules
>>> rules = Rules.named("tictactoe")
>>> Lookup("all").build(rules).size, Lookup("reachable").build(rules).size
(19683, 376)
>>> board = Board.from_moves("b2 a1 b1", rules)
>>> board.name(Lookup().choose(board).point)
'b3'

Cost: one look, after the table is built. But the table grows threefold with every point: 3^9 boards take
a fraction of a second, 3^12 some ten seconds, and 3^225 is about 10^107, more than there are atoms in the
universe. On such a board it says so and refuses.

Blind to: nothing on the boards it can hold. It expects the opponent to be as good as itself, though: of
several drawn moves it does not look for the one that a beginner answers wrongly.

From: the first two ways to decide of a tic-tac-toe robot in Python (origin O4). There the human's stone
could overwrite another; here the board judges every move.
"""

from __future__ import annotations

import math
import threading
import time
from array import array
from collections.abc import Callable, Mapping
from typing import TypeAlias

from tengen.game.board import Board
from tengen.game.errors import RulesError
from tengen.game.fouls import find_foul
from tengen.game.player import Choice, Explanation, Limit, Part, Score, player_repr
from tengen.game.points import BLACK, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import wins_along
from tengen.game.rules import Rules
from tengen.players.candidates import pick, playable
from tengen.players.parameters import preset_of
from tengen.players.spec import spec_text
from tengen.words import Message

LARGEST = 12
"""Points of the largest board it plays on: 3^12 = 531,441 boards."""

_KEPT = 8
"""Tables kept for the next player that asks."""

_TABLES: dict[tuple[object, ...], Table] = {}

Halted = Callable[[], bool]


class _Stopped(Exception):
    """The table was not finished."""


class AllBoards:
    """The value of every board, whether a game can reach it or not, for either side to move.

    The values of boards on which somebody has already won mean nothing, and are never asked for.

    Attributes:
        size: the number of boards in it.
        seconds: the time of its construction.
    """

    def __init__(self, rules: Rules, halted: Halted) -> None:
        start = time.perf_counter()
        self.size = 3**rules.points
        self._powers = [3**point for point in range(rules.points)]
        self._values = {colour: array("b", bytes(self.size)) for colour in (BLACK, WHITE)}
        cells = bytearray([WHITE]) * rules.points
        for index in reversed(range(self.size)):
            if halted():
                raise _Stopped
            for colour, values in self._values.items():
                worth = _worth(rules, cells, colour, self._after(index, colour))
                values[index] = max(worth.values(), default=0)
            _count_down(cells)
        self.seconds = time.perf_counter() - start

    def worth(self, board: Board) -> Mapping[Point, int]:
        """The worth of every move, read off the boards that they lead to."""
        cells = bytearray(board.position)
        index = sum(stone * power for stone, power in zip(cells, self._powers, strict=True))
        return _worth(board.rules, cells, board.turn, self._after(index, board.turn))

    def _after(self, index: int, colour: Colour) -> Callable[[Point], int]:
        values, powers = self._values[opponent(colour)], self._powers
        return lambda point: values[index + colour * powers[point]]


class ReachableBoards:
    """The worth of every move in the positions that the player meets, playing either colour from `root`.

    Attributes:
        size: the number of positions in it.
        seconds: the time of its construction.
    """

    def __init__(self, root: Board, seed: int | None, halted: Halted) -> None:
        start = time.perf_counter()
        self._seed = seed
        self._halted = halted
        self._entries: dict[tuple[bytes, Colour], Mapping[Point, int]] = {}
        self._seen: dict[tuple[bytes, Colour], int] = {}
        for colour in (BLACK, WHITE):
            self._walk(root.copy(), colour)
        self._seen.clear()
        self.size = len(self._entries)
        self.seconds = time.perf_counter() - start

    def worth(self, board: Board) -> Mapping[Point, int]:
        """The worth of every move, if the player is to move and has led here by its own moves."""
        return self._entries.get((board.position, board.turn), {})

    def _walk(self, board: Board, own: Colour) -> None:
        """Enter what comes after `board`: one move where `own` is to move, every move of the opponent's."""
        if board.outcome():
            return
        moves = board.legal_points()
        if board.turn == own:
            key = board.position, own
            if key in self._entries:
                return
            worth = self._entries[key] = self._search(board.rules, bytearray(board.position), own)
            moves = [pick(board, worth, self._seed)]
        for move in moves:
            board.push(move)
            self._walk(board, own)
            board.pop()

    def _search(self, rules: Rules, cells: bytearray, colour: Colour) -> dict[Point, int]:
        if self._halted():
            raise _Stopped
        enemy = opponent(colour)

        def after(point: Point) -> int:
            cells[point] = colour
            key = bytes(cells), enemy
            if key not in self._seen:
                self._seen[key] = max(self._search(rules, cells, enemy).values(), default=0)
            cells[point] = 0
            return self._seen[key]

        return _worth(rules, cells, colour, after)


Table: TypeAlias = AllBoards | ReachableBoards


class Lookup:
    """Plays perfectly on small boards, from a table.

    A limit does not apply: looking up takes no time, and a table is built once, whole or, where `stop`
    interrupts it, not at all.

    Args:
        preset: ``"all"`` or ``"reachable"``: what the table holds.
        seed: which of equally good moves equally close to the centre is played; None the first.

    Attributes:
        table_size: boards in the table that was used last; 0 before the first.
        build_seconds: the time of the construction of that table.
    """

    def __init__(self, preset: str = "all", seed: int | None = None) -> None:
        self._preset = preset_of("lookup", preset, {"all": "all", "reachable": "reachable"})
        self._seed = seed
        self.name = spec_text(f"lookup:{preset}", {}, {}, seed)
        self.table_size = 0
        self.build_seconds = 0.0

    def build(self, rules: Rules) -> Table:
        """The table for these rules, from the empty board.

        Raises:
            RulesError: the table would be too large, or the rules let a move be passed.
        """
        return self._table(Board(rules), lambda: False)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The move with the largest worth; the closest to the centre if `stop` came before the table.

        Raises:
            RulesError: as `build`.
            GameOver: the game is over.
        """
        start = time.perf_counter()
        try:
            worth = self._worth(board, stop.is_set if stop else lambda: False)
        except _Stopped:
            anything = dict.fromkeys(playable(board), 0)
            return Choice(pick(board, anything, self._seed), seconds=time.perf_counter() - start)
        point = pick(board, worth, self._seed)
        score = _score(board, worth[point])
        return Choice(point, score, (point,), len(worth), time.perf_counter() - start)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Each move with the result that it leads to; none if `stop` came before the table."""
        try:
            worth = self._worth(board, stop.is_set if stop else lambda: False)
        except _Stopped:
            return Explanation(Message("explain.lookup.stopped"), dict.fromkeys(playable(board), 0))
        if not worth:
            return Explanation(Message("explain.nothing"))
        parts = {point: (Part(_verdict(board, value), (point,), value),) for point, value in worth.items()}
        point = pick(board, worth, self._seed)
        summary = Message(
            f"explain.lookup.{self._preset}",
            {
                "size": self.table_size,
                "ms": round(self.build_seconds * 1000),
                "point": board.name(point),
                "verdict": _verdict(board, worth[point]),
            },
        )
        return Explanation(summary, dict(worth), parts)

    def _worth(self, board: Board, halted: Halted) -> Mapping[Point, int]:
        if board.outcome():
            return {}
        table = self._table(board.setup or Board(board.rules), halted)
        if not table.worth(board):
            # Moves that were not its own have led elsewhere: a table of the game that begins here.
            table = self._table(board, halted)
        self.table_size, self.build_seconds = table.size, table.seconds
        return table.worth(board)

    def _table(self, root: Board, halted: Halted) -> Table:
        check_size(root.rules, self._preset)
        key: tuple[object, ...] = self._preset, root.rules
        if self._preset == "reachable":
            key += self._seed, root.position, root.turn, root.ply
        table = _TABLES.get(key)
        if table is None:
            every = self._preset == "all"
            table = AllBoards(root.rules, halted) if every else ReachableBoards(root, self._seed, halted)
            if len(_TABLES) >= _KEPT:
                _TABLES.clear()
            _TABLES[key] = table
        return table


def _worth(
    rules: Rules, cells: bytearray, colour: Colour, after: Callable[[Point], int]
) -> dict[Point, int]:
    """The worth of every move; `after` is the value, to the opponent, of the position a move leads to."""
    grid = axes(rules.width, rules.height)
    worth = {}
    for point, stone in enumerate(cells):
        if stone:
            continue
        if any(wins_along(rules, cells, axis, colour) for axis in grid[point]):
            worth[point] = rules.points
        elif colour == BLACK and rules.has_fouls and find_foul(rules, cells, grid, point):
            if rules.fouls != "forbidden":
                worth[point] = -rules.points
        else:
            value = after(point)
            worth[point] = (value > 0) - (value < 0) - value
    return worth


def _count_down(cells: bytearray) -> None:
    """From the digits of a number to those of the number before it."""
    for point, digit in enumerate(cells):
        if digit:
            cells[point] = digit - 1
            return
        cells[point] = WHITE


def _score(board: Board, value: int) -> Score:
    plies = board.rules.points + 1 - abs(value)
    if value == 0:
        return Score(0)
    return Score.win_in(plies) if value > 0 else Score.loss_in(plies)


def _verdict(board: Board, value: int) -> Message:
    plies = board.rules.points + 1 - abs(value)
    if value == 0:
        return Message("explain.lookup.draw")
    return Message("explain.lookup.win" if value > 0 else "explain.lookup.loss", {"plies": plies})


def check_size(rules: Rules, preset: str) -> None:
    """Refuse rules whose table would be too large, or for which there is none.

    Raises:
        RulesError: with the condition that fails.
    """
    points = rules.points
    if points > LARGEST:
        # So many boards, and so many lines of play that the player would have to answer.
        powers = {"all": points * math.log10(3), "reachable": sum(map(math.log10, range(points, 0, -2)))}
        raise RulesError(
            f"error.lookup.{preset}", size=rules.size_text, power=int(powers[preset]), most=LARGEST
        )
    if rules.passing:
        raise RulesError("error.lookup.passing")
