"""The program that builds libraries of all kernels.

    python -m tengen.solver.build_kernels FOLDER TARGET...

The build of a package runs it in a process of its own, where nothing is imported but what the engine and
the solvers need. It writes one file for each target (`tengen.engine.kernels.ahead.TARGETS`); the target
``host`` is the fastest for this machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tengen.solver.warmup  # noqa: F401 - it imports all rooms that have kernels
from tengen.engine.board.records import CACHE_LINE, FRAME, NETWORKS, ROW, SCRATCH, STATE, TABLES
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.network import NETWORK_RECORD
from tengen.engine.evaluation.parameter_file import PARAMETERS
from tengen.engine.evaluation.policy import POLICY_RECORD
from tengen.engine.evaluation.weights import WEIGHTS_RECORD
from tengen.engine.handicap_kernel import HANDICAP
from tengen.engine.kernels.ahead import TARGETS, LinkError, build_libraries
from tengen.engine.kernels.declarations import kernels
from tengen.engine.kernels.layouts import Layouts, layouts_of
from tengen.engine.kernels.library import target_names
from tengen.engine.search.deepening import THREAT_NODES
from tengen.engine.search.deepening_kernel import DEEPENING
from tengen.engine.seeded_random import RANDOM
from tengen.engine.threats.pn_kernel import PN_SCRATCH, UNBOUNDED
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
    "handicap": HANDICAP,
    "random": RANDOM,
    "exact_game": GAME,
}
"""The types of all records that kernels take."""

CONSTANTS = {
    "cache_line": CACHE_LINE,  # to which records are aligned
    "frame": FRAME,  # the cell of a point is (y + frame) * row + x + frame
    "row": ROW,
    "win": WIN,  # a win in so many plies scores `win` less them
    "mate": MATE,  # the least score of a win
    "threat_nodes": THREAT_NODES,  # of a search without a time
    "unbounded": UNBOUNDED,  # nodes and plies without a limit
}
"""The numbers that callers need who are not Python."""


def layouts() -> Layouts:
    """Return the description of all kernels (`tengen.engine.kernels.layouts`)."""
    return layouts_of(kernels(), RECORDS, CONSTANTS)


def main(folder: str, *targets: str) -> str | None:
    """Build the libraries, and return what went wrong, if anything did."""
    targets = tuple(target_names()[0] if name == "host" else name for name in targets)
    unknown = [name for name in targets if name not in TARGETS]
    if unknown:
        return f"unknown target {unknown[0]}; possible targets: {', '.join(TARGETS)}"
    try:
        build_libraries(kernels(), targets, Path(folder))
    except LinkError as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
