"""Small helpers of compiled functions, which Python cannot call, made callable."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit


@cache
def called(helper: Callable[..., Any]) -> Any:
    """A compiled function that does nothing but call a helper."""

    @njit
    def call(*arguments):
        return helper(*arguments)

    return call
