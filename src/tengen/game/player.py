"""The interface of players: anything that can choose a move and explain it.

Textbook players, levels, the engine, external programs and anybody's own class all implement `Player`;
sessions and matches know nothing else about them.
"""

from __future__ import annotations

import inspect
import math
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from tengen.game import explanation_checks as checks
from tengen.game.arguments import (
    MOST_NODES,
    check_kind,
    check_number,
    check_seconds,
    check_whole,
    wrong,
)
from tengen.game.board import Board
from tengen.game.points import Point
from tengen.game.score_units import LOGISTIC_SCALE, WIN
from tengen.words import Message

SOONEST = 1e-6
"""Seconds of the shortest limit, for a move that is due at once."""


@dataclass(frozen=True, slots=True)
class GameTime:
    """The clock of the game, for players that manage their time themselves.

    All times are in seconds, from 0 to 1,000,000.

    Attributes:
        game: time for the whole game; None if unlimited.
        left: the time left of it for the side to move.
        increment: time added after every move.
        turn: the most that one move may take; None if unlimited.

    Raises:
        TengenError: a value is out of this range.

    Examples:
        >>> import tengen
        >>> time = tengen.GameTime(game=300, left=42.5, increment=5)
        >>> limit = tengen.Limit(seconds=4, time=time)
        >>> limit.time.left
        42.5
        >>> tengen.GameTime(left=-1)
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: left is -1: expected a number from 0 to 1000000
    """

    game: float | None = None
    left: float | None = None
    increment: float = 0.0
    turn: float | None = None

    def __post_init__(self) -> None:
        for name in ("game", "left", "increment", "turn"):
            if name == "increment" or getattr(self, name) is not None:
                check_seconds(name, getattr(self, name), zero=True)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on thinking; the first bound reached ends it. None is no bound.

    Attributes:
        seconds: wall-clock time, more than 0 and at most 1,000,000.
        nodes: positions searched (playouts, for players that count those), from 1 to 2**62.
        depth: plies, for players that search by depth, from 1 to 999,999,999.
        time: the clock of the game, if there is one. `seconds` is then a sensible share of it; a player
            that reads the clock itself may use more or less.

    Raises:
        TengenError: a value is out of its range, or `time` is no `GameTime`.

    Examples:
        >>> import tengen
        >>> tengen.player("minimax").choose(tengen.Board("tictactoe"), tengen.Limit(depth=2)).line
        (4, 0)
        >>> tengen.Limit(nodes=0)
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: nodes is 0: expected a whole number from 1 to 4611686018427387904
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    time: GameTime | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            check_seconds("seconds", self.seconds)
        if self.nodes is not None:
            check_whole("nodes", self.nodes, most=MOST_NODES)
        if self.depth is not None:
            check_whole("depth", self.depth)
        if self.time is not None:
            check_kind("time", self.time, GameTime, "argument.game_time")

    def after(self, seconds: float = 0.0, nodes: int = 0) -> Limit:
        """Return the limit that remains after some time and nodes.

        A bound that is used up becomes the smallest possible: a microsecond, or one node.

        Args:
            seconds: the time spent.
            nodes: the number of nodes searched.

        Raises:
            TengenError: a number below 0, or no number.

        Examples:
            >>> import tengen
            >>> tengen.Limit(seconds=5, nodes=1000).after(seconds=2, nodes=400)
            Limit(seconds=3, nodes=600, depth=None, time=None)
            >>> tengen.Limit(nodes=1000).after(nodes=5000).nodes
            1
        """
        check_seconds("seconds", seconds, zero=True, most=1e10)
        check_whole("nodes", nodes, 0, MOST_NODES)
        return Limit(
            None if self.seconds is None else max(self.seconds - seconds, SOONEST),
            None if self.nodes is None else max(self.nodes - nodes, 1),
            self.depth,
            self.time,
        )


def is_player(thing: object) -> bool:
    """Return whether an object, not a class, is a player: it has a name and a method ``choose``."""
    named = not isinstance(thing, (str, type)) and isinstance(getattr(thing, "name", None), str)
    return named and callable(getattr(thing, "choose", None))


def player_repr(player: Player) -> str:
    """Return the call that makes a player again from its spec: the `repr` of Tengen's own players."""
    return f"tengen.player({player.name!r})"


