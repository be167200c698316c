"""The time of a fresh process to the first move of the engine with its network, and its memory.

With kernels compiled ahead of time, and just in time. *Cold* is with an empty cache folder, *warm* with
what that has left there. The program for Gomocup is measured up to its answer to START.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.command_line import parser
from tengen.engine.kernels.library import matching

ROUNDS = 5

_MOVE = """
import time

began = time.perf_counter()
from tengen import Board, Engine, Limit

imported = time.perf_counter()
Engine().choose(Board.from_moves("h8i9g7f6h10i8"), Limit(nodes=1000))
moved = time.perf_counter()

import json, resource, sys

memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps({"imports": imported - began, "move": moved - imported, "memory": memory}))
"""


def measured(kernels: str, folder: str) -> dict[str, float]:
    """What a first move takes in a process of its own, and the seconds from its start to its end."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _MOVE],
        env=environment(kernels, folder),
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return {"process": time.perf_counter() - began, **found}


def until_started(kernels: str, folder: str) -> float:
    """The seconds from the start of the program for Gomocup to its answer to START."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "tengen", "engine"],
        env=environment(kernels, folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("START 15\n")
        program.stdin.flush()
        for line in program.stdout:
            if line.startswith("OK"):
                break
        seconds = time.perf_counter() - began
        program.stdin.write("END\n")
        program.stdin.flush()
    return seconds


def environment(kernels: str, folder: str) -> dict[str, str]:
    """The environment of a process with kernels of one kind and a cache folder."""
    return {**os.environ, "TENGEN_KERNELS": kernels, "TENGEN_CACHE": folder}


def rows(kernels: str, rounds: int) -> dict[str, str]:
    """The figures of one kind of kernels, by what they say.

    Args:
        kernels: ``aot`` or ``jit``.
        rounds: how often it is measured cold; the figures are medians.
    """
    cold: list[dict[str, float]] = []
    started: list[float] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(measured(kernels, folder))
        with tempfile.TemporaryDirectory() as folder:
            started.append(until_started(kernels, folder))
    with tempfile.TemporaryDirectory() as folder:
        measured(kernels, folder)
        warm = [measured(kernels, folder) for _ in range(ROUNDS)]
        kept = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())

    def median(runs: list[dict[str, float]], what: str) -> float:
        return statistics.median(run[what] for run in runs)

    megabyte = 1 << 20
    return {
        "cold, whole process": f"{median(cold, 'process'):.2f} s",
        "  imports": f"{median(cold, 'imports'):.2f} s",
        "  Engine() and its first move": f"{median(cold, 'move'):.2f} s",
        "  memory at most": f"{median(cold, 'memory') / megabyte:.0f} MB",
        "warm, whole process": f"{median(warm, 'process'):.2f} s",
        "cold, from the program's start to the answer to START": f"{statistics.median(started):.2f} s",
        "kept in the cache folder": f"{kept / megabyte:.1f} MB",
    }


def main() -> None:
    if sys.platform == "win32":
        print("  left out: Windows does not tell how much memory a process has taken in this way")
        return
    kinds: dict[str, tuple[str, int]] = {"just in time": ("jit", 1)}
    library = matching()
    if library is not None:
        kinds = {f"ahead of time, {library.manifest.target} (goals: 1 s)": ("aot", ROUNDS), **kinds}
    print(f"medians of {ROUNDS}; cold and just in time once")
    for name, kind in kinds.items():
        print(f"kernels compiled {name}")
        for what, text in rows(*kind).items():
            print(f"  {what:56} {text:>9}")


if __name__ == "__main__":
    parser("benchmarks.first_move", __doc__).parse_args()
    main()
