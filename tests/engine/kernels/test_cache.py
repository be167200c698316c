"""The folder of what takes long to make."""

from __future__ import annotations

import os
import time

from tengen.engine.kernels import cache


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
