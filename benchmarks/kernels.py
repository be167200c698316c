"""The speed of kernels that were compiled ahead of time, against those compiled just in time.

The libraries of all levels of x86-64 are built, and the positions of ``tengen bench`` are searched with
each in turn, several times. Speeds are nodes per second of processor time, as medians, and ratios to
just-in-time compilation, which compiles for this very processor. The signature has to be the same.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.command_line import parser
from tengen.engine.kernels.library import host, target_names

ROUNDS = 5

_BENCH = """
import json, sys, time
from pathlib import Path

from tengen.engine.kernels import library

if sys.argv[1] != "jit":
    built = library.Library(Path(sys.argv[1]))
    library.selected = lambda: built

from tengen.engine import benchmark

boards = benchmark.boards()
list(benchmark.measure(boards[:1]))
began = time.process_time()
results = list(benchmark.measure(boards))
seconds = time.process_time() - began
nodes = sum(result.nodes for result in results)
print(json.dumps([nodes / seconds, benchmark.signature(results)]))
"""


def speed(kernels: str) -> tuple[float, str]:
    """Nodes per second of processor time in a process of its own, and the signature.

    Args:
        kernels: the file of a library, or ``jit``.
    """
    done = subprocess.run(
        [sys.executable, "-c", _BENCH, kernels],
        env={**os.environ, "TENGEN_KERNELS": "jit"},
        check=True,
        stdout=subprocess.PIPE,
    )
    found, signature = json.loads(done.stdout)
    return found, signature


def main() -> None:
    if host() != ("linux", "x86-64"):
        print("  left out: libraries are built for Linux on x86-64 only")
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "tengen.solver.build_kernels", folder, *target_names()], check=True
        )
        files = {name: Path(folder, f"{name}.so") for name in target_names()}
        kinds = {"jit": "jit", **{name: str(file) for name, file in files.items()}}
        speeds: dict[str, list[float]] = {name: [] for name in kinds}
        signatures = set()
        speed("jit")  # compiles, or loads, once
        for _ in range(ROUNDS):
            for name, kernels in kinds.items():
                found, signature = speed(kernels)
                speeds[name].append(found)
                signatures.add(signature)
        sizes = {name: file.stat().st_size for name, file in files.items()}
    print(f"nodes per second of processor time, medians of {ROUNDS}; signature {', '.join(signatures)}")
    base = statistics.median(speeds["jit"])
    for name, runs in speeds.items():
        size = f"{sizes[name] / 1000:6.0f} kB" if name in sizes else ""
        median = statistics.median(runs)
        print(f"  {name:20} {median:10,.0f}  {median / base:5.3f} of just in time {size}")


if __name__ == "__main__":
    parser("benchmarks.kernels", __doc__).parse_args()
    main()
