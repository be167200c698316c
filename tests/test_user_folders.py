"""Where data and caches of a user are: where earlier versions kept them."""

from __future__ import annotations

from importlib import reload

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from tengen import user_folders


@pytest.fixture(autouse=True)
def _home(monkeypatch, tmp_path):
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "TENGEN_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    yield
    monkeypatch.undo()
    reload(user_folders)


def on(platform, folders, monkeypatch):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(platformdirs, "PlatformDirs", folders)
    reload(user_folders)


def test_on_linux(monkeypatch, tmp_path):
    on("linux", Unix, monkeypatch)
    assert user_folders.data_folder() == tmp_path / ".local/share/tengen"
    assert user_folders.cache_folder() == tmp_path / ".cache/tengen"


def test_variables_name_other_folders(monkeypatch, tmp_path):
    on("linux", Unix, monkeypatch)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert user_folders.data_folder() == tmp_path / "share/tengen"
    assert user_folders.cache_folder() == tmp_path / "cache/tengen"
    monkeypatch.setenv("TENGEN_CACHE", "~/own")
    assert user_folders.cache_folder() == tmp_path / "own"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert user_folders.data_folder() == tmp_path / ".local/share/tengen"


def test_on_a_mac_the_folder_of_earlier_versions_stays_in_use(monkeypatch, tmp_path):
    on("darwin", MacOS, monkeypatch)
    assert user_folders.data_folder() == tmp_path / "Library/Application Support/Tengen"
    assert user_folders.cache_folder() == tmp_path / "Library/Caches/Tengen"
    (tmp_path / ".cache/tengen").mkdir(parents=True)
    assert user_folders.cache_folder() == tmp_path / ".cache/tengen"
