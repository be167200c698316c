"""Compilation of large kernels in processes of their own, in parallel.

The compiler allocates a hundred megabytes and more for them, most of which is never freed; so this process
stays small. It loads the machine code from the cache (`tengen.engine.kernels.jit`). If nothing can be kept,
or a process fails, a kernel is compiled where it is first called.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TextIO

from numba.core import event

from tengen.engine.kernels.compile_events import COMPILED_APART, listening
from tengen.engine.kernels.jit import Kernel, build, cache_folder, kernels
from tengen.engine.kernels.source_hash import SourceGraph
from tengen.executors import processors


def compile_apart() -> None:
    """Compile the large kernels that are not kept, as many at once as there are processors.

    These are the kernels of the modules that have been imported. Each function is reported to the listeners
    of `tengen.engine.kernels.compile_events`.
    """
    if cache_folder() is None or not sys.executable:
        return
    most = processors()
    for group in _groups([each for each in kernels() if each.large and not each.is_kept]):
        for first in range(0, len(group), most):
            if not _compiled(group[first : first + most]):
                return


def _groups(missing: Sequence[Kernel]) -> list[list[str]]:
    """Return the names of kernels in groups: each calls kernels of groups before it, none of its own."""
    graph = SourceGraph()
    left = {kernel.name: graph.reached(*_split(kernel.name)) for kernel in missing}
    groups = []
    while left:
        ready = [
            name
            for name, reached in left.items()
            if not any(_split(other) in reached for other in left.keys() - {name})
        ]
        groups.append(ready)
        left = {name: reached for name, reached in left.items() if name not in ready}
    return groups


def _split(name: str) -> tuple[str, str]:
    module, _, function = name.rpartition(".")
    return module, function


def _compiled(names: Sequence[str]) -> bool:
    """Compile some kernels in a process for each; return whether all have succeeded."""
    reading, writing = os.pipe()
    processes: list[subprocess.Popen[bytes]] = []
    with ExitStack() as ending, os.fdopen(reading) as lines:
        try:
            # Only the processes hold the writing end now: the lines end with the last process.
            with os.fdopen(writing, "w") as pipe:
                processes.extend(ending.enter_context(_started(name, pipe)) for name in names)
            for line in lines:
                depth, _, function = line.strip().partition(" ")
                with event.trigger_event(COMPILED_APART, (function, int(depth))):
                    pass
        except BaseException as error:
            for process in processes:
                process.kill()
                process.wait()  # after Ctrl-C, leaving its block waits for a quarter of a second only
            if isinstance(error, OSError):
                return False
            raise
    return all(process.returncode == 0 for process in processes)


def _started(name: str, pipe: TextIO) -> subprocess.Popen[bytes]:
    """Start a process that compiles a function.

    Raises:
        OSError: none can be started.
    """
    return subprocess.Popen(
        [sys.executable, "-m", __name__, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        # It ends when this process does: nobody else holds the other end.
        stdin=subprocess.PIPE,
        stdout=pipe,
        stderr=subprocess.DEVNULL,  # the parent reports the error when it compiles the function itself
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows: no black window
    )


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`, whose lock would be held when all is done
    os._exit(1)


def _write(name: str, depth: int) -> None:
    sys.stdout.write(f"{depth} {name}\n")
    sys.stdout.flush()


def main() -> None:
    """Compile the function that the argument names, and write a line for each function that it needs."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    module, name = _split(sys.argv[1])
    with listening(_write):
        build(getattr(importlib.import_module(module), name))


if __name__ == "__main__":
    main()
