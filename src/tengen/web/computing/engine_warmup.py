"""The engine's preparation: where it has to be compiled, in a separate process; then it is loaded here."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeAlias

from tengen.executors.running_search import set_within
from tengen.web.transport.errors import Overloaded
from tengen.words import TengenError

Status: TypeAlias = Literal["compiling", "ready", "failed"]

_GRACE = 3.0
"""Seconds that the compiling process has to end when the server stops."""

_REPORT_INTERVAL = 1.0
"""Seconds between two calls for a waiting caller."""

_log = logging.getLogger("tengen.web")


class EngineFailed(TengenError):
    """The engine could not be compiled or loaded."""


class Warmup:
    """The preparation of the engine, done once; nothing where its kernels were compiled ahead of time.

    Args:
        ready: whether the engine is ready; None to find out.

    Attributes:
        compiles: whether anything had to be compiled, as far as is known.
    """

    def __init__(self, *, ready: bool | None = None) -> None:
        self.compiles = False
        if ready is None:
            ready = _is_compiled()
        self._status: Status = "ready" if ready else "compiling"
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

    def start(self) -> None:
        """Start in the running event loop, if it is needed and not started yet."""
        if self._task is None and not self.ready:
            self._task = asyncio.create_task(self._run())

    def check(self) -> None:
        """Check that the engine can be used now; if it was not, start its preparation.

        Raises:
            Overloaded: the engine is being compiled.
            EngineFailed: the engine could not be compiled or loaded.
        """
        if self._status == "failed":
            raise EngineFailed("error.web.engine")
        if not self.ready:
            self.start()
            raise Overloaded("error.web.compiling")

    async def wait(self, on_wait: Callable[[], object] = lambda: None) -> None:
        """Wait until the engine is ready.

        Args:
            on_wait: called at once and then every second until the engine is ready.

        Raises:
            EngineFailed: the engine could not be compiled or loaded.
        """
        self.start()
        while self._status == "compiling":
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
            await self._compile()
            await asyncio.to_thread(_load)
            self._status = "ready"
        except Exception:
            _log.exception("warmup_failed")
            self._status = "failed"
        self._over.set()

    async def _compile(self) -> None:
        """Compile the kernels in another process, unless they are cached, so that this one can answer."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tengen", "warmup"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr is not None
        last_line = ""
        try:
            async for line in process.stderr:
                self.compiles, last_line = True, line.decode("utf-8", "replace").strip()
            status = await process.wait()
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _GRACE)
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        if status < 0:  # it was ended by a signal, as the server is about to be
            raise EngineFailed("error.web.engine")
        if status != 0:
            # The engine may still load; if it does not, that error is logged.
            values = {"code": status, "said": last_line[-500:]}
            _log.warning("warmup_process_failed", extra=values)


def _is_compiled() -> bool:
    """Return whether the kernels were compiled ahead of time."""
    from tengen.engine.kernels import library

    return library.selected() is not None


def _load() -> None:
    """Load the engine into this process."""
    from tengen.engine.engine import load_kernels

    load_kernels()
