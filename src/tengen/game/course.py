"""The course of a game: an opening rule, a board, and the list of actions that led here.

The list alone is the state. A take-back drops the last actions and replays the rest, and a saved game
is the list itself, so both are correct by construction, swaps of colour included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tengen.game.board import Board, Move
from tengen.game.clock import is_seconds
from tengen.game.errors import NotAllowed, NotationError, RulesError
from tengen.game.opening_rules import FIRST, Decision, Opening
from tengen.game.player import Score
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.rules import Rules

Answer: TypeAlias = "Point | str"


@dataclass(frozen=True, slots=True)
class Action:
    """One step of a game.

    Attributes:
        kind: ``"play"`` (a point played, offered or selected), ``"choose"`` (an option of the
            opening rule) or ``"claim"`` (White claims a foul).
        by: the participant who took it, `FIRST` or `SECOND`.
        value: the point, or the option's name; empty for a claim.
        seconds: time used for it.
        placed: True if it placed a stone or passed; offering a fifth move does neither.
        score: the position as whoever played rated it, or None.
    """

    kind: Literal["play", "choose", "claim"]
    by: int
    value: Answer
    seconds: float = 0.0
    placed: bool = False
    score: Score | None = None


class Course:
    """The course of a game from its start.

    Args:
        start: the board to begin from.
        opening: name of an opening rule, or None.

    Raises:
        RulesError: an unknown opening, one that these rules do not have, or one for a start that is
            not the empty board.
    """

    def __init__(self, start: Board, opening: str | None = None) -> None:
        if opening is not None and start != Board(start.rules):
            raise RulesError("error.session.start")
        self.start = start.copy()
        self.opening_name = opening
        self.actions: list[Action] = []
        self._begin()

    def _begin(self) -> None:
        name, rules = self.opening_name, self.start.rules
        self.opening = None if name is None else Opening(name, rules)
        self.board = self.start.copy() if self.opening is None else self.opening.board

    @property
    def decision(self) -> Decision | None:
        """The decision the opening rule asks for now; None if a plain move is due or the game is over."""
        if self.opening is None or self.board.outcome() is not None:
            return None
        return self.opening.decision

    @property
    def actor(self) -> int | None:
        """The participant who must act now; None once the board has decided the game."""
        if self.board.outcome() is not None:
            return None
        decision = self.decision
        return decision.player if decision is not None else self.player_of(self.board.turn)

    def colour_of(self, participant: int) -> Colour:
        """Return the colour that a participant plays now."""
        return participant if self.opening is None else self.opening.colour_of(participant)

    def player_of(self, colour: Colour) -> int:
        """Return the participant who plays a colour now."""
        return colour if self.colour_of(colour) == colour else opponent(colour)

    def play(self, move: Move, seconds: float = 0.0, score: Score | None = None) -> Action:
        """Play a point, or offer or select one in the opening.

        Raises:
            NotationError, IllegalMove: as `Board.push`, or a point the opening does not allow.
            NotAllowed: the opening asks for a choice instead.
        """
        decision, by, plies = self.decision, self.actor, self.board.ply
        if decision is not None and not decision.points:
            raise NotAllowed("error.session.choose", options=decision.options)
        point = self.board.point(move)
        if decision is not None and self.opening is not None:
            self.opening.answer(point)
        else:
            self.board.push(point)
        return self._taken(Action("play", by or FIRST, point, seconds, self.board.ply > plies, score))

    def choose(self, option: str, seconds: float = 0.0) -> Action:
        """Choose one of the options that the opening rule gives.

        Raises:
            NotAllowed: there is nothing to choose, or no such option.
        """
        decision = self.decision
        if decision is None or self.opening is None or not decision.options:
            raise NotAllowed("error.session.no_choice")
        self.opening.answer(option)
        return self._taken(Action("choose", decision.player, option, seconds))

    def claim(self) -> Action:
        """Claim Black's foul for White.

        Raises:
            IllegalMove: as `Board.claim`.
        """
        self.board.claim()
        return self._taken(Action("claim", self.player_of(WHITE), ""))

    def last_play(self, by: int | None = None) -> int | None:
        """Return the index, in `actions`, of the last point played by a participant, or by anybody."""
        for index in reversed(range(len(self.actions))):
            action = self.actions[index]
            if action.kind == "play" and by in (None, action.by):
                return index
        return None

    def rewind(self, length: int) -> None:
        """Take back all actions but the first `length`."""
        actions = self.actions[:length]
        self.actions = []
        self._begin()
        for action in actions:
            self.take(action)

    def take(self, action: Action) -> None:
        """Replay an action, with its time and score.

        Raises:
            TengenError: the action is not possible here.
        """
        if action.kind == "play":
            self.play(action.value, action.seconds, action.score)
        elif action.kind == "choose":
            self.choose(str(action.value), action.seconds)
        else:
            self.claim()

    def _taken(self, action: Action) -> Action:
        self.actions.append(action)
        return action

    def to_dict(self) -> dict[str, Any]:
        """Return the course as JSON-ready data."""
        name = self.start.name
        setup = self.start.setup or Board(self.start.rules)
        return {
            "rules": self.start.rules.to_dict(),
            "start": {
                "black": [name(point) for point in setup.stones(BLACK)],
                "white": [name(point) for point in setup.stones(WHITE)],
                "turn": setup.turn,
                "moves": [name(point) for point in self.start.moves],
                "claimed": self.start.claimed,
            },
            "opening": self.opening_name,
            "actions": [self._action_data(action) for action in self.actions],
        }

    def _action_data(self, action: Action) -> dict[str, Any]:
        point = isinstance(action.value, int)
        data: dict[str, Any] = {
            "kind": action.kind,
            "value": self.start.name(action.value) if point else action.value,  # type: ignore[arg-type]
            "seconds": action.seconds,
        }
        if action.score is not None:
            data["score"] = [action.score.value, action.score.mate]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Course:
        """Return the course that `to_dict` serialised.

        Raises:
            TengenError: actions that are not possible in that order under those rules.
            KeyError, TypeError, ValueError: data of another form.
        """
        rules = Rules.from_dict(data["rules"])
        start = Board(rules)
        given = data["start"]
        if given["black"] or given["white"] or given["turn"] != BLACK:
            start = Board.from_stones(given["black"], given["white"], given["turn"], rules)
        for move in given["moves"]:
            start.push(move)
        if given["claimed"]:
            start.claim()
        course = cls(start, data["opening"])
        for number, item in enumerate(data["actions"], 1):
            kind, seconds = item["kind"], item["seconds"]
            if kind not in ("play", "choose", "claim") or not isinstance(item["value"], str):
                raise NotationError("error.session.action", number=number)
            if not is_seconds(seconds):
                raise NotationError("error.session.action", number=number)
            score = None if item.get("score") is None else Score(*item["score"])
            course.take(Action(kind, FIRST, item["value"], seconds, score=score))
        return course
