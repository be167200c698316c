from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tengen.web.server import engine_warmup
from tengen.web.server.engine_warmup import EngineFailed, Warmup


def test_closing_ends_the_compiling_process(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[asyncio.subprocess.Process] = []
    create = asyncio.create_subprocess_exec

    async def watched(*args: str, **kwargs: object) -> asyncio.subprocess.Process:
        process = await create(*args, **kwargs)  # type: ignore[arg-type]
        began.append(process)
        return process

    monkeypatch.setattr("asyncio.create_subprocess_exec", watched)

    async def closing() -> None:
        ready = Warmup()
        ready.start()
        while not began:
            await asyncio.sleep(0.01)
        assert ready.status == "compiling"
        await ready.close()
        assert began[0].returncode is not None
        assert not ready.ready

    asyncio.run(closing())


@pytest.mark.parametrize("failing", [True, False])
def test_all_who_wait_hear_how_it_ended(monkeypatch: pytest.MonkeyPatch, failing: bool) -> None:
    def loaded() -> None:
        if failing:
            raise MemoryError

    outcome: Callable[[], None] = loaded
    monkeypatch.setattr(engine_warmup, "_loaded", outcome)

    async def waiting() -> None:
        ready = Warmup(compile_first=False)
        answers = await asyncio.gather(*(ready.wait() for _ in range(3)), return_exceptions=True)
        assert ready.status == ("failed" if failing else "ready")
        assert [type(answer) for answer in answers] == [EngineFailed if failing else type(None)] * 3

    asyncio.run(waiting())
