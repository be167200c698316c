"""The hash keys of stones are those of a known generator."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.position import new_position
from tengen.engine.board.records import CELLS

pytestmark = pytest.mark.usefixtures("compiled")


def test_keys_are_those_of_numpy_s_generator():
    state, _ = new_position(Rules.named("freestyle"))
    rng = np.random.default_rng(2026)
    assert np.array_equal(state[0]["keys"], rng.integers(-(2**63), 2**63 - 1, (2, CELLS), dtype=np.int64))
    assert len(np.unique(state[0]["keys"])) == 2 * CELLS
