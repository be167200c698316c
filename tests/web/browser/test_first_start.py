"""The first start on a machine where the engine has to be compiled: what is seen, and what can be done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tengen.engine.kernels import library
from tengen.words import say
from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener
from tests.web.test_start import command

LONG = 300_000
"""Milliseconds in which a slow machine has compiled the engine."""

pytestmark = [needs_browser, pytest.mark.slow]


@pytest.mark.timeout(600)
def test_that_it_compiles_is_said_and_no_clock_runs(visit: Opener, tmp_path: Path) -> None:
    cold = {"TENGEN_KERNELS": "jit", "TENGEN_CACHE": str(tmp_path / "cache")}
    with command(tmp_path, "serve", "--no-browser", **cold) as run:
        me = visit(url=run.url, game={"opponent": "level:5", "clock": "60"})
        expect(me.page.locator("p.compiling")).to_have_text(say("web.compiling"))
        me.choose("h8")
        me.says(say("web.live.preparing"))
        other = visit(url=run.url, game={"opponent": "level:2"})
        other.play("h8")
        other.shows(2)
        me.says(say("web.live.preparing"))
        assert me.page.locator(".clock").all_inner_texts() == ["1:00", "1:00"]
        expect(me.moves()).to_have_count(2, timeout=LONG)
        expect(me.page.locator(".clock").first).to_contain_text(re.compile("0:5|1:00"))
        me.says("Your turn")
        for one in (me, other):
            one.page.goto("about:blank")  # which the end of the server is no fault in
            one.faults[:] = [fault for fault in one.faults if "localStorage" not in fault]
        status, out, _ = run.end()
    assert status == 0
    assert out.count("Compiling the engine") == 1
    assert "The engine is ready after" in out


def test_compiled_ahead_of_time_there_is_nothing_to_wait_for(visit: Opener, tmp_path: Path) -> None:
    if library.selected() is None:
        pytest.skip("kernels are compiled just in time")
    with command(tmp_path, "serve", "--no-browser", TENGEN_CACHE=str(tmp_path / "cache")) as run:
        me = visit(url=run.url, game={"opponent": "level:5", "clock": "60"})
        me.play("h8")
        me.shows(2)
        expect(me.page.locator("p.compiling")).to_have_count(0)
        me.page.goto("about:blank")
        me.faults[:] = [fault for fault in me.faults if "localStorage" not in fault]
        status, out, _ = run.end()
    assert status == 0
    assert "engine" not in out
