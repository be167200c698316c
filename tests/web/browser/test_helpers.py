"""Helpers of Python's searches in a browser: they work while the worker that started them is blocked."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.engine_in_pages import folder_of, served

pytest.importorskip("wasmtime")

pytestmark = pytest.mark.long

WORKER = """
import { Kernels } from "ORIGIN/static/engine/kernels.js";
import { Searcher } from "ORIGIN/static/engine/search.js";
import { PythonKernels } from "ORIGIN/static/browser/python_kernels.js";

const read = async (name) => (await fetch("ORIGIN/engine/" + name)).arrayBuffer();
const kernels = await Kernels.load(read, true);
const python = new PythonKernels(kernels);
await python.startHelpers(2);
const engine = new Searcher(kernels, read);
await engine.setPosition({ family: "freestyle", size: 15, moves: [112, 128] });
const table = kernels.table(4);
const states = [1, 2].map((depth) => {
  const [state, scratch] = [kernels.record("state"), kernels.record("scratch")];
  state.copy(engine.position);
  state.assign({ nodes: 0, most_nodes: 20000 });
  const records = [state, engine.tables, engine.networks, scratch].map(({ address }) => address);
  return [state, python.help(...records, table.address, table.length, depth)];
});
const busy = python.free();
for (const [, number] of states) python.finish(number);
self.postMessage([busy, python.free(), ...states.map(([state]) => state.get("nodes"))]);
"""


def test_helpers_work_while_their_worker_waits(pytestconfig: pytest.Config, browser: Browser) -> None:
    folder: Path = folder_of(pytestconfig)
    with served(folder, isolated=True) as url:
        page = browser.new_page()
        page.goto(url)
        found = page.evaluate(
            """(code) => new Promise((resolve, reject) => {
              const text = code.replaceAll("ORIGIN", location.origin);
              const source = new Blob([text], { type: "text/javascript" });
              const worker = new Worker(URL.createObjectURL(source), { type: "module" });
              worker.onmessage = ({ data }) => resolve(data);
              worker.onerror = (event) => reject(new Error(event.message));
            })""",
            WORKER,
        )
        page.close()
    free, after, *nodes = found
    assert (free, after) == (0, 2)
    assert all(count >= 20_000 for count in nodes)
