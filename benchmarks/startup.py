"""What it costs to start: CPU seconds, children included, of fresh processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from benchmarks.command_line import parser

ROUNDS = 15

_FORMATS = """
import importlib
from tengen.formats.files import FORMATS
for each in FORMATS.values():
    importlib.import_module(each.reader.partition(":")[0])
"""

CASES = {
    "python, doing nothing": ["-c", "pass"],
    "import tengen (goal: 0.1 above nothing)": ["-c", "import tengen"],
    "the same with sessions and records": ["-c", "from tengen import Record, Session"],
    "the same with all file formats": ["-c", _FORMATS],
    "the same with pictures": ["-c", "from tengen import draw"],
    "the same with level 3": ["-c", "import tengen; tengen.player('level:3')"],
    "tengen --help (goal: 0.3)": ["-m", "tengen", "--help"],
    "tengen fouls --json": ["-m", "tengen", "fouls", "h8", "--json"],
}


def cpu_seconds(arguments: list[str]) -> float:
    """User and system time of one run of Python with these arguments."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    print(f"CPU seconds, median of {ROUNDS}, interleaved")
    times: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(ROUNDS):
        for name, arguments in CASES.items():
            times[name].append(cpu_seconds(arguments))
    for name, measured in times.items():
        print(f"  {name:42} {statistics.median(measured):.3f}")


if __name__ == "__main__":
    parser("benchmarks.startup", __doc__).parse_args()
    main()
