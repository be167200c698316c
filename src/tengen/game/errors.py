"""The public errors of a game, all of them `ValueError`s.

An error carries its sentence as a `Message`, so that a user interface can show it in the reader's
language; ``str(error)`` is the English. A call that raises one of these changes nothing.
"""

from __future__ import annotations

from tengen.words import TengenError

__all__ = [
    "ArgumentError",
    "Forbidden",
    "GameOver",
    "IllegalMove",
    "NotAllowed",
    "NotationError",
    "Occupied",
    "OffBoard",
    "RulesError",
    "TengenError",
]


class RulesError(TengenError):
    """Rules that make no sense, or that do not fit what is asked for, such as an opening.

    Examples:
        >>> import tengen
        >>> tengen.Rules.mnk(3, 3, 0)
        Traceback (most recent call last):
            ...
        tengen.game.errors.RulesError: rules field k is 0: expected at least 1
        >>> tengen.Session("tictactoe", opening="swap2")
        Traceback (most recent call last):
            ...
        tengen.game.errors.RulesError: opening Swap2 needs five in a row, but k is 3
    """


class ArgumentError(TengenError, TypeError):
    """An argument of the wrong type; a `TypeError` too, as Python's own would be.

    Examples:
        >>> import tengen
        >>> tengen.Board.from_moves(5)
        Traceback (most recent call last):
            ...
        tengen.game.errors.ArgumentError: moves is 5: expected moves such as h8i9g7, or a list of points
        >>> issubclass(tengen.ArgumentError, TypeError), issubclass(tengen.ArgumentError, ValueError)
        (True, True)
    """


class NotationError(TengenError):
    """Text that cannot be parsed; the sentence says where, and what was expected.

    Examples:
        >>> import tengen
        >>> tengen.Board.from_moves("h8?")
        Traceback (most recent call last):
            ...
        tengen.game.errors.NotationError: character 3 of the moves: expected a point such as h8, found '?'
        >>> tengen.Board().push("h")
        Traceback (most recent call last):
            ...
        tengen.game.errors.NotationError: 'h' is not a point: expected a letter and a number, such as h8
    """


class IllegalMove(TengenError):
    """A move that the rules do not allow in this position.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("h8")
        >>> for move in ("h8", "h16", "--"):
        ...     try:
        ...         board.push(move)
        ...     except tengen.IllegalMove as error:
        ...         print(f"{type(error).__name__}: {error}")
        Occupied: h8 is occupied
        OffBoard: h16 is off the 15x15 board, whose points run from a1 to o15
        IllegalMove: these rules do not allow passing
    """


class OffBoard(IllegalMove):
    """A well-formed point that is not on this board.

    Examples:
        >>> import tengen
        >>> tengen.Board("tictactoe").push("d1")
        Traceback (most recent call last):
            ...
        tengen.game.errors.OffBoard: d1 is off the 3x3 board, whose points run from a1 to c3
    """


class Occupied(IllegalMove):
    """An occupied point.

    Examples:
        >>> import tengen
        >>> tengen.Board.from_moves("h8i9h8")
        Traceback (most recent call last):
            ...
        tengen.game.errors.Occupied: h8 is occupied
    """


class Forbidden(IllegalMove):
    """A foul, under rules that forbid playing one.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
        >>> board.push("h8")
        Traceback (most recent call last):
            ...
        tengen.game.errors.Forbidden: h8 is forbidden to Black: three-three
        >>> board.foul("h8").kind
        'double-three'
    """


class GameOver(IllegalMove):
    """A move after the end of the game.

    Examples:
        >>> import tengen
        >>> tengen.Board.from_moves("a1b1a2b2a3b3", "tictactoe")
        Traceback (most recent call last):
            ...
        tengen.game.errors.GameOver: the game is over: b3 cannot be played
    """


class NotAllowed(TengenError):
    """An action that a session refuses now: not this seat's turn, no take-back left, a paused game.

    Examples:
        >>> import tengen
        >>> session = tengen.Session(take_backs=0)
        >>> session.play("h8")
        >>> session.play("i9", by=tengen.BLACK)
        Traceback (most recent call last):
            ...
        tengen.game.errors.NotAllowed: it is not your turn
        >>> session.take_back()
        Traceback (most recent call last):
            ...
        tengen.game.errors.NotAllowed: no take-backs are left
    """
