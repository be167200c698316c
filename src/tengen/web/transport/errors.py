"""Errors that a client of the server can cause, each with the HTTP status of its answer."""

from __future__ import annotations

from typing import Any

from tengen.words import TengenError

SOON = 5
"""Seconds after which to retry, where the error names no better time."""


class WebError(TengenError):
    """An error with an HTTP status.

    Args:
        key: the catalogue key of the sentence.
        status: the HTTP status; None for the default of the class.
        values: the values in the sentence.
    """

    status = 400

    def __init__(self, key: str, /, *, status: int | None = None, **values: Any) -> None:
        super().__init__(key, **values)
        if status is not None:
            self.status = status


class NeedsToken(WebError):
    """A request that only a player may make, without a token that identifies the player."""

    status = 401


class NotYourSeat(WebError):
    """A request that this client may not make."""

    status = 403


class SwitchedOff(WebError):
    """A request for a part that this server has switched off for all clients."""

    status = 403


class NoSuchGame(WebError):
    """A request for something that does not exist."""

    status = 404


class Refused(WebError):
    """A request that is not possible now, or that came too late."""

    status = 409


class TooLarge(WebError):
    """A request or a message over the size limit."""

    status = 413


class WrongFields(WebError):
    """A request or a message with invalid fields."""

    status = 422


class TooManyRequests(WebError):
    """A request beyond the limits of a visitor or an address.

    Args:
        key: the catalogue key of the sentence, which may contain the seconds.
        seconds: the time after which to retry.
        values: the other values in the sentence.
    """

    status = 429

    def __init__(self, key: str, /, *, seconds: int = SOON, **values: Any) -> None:
        super().__init__(key, seconds=seconds, **values)
        self.seconds = seconds


class Overloaded(WebError):
    """A request for which the server is too busy."""

    status = 503
