"""What another process compiles for this one is kept, and told; and nothing depends on that it succeeds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tengen.engine.board.fouls import is_foul
from tengen.engine.kernels import compile_process
from tengen.engine.kernels.compile_events import listening
from tengen.engine.kernels.compile_process import compile_apart
from tengen.engine.kernels.jit import Kernel, cache_folder
from tengen.engine.search.alpha_beta import search
from tengen.engine.threats.pn_kernel import df_pn
from tengen.engine.threats.vcf_kernel import find_vcf
from tengen.solver.exact.table import keep_entries
from tests.console import environment

FOULS = "tengen.engine.board.fouls.is_foul"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, where a function that takes a second to compile passes for the largest."""
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    kept = cache_folder()
    assert kept is not None
    pretend_large(monkeypatch, is_foul)
    return kept


class Large:
    """A kernel that is not kept, and passes for a large one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.large = True

    @property
    def is_kept(self) -> bool:
        folder = cache_folder()
        return folder is not None and any(folder.glob(f"{self.name}-*.nbi"))


def pretend_large(monkeypatch: pytest.MonkeyPatch, *kernels: Kernel) -> None:
    """Have these kernels be the only large ones."""
    monkeypatch.setattr(compile_process, "kernels", lambda: [Large(each.name) for each in kernels])


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """The processes that are started meanwhile."""
    found: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def watched(*args: object, **kwargs: object) -> subprocess.Popen[str]:
        found.append(popen(*args, **kwargs))  # type: ignore[call-overload]
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    return found


@pytest.mark.long
def test_it_is_compiled_once(folder: Path, started: list[subprocess.Popen[str]]) -> None:
    names: list[tuple[str, int]] = []
    with listening(lambda name, depth: names.append((name, depth))):
        compile_apart()
        compile_apart()
    assert (FOULS, 0) in names
    assert any(depth > 0 for _, depth in names), "what it calls is told as well"
    assert list(folder.rglob(f"{FOULS}-*.nbc"))
    assert [process.returncode for process in started] == [0]


@pytest.mark.long
@pytest.mark.parametrize("processors", [1, 2])
def test_a_group_is_compiled_by_as_many_processes_as_there_are_processors(
    folder: Path, started: list[subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    group = [is_foul.name, keep_entries.name]
    pretend_large(monkeypatch, is_foul, keep_entries)
    monkeypatch.setattr(compile_process, "processors", lambda: processors)
    names: list[str] = []
    running: list[int] = []

    def hear(name: str, _: int) -> None:
        names.append(name)
        running.append(sum(process.poll() is None for process in started))

    with listening(hear):
        compile_apart()
    assert set(group) <= set(names)
    assert max(running) == processors
    assert [process.returncode for process in started] == [0, 0]
    assert all(list(folder.rglob(f"{name}-*.nbc")) for name in group)


def test_what_a_kernel_calls_is_compiled_before_it() -> None:
    kernels = [df_pn, search, find_vcf]
    assert compile_process._groups(kernels) == [[find_vcf.name], [df_pn.name, search.name]]


@pytest.mark.long
def test_what_is_kept_is_loaded_by_another_process(folder: Path) -> None:
    compile_apart()
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*.nb?")}
    loaded = subprocess.run(
        [sys.executable, "-c", "from tengen.engine.board.fouls import is_foul; is_foul.build()"],
        env=environment(TENGEN_CACHE=str(folder.parent)),
        check=False,
    )
    assert loaded.returncode == 0
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.nb?")} == before


@pytest.mark.parametrize("python", ["/nowhere/python", ""])
def test_where_no_process_can_be_started(
    folder: Path, monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    compile_apart()
    assert not list(folder.rglob("*.nbc"))


def test_where_nothing_can_be_kept(
    started: list[subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_process, "cache_folder", lambda: None)
    compile_apart()
    assert not started


def test_after_a_process_that_fails_no_other_is_started(
    folder: Path, started: list[subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_process, "_groups", lambda _: [["missing.search"], [FOULS]])
    compile_apart()
    assert [process.returncode for process in started] == [1]
    assert not list(folder.rglob("*.nbc"))


def test_whoever_listens_can_end_it(folder: Path, started: list[subprocess.Popen[str]]) -> None:
    """Ctrl-C, say."""

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(fail):
        compile_apart()
    assert started[0].returncode not in (None, 0)
    assert not list(folder.rglob(f"{FOULS}-*.nbc"))


@pytest.mark.usefixtures("folder")
def test_it_ends_with_the_process_that_it_compiles_for(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tengen.engine.kernels.compile_process",
            "tengen.engine.search.alpha_beta.search",
        ],
        env=environment(TENGEN_CACHE=str(tmp_path)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline().startswith(b"0 tengen.engine.")
    process.stdin.close()
    assert process.wait(10) == 1
    process.stdout.close()
