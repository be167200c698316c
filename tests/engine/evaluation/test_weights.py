"""The learned numbers: written, read, and read again when they are written anew."""

from __future__ import annotations

from dataclasses import replace
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from tengen import Board, Engine, Limit, Rules, TengenError
from tengen.engine.evaluation.learned_file import version
from tengen.engine.evaluation.weights import FAMILIES, file_of, load, save
from tengen.engine.tables import CLASSES_ALONE

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
    for field in ("worths", "orders", "situations", "contexts"):
        assert np.array_equal(getattr(again, field), getattr(weights, field))
    assert [file.name for file in tmp_path.iterdir()] == [f"{name}.npz"]


def test_numbers_from_before_there_were_contexts_go_without(tmp_path):
    file = file_of("freestyle", tmp_path)
    with np.load(file_of("freestyle")) as shipped:
        np.savez(file, **{name: shipped[name] for name in ("worths", "orders", "situations")})
    weights = load("freestyle", tmp_path)
    assert np.array_equal(weights.orders, load("freestyle").orders)
    assert not weights.contexts.any()


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
    save("freestyle", second, tmp_path)
    engine = Engine(weights=str(tmp_path))
    for weights in (first, second, first):
        save("freestyle", weights, tmp_path)
        told.append(found(engine, limit))
        assert told[-1] == found(Engine(weights=str(tmp_path)), limit)
    assert told[0] == told[2] == found(Engine(weights=CLASSES_ALONE), limit)
    assert told[0] != told[1]


DAMAGE = [
    "empty",
    "text",
    "cut",
    "turned over",
    "one array",
    "objects",
    "decimals",
    "large",
    "shape",
    "missing",
    "more",
    "endless",
    "bomb",
]


def damage(file, how):
    """Make something else of a file of numbers."""
    with np.load(file_of("freestyle")) as stored:
        arrays = dict(stored)
    whole = file_of("freestyle").read_bytes()
    if how in ("empty", "text", "cut", "turned over"):
        turned = whole[:3000] + bytes(255 - byte for byte in whole[3000:3200]) + whole[3200:]
        file.write_bytes({"empty": b"", "text": b"none\n", "cut": whole[:5000], "turned over": turned}[how])
        return
    if how == "one array":
        with file.open("wb") as stream:
            np.save(stream, arrays["worths"])
        return
    if how in ("endless", "bomb"):
        header = (
            b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, 'shape': (9000000000000,), }"
        )
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            archive.writestr("worths.npy", header.ljust(128) if how == "endless" else bytes(1 << 27))
        return
    if how == "objects":
        arrays["worths"] = np.array([{}], object)
    elif how == "decimals":
        arrays["worths"] = np.full_like(arrays["worths"], np.nan, np.float64)
    elif how == "large":
        arrays["situations"] = arrays["situations"].astype(np.int64) << 40
    elif how == "shape":
        arrays["worths"] = arrays["worths"][:, :, 1:]
    elif how == "missing":
        del arrays["orders"]
    else:
        arrays["other"] = np.zeros(1)
    np.savez(file, **arrays)


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_refused_in_a_line_when_the_player_is_made(tmp_path, how):
    damage(tmp_path / "freestyle.npz", how)
    with pytest.raises(TengenError, match=r"^[^\n]*freestyle\.npz does not contain numbers[^\n]*$"):
        Engine(weights=str(tmp_path))


def test_a_folder_without_numbers_is_refused_likewise(tmp_path):
    with pytest.raises(TengenError, match=r"^[^\n]*freestyle\.npz.*no such file or folder$"):
        Engine(weights=str(tmp_path))


def test_numbers_for_other_rules_are_missed_before_a_clock_runs(tmp_path):
    save("freestyle", load("freestyle"), tmp_path)
    engine = Engine(weights=str(tmp_path))
    engine.prepare(Board())
    with pytest.raises(TengenError, match=r"renju\.npz"):
        engine.prepare(Board(Rules.named("renju")))
