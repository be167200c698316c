"""Libraries for other systems are built here; they are looked at, not run."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tengen.engine.kernels.ahead import TARGETS, in_parts
from tengen.engine.kernels.declarations import kernels
from tengen.engine.kernels.library import file_of
from tengen.engine.kernels.source_hash import SourceGraph
from tests.console import environment

STARTS = {
    "linux-x86-64": b"\x7fELF\x02\x01",
    "linux-x86-64-v2": b"\x7fELF\x02\x01",
    "linux-x86-64-v3": b"\x7fELF\x02\x01",
    "linux-aarch64": b"\x7fELF\x02\x01",
    "macos-aarch64": b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01",
    "macos-x86-64": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01",
    "windows-x86-64": b"MZ",
    "windows-x86-64-v3": b"MZ",
}
"""The first bytes of a library: its format and, under macOS, its architecture."""


def build(folder, *targets):
    """Build libraries in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tengen.solver.build_kernels", str(folder), *targets],
        env=environment(PYTHONHASHSEED="0"),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(find_spec("ziglang") is None, reason="the package ziglang is missing")
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_libraries_for_other_systems(tmp_path: Path):
    done = build(tmp_path, *STARTS)
    assert (done.returncode, done.stderr) == (0, "")
    for name, start in STARTS.items():
        data = file_of(name, tmp_path).read_bytes()
        assert data.startswith(start), name
        assert b"tengen_search" in data, "its exports have names"
        assert f'"target": "{name}"'.encode() in data
        assert len(data) < 500_000


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_builds_are_the_same(tmp_path: Path):
    for folder in ("first", "second"):
        assert build(tmp_path / folder, "host").returncode == 0
    first, second = (sorted(folder.iterdir()) for folder in sorted(tmp_path.iterdir()))
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_the_parts_of_a_library_have_each_kernel_once_and_little_in_common():
    import tengen.solver.warmup  # noqa: F401 - imports all rooms that have kernels

    every, graph = kernels(), SourceGraph()
    parts = in_parts(every, 2, graph)
    assert sorted(kernel.name for part in parts for kernel in part) == sorted(
        kernel.name for kernel in every
    )
    reached = [
        set().union(*(graph.reached(*kernel.name.rsplit(".", 1)) for kernel in part)) for part in parts
    ]
    sizes = [graph.size(names) for names in reached]
    assert max(sizes) < 1.5 * min(sizes)
    assert sum(sizes) < 1.2 * graph.size(set().union(*reached))
    assert in_parts(every[::-1], 2, graph) == parts


def test_a_target_that_is_not_known(tmp_path):
    done = build(tmp_path, "amiga")
    assert done.returncode == 1
    assert done.stderr == f"unknown target amiga; possible targets: {', '.join(TARGETS)}\n"
    assert list(tmp_path.iterdir()) == []
