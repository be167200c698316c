"""Visitors: the data that a server stores about them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictStr

from tengen.schemas.base import Schema
from tengen.schemas.game import RatingData


class VisitorProfile(Schema):
    """A visitor's name, and its ratings by pool if it has turned ratings on."""

    name: str
    rated: bool
    ratings: dict[str, RatingData]


class VisitorRequest(Schema):
    """A change of a visitor's data; fields that are left out stay as they are."""

    name: Annotated[StrictStr, Field(max_length=200)] | None = None
    """The name that others see; empty for none."""
    rated: StrictBool | None = None
    """True if the visitor plays rated games."""
