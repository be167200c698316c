"""One game as the environments of single boards see it."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen import arrays
from tengen.engine.batch.board_batch import BoardBatch
from tengen.extras import importing
from tengen.formats.pictures.svg import draw
from tengen.game.arguments import wrong
from tengen.game.board import Board
from tengen.game.points import BLACK, Colour
from tengen.game.rules import Rules

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Print the board, return it as text, or return a picture: uint8, shape (height, width, 3)."""

_PICTURE_WIDTH = 480

_OPTIONS = ("moves",)
"""The options of `reset`."""


def check_render_mode(mode: object) -> None:
    """Require one of `RENDER_MODES`, or None.

    Raises:
        ArgumentError: `mode` is anything else.
    """
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        raise wrong("render_mode", mode, "argument.environment.render_mode", modes=RENDER_MODES)


def moves_of(options: dict[str, Any] | None, *, others: bool = False) -> Any:
    """Return the moves with which the options of `reset` begin a game.

    Args:
        options: the options.
        others: whether there may be others, which are ignored.

    Raises:
        ArgumentError: `options` is no mapping, or has others that there may not be.
    """
    if options is None:
        return ""
    if not isinstance(options, Mapping) or not (others or options.keys() <= {*_OPTIONS}):
        raise wrong("options", options, "argument.environment.options", options=_OPTIONS)
    return options.get("moves", "")


class SingleGame:
    """A board, and its planes and mask, which kernels keep up to date faster than the board can be asked.

    Args:
        rules: the rules.
        moves: the moves before the first action, as text or points.

    Attributes:
        board: the board; only `play` changes it.
    """

    def __init__(self, rules: Rules, moves: Any = "") -> None:
        self.board = Board.from_moves(moves, rules)
        self._batch = BoardBatch(rules, 1)
        passing = arrays.pass_action(rules)
        for point in self.board.moves:
            self._advance(point if point >= 0 or passing is None else passing)

    def play(self, action: int) -> None:
        """Play an action.

        Raises:
            TengenError: no action of these rules.
            IllegalMove: it is not legal; nothing has changed.
        """
        arrays.play(self.board, action)
        self._advance(action)

    def _advance(self, action: int) -> None:
        self._batch.step(np.array([action], np.int64), False, 0, 1)

    def is_legal(self, action: int) -> bool:
        """Return whether the side to move may choose an action."""
        return bool(0 <= action < self._batch.legal.shape[1] and self._batch.legal[0, action])

    def planes(self, colour: Colour) -> npt.NDArray[np.uint8]:
        """Return the planes seen by a colour, a new array.

        Seen by the side that is not to move, ``own`` are its stones, and ``black`` is 1 if it is Black.
        """
        planes: npt.NDArray[np.uint8] = self._batch.planes[0].copy()
        if colour != self.board.turn:
            planes[[0, 1]] = planes[[1, 0]]
            planes[3] = colour == BLACK
        return planes

    def mask(self, colour: Colour) -> npt.NDArray[np.int8]:
        """Return the mask of a colour's legal actions, a new array; none is legal if it is not to move."""
        if colour != self.board.turn:
            return np.zeros(self._batch.legal.shape[1], np.int8)
        mask: npt.NDArray[np.int8] = self._batch.legal[0].astype(np.int8)
        return mask

    def reward(self, colour: Colour) -> float:
        """Return 1 if a colour has won, -1 if it has lost, else 0."""
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == colour else -1.0

    def rendered(self, mode: str | None) -> Any:
        """Return the board in one of `RENDER_MODES`; for the first it is printed, and nothing returned."""
        if mode == "human":
            sys.stdout.write(f"{self.board}\n")
            return None
        if mode == "ansi":
            return str(self.board)
        return None if mode is None else _picture(self.board)


def _picture(board: Board) -> npt.NDArray[np.uint8]:
    """Return a picture of a board: uint8, shape (height, width, 3)."""
    with importing():
        from PIL import Image

    picture = Image.open(io.BytesIO(draw(board).png(_PICTURE_WIDTH))).convert("RGB")
    return np.asarray(picture).copy()
