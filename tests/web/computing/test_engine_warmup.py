from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.web.computing import engine_warmup
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.start import report_compiling
from tengen.words import Message


async def test_closing_ends_the_compiling_process(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[asyncio.subprocess.Process] = []
    create = asyncio.create_subprocess_exec

    async def watched(*args: str, **kwargs: object) -> asyncio.subprocess.Process:
        process = await create(*args, **kwargs)  # type: ignore[arg-type]
        began.append(process)
        return process

    monkeypatch.setattr("asyncio.create_subprocess_exec", watched)
    ready = Warmup()
    ready.start()
    while not began:
        await asyncio.sleep(0.01)
    assert ready.status == "compiling"
    await ready.close()
    assert began[0].returncode is not None
    assert not ready.ready


@pytest.mark.parametrize("failing", [True, False])
async def test_all_who_wait_hear_how_it_ended(monkeypatch: pytest.MonkeyPatch, failing: bool) -> None:
    def loaded() -> None:
        if failing:
            raise MemoryError

    outcome: Callable[[], None] = loaded
    monkeypatch.setattr(engine_warmup, "_load", outcome)
    ready = Warmup(compile_first=False)
    answers = await asyncio.gather(*(ready.wait() for _ in range(3)), return_exceptions=True)
    assert ready.status == ("failed" if failing else "ready")
    assert [type(answer) for answer in answers] == [EngineFailed if failing else type(None)] * 3


def test_the_share_that_is_compiled_grows_and_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the compiling process says on its way is heard, by those who wait and in the terminal."""
    names = [*engine_warmup._kernel_seconds(), "tengen.engine.new.kernel"]
    # It says the next when what it has said was heard: that waits for a file.
    script = (
        "import os, sys, time\n"
        "print('compiling the engine; this happens once', file=sys.stderr, flush=True)\n"
        f"for name in {[*names, '']!r}:\n"
        f"    while not os.path.exists(os.path.join({str(tmp_path)!r}, 'before ' + name)):\n"
        "        time.sleep(0.002)\n"
        "    if name:\n"
        "        print('tengen: compiling ' + name, file=sys.stderr, flush=True)\n"
    )
    create = asyncio.create_subprocess_exec

    async def pretended(program: str, *_: str, **kwargs: object) -> asyncio.subprocess.Process:
        return await create(program, "-c", script, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("asyncio.create_subprocess_exec", pretended)
    monkeypatch.setattr(engine_warmup, "_load", lambda: None)
    monkeypatch.setattr(engine_warmup, "_REPORT_INTERVAL", 0.01)
    shares: list[float] = []
    told: list[str] = []
    ready = Warmup()

    looked: list[str] = []

    def tell() -> None:
        shares.append(ready.progress)
        looked.append(ready._progress._name)
        if looked[-3:] == looked[-1:] * 3:  # so the terminal has looked as well
            heard = names.index(looked[-1]) + 1 if looked[-1] else 0
            (tmp_path / f"before {[*names, ''][heard]}").touch()

    async def waiting() -> None:
        terminal = asyncio.create_task(report_compiling(ready, lambda line: told.append(str(line))))
        assert ready.progress == 0
        await ready.wait(tell)
        assert ready.progress == 1
        await terminal

    asyncio.run(waiting())
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.5 < shares[-1] < 1
    assert told[0].startswith("Compiling the engine (once only")
    assert any("% compiled" in line for line in told[1:-1])
    assert told[-1].startswith("The engine is ready")


def test_nothing_is_told_where_all_was_compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Message | str] = []
    monkeypatch.setattr(engine_warmup, "_load", lambda: None)
    asyncio.run(report_compiling(Warmup(compile_first=False), told.append))
    assert told == []
