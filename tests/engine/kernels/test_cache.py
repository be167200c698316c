"""The folder of what takes long to make."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

from tengen.engine.kernels import cache
from tengen.engine.kernels.compile_events import listening


def test_the_folder_that_a_variable_names(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    folder = cache.cache_folder()
    assert folder is not None
    assert folder == tmp_path / "kernels"
    (tmp_path / "file").touch()
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "file"))
    assert cache.cache_folder() is None


def test_what_nobody_uses_goes_after_a_month(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    (tmp_path / "kernels").mkdir()
    old, new = tmp_path / "kernels" / "old.nbi", tmp_path / "kernels" / "new.nbi"
    for file in (old, new):
        file.touch()
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    cache.cache_folder()
    assert not old.exists()
    assert new.exists()


def test_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_CACHE", raising=False)
    monkeypatch.setattr("tengen.user_folders.cache_folder", lambda: tmp_path)
    assert cache.cache_folder() == tmp_path / "kernels"


def test_the_folders_of_earlier_versions_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    for name in ("kernels-0123abcd", "kernels", "kernels of mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "search.nbi").touch()
    cache.cache_folder()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kernels", "kernels of mine"]
    assert (tmp_path / "kernels" / "search.nbi").exists()


def counted(values):
    """Makes an array, and counts how often."""
    calls = []

    def make():
        calls.append(1)
        return np.array(values, np.int16)

    return make, calls


@pytest.mark.parametrize("damage", ["", "cut", "one bit", "other", "folder"])
def test_a_table_is_worked_out_once_and_again_where_it_is_damaged(tmp_path, monkeypatch, damage):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "fingerprint", lambda _: "code")
    make, calls = counted([[1, -2], [3, 4], [5, 6]])
    names: list[str] = []
    for _ in range(2):
        with listening(lambda *_: None, names.append):
            found = cache.kept_array("some", (3, 2), np.int16, make)
        assert np.array_equal(found, [[1, -2], [3, 4], [5, 6]])
    assert (len(calls), names) == (1, ["some"])
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    elif damage:
        file.write_bytes({"cut": data[:-1], "one bit": data[:-1] + b"\1", "other": b"none"}[damage])
    for _ in range(2):
        assert np.array_equal(cache.kept_array("some", (3, 2), np.int16, make), found)
    assert len(calls) == {"": 1, "folder": 3}.get(damage, 2)


def test_where_nothing_can_be_kept_a_table_is_worked_out_each_time(monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    make, calls = counted([1])
    for _ in range(2):
        assert cache.kept_array("some", (1,), np.int16, make) == [1]
    assert len(calls) == 2
