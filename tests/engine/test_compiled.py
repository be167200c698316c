"""What is compiled is kept, and works as well when it comes from the disk: crashes show only then."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tengen.engine import compiled
from tengen.words import say
from tests.console import process

SOLVE = ("solve", "vcf", "h8a1i8a3j8a5", "--shortest")


def test_cold_then_warm_then_without_a_place_to_keep_it(tmp_path):
    cold = process(*SOLVE, TENGEN_CACHE=str(tmp_path))
    assert (cold.status, cold.err) == (0, say("compiling.once") + "\n")
    kept = set(tmp_path.rglob("*.nbc"))
    assert kept
    warm = process(*SOLVE, TENGEN_CACHE=str(tmp_path))
    assert (warm.status, warm.out, warm.err) == (0, cold.out, "")
    assert set(tmp_path.rglob("*.nbc")) == kept
    file = tmp_path / "file"
    file.touch()
    unkept = process(*SOLVE, TENGEN_CACHE=str(file))
    assert (unkept.status, unkept.out) == (0, cold.out)
    assert unkept.err == say("compiling.always") + "\n"


def test_a_folder_for_each_version(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path
    (tmp_path / "file").touch()
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "file"))
    assert compiled.cache_folder() is None


def test_what_nobody_uses_goes_after_a_month(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    old, new = tmp_path / "kernels-old", tmp_path / "kernels-new"
    for folder in (old, new):
        folder.mkdir()
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    compiled.cache_folder()
    assert not old.exists()
    assert new.exists()


def test_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.parent == Path(tmp_path) / "tengen"
