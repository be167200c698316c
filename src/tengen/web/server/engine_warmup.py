"""The engine made ready: compiled in a process of its own, then loaded into this one, beside all else."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeAlias

from tengen.executors.running_search import set_within
from tengen.words import TengenError

Status: TypeAlias = Literal["compiling", "ready", "failed"]

_FUNCTION = re.compile(r"tengen\.(?:\w+\.)+(?P<name>\w+\.\w+)$", re.MULTILINE)
"""The end of a line that names a function: its module and itself."""

_GRACE = 3.0
"""Seconds that the compiling process has to end when the server does."""

_TELL = 1.0
"""Seconds between two looks at how far it is, for those who wait."""

_SECONDS = {
    "fouls.is_foul": 1.0,
    "vcf_kernel.fours": 6.5,
    "pn_kernel.df_pn": 1.0,
    "pn_kernel.list_answers_to_threat": 0.5,
    "alpha_beta.search": 12.5,
    "position.look_up": 0.7,
    "network_kernel.begin": 0.6,
    "table.known_move": 0.1,
    "vcf_kernel.winning_cell": 0.1,
    "fouls.forbidden_cells": 0.2,
    "pn_table.probe_position": 0.2,
}
"""What the large functions take to compile on some machine, in their order: only the shares are used.

The tables that are worked out in between count with the function before them. What is compiled beside the
search counts little, for the search takes longer.
"""

_UNKNOWN = 0.3
"""The same for a function that is not among them."""

_MOST = 0.97
"""The share that is told at most before all is done."""

_log = logging.getLogger("tengen.web")


class EngineFailed(TengenError):
    """The engine could not be made ready."""


class _Progress:
    """How much is compiled, by the functions that the compiling process has named."""

    def __init__(self) -> None:
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
            self._done += _SECONDS.get(self._name, _UNKNOWN)
        else:
            self._first = now
        self._name, self._began = name, now

    def _is_passed(self, name: str) -> bool:
        """Whether a function stands before the one that is being compiled."""
        names = list(_SECONDS)
        return {name, self._name} <= set(names) and names.index(name) < names.index(self._name)

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1; 0 as long as nothing had to be compiled."""
        if not self._name:
            return 0.0
        # This machine may be slower than the one that was measured.
        pace = (self._began - self._first) / self._done if self._done else 1.0
        current = _SECONDS.get(self._name, _UNKNOWN)
        part = min((time.monotonic() - self._began) / max(pace, 0.1), 0.95 * current)
        return min((self._done + part) / sum(_SECONDS.values()), _MOST)


class Warmup:
    """Makes the engine ready once; games that do not need it are played meanwhile.

    Args:
        compile_first: whether to compile in a process of its own before the engine is loaded here.
    """

    def __init__(self, *, compile_first: bool = True) -> None:
        self._compile_first = compile_first
        self._status: Status = "compiling"
        self._progress = _Progress()
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


def _loaded() -> None:
    """Load the engine into this process."""
    from tengen.engine.engine import load_kernels

    load_kernels()
