"""How large proofs of wins by threats are, and how fast they are checked.

``python -m benchmarks.proofs --quick`` takes every eighth position. The positions are the won ones of
`benchmarks.tactics`; those that the solver wins with `NODES` nodes are proven, and each proof is checked by
`tengen.solver.verify` in this process. A position that is reached is one that is checked: by a move of the
winner's, or by a reply.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.tactics import DATA
from benchmarks.threats import position
from tengen import Limit
from tengen.engine.warmup import warm_up
from tengen.solver.prove import prove
from tengen.solver.verify import verify

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


if __name__ == "__main__":
    main(8 if "--quick" in sys.argv[1:] else 1)
