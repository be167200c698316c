"""Positions as JSON text; workers import this without anything of the server."""

from __future__ import annotations

from functools import lru_cache

from tengen.schemas.position import KEPT, PositionData, PositionKey, PositionRequest, board_of
from tengen.web.transport.request_bodies import validated


def position_text(position: PositionRequest) -> str:
    """Return the description of a position as JSON text.

    Raises:
        WrongFields: the rules, stones or moves are invalid.
    """
    return validated(lambda: _text_of(position.key()))


@lru_cache(maxsize=KEPT)
def _text_of(key: PositionKey) -> str:
    return PositionData.of(board_of(key)).to_json()
