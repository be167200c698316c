"""Opening rules: who places the first stones, who chooses the colours, who offers fifth moves.

A plain game favours Black, and opening rules balance it: one side builds a position, the other takes the
colour it prefers. Each rule is a script in this file that reads like the rule's text; an `Opening` runs
it and asks for one `Decision` after another, until it is over and the game goes on like any other:

    >>> from tengen.game.opening_rules import SECOND, Opening
    >>> from tengen.game.points import BLACK
    >>> opening = Opening("swap2", "freestyle")
    >>> for point in ("h8", "i9", "j10"):
    ...     opening.answer(point)
    >>> opening.decision.player == SECOND, opening.decision.options
    (True, ('black', 'white', 'place'))
    >>> opening.answer("black")
    >>> opening.decision is None, opening.player_of(BLACK) == SECOND, len(opening.board.moves)
    (True, True, 3)

Sources: the rule pages of the Renju International Federation (rif, yamaguchi, taraguchi-10, soosyrv-8),
and the gomoku tournament rules (pro, long-pro, swap, swap2).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NoReturn, TypeAlias

from tengen.game.arguments import shown
from tengen.game.board import Board, Move
from tengen.game.errors import IllegalMove, NotAllowed, RulesError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point, distance
from tengen.game.rules import Rules, as_rules
from tengen.game.symmetry import stabiliser
from tengen.words import Message

Participant: TypeAlias = int
FIRST: Participant = 1
"""The participant who has Black when the opening begins."""
SECOND: Participant = 2
"""The participant who has White when the opening begins."""

Answer: TypeAlias = "Point | str"
"""The answer to a decision: a point, or the text of an option."""
DecisionKind: TypeAlias = Literal["place", "offer", "select", "choice"]


@dataclass(frozen=True, slots=True)
class Region:
    """An area of the board where an opening allows a stone.

    Attributes:
        side: ``"anywhere"``, or ``"inside"`` or ``"outside"`` a central square.
        size: side of that square in points; the centre point alone is ``inside`` of size 1.
    """

    side: Literal["anywhere", "inside", "outside"] = "anywhere"
    size: int = 0

    @property
    def message(self) -> Message:
        """The place in words: ``outside the central 5x5``."""
        if self == CENTRE:
            return Message("opening.where.centre")
        return Message(f"opening.where.{self.side}", {"size": self.size})

    def points(self, board: Board) -> tuple[Point, ...]:
        """Return the legal points of `board` in the area, in order."""
        if self.side == "anywhere":
            return tuple(board.legal_points())
        rules = board.rules
        area = _points_within(rules.width, rules.height, self.size, inside=self.side == "inside")
        return tuple(point for point in area if board.is_legal(point))


@lru_cache(maxsize=64)
def _points_within(width: int, height: int, size: int, *, inside: bool) -> tuple[Point, ...]:
    """Return the points inside, or outside, a central square."""
    points = width * height
    return tuple(p for p in range(points) if (distance(p, points // 2, width) <= size // 2) is inside)


ANYWHERE = Region()
CENTRE = Region("inside", 1)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that an opening asks for.

    Attributes:
        player: the participant who decides, `FIRST` or `SECOND`.
        kind: ``"place"`` (place a stone of the side to move), ``"offer"`` (offer one more fifth move),
            ``"select"`` (select one of those offered), or ``"choice"`` (choose an option).
        colour: the side to move: the colour of the stone to place or offer.
        number: the number of the next stone of the game, from 1.
        points: the legal points, in order; empty for a choice.
        options: the options of a choice, empty otherwise: ``"black"`` and ``"white"`` (play that colour
            from here on), ``"place"`` (swap2: place two more stones and hand the choice back),
            ``"offer"`` (taraguchi-10: stay Black and offer ten fifth moves), or ``"1"``, ``"2"``, ...
            (the number of fifth moves to be offered).
        where: for a stone to place, the area where it may go.
        step: for an offer, its number, from 1.
        total: for offers and the selection, the number of fifth moves offered in all.
    """

    player: Participant
    kind: DecisionKind
    colour: Colour
    number: int
    points: tuple[Point, ...] = ()
    options: tuple[str, ...] = ()
    where: Region = ANYWHERE
    step: int = 0
    total: int = 0

    @property
    def message(self) -> Message:
        """The sentence that asks for it."""
        if self.kind == "place":
            colour = Message("black" if self.colour == BLACK else "white")
            values = {"number": self.number, "colour": colour, "where": self.where.message}
            return Message("opening.ask.place", values)
        if self.kind == "offer":
            return Message("opening.ask.offer", {"step": self.step, "total": self.total})
        if self.kind == "select":
            return Message("opening.ask.select", {"total": self.total})
        if self.options[0].isdigit():
            return Message("opening.ask.number")
        options = tuple(option_message(option) for option in self.options)
        return Message("opening.ask.choice", {"options": options})


