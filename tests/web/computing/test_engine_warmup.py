from __future__ import annotations

import asyncio

import pytest

from tengen.web.computing import engine_warmup
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.start import report_compiling
from tengen.web.transport.errors import Overloaded
from tengen.words import Message
from tests.web.world import compile_engine


async def test_nothing_is_done_where_kernels_were_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.engine.kernels.library.selected", object)
    monkeypatch.setattr(engine_warmup, "_load", pytest.fail)
    told: list[Message | str] = []
    warmup = Warmup()
    warmup.start()
    warmup.check()
    await warmup.wait(pytest.fail)
    await report_compiling(warmup, told.append)
    assert (warmup.ready, warmup.status, told) == (True, "ready", [])
    await warmup.close()


async def test_closing_ends_the_compiling_process(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[asyncio.subprocess.Process] = []
    create = asyncio.create_subprocess_exec

    async def watched(*args: str, **kwargs: object) -> asyncio.subprocess.Process:
        process = await create(*args, **kwargs)  # type: ignore[arg-type]
        began.append(process)
        return process

    monkeypatch.setattr("asyncio.create_subprocess_exec", watched)
    monkeypatch.setattr("tengen.engine.kernels.library.selected", lambda: None)
    warmup = Warmup()
    warmup.start()
    while not began:
        await asyncio.sleep(0.01)
    assert warmup.status == "compiling"
    await warmup.close()
    assert began[0].returncode is not None
    assert not warmup.ready


@pytest.mark.parametrize("failing", [True, False])
async def test_all_who_wait_hear_how_it_ended(monkeypatch: pytest.MonkeyPatch, failing: bool) -> None:
    def load() -> None:
        if failing:
            raise MemoryError

    compile_engine(monkeypatch)
    monkeypatch.setattr(engine_warmup, "_load", load)
    warmup = Warmup()
    with pytest.raises(Overloaded):
        warmup.check()
    answers = await asyncio.gather(*(warmup.wait() for _ in range(3)), return_exceptions=True)
    assert warmup.status == ("failed" if failing else "ready")
    assert [type(answer) for answer in answers] == [EngineFailed if failing else type(None)] * 3
    if failing:
        with pytest.raises(EngineFailed):
            warmup.check()


async def test_what_the_process_says_tells_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    create = asyncio.create_subprocess_exec
    script = "import sys, time; print('compiling', file=sys.stderr, flush=True); time.sleep(0.2)"

    async def pretended(program: str, *_: str, **kwargs: object) -> asyncio.subprocess.Process:
        return await create(program, "-c", script, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("tengen.engine.kernels.library.selected", lambda: None)
    monkeypatch.setattr("asyncio.create_subprocess_exec", pretended)
    monkeypatch.setattr(engine_warmup, "_load", lambda: None)
    monkeypatch.setattr(engine_warmup, "_REPORT_INTERVAL", 0.01)
    told: list[Message | str] = []
    await report_compiling(Warmup(), told.append)
    assert [getattr(line, "key", line) for line in told] == ["cli.serve.compiling", "cli.serve.compiled"]


async def test_nothing_is_told_where_all_was_compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    async def cached(_: Warmup) -> None:
        pass

    compile_engine(monkeypatch).set()
    monkeypatch.setattr(Warmup, "_compile", cached)
    told: list[Message | str] = []
    await report_compiling(Warmup(), told.append)
    assert told == []
