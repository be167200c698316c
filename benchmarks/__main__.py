"""Runs the benchmarks named on the command line, or all of them."""

from __future__ import annotations

import importlib
import sys

from benchmarks.command_line import parser

NAMES = (
    "rules",
    "startup",
    "installed",
    "first_move",
    "kernels",
    "webassembly",
    "site",
    "engine",
    "versions",
    "network",
    "agreement",
    "tactics",
    "threats",
    "quiet_wins",
    "wins",
    "solved",
    "proofs",
    "formats",
    "encodings",
    "renlib",
    "renjunet",
    "players",
    "arena",
    "ratings",
    "environments",
    "sprt",
    "cluster",
    "web",
    "hosting",
)


def main() -> int:
    options = parser("benchmarks", __doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(NAMES)}; else all")
    names = options.parse_args().names or NAMES
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"no benchmark {unknown[0]!r}: expected some of {', '.join(NAMES)}", file=sys.stderr)
        return 2
    for name in names:
        print(f"== {name}")
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
