"""The engine made ready: compiled in a process of its own, then loaded into this one, beside all else."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Literal, TypeAlias

from tengen.executors.running_search import set_within
from tengen.words import TengenError

Status: TypeAlias = Literal["compiling", "ready", "failed"]

_FUNCTION = re.compile(r"(?P<name>tengen\.(?:\w+\.)+\w+)$", re.MULTILINE)
"""The end of a line that names a function: its module and itself."""

_GRACE = 3.0
"""Seconds that the compiling process has to end when the server does."""

_TELL = 1.0
"""Seconds between two looks at how far it is, for those who wait."""

_OTHER = 0.3
"""Seconds that a function takes to compile that is no kernel, with the tables that are made after it."""

_OTHERS = 2.0
"""Seconds for all of these together."""

_MOST = 0.97
"""The share that is told at most before all is done."""

_log = logging.getLogger("tengen.web")


class EngineFailed(TengenError):
    """The engine could not be made ready."""


class _Progress:
    """How much is compiled, by the functions that the compiling process has named.

    Args:
        seconds: the time of each kernel on some machine, the longest last; only the shares are used.
    """

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self._seconds = seconds
        self._name = ""
        self._began = self._first = 0.0
        self._done = 0.0

    def hear(self, line: str) -> None:
        """The process says what it compiles now."""
        found = _FUNCTION.search(line)
        if found is None or self._is_passed(found["name"]):
            return  # another sentence, or what is compiled beside the one that is told
        name = found["name"]
        now = time.monotonic()
        if self._name:
            self._done += self._seconds.get(self._name, _OTHER)
        else:
            self._first = now
        self._name, self._began = name, now

    def _is_passed(self, name: str) -> bool:
        """Whether a function stands before the one that is being compiled."""
        names = list(self._seconds)
        return {name, self._name} <= set(names) and names.index(name) < names.index(self._name)

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1; 0 as long as nothing had to be compiled."""
        if not self._name:
            return 0.0
        # This machine may be slower than the one that was measured.
        pace = (self._began - self._first) / self._done if self._done else 1.0
        current = self._seconds.get(self._name, _OTHER)
        part = min((time.monotonic() - self._began) / max(pace, 0.1), 0.95 * current)
        return min((self._done + part) / (sum(self._seconds.values()) + _OTHERS), _MOST)


class Warmup:
    """Makes the engine ready once; games that do not need it are played meanwhile.

    Args:
        compile_first: whether to compile in a process of its own before the engine is loaded here.
    """

    def __init__(self, *, compile_first: bool = True) -> None:
        self._compile_first = compile_first
        self._status: Status = "compiling"
        self._progress = _Progress({})
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def status(self) -> Status:
        """How far it is."""
        return self._status

    @property
    def ready(self) -> bool:
        """Whether the engine can be asked."""
        return self._status == "ready"

    @property
    def done(self) -> float:
        """The share that is compiled, from 0 to 1; 0 as long as nothing had to be."""
        return 1.0 if self.ready else self._progress.share

    def start(self) -> None:
        """Begin, in the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def wait(self, waiting: Callable[[], object] = lambda: None) -> None:
        """Wait until the engine is ready.

        Args:
            waiting: called at once and every second, as long as that takes.

        Raises:
            EngineFailed: it will not be.
        """
        self.start()
        while not self._over.is_set():
            waiting()
            await set_within(self._over, _TELL)
        if not self.ready:
            raise EngineFailed("error.web.engine")

    async def close(self) -> None:
        """Stop compiling."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        try:
            if self._compile_first:
                self._progress = _Progress(await asyncio.to_thread(_kernel_seconds))
                await _compiled(self._progress.hear)
            await asyncio.to_thread(_loaded)
            self._status = "ready"
        except Exception:
            _log.exception("warmup_failed")
            self._status = "failed"
        self._over.set()


async def _compiled(hear: Callable[[str], None]) -> None:
    """Compile the engine's functions, or find them compiled, in another process.

    Args:
        hear: told each line that it says on its way.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tengen", "warmup"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    said = ""
    try:
        async for line in process.stderr:
            said = line.decode("utf-8", "replace").strip()
            hear(said)
        await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE)
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    if process.returncode != 0:
        # The engine may load all the same; if not, that says what is wrong.
        _log.warning("warmup_process_failed", extra={"code": process.returncode, "said": said[-500:]})


def _kernel_seconds() -> dict[str, float]:
    """Import the engine, and return the time that each of its kernels takes to compile on some machine.

    The longest comes last: what is compiled beside it counts little.
    """
    import tengen.engine.engine  # noqa: F401 - it declares the kernels, by what it imports
    from tengen.engine.kernels.jit import kernels

    return {kernel.name: kernel.seconds for kernel in sorted(kernels(), key=lambda each: each.seconds)}


def _loaded() -> None:
    """Load the engine into this process."""
    from tengen.engine.engine import load_kernels

    load_kernels()
