"""Boards as NumPy arrays, for networks and data sets: planes, masks of legal actions, symmetries.

**Points and actions.** Arrays by point are in the order of Tengen's points: row 0 of a plane is the
*bottom* row, and ``plane.reshape(-1)[point]`` is the point. An *action* is a point; where White can claim
fouls (``fouls="claimed"``), the number after the points is the claim; where passing is allowed, the last
action is the pass, so that ``policy[PASS]`` is its probability.

**Planes** are those of `PLANES`, seen by the side to move: uint8, 0 or 1, shape (4, height, width):

- plane 0, ``own``: the stones of the side to move;
- plane 1, ``other``: the stones of the other side;
- plane 2, ``last``: the stone that was played last, if any;
- plane 3, ``black``: 1 everywhere if Black is to move, else 0; some rules treat the colours differently.

**Symmetries** are permutations: ``symmetry[point]`` is the image of a point. A square board has eight, any
other four (fewer if it is one point wide).

Rules are given as `tengen.Rules`, or by the name of a preset.

These functions ask `tengen.Board`, one board at a time; `tengen.environments.VectorEnvironment` keeps the
same arrays of thousands of games up to date.

Examples:
    >>> import tengen
    >>> from tengen import arrays
    >>> board = tengen.Board.from_moves("h8i9", rules="renju")
    >>> arrays.planes(board).shape, int(arrays.legal_mask(board).sum())
    ((4, 15, 15), 223)

    A symmetry maps planes as it maps boards:

    >>> mirror = arrays.symmetries(15)[1]
    >>> mirrored = arrays.transform_board(board, mirror)
    >>> bool((arrays.transform_planes(arrays.planes(board), mirror) == arrays.planes(mirrored)).all())
    True
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from tengen.extras import importing, public_names
from tengen.game import symmetry as game_symmetry
from tengen.game.arguments import check_kind, check_whole, shown, wrong
from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import BLACK, PASS, WHITE, opponent
from tengen.game.rules import Rules, as_rules

with importing():
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "PLANES",
    "Mask",
    "Permutation",
    "Planes",
    "action_count",
    "batch",
    "claim_action",
    "has_claims",
    "inverse",
    "legal_mask",
    "longest_game",
    "pass_action",
    "planes",
    "play",
    "stones",
    "symmetries",
    "transform_board",
    "transform_planes",
    "transform_policy",
]

Planes: TypeAlias = "npt.NDArray[np.uint8]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"
Permutation: TypeAlias = "npt.NDArray[np.int64]"

PLANES = ("own", "other", "last", "black")
"""The names of the planes, in their order."""


def __dir__() -> list[str]:
    """Return the public names."""
    return public_names(globals(), __all__)


def has_claims(rules: Rules | str) -> bool:
    """Return whether White can claim fouls under some rules.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.has_claims(tengen.Rules.named("renju"))
        False
        >>> arrays.has_claims(tengen.Rules.named("renju", fouls="claimed"))
        True
    """
    asked = as_rules(rules)
    return asked.has_fouls and asked.fouls == "claimed"


def action_count(rules: Rules | str) -> int:
    """Return the number of actions: the points, a claim and a pass, where the rules have them.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.action_count("renju")
        225
        >>> arrays.action_count(tengen.Rules.named("renju", fouls="claimed", passing=True))
        227
    """
    asked = as_rules(rules)
    return asked.points + has_claims(asked) + asked.passing


def longest_game(rules: Rules | str) -> int:
    """Return a number of actions after which every game is over.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.longest_game(tengen.Rules.named("tictactoe"))
        9
    """
    asked = as_rules(rules)
    # A pass may follow every stone, and one more ends the game.
    return 2 * asked.points + 2 if asked.passing else asked.points + has_claims(asked)


def claim_action(rules: Rules | str) -> int | None:
    """Return the action of White's claim; None where the rules have none.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.claim_action(tengen.Rules.named("renju", fouls="claimed"))
        225
        >>> arrays.claim_action(tengen.Rules.named("renju")) is None
        True
    """
    asked = as_rules(rules)
    return asked.points if has_claims(asked) else None


def pass_action(rules: Rules | str) -> int | None:
    """Return the action of a pass; None where the rules have none.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.pass_action(tengen.Rules.named("freestyle", passing=True))
        225
    """
    asked = as_rules(rules)
    return action_count(asked) - 1 if asked.passing else None


def play(board: Board, action: int) -> None:
    """Play an action on a board.

    Raises:
        TengenError: no action of these rules.
        IllegalMove: as `Board.push` and `Board.claim`.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> board = tengen.Board("tictactoe")
        >>> for action in arrays.legal_mask(board).nonzero()[0][:3]:
        ...     arrays.play(board, action)
        >>> print(board)
        3  . . .
        2  . . .
        1  X O[X]
           a b c
        >>> arrays.play(board, 9)
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: action is 9: expected a whole number from 0 to 8
    """
    check_kind("board", board, Board, "argument.board")
    check_whole("action", action, 0, action_count(board.rules) - 1)
    if action == claim_action(board.rules):
        if board.turn != WHITE:
            raise IllegalMove("error.claim.nothing")
        board.claim()
    else:
        board.push(PASS if action == pass_action(board.rules) else int(action))


def stones(board: Board) -> Planes:
    """Return the colour of every point, 0, 1 or 2: uint8, shape (height, width).

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> arrays.stones(tengen.Board.from_moves("b2a3c1", "tictactoe"))
        array([[0, 0, 1],
               [0, 1, 0],
               [2, 0, 0]], dtype=uint8)
    """
    check_kind("board", board, Board, "argument.board")
    return np.frombuffer(board.position, np.uint8).reshape(board.height, board.width).copy()


def planes(board: Board) -> Planes:
    """Return the planes of a board, seen by the side to move: uint8, shape (4, height, width).

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> planes = arrays.planes(tengen.Board.from_moves("b2a3c1", "tictactoe"))
        >>> dict(zip(arrays.PLANES, planes.sum(axis=(1, 2)).tolist()))
        {'own': 1, 'other': 2, 'last': 1, 'black': 0}
        >>> planes[arrays.PLANES.index("own")]
        array([[0, 0, 0],
               [0, 0, 0],
               [1, 0, 0]], dtype=uint8)
    """
    colours = stones(board)
    made = np.zeros((len(PLANES), *colours.shape), np.uint8)
    made[0] = colours == board.turn
    made[1] = colours == opponent(board.turn)
    if board.last not in (None, PASS):
        made[2].reshape(-1)[board.last] = 1
    made[3] = board.turn == BLACK
    return made


def legal_mask(board: Board) -> Mask:
    """Return which actions the side to move may choose: bool, shape (actions,).

    Fouls are not among them where the rules forbid them; once the game is over nothing is.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
        >>> mask = arrays.legal_mask(board)
        >>> mask.shape, int(mask.sum()), bool(mask[board.point("h8")])
        ((225,), 216, False)
    """
    check_kind("board", board, Board, "argument.board")
    rules = board.rules
    mask = np.zeros(action_count(rules), np.bool_)
    mask[board.legal_points()] = True
    if has_claims(rules) and board.outcome() is None:
        mask[rules.points] = board.turn == WHITE and board.claimable() is not None
    if rules.passing:
        mask[-1] = board.is_legal(PASS)
    return mask


def batch(boards: Iterable[Board]) -> tuple[Planes, Mask]:
    """Return the planes and masks of boards under the same rules.

    Their shapes are (n, 4, height, width) and (n, actions).

    Raises:
        TengenError: no boards, or boards under different rules.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> boards = [tengen.Board.from_moves(moves) for moves in ("h8", "h8i9", "h8i9g7")]
        >>> planes, masks = arrays.batch(boards)
        >>> planes.shape, masks.shape
        ((3, 4, 15, 15), (3, 225))
    """
    every = list(boards) if isinstance(boards, Iterable) else []
    if not every or any(not isinstance(each, Board) or each.rules != every[0].rules for each in every):
        raise wrong("boards", boards, "argument.boards")
    return np.stack([planes(board) for board in every]), np.stack([legal_mask(board) for board in every])


@lru_cache(maxsize=64)
def _symmetries(width: int, height: int) -> Permutation:
    made = np.array(game_symmetry.symmetries(width, height), np.int64)
    made.setflags(write=False)
    return made


def symmetries(width: int, height: int | None = None) -> Permutation:
    """Return all symmetries of a board, the identity first: int64, shape (8, points), or (4, points).

    Args:
        width: columns.
        height: rows; as many as columns if None.

    Examples:
        >>> from tengen import arrays
        >>> arrays.symmetries(3).shape, arrays.symmetries(4, 3).shape
        ((8, 9), (4, 12))
        >>> arrays.symmetries(3)[1].tolist()
        [2, 1, 0, 5, 4, 3, 8, 7, 6]
    """
    rows = width if height is None else height
    check_whole("width", width)
    check_whole("height", rows)
    return _symmetries(int(width), int(rows))


def inverse(symmetry: npt.ArrayLike) -> Permutation:
    """Return the symmetry that leads back, for a symmetry or for several, shape (..., points).

    Raises:
        TengenError: no permutation.

    Examples:
        >>> from tengen import arrays
        >>> turn = arrays.symmetries(3)[4]
        >>> turn.tolist(), turn[arrays.inverse(turn)].tolist()
        ([0, 3, 6, 1, 4, 7, 2, 5, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    return _inverse(_numbers("symmetry", symmetry))


def transform_planes(planes: npt.NDArray[Any], symmetry: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return planes as a symmetry maps them, of the same type and shape (..., height, width).

    Args:
        planes: planes, stones, or anything else by point.
        symmetry: a symmetry, shape (points,); or one for each of n boards, shape (n, points), where
            `planes` has the shape (n, ..., height, width).

    Raises:
        TengenError: shapes that do not fit, or no permutation.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> board = tengen.Board.from_moves("b2a3c1", "tictactoe")
        >>> print(arrays.transform_planes(arrays.stones(board), arrays.symmetries(3)[1]))
        [[1 0 0]
         [0 1 0]
         [0 0 2]]
    """
    array, images = _numbers("planes", planes), _numbers("symmetry", symmetry)
    fits = array.ndim > 1 and array.shape[-2] * array.shape[-1] == images.shape[-1]
    return _moved("planes", array, images, (*array.shape[:-2], -1), fits=fits).reshape(array.shape)


def transform_policy(policy: npt.NDArray[Any], symmetry: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return policies or masks as a symmetry maps them, of the same type and shape (..., actions).

    A claim and a pass stay what they are.

    Args:
        policy: numbers by action.
        symmetry: as of `transform_planes`.

    Raises:
        TengenError: shapes that do not fit, or no permutation.

    Examples:
        >>> import numpy as np
        >>> from tengen import arrays
        >>> policy = np.array([0.7, 0.1, 0, 0, 0, 0, 0, 0, 0, 0.2])  # nine points and the pass
        >>> arrays.transform_policy(policy, arrays.symmetries(3)[1])
        array([0. , 0.1, 0.7, 0. , 0. , 0. , 0. , 0. , 0. , 0.2])
    """
    array, images = _numbers("policy", policy), _numbers("symmetry", symmetry)
    fits = array.shape[-1] - images.shape[-1] in range(3)
    return _moved("policy", array, images, array.shape, fits=fits)


def transform_board(board: Board, symmetry: npt.ArrayLike) -> Board:
    """Return a board as a symmetry maps it: set-up stones and all moves.

    Raises:
        TengenError: a symmetry of another board.

    Examples:
        >>> import tengen
        >>> from tengen import arrays
        >>> board = tengen.Board.from_moves("b2a3c1", "tictactoe")
        >>> print(arrays.transform_board(board, arrays.symmetries(3)[1]))
        3  . . O
        2  . X .
        1 [X]. .
           a b c
    """
    check_kind("board", board, Board, "argument.board")
    images = _numbers("symmetry", symmetry)
    if not any(np.array_equal(images, each) for each in _symmetries(board.width, board.height)):
        raise wrong("symmetry", symmetry, "argument.symmetry")
    return game_symmetry.transform(board, tuple(images.tolist()))


def _numbers(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return what a caller has given as an array of at least one dimension.

    Raises:
        ArgumentError: it is none.
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # rows of different lengths, or an object that refuses
        array = np.empty((), np.object_)
    if array.ndim == 0 or array.dtype.kind not in "biufc":
        raise wrong(name, value, "argument.array")
    return array


def _inverse(images: npt.NDArray[Any]) -> Permutation:
    """Return the inverses of permutations, the last dimension.

    Raises:
        ArgumentError: one is none.
    """
    source = np.argsort(images, axis=-1)
    numbers = np.arange(images.shape[-1])
    if images.dtype.kind not in "iu" or (np.take_along_axis(images, source, -1) != numbers).any():
        raise wrong("symmetry", images.tolist(), "argument.permutation", most=images.shape[-1] - 1)
    return source


def _moved(
    name: str,
    array: npt.NDArray[Any],
    images: npt.NDArray[Any],
    flat: tuple[int, ...],
    *,
    fits: bool,
) -> npt.NDArray[Any]:
    """Return numbers by point moved to their images; what follows the points stays.

    Args:
        name: the argument that holds the numbers.
        array: the numbers.
        images: a permutation, or one for each of the first dimension.
        flat: the shape in which the last dimension of `array` is by point.
        fits: whether there are as many points as in the permutation.
    """
    points = images.shape[-1]
    if images.ndim == 2:
        fits = fits and len(flat) > 1 and len(array) == len(images)
    if not fits or images.ndim not in (1, 2):
        raise wrong(name, array.shape, "argument.arrays", points=points, symmetry=shown(images.shape))
    source, given = _inverse(images), array.reshape(flat)
    if images.ndim == 1:
        moved = given[..., source]
    else:
        source = source.reshape(len(source), *([1] * (given.ndim - 2)), points)
        moved = np.take_along_axis(given[..., :points], source, axis=-1)
    return np.concatenate([moved, given[..., points:]], axis=-1)
