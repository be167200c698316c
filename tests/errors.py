"""What a call complains about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tengen import TengenError


def key_of(call: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """The catalogue key of the error that a call raises; the call must raise one."""
    with pytest.raises(TengenError) as caught:
        call(*args, **kwargs)
    return caught.value.message.key


def complaint(call: Callable[..., Any], *args: Any) -> str:
    """The sentence of the error that a call raises, empty where it works; other errors pass."""
    try:
        call(*args)
    except TengenError as error:
        return str(error)
    return ""