def check_search(board: Any, limit: Any, stop: Any) -> None:
    """Require arguments that can be searched: a board, a limit or None, an event or None.

    Raises:
        TengenError: one of them is of the wrong type.
    """
    check_kind("board", board, Board, "argument.board")
    if limit is not None:
        check_kind("limit", limit, Limit, "argument.limit")
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise wrong("stop", stop, "argument.stop")


@dataclass(frozen=True, slots=True)
class Score:
    """The evaluation of a position for the side to move.

    Attributes:
        value: in centi-units, a whole number; 0 is even, positive is good.
        mate: plies to the end where it is known: positive when the side to move wins, negative
            when it loses; None where it is not known.

    Raises:
        TengenError: a value is no `int` (a `float`, or a NumPy number).

    Examples:
        >>> import tengen
        >>> even, won, lost = tengen.Score(0), tengen.Score.win_in(3), tengen.Score.loss_in(4)
        >>> even.win_rate, won.win_rate, lost.win_rate
        (0.5, 1.0, 0.0)
        >>> won.mate, lost.mate, won.value > tengen.Score(500).value > lost.value
        (3, -4, True)
        >>> round(tengen.Score(150).win_rate, 2)
        0.68
        >>> tengen.Score(0.5)
        Traceback (most recent call last):
            ...
        tengen.game.errors.ArgumentError: value is 0.5: expected an int
    """

    value: int
    mate: int | None = None

    def __post_init__(self) -> None:
        # Players may be anybody's code, and their scores end up in saved games.
        for name in ("value", "mate") if self.mate is not None else ("value",):
            value = getattr(self, name)
            if type(value) is not int:
                raise wrong(name, value, "argument.int")

    @classmethod
    def win_in(cls, plies: int) -> Score:
        """Return the score of a win for the side to move in this many plies.

        Examples:
            >>> import tengen
            >>> tengen.Score.win_in(3)
            Score(value=29997, mate=3)
        """
        check_whole("plies", plies, 0)
        return cls(WIN - plies, plies)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        """Return the score of a loss for the side to move in this many plies.

        Examples:
            >>> import tengen
            >>> tengen.Score.loss_in(4)
            Score(value=-29996, mate=-4)
        """
        check_whole("plies", plies, 0)
        return cls(plies - WIN, -plies)

    @classmethod
    def from_win_rate(cls, rate: float) -> Score:
        """Return the score with this `win_rate`, within the values short of a win.

        Raises:
            TengenError: no finite number; a rate outside 0 to 1 counts as the nearer of the two.

        Examples:
            >>> import tengen
            >>> tengen.Score.from_win_rate(0.5), tengen.Score.from_win_rate(0.9)
            (Score(value=0, mate=None), Score(value=439, mate=None))
            >>> round(tengen.Score.from_win_rate(0.9).win_rate, 2)
            0.9
        """
        check_number("rate", rate)
        rate = min(max(rate, 1e-6), 1 - 1e-6)
        return cls(round(LOGISTIC_SCALE * math.log(rate / (1 - rate))))

    @property
    def win_rate(self) -> float:
        """Expected result from 0 (lost) over 0.5 (even) to 1 (won), a logistic curve of `value`."""
        if self.mate is not None:
            return 1.0 if self.mate > 0 else 0.0
        return 1 / (1 + math.exp(-max(min(self.value, WIN), -WIN) / LOGISTIC_SCALE))


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's answer.

    Attributes:
        point: the move (`PASS` where the rules have it).
        score: the player's evaluation of the position, for the side to move; None if it gives none.
        line: the principal variation, its own move first.
        nodes: positions searched.
        seconds: time used.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b1a2c1", "tictactoe")
        >>> choice = tengen.player("minimax").choose(board)
        >>> board.name(choice.point), choice.score.mate
        ('a3', 1)
        >>> board.push(choice.point)
        >>> board.outcome().reason
        'five'
    """

    point: Point
    score: Score | None = None
    line: tuple[Point, ...] = ()
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a point's weight.

    Attributes:
        label: the feature, in a few words.
        points: the points that form it.
        value: its worth, in the player's own units.

    Raises:
        TengenError: a value of another type.

    Examples:
        >>> import tengen
        >>> part = tengen.Part("open three", [111, 112, 113], 50)
        >>> str(part.label), part.points, part.value
        ('open three', (111, 112, 113), 50)
        >>> board = tengen.Board.from_moves("e5d4f5d6g5", tengen.Rules.named("freestyle", 9))
        >>> reasons = tengen.player("lines").explain(board)
        >>> for part in reasons.parts[board.point("d5")]:
        ...     print(part.value, part.label)
        1 a line with 1 own stone
        8 a line with 2 own stones
        8 a line with 2 own stones
        8 a line with 2 own stones
        1 a line with 1 own stone
        1 a line with 1 enemy stone
        8 a line with 2 enemy stones
        48 a line with 3 enemy stones
        48 a line with 3 enemy stones
    """

    label: Message
    points: tuple[Point, ...]
    value: float

    def __init__(self, label: Message | str, points: Iterable[Point], value: float) -> None:
        _set(
            self,
            label=checks.message("Part.label", label),
            points=checks.points("Part.points", points),
            value=checks.number("Part.value", value),
        )


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a search tree, worth showing.

    Attributes:
        point: the move that leads here; `PASS` stands for the root.
        value: its value, for the side that moves to it.
        note: a remark of the search ("cut off", "120 visits"), or None.
        children: the moves tried next, in the order tried.

    Raises:
        TengenError: a value of another type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b2c1", "tictactoe")
        >>> tree = tengen.player("minimax,depth=2").explain(board).tree
        >>> tree.point == tengen.PASS, tree.value
        (True, -55)
        >>> (branch,) = tree.children
        >>> board.name(branch.point), branch.value, [board.name(reply.point) for reply in branch.children]
        ('b1', -55, ['b3'])
    """

    point: Point
    value: float
    note: Message | None = None
    children: tuple[Branch, ...] = ()

    def __init__(
        self,
        point: Point,
        value: float,
        note: Message | str | None = None,
        children: Iterable[Branch] = (),
    ) -> None:
        _set(
            self,
            point=checks.point("Branch.point", point),
            value=checks.number("Branch.value", value),
            note=None if note is None else checks.message("Branch.note", note),
            children=checks.objects("Branch.children", children, Branch),
        )


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Numbers by point that describe the position, but do not choose the move by themselves.

    Attributes:
        name: an identifier, such as the engine's ``"value"`` and ``"policy"``.
        title: the subject, in a few words.
        summary: the meaning of the numbers.
        note: their origin, and how far they can be trusted.
        weights: the number of each point; a negative one counts against the side to move.
        parts: for each point the parts that add up to its weight.
        total: parts that add up to the number of the whole position; empty if it has none.

    Raises:
        TengenError: a value of another type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("h8")
        >>> distance = {board.point("h9"): 1, board.point("i10"): 2}
        >>> heatmap = tengen.Heatmap("distance", "Distance", "Steps to a stone.", "By hand.", distance)
        >>> str(heatmap.title), heatmap.weights
        ('Distance', {127: 1, 143: 2})
        >>> tengen.Explanation("I stay close", heatmaps=[heatmap]).heatmaps[0].name
        'distance'
    """

    name: str
    title: Message
    summary: Message
    note: Message
    weights: Mapping[Point, float]
    parts: Mapping[Point, tuple[Part, ...]] = field(default_factory=dict)
    total: tuple[Part, ...] = ()

    def __init__(
        self,
        name: str,
        title: Message | str,
        summary: Message | str,
        note: Message | str,
        weights: Mapping[Point, float],
        parts: Mapping[Point, Iterable[Part]] | None = None,
        total: Iterable[Part] = (),
    ) -> None:
        _set(
            self,
            name=checks.an_object("Heatmap.name", name, str),
            title=checks.message("Heatmap.title", title),
            summary=checks.message("Heatmap.summary", summary),
            note=checks.message("Heatmap.note", note),
            weights=checks.weights("Heatmap.weights", weights),
            parts=checks.tuples("Heatmap.parts", {} if parts is None else parts, Part),
            total=checks.objects("Heatmap.total", total, Part),
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reasons for a player's move.

    A plain text may stand for any `tengen.words.Message`, and is shown unchanged in every language. Lists
    may stand for tuples, and NumPy numbers for Python's.

    Attributes:
        summary: the reason in one sentence.
        weights: the worth of each point considered; the chosen point has the largest, unless the player
            chooses by `tree`.
        parts: for each point the parts that add up to its weight.
        lines: sequences worth playing through.
        tree: the tree searched.
        heatmaps: other numbers of the points, each independent of the rest.

    Raises:
        TengenError: a value of another type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("e5d4f5d6g5", tengen.Rules.named("freestyle", 9))
        >>> reasons = tengen.player("lines").explain(board)
        >>> print(reasons.summary)
        d5 has the greatest weight, 131, from 9 lines through it
        >>> best = max(reasons.weights, key=reasons.weights.get)
        >>> board.name(best), reasons.weights[best], sum(part.value for part in reasons.parts[best])
        ('d5', 131, 131)

        A player of one's own may say as little as this:

        >>> str(tengen.Explanation("I like corners").summary)
        'I like corners'
    """

    summary: Message
    weights: Mapping[Point, float] = field(default_factory=dict)
    parts: Mapping[Point, tuple[Part, ...]] = field(default_factory=dict)
    lines: tuple[tuple[Point, ...], ...] = ()
    tree: Branch | None = None
    heatmaps: tuple[Heatmap, ...] = ()

    def __init__(
        self,
        summary: Message | str,
        weights: Mapping[Point, float] | None = None,
        parts: Mapping[Point, Iterable[Part]] | None = None,
        lines: Iterable[Iterable[Point]] = (),
        tree: Branch | None = None,
        heatmaps: Iterable[Heatmap] = (),
    ) -> None:
        _set(
            self,
            summary=checks.message("Explanation.summary", summary),
            weights=checks.weights("Explanation.weights", {} if weights is None else weights),
            parts=checks.tuples("Explanation.parts", {} if parts is None else parts, Part),
            lines=checks.lines("Explanation.lines", lines),
            tree=None if tree is None else checks.an_object("Explanation.tree", tree, Branch),
            heatmaps=checks.objects("Explanation.heatmaps", heatmaps, Heatmap),
        )


def _set(frozen: object, **values: object) -> None:
    """Set the fields of a frozen object."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)


@runtime_checkable
class Player(Protocol):
    """Anything that can choose a move and explain it.

    A player keeps no state between calls that changes its answers: the same spec, board and limit give
    the same choice, so that a saved game goes on as it would have. Randomness comes from a seed in the
    spec together with the position (see `tengen.players.random`). A player that keeps state all the same,
    as the engine's transposition table under a time limit, has a method ``clear()``, which is called
    before another game. A player that holds a resource, such as a process, has a method ``close()``.

    Attributes:
        name: the spec that makes this player again, such as ``"minimax,depth=3"``.

    Examples:
        A player of one's own needs a name and these two methods:

        >>> import tengen
        >>> class Corner:
        ...     name = "corner"
        ...
        ...     def choose(self, board, limit=None, stop=None):
        ...         return tengen.Choice(board.legal_points()[0])
        ...
        ...     def explain(self, board, limit=None, stop=None):
        ...         return tengen.Explanation("I like corners")
        >>> isinstance(Corner(), tengen.Player)
        True
        >>> session = tengen.Session("tictactoe", black=Corner(), white=tengen.player("lines"))
        >>> while session.result is None:
        ...     choice = session.play_computer()
        >>> print(session.board)
        3 [O]. .
        2  X O .
        1  X X O
           a b c
    """

    name: str

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Choose a move for the side to move; the board is as before when this returns.

        Args:
            board: a game that is not over.
            limit: how long to think; None is the player's own default.
            stop: when set, answer at once with the best move so far.

        Raises:
            GameOver: the game is over.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("d4a1d5a2d6a3", tengen.Rules.named("freestyle", 9))
            >>> board.name(tengen.player("lines").choose(board).point)
            'd3'
            >>> board.name(tengen.player("minimax").choose(board, tengen.Limit(depth=1)).point)
            'd3'
        """
        ...

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Explain the answer of `choose`; the board is as before when this returns.

        Args:
            board: any position.
            limit: how long to think; None is the player's own default.
            stop: when set, explain at once from the results so far.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("d4a1d5a2d6a3", tengen.Rules.named("freestyle", 9))
            >>> print(tengen.player("lines").explain(board).summary)
            d3 has the greatest weight, 105, from 4 lines through it
        """
        ...


def explanation(
    player: Player, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
) -> Explanation:
    """Return a player's explanation of its move.

    A simple player may accept the board alone, as ``explain(board)``, and may return plain text.

    Raises:
        TengenError: the player returns anything else.
    """
    try:
        inspect.signature(player.explain).bind(board, limit, stop)
    except (TypeError, ValueError):
        answer: object = player.explain(board)
    else:
        answer = player.explain(board, limit, stop)
    if isinstance(answer, (str, Message)):
        return Explanation(answer)
    return checks.an_object("explain()", answer, Explanation)
