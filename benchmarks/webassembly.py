"""The speed of the engine in WebAssembly, in Node and in Chromium, against native kernels, and its sizes.

The positions of ``tengen bench`` are searched by turns, each within the same nodes. Speeds are nodes per
second of processor time, as medians, all processes of the browser included. Nodes and moves have to be the
same.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.browser.pages import browsing
from tests.web.engine_in_pages import served

from benchmarks.command_line import parser
from tengen.engine import benchmark
from tengen.engine.benchmark import MEMORY
from tengen.engine.evaluation.weights import family
from tengen.game.board import Board
from tengen.game.player import Limit

NODES = 200_000
ROUNDS = 3

_HOOKS = Path(__file__).parent.parent / "tests" / "web" / "static" / "hooks.mjs"

_SEARCH = """
const search = async (ask, positions, nodes, megabytes) => {
  const found = [];
  for (const position of positions) {
    const infos = await ask({ kind: "search", position, limit: { nodes }, megabytes });
    const { point, nodes: made } = infos.at(-1);
    found.push([point, made]);
  }
  return found;
};
"""

_NODE = """
import { readFileSync } from "node:fs";
import { serve } from "/static/engine/service.js";
const [folder, given, nodes, megabytes] = process.argv.slice(2);
const positions = JSON.parse(given);
const read = async (base, name) => new Uint8Array(readFileSync(`${base}/${name}`)).buffer;
let heard;
const scope = { postMessage: (answer) => heard(answer) };
serve(scope, read);
const ask = (request) =>
  new Promise((resolve) => {
    const infos = [];
    heard = ({ kind, info }) => (kind === "info" ? infos.push(info) : resolve(infos));
    scope.onmessage({ data: { ...request, id: 1 } });
  });
await ask({ kind: "load", base: folder, threads: 0 });
await search(ask, positions, 20000, Number(megabytes));
const before = process.cpuUsage();
const found = await search(ask, positions, Number(nodes), Number(megabytes));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify([(user + system) / 1e6, found]));
"""

_PAGE = """async ([positions, nodes, megabytes]) => {
  const { Engine } = await import("/static/engine/client.js");
  window.engine ??= new Engine(new URL("/engine/", location.href).href, { megabytes });
  const ask = async ({ position, limit }) => {
    const infos = [];
    for await (const info of window.engine.search(position, limit)) infos.push(info);
    return infos;
  };
  return search(ask, positions, nodes, megabytes);
}"""

Found = tuple[float, list[list[int]]]
"""Seconds of processor time, and for each position the move and the nodes."""


def native(boards: list[Board]) -> Found:
    """Search with the kernels of this process."""
    list(benchmark.measure(boards, [Limit(nodes=20_000)]))
    began = time.process_time()
    results = list(benchmark.measure(boards, [Limit(nodes=NODES)]))
    return time.process_time() - began, [[result.point, result.nodes] for result in results]


def in_node(folder: Path, positions: list[dict[str, Any]]) -> Found:
    """Search in Node."""
    script = folder / "search.mjs"
    script.write_text(_NODE.replace("const [folder", f"{_SEARCH}\nconst [folder"), "utf-8")
    arguments = [str(folder), json.dumps(positions), str(NODES), str(MEMORY)]
    command = ["node", "--import", str(_HOOKS), str(script), *arguments]
    seconds, found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return seconds, found


def in_browser(folder: Path, positions: list[dict[str, Any]], *, isolated: bool) -> Found:
    """Search in Chromium."""
    script = _PAGE.replace("return search", f"{_SEARCH} return search")
    with browsing() as browser, served(folder, isolated=isolated) as url:
        page = browser.new_page()
        page.goto(url)
        page.evaluate(script, [positions, 20_000, MEMORY])
        before = children_seconds()
        found = page.evaluate(script, [positions, NODES, MEMORY])
        return children_seconds() - before, found


def children_seconds() -> float:
    """Processor time of the running processes that this one has started, of theirs, and so on."""
    parents, ticks = dict[str, str](), dict[str, int]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        fields = file.read_text().rpartition(")")[2].split()
        parents[file.parent.name], ticks[file.parent.name] = fields[1], int(fields[11]) + int(fields[12])
    ours = {str(os.getpid())}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[process] for process in ours - {str(os.getpid())}) / os.sysconf("SC_CLK_TCK")


def compressed(file: Path) -> int:
    """Return the bytes of a file, compressed by brotli."""
    script = "console.log(zlib.brotliCompressSync(fs.readFileSync(process.argv[1])).length)"
    return int(subprocess.run(["node", "-e", script, str(file)], check=True, stdout=subprocess.PIPE).stdout)


def main() -> None:
    if shutil.which("node") is None or not sys.platform.startswith("linux"):
        print("  left out: it needs Linux and Node")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "tengen.solver.build_kernels", name, "web"], check=True)
        for file in sorted(folder.iterdir()):
            print(f"  {file.name:28} {file.stat().st_size:9,} bytes, {compressed(file):7,} by brotli")
        boards = benchmark.boards()
        positions = [
            {"family": family(board.rules), "size": board.width, "moves": list(board.moves)}
            for board in boards
        ]
        kinds: dict[str, Callable[[], Found]] = {
            "native": lambda: native(boards),
            "Node": lambda: in_node(folder, positions),
            "Chromium": lambda: in_browser(folder, positions, isolated=False),
            "Chromium, isolated": lambda: in_browser(folder, positions, isolated=True),
        }
        speeds: dict[str, list[float]] = {kind: [] for kind in kinds}
        answers = set()
        for _ in range(ROUNDS):
            for kind, search in kinds.items():
                seconds, found = search()
                speeds[kind].append(sum(nodes for _, nodes in found) / seconds)
                answers.add(json.dumps(found))
    assert len(answers) == 1, "moves or nodes differ"
    base = statistics.median(speeds["native"])
    for kind, runs in speeds.items():
        median = statistics.median(runs)
        print(f"  {kind:20} {median:10,.0f} nodes a second, {median / base:5.3f} of native")


if __name__ == "__main__":
    parser("benchmarks.webassembly", __doc__).parse_args()
    main()
