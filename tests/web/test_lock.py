"""One server for a data folder."""

from __future__ import annotations

import multiprocessing
import os
import signal
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from tengen.web.lock import AlreadyServed, DataFolderLock


def test_the_second_one_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    lock = DataFolderLock(folder)
    for url in ("", "http://127.0.0.1:8000", "http://h:1"):
        lock.write_url(url)
        with pytest.raises(AlreadyServed) as caught:
            DataFolderLock(folder)
        assert caught.value.url == url
    lock.release()
    lock.release()
    DataFolderLock(folder).release()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_can_hold_the_lock(tmp_path: Path) -> None:
    lock = DataFolderLock(tmp_path)
    assert stat.S_IMODE((tmp_path / "server.lock").stat().st_mode) == 0o600
    lock.release()


def _hold(folder: Path, held: Any) -> None:
    lock = DataFolderLock(folder)
    lock.write_url("http://killed")
    held.set()
    signal.pause()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal.pause")
def test_a_killed_process_lets_go(tmp_path: Path) -> None:
    spawning = multiprocessing.get_context("spawn")
    held = spawning.Event()
    process = spawning.Process(target=_hold, args=(tmp_path, held))
    process.start()
    try:
        assert held.wait(60)
        with pytest.raises(AlreadyServed, match="http://killed"):
            DataFolderLock(tmp_path)
    finally:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    lock = DataFolderLock(tmp_path)
    with pytest.raises(AlreadyServed) as caught:
        DataFolderLock(tmp_path)
    assert caught.value.url == ""
    lock.release()