def option_message(option: str) -> Message:
    """Return an option of a choice in words."""
    if option.isdigit():
        return Message("opening.option.number", {"number": int(option)})
    return Message(f"opening.option.{option}")


_Script: TypeAlias = Generator[Decision, Answer, None]


class _OpeningTable:
    """The state that scripts work on: the board, the owner of each colour, and the moves offered.

    Its methods are steps of scripts: each yields decisions, and the answers sent back are already checked.
    """

    def __init__(self, rules: Rules) -> None:
        self.board = Board(rules)
        self.black = FIRST
        self.offered: list[Point] = []

    def owner(self, colour: Colour) -> Participant:
        """Return the participant who plays `colour` now."""
        return self.black if colour == BLACK else _other(self.black)

    def ask(
        self,
        player: Participant,
        kind: DecisionKind,
        points: Iterable[Point] = (),
        options: tuple[str, ...] = (),
        where: Region = ANYWHERE,
        step: int = 0,
        total: int = 0,
    ) -> Generator[Decision, Answer, Answer]:
        """Ask for one decision."""
        turn, number = self.board.turn, self.board.ply + 1
        return (yield Decision(player, kind, turn, number, tuple(points), options, where, step, total))

    def put(self, player: Participant, where: Region = ANYWHERE) -> _Script:
        """Let `player` place a stone for the side to move, whoever has that colour."""
        answer = yield from self.ask(player, "place", where.points(self.board), where=where)
        self.board.push(answer)

    def move(self, where: Region = ANYWHERE) -> _Script:
        """Let the side to move place a stone."""
        yield from self.put(self.owner(self.board.turn), where)

    def regular(self, player: Participant) -> _Script:
        """Let `player` place one of the 26 regular openings."""
        for size in (1, 3, 5):
            yield from self.put(player, Region("inside", size))

    def choose(self, player: Participant, *more: str) -> Generator[Decision, Answer, Answer]:
        """Let `player` choose a colour, or one of the options `more`, which change no colours."""
        option = yield from self.ask(player, "choice", options=("black", "white", *more))
        if option in ("black", "white"):
            self.black = player if option == "black" else _other(player)
        return option

    def number(self, player: Participant, most: int) -> Generator[Decision, Answer, int]:
        """Let `player` choose the number of fifth moves."""
        options = tuple(str(count) for count in range(1, most + 1))
        return int((yield from self.ask(player, "choice", options=options)))

    def fifth(self, count: int) -> _Script:
        """Let Black offer `count` fifth moves, no two of them symmetric, and White select one.

        Two points are symmetric if a symmetry of the board that leaves the stones in place maps one to
        the other. A single fifth move leaves nothing to select and is simply played.
        """
        if count == 1:
            yield from self.move()
            return
        legal = self.board.legal_points()
        unchanged = stabiliser(self.board)
        for step in range(1, count + 1):
            barred = {symmetry[point] for point in self.offered for symmetry in unchanged}
            points = [point for point in legal if point not in barred]
            answer = yield from self.ask(self.owner(BLACK), "offer", points, step=step, total=count)
            self.offered.append(self.board.point(answer))
        points = sorted(self.offered)
        self.board.push((yield from self.ask(self.owner(WHITE), "select", points, total=count)))
        self.offered.clear()


def _free(_: _OpeningTable) -> _Script:
    yield from ()


