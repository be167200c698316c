"""How large proofs are, of wins by threats and of small games, and how fast they are checked.

The positions are the won ones of `benchmarks.tactics`; those that the solver wins with `NODES` nodes are
proven, and each proof is checked by `tengen.solver.proofs.verify` in this process. A position that is
reached is one that is checked: by a move of the winner's, or by a reply.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.command_line import parser
from benchmarks.tactics import DATA
from benchmarks.threats import position
from tengen import BLACK, WHITE, Board, Limit
from tengen.solver.proofs.file import HOLDS, WINS, Claim
from tengen.solver.proofs.prove import prove
from tengen.solver.proofs.prove_exact import prove_exact
from tengen.solver.proofs.verify import verify
from tengen.solver.warmup import warm_up

NODES = 100_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One proof.

    Attributes:
        rules: their name.
        size: bytes.
        positions: that the checker reached.
        seconds: that checking took.
        making: seconds that searching, writing and checking took.
    """

    rules: str
    size: int
    positions: int
    seconds: float
    making: float


DRAWS = ("mnk:3,3,3", "mnk:4,4,4", "mnk:5,4,4", "mnk:5,5,4", "mnk:5,5,5", "mnk:6,6,5", "mnk:7,6,5")
WINS_OF_BLACK = ("mnk:4,3,3", "mnk:4,4,3", "mnk:6,5,4", "mnk:6,6,4")
LARGE_DRAW = "mnk:7,7,5"


def games(large: bool) -> None:
    """A table about proofs of small games, from the empty board."""
    print("| Game | Proven | Nodes | Bytes | Positions | Made | Checked |\n|---|---|--:|--:|--:|--:|--:|")
    draw = [Claim(BLACK, HOLDS), Claim(WHITE, HOLDS)]
    rows = [(name, "draw", draw) for name in (*DRAWS, *([LARGE_DRAW] if large else []))]
    rows += [(name, "win", [Claim(BLACK, WINS)]) for name in WINS_OF_BLACK]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.proof"
        for name, what, claims in rows:
            made = prove_exact(Board(name), path, claims=claims)
            began = time.perf_counter()
            verdict = verify(path)
            checked = time.perf_counter() - began
            plies = f" in {verdict.depth} plies" if verdict.winner else ""
            sizes = f"{made.written:,} | {made.size:,} | {verdict.positions:,}"
            times = f"{made.seconds:.2f} s | {checked:.2f} s"
            print(f"| ({name[4:]}) | {what}{plies} | {sizes} | {times} |", flush=True)


def told(name: str, proofs: list[Measured]) -> str:
    """A line about some proofs."""
    sizes = [proof.size for proof in proofs]
    positions = sum(proof.positions for proof in proofs)
    speed = 60 * positions / sum(proof.seconds for proof in proofs)
    return (
        f"  {name:9} {len(proofs):3} proofs: median {median(sizes):,.0f} bytes, {max(sizes):,} at most; "
        f"{positions:,} positions checked, {speed:,.0f} a minute; "
        f"made in {sum(proof.making for proof in proofs):,.0f} s"
    )


def main(step: int = 1) -> None:
    warm_up()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    proofs: list[Measured] = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "win.proof"
        for row in rows[::step]:
            made = prove(position(row), path, Limit(nodes=NODES))
            if made.verdict is None:
                continue
            began = time.perf_counter()
            verdict = verify(path)
            seconds = time.perf_counter() - began
            proofs.append(Measured(row["rule"], made.size, verdict.positions, seconds, made.seconds))
    for rules in sorted({proof.rules for proof in proofs}):
        print(told(rules, [proof for proof in proofs if proof.rules == rules]))
    print(told("all", proofs), flush=True)
    games(large=step == 1)


if __name__ == "__main__":
    options = parser("benchmarks.proofs", __doc__)
    options.add_argument("--quick", action="store_true", help="every eighth position, and (7,7,5) left out")
    options.add_argument("--games", action="store_true", help="the small games alone")
    given = options.parse_args()
    if given.games:
        warm_up()
        games(large=not given.quick)
    else:
        main(8 if given.quick else 1)
