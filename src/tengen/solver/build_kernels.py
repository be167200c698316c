"""The program that builds libraries of all kernels.

    python -m tengen.solver.build_kernels FOLDER TARGET...

The build of a package runs it in a process of its own, where nothing is imported but what the engine and
the solvers need. It writes one file for each target (`tengen.engine.kernels.ahead.TARGETS`); the target
``host`` is the fastest for this machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tengen.solver.warmup  # noqa: F401 - it imports all rooms that have kernels
from tengen.engine.kernels.ahead import TARGETS, LinkError, build_libraries
from tengen.engine.kernels.declarations import kernels
from tengen.engine.kernels.library import target_names


def main(folder: str, *targets: str) -> str | None:
    """Build the libraries, and return what went wrong, if anything did."""
    targets = tuple(target_names()[0] if name == "host" else name for name in targets)
    unknown = [name for name in targets if name not in TARGETS]
    if unknown:
        return f"unknown target {unknown[0]}; possible targets: {', '.join(TARGETS)}"
    try:
        build_libraries(kernels(), targets, Path(folder))
    except LinkError as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