def _pro(table: _OpeningTable) -> _Script:
    yield from table.move(CENTRE)
    yield from table.move()
    yield from table.move(Region("outside", 5))


def _long_pro(table: _OpeningTable) -> _Script:
    yield from table.move(CENTRE)
    yield from table.move()
    yield from table.move(Region("outside", 7))


def _swap(table: _OpeningTable) -> _Script:
    for _ in range(3):
        yield from table.put(FIRST)
    yield from table.choose(SECOND)


def _swap2(table: _OpeningTable) -> _Script:
    for _ in range(3):
        yield from table.put(FIRST)
    if (yield from table.choose(SECOND, "place")) == "place":
        for _ in range(2):
            yield from table.put(SECOND)
        yield from table.choose(FIRST)


def _rif(table: _OpeningTable) -> _Script:
    yield from table.regular(FIRST)
    yield from table.choose(SECOND)
    yield from table.move()
    yield from table.fifth(2)


def _yamaguchi(table: _OpeningTable) -> _Script:
    yield from table.regular(FIRST)
    count = yield from table.number(FIRST, 10)
    yield from table.choose(SECOND)
    yield from table.move()
    yield from table.fifth(count)


def _taraguchi(table: _OpeningTable) -> _Script:
    for size in (1, 3, 5):
        yield from table.move(Region("inside", size))
        yield from table.choose(table.owner(table.board.turn))
    yield from table.move(Region("inside", 7))
    if (yield from table.choose(table.owner(BLACK), "offer")) == "offer":
        yield from table.fifth(10)
    else:
        yield from table.move(Region("inside", 9))
        yield from table.choose(table.owner(WHITE))


def _soosyrv(table: _OpeningTable) -> _Script:
    yield from table.regular(FIRST)
    yield from table.choose(SECOND)
    yield from table.move()
    count = yield from table.number(table.owner(WHITE), 8)
    yield from table.choose(table.owner(BLACK))
    yield from table.fifth(count)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A script and its requirements: a least side of the board, a centre point, a square."""

    script: Callable[[_OpeningTable], _Script]
    least: int
    centre: bool = False
    square: bool = False


_RULES = {
    "free": _Rule(_free, 1),
    "pro": _Rule(_pro, 9, centre=True),
    "long-pro": _Rule(_long_pro, 9, centre=True),
    "swap": _Rule(_swap, 5),
    "swap2": _Rule(_swap2, 5),
    "rif": _Rule(_rif, 9, centre=True, square=True),
    "yamaguchi": _Rule(_yamaguchi, 9, centre=True, square=True),
    "taraguchi-10": _Rule(_taraguchi, 9, centre=True, square=True),
    "soosyrv-8": _Rule(_soosyrv, 9, centre=True, square=True),
}

NAMES = tuple(_RULES)
"""Names of the opening rules; their titles are the catalogue's ``opening.<name>``."""


