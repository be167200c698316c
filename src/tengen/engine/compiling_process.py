"""The largest functions, each compiled in a process of its own, so that this one stays small.

The compiler takes a hundred megabytes and more for them and keeps most of it for as long as the process
lasts, though nothing is left for it to do. What a process has compiled is kept (`tengen.engine.compiled`),
and is loaded from there in a moment. Where nothing can be kept, or the process fails, nothing is lost: what
is missing is compiled where it is needed.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading

from numba.core import event

from tengen.engine.compile_events import COMPILED_APART, heard
from tengen.engine.compiled import FOLDER

_LARGE = "vcf_kernel.fours", "alpha_beta.search", "dfpn_kernel.prove"
"""The functions that take most, in the order in which they build on what the others have compiled."""


def compile_apart() -> None:
    """Compile what is not kept of the largest functions, one process after the other.

    Whoever listens (`tengen.engine.compile_events.heard`) hears of each function.
    """
    if FOLDER is None or not sys.executable:
        return
    for name in _LARGE:
        if next(FOLDER.rglob(f"{name}-*.nbi"), None) is None and not _compiled(name.partition(".")[0]):
            return


def _compiled(module: str) -> bool:
    """Whether another process has compiled a module's functions."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, module],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            # It ends when this process does: nobody else holds the other end.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what is wrong is said where this process compiles the same
            text=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows: no black window
        )
    except OSError:
        return False
    with process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                depth, _, function = line.strip().partition(" ")
                with event.trigger_event(COMPILED_APART, (function, int(depth))):
                    pass
        except BaseException:
            process.kill()
            raise
    return process.returncode == 0


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`, whose lock would be held when all is done
    os._exit(1)


def _say(name: str, depth: int) -> None:
    sys.stdout.write(f"{depth} {name}\n")
    sys.stdout.flush()


def main() -> None:
    """Compile the functions of the module that is named, and say of each that it is about to be."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with heard(_say):
        importlib.import_module(f"tengen.engine.{sys.argv[1]}")


if __name__ == "__main__":
    main()
