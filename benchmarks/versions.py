"""How many nodes a second the engine makes as it is here, and as it was: what a change costs, or brings.

The sources that are here, committed or not, are compared with those of a commit. The positions are those of
``tengen bench``, each searched by both in turn, so that a machine of changing speed changes both. A change
to the speed alone leaves the searches the same; where they are not, that is told.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.command_line import counted, parser
from tengen.engine.benchmark import POSITIONS

HERE = Path(__file__).parents[1]
NODES, ROUNDS = 60_000, 10

_SEARCHES = """
import json, sys, time

from tengen.solver.warmup import warm_up

warm_up()

from tengen import Board, Engine, Limit, Rules

print("ready", flush=True)
for line in sys.stdin:
    name, size, moves, nodes = json.loads(line)
    board, engine = Board.from_moves(moves, Rules.named(name, size)), Engine()
    engine.analyse(board, Limit(nodes=1))
    began = time.process_time()
    info = engine.analyse(board, Limit(nodes=nodes))[0]
    seconds = time.process_time() - began
    found = [info.nodes, info.depth, info.score.value, info.score.mate, list(info.line)]
    print(json.dumps([seconds, found]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """What the same position has cost both versions.

    Attributes:
        position: its number.
        here: seconds of the processor for a node, as the sources are here.
        there: the same for the other version.
        same: whether both have found the same with the same nodes.
    """

    position: int
    here: float
    there: float
    same: bool


class Version:
    """A process that searches with the sources in a folder."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._from.readline()

    def search(self, name: str, size: int, moves: str, nodes: int) -> tuple[float, list[Any]]:
        """The seconds for a node, and what has been found, the nodes first."""
        print(json.dumps([name, size, moves, nodes]), file=self._to, flush=True)
        seconds, found = json.loads(self._from.readline())
        return seconds / found[0], found


@contextmanager
def version(sources: Path, cache: str | None = None) -> Iterator[Version]:
    """The version of some sources, for a `with` block; compiled into a folder if one is named."""
    environment = {**os.environ, "PYTHONPATH": str(sources)} | ({"TENGEN_CACHE": cache} if cache else {})
    with subprocess.Popen(
        [sys.executable, "-c", _SEARCHES],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Version(process)


def unpack(revision: str, folder: Path) -> Path:
    """Write the sources of a commit into a folder; where they are.

    Raises:
        CalledProcessError: there is no such commit; Git says so in its `stderr`.
    """
    archive = ["git", "-C", str(HERE), "archive", "--format=tar", revision, "src"]
    packed = subprocess.run(archive, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return folder / "src"


def pairs(here: Version, there: Version, rules: str, nodes: int, rounds: int) -> Iterator[Pair]:
    """The positions of some rules, searched by both, each as often the first of the two as the other."""
    chosen = [(number, one) for number, one in enumerate(POSITIONS) if one[0] == rules]
    for turn in range(rounds):
        for number, position in chosen:
            order = (here, there) if (turn + number) % 2 else (there, here)
            found = {one: one.search(*position, nodes) for one in order}
            (mine, seen), (other, seen_there) = found[here], found[there]
            yield Pair(number, mine, other, seen == seen_there)


def told(rules: str, found: Sequence[Pair]) -> str:
    """The line for some rules: nodes a second here as a multiple of those there."""
    ratios = sorted(pair.there / pair.here for pair in found)
    low, _, high = statistics.quantiles(ratios, n=4)
    shortest = [0.0, 0.0]
    for number in {pair.position for pair in found}:
        mine = [pair for pair in found if pair.position == number]
        shortest[0] += min(pair.here for pair in mine)
        shortest[1] += min(pair.there for pair in mine)
    same = "the same searches" if all(pair.same for pair in found) else "not the same searches"
    return (
        f"  {rules:10} {statistics.median(ratios):.2f} ({low:.2f} to {high:.2f}), by the shortest times "
        f"{shortest[1] / shortest[0]:.2f}; {len(found)} pairs, {same}"
    )


def main(
    revision: str = "HEAD", rules: Sequence[str] = (), nodes: int = NODES, rounds: int = ROUNDS
) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sources = unpack(revision, folder)
        here = stack.enter_context(version(HERE / "src"))
        there = stack.enter_context(version(sources, str(folder / "cache")))
        print(f"nodes a second here, times {revision}; {nodes:,} a position; median and quartiles of pairs")
        for name in rules or dict.fromkeys(one[0] for one in POSITIONS):
            count = rounds * sum(one[0] == name for one in POSITIONS)
            print(told(name, list(counted(pairs(here, there, name, nodes, rounds), name, count))))


def command(arguments: Sequence[str]) -> int:
    """Compare with the commit that the command line names; the exit status."""
    known = tuple(dict.fromkeys(one[0] for one in POSITIONS))
    options = parser("benchmarks.versions", __doc__)
    options.add_argument("revision", nargs="?", default="HEAD", help="the commit, HEAD if left out")
    options.add_argument("--rules", nargs="+", choices=known, default=known)
    given = options.parse_args(arguments)
    try:
        main(given.revision, given.rules)
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode().strip().splitlines()[0], file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
