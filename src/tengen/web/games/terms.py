"""The terms of a game: what its players agree on before it begins, wherever it is arranged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tengen.game.board import Board
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Occupant
from tengen.schemas.game import TermsRequest


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms of a game.

    Attributes:
        start: the initial board, with the rules.
        opening: an opening rule, or None.
        clock: the time control as text, or None.
        take_backs: the number of take-backs per side; None for no limit.
    """

    start: Board
    opening: str | None = None
    clock: str | None = None
    take_backs: int | None = 5

    @classmethod
    def of(cls, request: TermsRequest, start: Board, take_backs: int | None) -> GameTerms:
        """Return the terms that a client asks for, from an initial board."""
        opening = None if request.opening in ("", "free") else request.opening
        return cls(start, opening, request.clock or None, take_backs)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    def session(
        self, first: Occupant = HUMAN, second: Occupant = HUMAN, *, consent: bool = True
    ) -> Session:
        """Return the game before its first move.

        Args:
            first: the occupant of the seat that moves first.
            second: the occupant of the other seat.
            consent: whether a human opponent must agree to a take-back.

        Raises:
            RulesError: the opening, the clock or the number of take-backs is invalid.
        """
        return Session(
            self.rules,
            first,
            second,
            self.opening,
            self.clock,
            self.take_backs,
            take_back_unit=None,
            consent=consent,
            start=self.start,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the terms of a game from the empty board as JSON data."""
        return {
            "rules": self.rules.to_dict(),
            "opening": self.opening,
            "clock": self.clock,
            "take_backs": self.take_backs,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], take_backs: int | None = 0) -> GameTerms:
        """Return the terms that `to_dict` wrote.

        Args:
            data: the data, which may have other fields too.
            take_backs: the number of take-backs where the data have none.
        """
        start = Board(Rules.from_dict(data["rules"]))
        return cls(start, data["opening"], data["clock"], data.get("take_backs", take_backs))
