"""Reading the tree of an SGF game; `tengen.formats.sgf` describes what is accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.formats import sgf_properties as sgf
from tengen.formats.common import FormatError, LimitError, Missing
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.sgf_properties import Properties
from tengen.formats.sgf_syntax import NEW_GAME, TOKEN, OpenNode, next_token
from tengen.formats.text import FileLimits
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, EMPTY, WHITE, Colour, Point
from tengen.game.record import Mark, Node, Record
from tengen.game.rules import Rules
from tengen.words import Message

STONES = (("AB", BLACK), ("AW", WHITE), ("AE", EMPTY))
"""Properties that set up stones."""

_REST = re.compile(r"\s*")
_MOST_HEADS = 4
_TURNS = {"B": BLACK, "W": WHITE}
_MOVES = frozenset(_TURNS)
_SETS_UP = frozenset(("AB", "AW", "AE", "PL"))
_CLOCKS = {"BL": BLACK, "WL": WHITE}
_MOST_TRIFLES = 100
"""The most harmless faults of a game to report."""

_GUESSED_WITHOUT = (("SZ",), ("TGR",), ("SZ", "TGR"))
"""Properties that may make no sense; the rules are then guessed without them."""


@dataclass
class _OpenGame:
    """A game being built, with the time that both sides have left."""

    builder: RecordBuilder
    clocks: dict[Colour, float]


@dataclass(frozen=True, slots=True)
class _VariationStart:
    """The start of a variation: the game, its ply and clocks, and whether it is on the main line."""

    game: _OpenGame | None
    ply: int
    clocks: dict[Colour, float]
    main: bool


@dataclass(frozen=True, slots=True)
class TreeFault:
    """A fault that does not end reading: its offset, and the loss caused by it."""

    place: int
    reason: Message
    missing: Missing


class TreeReader:
    """A reader of one game tree.

    Args:
        text: the whole file.
        start: the offset of the tree.
        limits: the limits left for the file.

    Attributes:
        faults: the faults that cost a part of the game at most.
        place: after an error, its offset.
        end: the offset reached.
        closed: True if that is behind the bracket that closes the tree.
        broken_off: True if the file ended before, or reading stopped there.
        rules: the rules of the game, as read or guessed.
        guesses: for each guess the sentence's key, the text of the file instead, and its offset.
    """

    def __init__(self, text: str, start: int, limits: FileLimits) -> None:
        self.faults: list[TreeFault] = []
        self.place = self.end = start
        self.closed = self.broken_off = False
        self.rules = Rules()
        self.guesses: list[tuple[str, str, int]] = []
        self._text = text
        self._limits = limits
        self._open = OpenNode()
        self._head: Properties = {}
        self._heads = 0
        self._headers: dict[str, str] = {}
        self._games: list[_OpenGame] = []
        self._game: _OpenGame | None = None
        self._branches: list[_VariationStart] = []
        self._main = True
        self._skipped = 0  # depth of the variation whose rest is left out
        self._doubtful = False  # the node just before may have had a move that was not read
        self._trifles = 0
        self._comments: dict[Node, list[str]] = {}
        self._marks: dict[Node, list[Mark]] = {}

    def run(self) -> TengenError | None:
        """Read to the bracket that closes the tree, or to the end of the file.

        Returns:
            The error that costs the whole game, or the rest of the file, or None; `place` has its offset.
        """
        wrong: TengenError | None = None
        depth = 0
        node = self._open
        while not self.closed:
            token = TOKEN.match(self._text, self.end)
            kind = 0 if token is None else token.lastindex
            if token is None and self._breaks_off():
                return wrong or self._stop()
            if token is not None and kind == 1 and not node.is_waiting:
                self.end = token.end()
                wrong = wrong or self._bracket(token)
                if isinstance(wrong, LimitError):
                    self.broken_off = True
                    return wrong
                depth += (token[1] == "(") - (token[1] == ")")
                self.closed = self.closed or depth == 0
            elif token is None or not self._take(token):
                place = self._begin_of_rest() if token is None else token.start(kind or 0)
                if wrong is not None or not self._go_on(place):
                    self.place = place if wrong is None else self.place
                    return wrong or _no_token(self._text, place)
        return wrong

    def _bracket(self, token: re.Match[str]) -> TengenError | None:
        """Finish a node, and follow a bracket or a semicolon; return an error that costs the whole game."""
        sign, place = token[1], token.start(1)
        played = self._game is not None and not self._game.builder.pristine
        if sign == "(" and played and NEW_GAME.match(self._text, place):
            self.closed = True
            self.end = place
            self._skipped = 0
            self._report(place, Message("error.format.sgf.tree"), "nothing")
            return self._step(";")
        wrong = self._step(sign)
        self._open.reset(is_open=sign == ";")
        return wrong

    def _take(self, token: re.Match[str]) -> bool:
        """Add a name or a value to the node, if it is allowed here."""
        if token.lastindex == 3 and self._open.takes_value:
            cut = self._open.add(token[3], token.start(3))
            self.end = token.end() if cut is None else token.start(3) + cut
            if cut is not None:
                self._report(token.start(3), Message("error.format.sgf.unclosed"), "nothing")
        elif token.lastindex == 2 and self._open.takes_name:
            self._open.begin_property(token[2])
            self.end = token.end()
        else:
            return False
        return True

    def records(self) -> list[Record]:
        """Return the game read, and those that begin from stones set up later in it."""
        for node, comments in self._comments.items():
            node.comment = "\n".join(comments)
        for node, marks in self._marks.items():
            node.marks = tuple(dict.fromkeys(marks))
        games = self._games
        if len(games) > 1 and _is_bare(games[0].builder):
            games = games[1:]
        return [game.builder.record(self._headers) for game in games]

    def _report(self, place: int, reason: Message, missing: Missing) -> None:
        """Add a fault, unless it is one of too many trifles, or within a part that is left out anyway."""
        if self._skipped:
            return
        if missing == "nothing":
            self._trifles += 1
            if self._trifles > _MOST_TRIFLES:
                return
        self.faults.append(TreeFault(place, reason, missing))

    def _begin_of_rest(self) -> int:
        rest = _REST.match(self._text, self.end)
        return self.end if rest is None else rest.end()

    def _breaks_off(self) -> bool:
        """Return whether there is no further token because the file ends, within a value or elsewhere."""
        return self._text[self._begin_of_rest() :][:1] in ("", "[")

    def _go_on(self, place: int) -> bool:
        """Resume after text that is no token, if the game has made sense so far."""
        node = self._open
        if self._game is None and not node.complete():
            return False
        mended = node.mend(self._text)
        if mended is not None:
            self._report(mended - 1, Message("error.format.sgf.bracket"), "nothing")
            self.end = mended
            return True
        self._report(place, _no_token(self._text, place).message, "detail")
        waiting = node.is_waiting
        node.give_up_property()
        # Text in place of a value may well make sense by itself.
        self.end = place if waiting else next_token(self._text, place + 1)
        return True

    def _step(self, sign: str) -> TengenError | None:
        """Finish a node, if one has been read, and follow the bracket after it."""
        properties = self._open.complete()
        try:
            if properties is not None and not self._skipped:
                self._node(properties)
        except TengenError as error:
            return error
        if sign == "(":
            ply, clocks = 0, {}
            if self._game is not None:
                ply, clocks = self._game.builder.ply, dict(self._game.clocks)
            self._branches.append(_VariationStart(self._game, ply, clocks, self._main))
        elif sign == ")":
            self._leave(self._branches.pop())
        return None

    def _leave(self, branch: _VariationStart) -> None:
        """Go back to the start of a variation."""
        self._game = branch.game
        self._doubtful = False
        if len(self._branches) < self._skipped:
            self._skipped = 0
        if self._game is not None:
            builder = self._game.builder
            builder.back_to(branch.ply)
            self._game.clocks = branch.clocks
            self._main = branch.main and not builder.node.children

    def _stop(self) -> TengenError:
        """Return the error for the end of the file here; a complete node is kept."""
        self.place = self._begin_of_rest()
        self.broken_off = True
        if self._text[self.place : self.place + 1]:
            return FormatError("error.format.sgf.open")
        end = self.place
        wrong = self._step(";")
        if wrong is None:
            self.place = end
        return wrong or FormatError("error.format.sgf.end")

    def _node(self, properties: Properties) -> None:
        self._limits.nodes()
        game = self._game
        if game is None or (
            game.builder.pristine and self._heads < _MOST_HEADS and sgf.names_game(properties)
        ):
            # Some programs leave the first node empty and put the headers into the next.
            properties = {**self._head, **properties}
            game = self._begin(properties)
        elif not _MOVES.issuperset(properties):
            named = {name: values for name, values in properties.items() if name in sgf.HEADERS}
            if named:
                self._headers = self._headers_of(named) | self._headers
            game = self._set_up(game, properties)
        before = game.builder.ply
        if not self._moves(game, properties):
            self._skipped = len(self._branches)
            return
        if not _MOVES.issuperset(properties):
            self._annotate(game, properties, game.builder.ply > before)

    def _moves(self, game: _OpenGame, properties: Properties) -> bool:
        """Play the moves of a node; return False if the line ends here with an impossible move."""
        reason = Message("error.format.sgf.gap") if self._open.hides_move else None
        for name, values in properties.items():
            if name in _TURNS and reason is None:
                self.place = values[-1][1]
                # After a node that cannot be read a second move of the same side means that one is missing.
                again = self._doubtful and game.builder.ply and game.builder.mover == _TURNS[name]
                reason = (
                    Message("error.format.sgf.gap") if again else self._play(game, values, _TURNS[name])
                )
        self._doubtful = self._open.doubtful and _MOVES.isdisjoint(properties)
        if reason is None:
            return True
        if reason.key == "error.format.sgf.gap" and self.faults:
            self.place = max(self.place, self.faults[-1].place)
        self._report(self.place, reason, "moves" if self._main else "variation")
        return False

    def _play(self, game: _OpenGame, values: list[tuple[str, int]], colour: Colour) -> Message | None:
        """Play a move; return the reason if it is impossible."""
        builder = game.builder
        if len(values) > 1:
            return Message("error.format.sgf.moves")
        try:
            builder.play(sgf.parse_point(values[0][0], builder.rules.width, builder.rules.height), colour)
        except LimitError:
            raise
        except TengenError as error:
            return error.message
        return None

    def _begin(self, properties: Properties) -> _OpenGame:
        self._heads += 1
        self._head = properties
        rules = self.rules = self._rules_of(properties)
        guesses = {"rules": sgf.unknown_rules(properties), "other_game": sgf.foreign_game(properties)}
        self.guesses = [(f"error.format.sgf.{key}", *guess) for key, guess in guesses.items() if guess]
        self._limits.game(rules.points)
        self._headers = self._headers_of(properties)
        builder = RecordBuilder(rules)
        builder.set_up(self._stones(properties, rules), _turn(properties))
        limit = sgf.number_of(properties, "TM")
        clocks = {} if limit is None else {BLACK: limit, WHITE: limit}
        if self._game is None:
            self._game = _OpenGame(builder, clocks)
            self._games.append(self._game)
        self._game.builder, self._game.clocks = builder, clocks
        return self._game

    def _rules_of(self, properties: Properties) -> Rules:
        """Return the rules in a node, without properties that make no sense."""
        self.place = properties["GM"][0][1] if "GM" in properties else self.place
        try:
            return sgf.rules_of(properties)
        except TengenError as error:
            for left_out in _GUESSED_WITHOUT:
                rest = {name: values for name, values in properties.items() if name not in left_out}
                try:
                    rules = sgf.rules_of(rest)
                except TengenError:
                    continue
                place = next(
                    (properties[name][0][1] for name in left_out if name in properties), self.place
                )
                values = {"reason": error.message, "size": rules.size_text, "rules": _named(rules)}
                self._report(place, Message("error.format.sgf.guessed", values), "nothing")
                return rules
            raise

    def _headers_of(self, properties: Properties) -> dict[str, str]:
        """Return the headers in a node, without those that cannot be kept."""
        try:
            return sgf.headers_of(properties)
        except FormatError:
            headers: dict[str, str] = {}
            for name, values in properties.items():
                try:
                    headers |= sgf.headers_of({name: values})
                except FormatError as error:
                    self._report(values[0][1], error.message, "detail")
            return headers

    def _set_up(self, game: _OpenGame, properties: Properties) -> _OpenGame:
        """Set up the stones of a later node; return the game that goes on from there."""
        if _SETS_UP.isdisjoint(properties):
            return game
        builder, turn = game.builder, _turn(properties)
        stones = self._stones(properties, builder.rules)
        if builder.pristine and len(self._branches) == 1:
            builder.set_up(stones, turn)
            return game
        if not stones:
            return game
        if len(stones) == 1 and not (_TURNS.keys() & properties.keys()):
            (point, colour), *_ = stones.items()
            if colour != EMPTY and not builder.cells[point]:
                builder.play(point, colour)
                return game
        self._limits.game(builder.rules.points)
        begun = RecordBuilder(builder.rules, builder.cells)
        begun.set_up(stones, turn)
        self._game = _OpenGame(begun, dict(game.clocks))
        self._games.append(self._game)
        return self._game

    def _stones(self, properties: Properties, rules: Rules) -> dict[Point, Colour]:
        stones: dict[Point, Colour] = {}
        for name, colour in STONES:
            for raw, self.place in properties.get(name, ()):
                if raw.strip():
                    points = self._points(raw, rules, "moves")
                    stones.update(dict.fromkeys(points, colour))
        return stones

    def _points(self, raw: str, rules: Rules, missing: Missing) -> list[Point]:
        """Parse the points of a value; none if it makes no sense, which is reported."""
        try:
            points = sgf.parse_points(raw, rules.width, rules.height)
        except TengenError as error:
            self._report(self.place, error.message, missing)
            return []
        self._limits.expanded(len(points) - 1)
        return points

    def _annotate(self, game: _OpenGame, properties: Properties, moved: bool) -> None:
        """Keep a node's annotations of the position, and of its move if it has one."""
        node = game.builder.node
        for name in ("N", "C"):
            text = self._text_of(properties.get(name, []))
            comments = self._comments.setdefault(node, []) if text else []
            if text and text not in comments[-1:]:
                comments.append(text)
        if not sgf.MARK_PROPERTIES.isdisjoint(properties):
            self._mark(node, properties, game.builder.rules)
        if moved:
            node.score = sgf.score_of(properties, game.builder.mover) or node.score
            used = _time_used(game, properties)
            node.seconds = node.seconds if used is None else used

    def _text_of(self, values: list[tuple[str, int]]) -> str:
        """Return the text of a property; empty if it is too long, which is reported."""
        texts = []
        for raw, place in values:
            try:
                texts.append(sgf.text_of(raw))
            except FormatError as error:
                self._report(place, error.message, "detail")
        return "\n".join(texts)

    def _mark(self, node: Node, properties: Properties, rules: Rules) -> None:
        marks = self._marks.setdefault(node, [])
        for kind, raw, raw_label, self.place in sgf.marked(properties):
            label = self._text_of([(raw_label, self.place)]).replace("\n", " ")
            # A mark beside the board points at nothing.
            marks.extend(Mark(point, kind, label) for point in self._points(raw, rules, "nothing"))


def _no_token(text: str, place: int) -> FormatError:
    rest = text[place : place + 40]
    name = re.match(r"[A-Za-z0-9]+|[();]|\[[^\]]*", rest)
    return FormatError(
        "error.format.sgf.token", found=shorten(name.group().removeprefix("[") if name else rest)
    )


def _named(rules: Rules) -> Message:
    return Message(f"rules.{rules.name}")


def _time_used(game: _OpenGame, properties: Properties) -> float | None:
    """Return the seconds used for the last move: from our own property, or from the clock."""
    used = sgf.seconds_of(properties)
    for name, colour in _CLOCKS.items():
        left = sgf.number_of(properties, name)
        if left is not None:
            before = game.clocks.get(colour)
            game.clocks[colour] = left
            # More time than before is a new period: the time used is unknown.
            if used is None and before is not None and before >= left and colour == game.builder.mover:
                used = round(before - left, 3)
    return used


def _turn(properties: Properties) -> Colour | None:
    return _TURNS.get((sgf.first(properties, "PL") or "").strip()[:1].upper())


def _is_bare(builder: RecordBuilder) -> bool:
    """Return whether a game is empty."""
    return builder.pristine and not any(builder.cells)
