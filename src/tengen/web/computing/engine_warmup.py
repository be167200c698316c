"""The preparation of the engine in the background: compiled in a separate process, then loaded here."""

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
"""The end of a line that names a function: its module and its name."""

_GRACE = 3.0
"""Seconds that the compiling process has to end when the server stops."""

_REPORT_INTERVAL = 1.0
"""Seconds between two progress reports to a waiting caller."""

_OTHER = 0.3
"""Seconds to compile a function that is not a kernel, with the tables that are built after it."""

_OTHERS = 2.0
"""Seconds for all functions that are not kernels together."""

_MOST = 0.97
"""The largest share that is reported before all is compiled."""

_log = logging.getLogger("tengen.web")


class EngineFailed(TengenError):
    """The engine could not be compiled or loaded."""


class _Progress:
    """The progress of the compilation, from the functions that the compiling process names.

    Args:
        seconds: the compile time of each kernel on some machine, the longest last; only the ratios are
            used.
    """

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self._seconds = seconds
        self._name = ""
        self._began = self._first = 0.0
        self._done = 0.0

    def on_line(self, line: str) -> None:
        """Receive a line of the compiling process, which may name the function that it compiles now."""
        found = _FUNCTION.search(line)
        if found is None or self._is_compiled(found["name"]):
            return  # another message, or a function that is compiled in parallel with the reported one
        name = found["name"]
        now = time.monotonic()
        if self._name:
            self._done += self._seconds.get(self._name, _OTHER)
        else:
            self._first = now
        self._name, self._began = name, now

    def _is_compiled(self, name: str) -> bool:
        """Return whether a function comes before the one that is being compiled."""
        names = list(self._seconds)
        return {name, self._name} <= set(names) and names.index(name) < names.index(self._name)

    @property
    def share(self) -> float:
        """The share that is compiled, from 0 to 1; 0 as long as nothing had to be compiled."""
        if not self._name:
            return 0.0
        # This machine may be slower than the one on which the times were measured.
        pace = (self._began - self._first) / self._done if self._done else 1.0
        current = self._seconds.get(self._name, _OTHER)
        part = min((time.monotonic() - self._began) / max(pace, 0.1), 0.95 * current)
        return min((self._done + part) / (sum(self._seconds.values()) + _OTHERS), _MOST)


class Warmup:
    """The preparation of the engine, done once; games that do not need the engine are played meanwhile.

    Args:
        compile_first: whether to compile in a separate process before the engine is loaded here.
    """

    def __init__(self, *, compile_first: bool = True) -> None:
        self._compile_first = compile_first
        self._status: Status = "compiling"
        self._progress = _Progress({})
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def status(self) -> Status:
        """The state of the preparation."""
        return self._status

    @property
    def ready(self) -> bool:
        """Return whether the engine can be used."""
        return self._status == "ready"

    @property
    def progress(self) -> float:
        """The share that is compiled, from 0 to 1; 0 as long as nothing had to be compiled."""
        return 1.0 if self.ready else self._progress.share

    @property
    def percent(self) -> int:
        """The share that is compiled, in percent."""
        return round(100 * self.progress)

    def start(self) -> None:
        """Start in the running event loop, if not started yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def wait(self, on_wait: Callable[[], object] = lambda: None) -> None:
        """Wait until the engine is ready.

        Args:
            on_wait: called at once and then every second until the engine is ready.

        Raises:
            EngineFailed: the engine could not be compiled or loaded.
        """
        self.start()
        while not self._over.is_set():
            on_wait()
            await set_within(self._over, _REPORT_INTERVAL)
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
                await _compile(self._progress.on_line)
            await asyncio.to_thread(_load)
            self._status = "ready"
        except Exception:
            _log.exception("warmup_failed")
            self._status = "failed"
        self._over.set()


async def _compile(on_line: Callable[[str], None]) -> None:
    """Compile the engine's functions in another process, unless they are cached.

    Args:
        on_line: called with each line of progress that the process writes.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tengen", "warmup"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    last_line = ""
    try:
        async for line in process.stderr:
            last_line = line.decode("utf-8", "replace").strip()
            on_line(last_line)
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
        # The engine may still load; if it does not, that error is logged.
        _log.warning("warmup_process_failed", extra={"code": process.returncode, "said": last_line[-500:]})


def _kernel_seconds() -> dict[str, float]:
    """Import the engine, and return the compile time of each of its kernels on some machine, in seconds.

    The longest comes last: functions that are compiled in parallel with it count little.
    """
    import tengen.engine.engine  # noqa: F401 - it declares the kernels, by what it imports
    from tengen.engine.kernels.declarations import kernels

    return {kernel.name: kernel.seconds for kernel in sorted(kernels(), key=lambda kernel: kernel.seconds)}


def _load() -> None:
    """Load the engine into this process."""
    from tengen.engine.engine import load_kernels

    load_kernels()