class Opening:
    """An opening in progress.

    Args:
        name: one of `NAMES`.
        rules: `Rules`, or the name of a preset. ``free`` goes with any rules, the others with five in a
            row on a board of suitable shape; see `available`.

    Attributes:
        name: the name of the opening rule.
        rules: the rules of the game.

    Raises:
        RulesError: an unknown name, or rules it cannot be played under.
    """

    def __init__(self, name: str, rules: Rules | str = "freestyle") -> None:
        self.rules = as_rules(rules)
        if not (isinstance(name, str) and name in _RULES):
            text = shorten(name) if isinstance(name, str) else shown(name)
            raise RulesError("error.opening.name", name=text, names=NAMES)
        if (misfit := _misfit(name, self.rules)) is not None:
            raise misfit
        self.name = name
        self._table = _OpeningTable(self.rules)
        self._script = _RULES[name].script(self._table)
        self._history: list[Answer] = []
        self._decision = next(self._script, None)

    @classmethod
    def replay(cls, name: str, rules: Rules | str, history: Iterable[Move]) -> Opening:
        """Return the opening after these answers.

        Raises:
            RulesError: as for a new opening.
            NotationError, IllegalMove, NotAllowed: as `answer`.
        """
        opening = cls(name, rules)
        for answer in history:
            opening.answer(answer)
        return opening

    @property
    def board(self) -> Board:
        """The board of the opening, for reading only; play on a copy."""
        return self._table.board

    @property
    def decision(self) -> Decision | None:
        """The next decision, or None once the opening is over."""
        return self._decision

    @property
    def history(self) -> tuple[Answer, ...]:
        """All answers so far, points as numbers; `replay` rebuilds the opening from them."""
        return tuple(self._history)

    @property
    def offered(self) -> tuple[Point, ...]:
        """The fifth moves offered so far, in that order; empty once one has been selected."""
        return tuple(self._table.offered)

    def player_of(self, colour: Colour) -> Participant:
        """Return the participant who plays `colour` after the swaps so far."""
        return self._table.owner(colour)

    def colour_of(self, player: Participant) -> Colour:
        """Return the colour of `player` after the swaps so far."""
        return BLACK if self._table.black == player else WHITE

    def answer(self, answer: Move) -> None:
        """Answer the decision: a point (number or name), or for a choice the text of an option.

        Raises:
            NotAllowed: the opening is over, or no such option.
            NotationError: text that is no point, for a decision on a point.
            OffBoard, Occupied, Forbidden: no legal point of the board.
            IllegalMove: a point that the opening does not allow; the sentence says which points it does.
        """
        decision = self._decision
        if decision is None:
            raise NotAllowed("error.opening.over")
        accepted: Answer
        if decision.kind == "choice":
            if not (isinstance(answer, str) and answer in decision.options):
                text = shorten(answer) if isinstance(answer, str) else shown(answer)
                raise NotAllowed("error.opening.option", answer=text, options=decision.options)
            accepted = answer
        else:
            accepted = self.board.point(answer)
            if accepted not in decision.points:
                self._refuse(decision, accepted)
        self._history.append(accepted)
        try:
            self._decision = self._script.send(accepted)
        except StopIteration:
            self._decision = None

    def copy(self) -> Opening:
        """Return an independent opening in the same state."""
        return Opening.replay(self.name, self.rules, self._history)

    def __reduce__(self) -> tuple[Any, ...]:
        # A running script can be neither copied nor pickled; its answers can.
        return Opening.replay, (self.name, self.rules, self.history)

    def _refuse(self, decision: Decision, point: Point) -> NoReturn:
        board, name = self.board, self.board.name(point)
        if point == PASS:
            raise IllegalMove("error.opening.pass")
        board.copy().push(point)  # raises the board's own error, if the board refuses the point
        if decision.kind == "place":
            where = decision.where.message
            raise IllegalMove("error.opening.place", point=name, number=decision.number, where=where)
        if decision.kind == "select":
            points = tuple(board.name(p) for p in decision.points)
            raise IllegalMove("error.opening.select", point=name, points=points)
        if point in self.offered:
            raise IllegalMove("error.opening.offered", point=name)
        images = (symmetry[point] for symmetry in stabiliser(board))
        other = next(image for image in images if image in self.offered)
        raise IllegalMove("error.opening.symmetric", point=name, other=board.name(other))


def available(rules: Rules) -> tuple[str, ...]:
    """Return the names of the openings that can be played under these rules, in the order of `NAMES`."""
    return tuple(name for name in NAMES if _misfit(name, rules) is None)


def _misfit(name: str, rules: Rules) -> RulesError | None:
    """Return the error for an opening that cannot be played under these rules, or None."""
    if name == "free":
        return None
    rule = _RULES[name]
    opening = Message(f"opening.{name}")
    if rules.k != 5:
        return RulesError("error.opening.k", opening=opening, k=rules.k)
    if min(rules.width, rules.height) < rule.least:
        return RulesError("error.opening.side", opening=opening, least=rule.least, size=rules.size_text)
    if rule.square and rules.width != rules.height:
        return RulesError("error.opening.square", opening=opening, size=rules.size_text)
    if rule.centre and not (rules.width % 2 and rules.height % 2):
        return RulesError("error.opening.centre", opening=opening, size=rules.size_text)
    return None


def _other(player: Participant) -> Participant:
    return FIRST + SECOND - player
