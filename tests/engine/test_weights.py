"""The learned numbers: written, read, and read again when they are written anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tengen import Board, Engine, Limit
from tengen.engine.engine import CLASSES_ALONE
from tengen.engine.weights import FAMILIES, file_of, load, save, version

LIMITS = (Limit(depth=3), Limit(seconds=1000, depth=3))
"""Nothing is remembered within the first, everything within the second."""


def found(engine, limit):
    (info,) = engine.analyse(Board.from_moves("h8i9g7f6h10i8"), limit)
    return info.point, info.score, info.line


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_written_is_read(name, tmp_path):
    weights = load(name)
    save(name, weights, tmp_path)
    again = load(name, tmp_path)
    for field in ("worths", "orders", "situations"):
        assert np.array_equal(getattr(again, field), getattr(weights, field))
    assert [file.name for file in tmp_path.iterdir()] == [f"{name}.npz"]


def test_each_writing_is_another_version(tmp_path):
    weights, file = load("freestyle"), file_of("freestyle", tmp_path)
    seen = {version(file)}
    assert seen == {()}
    for _ in range(5):
        save("freestyle", weights, tmp_path)
        seen.add(version(file))
        assert version(file) == version(file)
    assert len(seen) == 6


@pytest.mark.parametrize("limit", LIMITS, ids=["nodes", "time"])
def test_numbers_trained_again_into_the_same_folder_are_used_at_once(tmp_path, limit):
    """By engines made before as well, which forget what they have found with the others."""
    first = load("freestyle")
    second = replace(first, worths=first.worths // 3, orders=-first.orders)
    told = []
    engine = Engine(weights=str(tmp_path))
    for weights in (first, second, first):
        save("freestyle", weights, tmp_path)
        told.append(found(engine, limit))
        assert told[-1] == found(Engine(weights=str(tmp_path)), limit)
    assert told[0] == told[2] == found(Engine(weights=CLASSES_ALONE), limit)
    assert told[0] != told[1]
