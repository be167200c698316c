"""Nothing that others call by name goes or comes unnoticed; see `tests.public_surface`."""

from __future__ import annotations

import pytest

from tests.public_surface import LIST, surface


@pytest.mark.long
def test_what_others_call_by_name_is_there():
    listed, found = set(LIST.read_text("utf-8").splitlines()), set(surface())
    assert not listed - found, "others call these"
    assert not found - listed, "new: add them with `python -m tests.public_surface`"
