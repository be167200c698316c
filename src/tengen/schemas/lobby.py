"""The lobby: challenges, and the messages of its socket."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import StrictBool

from tengen.schemas.base import Schema
from tengen.schemas.game import RatingData, TakeBacks, TermsRequest
from tengen.schemas.position import RulesRequest
from tengen.schemas.rules import WithRules

ChosenColour: TypeAlias = Literal["black", "white", "random"]


class ChallengeData(WithRules):
    """A game that a visitor offers; of its maker it has only the name and rating."""

    id: str
    name: str | None
    opening: str | None
    clock: str | None
    take_backs: int | None
    """The number for each side; null for no limit."""
    colour: ChosenColour
    """The maker's colour."""
    rated: str | None
    """The rating pool of a rated game."""
    rating: RatingData | None
    """The maker's rating, where the game is rated."""
    created: float


class ChallengeList(Schema):
    """The open challenges, oldest first."""

    challenges: tuple[ChallengeData, ...]


class ChallengesMessage(ChallengeList):
    """The list of challenges, sent whenever it changes, with the id of the client's own challenge."""

    type: Literal["challenges"] = "challenges"
    own: str | None


class CalledMessage(Schema):
    """The notice to a maker that the challenge has become the game with this id."""

    type: Literal["game"] = "game"
    id: str


class ChallengeRequest(RulesRequest, TermsRequest):
    """A game to offer."""

    take_backs: TakeBacks | None = 5
    colour: ChosenColour = "random"
    rated: StrictBool = False
