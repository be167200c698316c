"""The program that builds libraries of all kernels.

    python -m tengen.solver.build_kernels FOLDER TARGET...

The build of a package runs it in a process of its own, where nothing is imported but what the engine and
the solvers need. It writes one file for each target (`tengen.engine.kernels.ahead.TARGETS`); the target
``host`` is the fastest for this machine. The target ``web`` writes all that the engine in a page loads
(`static/engine`): ``kernels.wasm``, ``kernels-threads.wasm`` for memory that several threads share,
``kernels.json``, which describes both, and for each family of rules ``parameters-FAMILY.bin``. The kernels
of `tengen.engine.batch` are left out there: no page uses them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tengen.engine.batch.play
import tengen.solver.warmup  # noqa: F401 - these import all rooms that have kernels
from tengen.engine.board.records import CACHE_LINE, FRAME, NETWORKS, ROW, SCRATCH, STATE, TABLES, Kind
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.defaults import MEMORY
from tengen.engine.engine import ENTRIES_PER_NODE, ENTRY_BYTES, PN_TABLE_DIVISOR, THREAT_SECONDS
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.network import NETWORK_RECORD
from tengen.engine.evaluation.parameter_file import PARAMETERS
from tengen.engine.evaluation.policy import POLICY_RECORD
from tengen.engine.evaluation.value_shares_kernel import NETWORK_SHARES
from tengen.engine.evaluation.weights import FAMILIES, WEIGHTS_RECORD
from tengen.engine.handicap_kernel import HANDICAP
from tengen.engine.kernels.ahead import TARGETS, LinkError, build_libraries
from tengen.engine.kernels.declarations import Kernel, kernels
from tengen.engine.kernels.layouts import Layouts, layouts_of
from tengen.engine.kernels.library import file_of, target_names
from tengen.engine.search.deepening import THREAT_NODES
from tengen.engine.search.deepening_kernel import DEEPENING
from tengen.engine.seeded_random import RANDOM
from tengen.engine.tables import parameter_file
from tengen.engine.threats.pn_kernel import PN_SCRATCH, UNBOUNDED
from tengen.game.rules import Rules
from tengen.solver.exact.lines import GAME

RECORDS = {
    "state": STATE,
    "tables": TABLES,
    "networks": NETWORKS,
    "scratch": SCRATCH,
    "deepening": DEEPENING,
    "pn_scratch": PN_SCRATCH,
    "parameters": PARAMETERS,
    "weights": WEIGHTS_RECORD,
    "network": NETWORK_RECORD,
    "policy": POLICY_RECORD,
    "line_scratch": LINE_SCRATCH,
    "network_shares": NETWORK_SHARES,
    "handicap": HANDICAP,
    "random": RANDOM,
    "exact_game": GAME,
}
"""The types of all records that a page's kernels take."""

CONSTANTS = {
    "cache_line": CACHE_LINE,  # to which records are aligned
    "frame": FRAME,  # the cell of a point is (y + frame) * row + x + frame
    "row": ROW,
    "win": WIN,  # a win in so many plies scores `win` less them
    "mate": MATE,  # the least score of a win
    "threat_nodes": THREAT_NODES,  # of a search without a time
    "unbounded": UNBOUNDED,  # nodes and plies without a limit
    "five": Kind.FIVE,  # the kind of a point where a stone wins
    "memory_mb": MEMORY,  # megabytes of the transposition table, unless the caller wants others
    "entry_bytes": ENTRY_BYTES,  # of both tables
    "entries_per_node": ENTRIES_PER_NODE,  # of a table for a limit of nodes
    "pn_table_divisor": PN_TABLE_DIVISOR,  # the proof-number search's table is so many times smaller
    "threat_seconds": THREAT_SECONDS,  # of a limit for which the nodes of threats increase
}
"""The numbers that callers need who are not Python."""


def kernels_for_web() -> tuple[Kernel, ...]:
    """Return the kernels that a page uses."""
    unused = kernels("tengen.engine.batch")
    return tuple(kernel for kernel in kernels() if kernel not in unused)


def layouts() -> Layouts:
    """Return the description of a page's kernels (`tengen.engine.kernels.layouts`)."""
    return layouts_of(kernels_for_web(), RECORDS, CONSTANTS)


def build_for_web(folder: Path) -> None:
    """Write all that the engine in a page loads into a folder.

    Raises:
        LinkError: the linker is missing, or has failed.
    """
    write_data_for_web(folder)
    files = {"wasm32": "kernels.wasm", "wasm32-threads": "kernels-threads.wasm"}
    build_libraries(kernels_for_web(), tuple(files), folder)
    for target, name in files.items():
        file_of(target, folder).replace(folder / name)


def write_data_for_web(folder: Path) -> None:
    """Write what takes no compiler: the description of the kernels, and the parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FAMILIES:
        (folder / f"parameters-{name}.bin").write_bytes(parameter_file(Rules.named(name)))
    (folder / "kernels.json").write_text(json.dumps(layouts(), separators=(",", ":")), "utf-8")


def main(folder: str, *targets: str) -> str | None:
    """Build the libraries, and return what went wrong, if anything did."""
    if targets == ("web",):
        return _reported(build_for_web, Path(folder))
    targets = tuple(target_names()[0] if name == "host" else name for name in targets)
    unknown = [name for name in targets if name not in TARGETS]
    if unknown:
        return f"unknown target {unknown[0]}; possible targets: {', '.join(TARGETS)}"
    return _reported(build_libraries, kernels(), targets, Path(folder))


def _reported(build: Callable[..., None], *arguments: Any) -> str | None:
    """Build something, and return what went wrong, if anything did."""
    try:
        build(*arguments)
    except (LinkError, ValueError) as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
