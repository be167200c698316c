"""The engine made ready: compiled in a process of its own, then loaded into this one, beside all else."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress
from typing import Literal, TypeAlias

from tengen.words import TengenError

Status: TypeAlias = Literal["compiling", "ready", "failed"]

_GRACE = 3.0
"""Seconds that the compiling process has to end when the server does."""

_log = logging.getLogger("tengen.web")


class EngineFailed(TengenError):
    """The engine could not be made ready."""


class Warmup:
    """Makes the engine ready once; games that do not need it are played meanwhile.

    Args:
        compile_first: whether to compile in a process of its own before the engine is loaded here.
    """

    def __init__(self, *, compile_first: bool = True) -> None:
        self._compile_first = compile_first
        self._status: Status = "compiling"
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

    def start(self) -> None:
        """Begin, in the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def wait(self) -> None:
        """Wait until the engine is ready.

        Raises:
            EngineFailed: it will not be.
        """
        self.start()
        await self._over.wait()
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
                await _compiled()
            await asyncio.to_thread(_loaded)
            self._status = "ready"
        except Exception:
            _log.exception("warmup_failed")
            self._status = "failed"
        self._over.set()


async def _compiled() -> None:
    """Compile the engine's functions, or find them compiled, in another process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tengen", "warmup"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        _, said = await process.communicate()
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
        text = said.decode("utf-8", "replace").strip()[-500:]
        _log.warning("warmup_process_failed", extra={"code": process.returncode, "said": text})


def _loaded() -> None:
    """Load the engine into this process."""
    from tengen.engine.engine import Engine

    Engine()
