"""How long a fresh process takes to the first move of the engine with its network, and how much memory.

*Cold* is with an empty cache folder: everything is compiled, and the tables are worked out. *Warm* is with
what that has left there. Both are made ready as commands, protocol and server do it, which has the largest
functions compiled by processes of their own: the memory is that of the largest process. The table alone is
worked out with everything else at hand.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.command_line import parser

ROUNDS = 5
FAMILIES = "freestyle", "renju"
"""A network for both colours, and one that tells them apart, whose table is twice as large."""

_MOVE = """
import json, resource, sys

from tengen.solver.warmup import warm_up

warm_up()

from tengen import Board, Engine, Limit

board = Board.from_moves("h8i9g7f6h10i8")
choice = Engine().choose(board, Limit(nodes=1000))
scale = 1 if sys.platform == "darwin" else 1024
whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
print(json.dumps({"memory": max(resource.getrusage(each).ru_maxrss for each in whose) * scale}))
"""

_TABLE = """
import json, sys, time

from tengen.engine.board.records import NETWORKS, new_record
from tengen.engine.evaluation.network import load
from tengen.engine.evaluation.parameters import fill_with_network, put_network

network, record = load(sys.argv[1]), new_record(NETWORKS)
put_network.build()
began = time.perf_counter()
fill_with_network(record, network, 15, network.colours)
print(json.dumps({"table": time.perf_counter() - began}))
"""


def measured(script: str, folder: str, *words: str) -> dict[str, Any]:
    """What a script prints in a process of its own, and the seconds from its start to its end."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        env={**os.environ, "TENGEN_CACHE": folder},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return {"seconds": time.perf_counter() - began, **found}


def main() -> None:
    if sys.platform == "win32":
        print("  left out: Windows does not tell how much memory a process has taken in this way")
        return
    with tempfile.TemporaryDirectory() as folder:
        cold = measured(_MOVE, folder)
        warm = [measured(_MOVE, folder) for _ in range(ROUNDS)]
        tables = {
            family: statistics.median(measured(_TABLE, folder, family)["table"] for _ in range(ROUNDS))
            for family in FAMILIES
        }
        kept = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    print(
        f"from the start of a process to the first move (1000 nodes); cold once, else medians of {ROUNDS}"
    )
    megabyte = 1 << 20
    rows = {
        "cold (goal: 40 s)": f"{cold['seconds']:.1f} s",
        "memory at most, cold (goal: 300 MB)": f"{cold['memory'] / megabyte:.0f} MB",
        "warm (goal: 1.5 s)": f"{statistics.median(one['seconds'] for one in warm):.2f} s",
        "memory at most, warm (goal: 300 MB)": f"{max(one['memory'] for one in warm) / megabyte:.0f} MB",
        "kept in the cache folder": f"{kept / megabyte:.0f} MB",
        **{f"table of the {name} network (goal: .2 s)": f"{each:.2f} s" for name, each in tables.items()},
    }
    for name, text in rows.items():
        print(f"  {name:42} {text:>9}")


if __name__ == "__main__":
    parser("benchmarks.first_move", __doc__).parse_args()
    main()
