"""What ``tengen prove --candidates`` proves of positions that threats alone do not win, in a given time.

They are those of `benchmarks.threats` that no order of fours and threes wins, as is proven. Another program
has proven their wins, by whatever moves.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import mkdtemp

from benchmarks.command_line import parser
from benchmarks.tactics import DATA
from benchmarks.threats import position
from tengen import Board, Limit, executors, solve_vct
from tengen.solver.proofs.prove import ProofProgress, prove
from tengen.solver.warmup import warm_up

CANDIDATES = 6
SECONDS = 120.0
THREAT_NODES = 100_000


def positions(most: int | None = None) -> list[Board]:
    """Won positions that are proven not to be won by threats."""
    found: list[Board] = []
    for line in DATA.read_text("utf-8").splitlines():
        board = position(json.loads(line))
        answer = solve_vct(board, Limit(nodes=THREAT_NODES))
        if answer.proven and answer.winner is None:
            found.append(board)
            if len(found) == most:
                break
    return found


def told(board: Board, seconds: float, workers: executors.Workers, path: Path) -> tuple[bool, str]:
    """Whether the position was proven, and a line about it."""
    progress, began = ProofProgress(), time.perf_counter()
    limit = Limit(seconds)
    made = prove(board, path, limit, candidates=CANDIDATES, workers=workers, progress=progress)
    took = time.perf_counter() - began
    if made.verdict is None:
        what = f"not proven, about {progress.open} positions left"
    else:
        moves = (made.verdict.depth + 1) // 2
        what = f"won in {moves} moves, {made.size:,} bytes, {made.verdict.positions:,} positions checked"
    looked = f"{progress.expanded} positions looked at, {made.nodes:,} nodes, {took:.0f} s"
    return made.verdict is not None, f"  {board.ply} stones: {what} ({looked})"


def main(most: int | None = None, seconds: float = SECONDS) -> None:
    warm_up()
    boards = positions(most)
    path = Path(mkdtemp()) / "win.proof"
    proven = 0
    with executors.open_workers() as workers:
        for board in boards:
            good, line = told(board, seconds, workers, path)
            proven += good
            print(line, flush=True)
    print(f"  proven within {seconds:.0f} s: {proven} of {len(boards)}")


if __name__ == "__main__":
    options = parser("benchmarks.quiet_wins", __doc__)
    options.add_argument("--quick", action="store_true", help="eight of them, for 20 seconds each")
    main(8, 20.0) if options.parse_args().quick else main()
