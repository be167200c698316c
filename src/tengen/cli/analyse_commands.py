"""The commands that run, measure and compile the engine."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tengen.cli.declaration import Options, command, option, refuse_without
from tengen.cli.errors import CliError
from tengen.cli.option_values import at_most, node_count, positive, seconds
from tengen.cli.options import Json, Moves, PositionOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.engine.defaults import MEMORY, MOST_MEMORY, MOST_THREADS, THREADS
from tengen.executors.ctrl_c import first_ctrl_c
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.words import say

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

BENCHED = ("freestyle", "standard", "renju", "caro")
"""The rules of the positions that `bench` searches."""


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """Options of a search: limits, lines, threads and memory."""

    limit_seconds: Annotated[float | None, option("cli.analyse.seconds", seconds, name="--seconds")] = None
    nodes: Annotated[int | None, option("cli.analyse.nodes", node_count)] = None
    depth: Annotated[int | None, option("cli.analyse.depth", positive)] = None
    lines: Annotated[int, option("cli.analyse.lines", positive)] = 1
    threads: Annotated[int, option("cli.analyse.threads", at_most(MOST_THREADS))] = THREADS
    memory: Annotated[int, option("cli.analyse.memory", at_most(MOST_MEMORY), "MB")] = MEMORY

    @property
    def limit(self) -> Limit:
        """The limits given, or one second."""
        limit = Limit(self.limit_seconds, self.nodes, self.depth)
        return Limit(seconds=1.0) if limit == Limit() else limit

    def engine(self) -> Engine:
        """Create the engine, which is imported only here."""
        from tengen.engine.engine import Engine

        return Engine(threads=self.threads, memory_mb=self.memory)


@command
def analyse(
    *moves: Moves,
    rules: PositionOptions = PositionOptions(),
    search_options: SearchOptions = SearchOptions(),
    stdin: Annotated[bool, option("cli.analyse.stdin")] = False,
    workers: Annotated[int, option("cli.analyse.workers", at_most(64))] = 1,
    as_json: Json = False,
) -> None:
    from tengen.engine.board.playable import check_analysable

    if stdin:
        refuse_without("MOVES", "game", "move", "encoding")
    board = rules.board(moves)
    if stdin:
        if moves:
            raise CliError("error.cli.stdin")
        _serve(rules, search_options, workers)
        return
    if workers > 1:
        raise CliError("error.cli.workers")
    check_analysable(board)  # report errors before anything is compiled
    language = LANGUAGE.get()
    from tengen.cli.output import analysis_table as showing
    from tengen.solver.warmup import warm_up

    warm_up(board.rules)
    engine, count = search_options.engine(), min(search_options.lines, len(board.legal_points()))
    if not as_json:
        print_line(showing.heading(language))
    with engine.analysis(board, search_options.limit, count) as search, first_ctrl_c(search.hurry):
        for info in search:
            if info.number == 0 and not as_json:
                print_line(showing.depth_row(board, info))
        infos = search.result()
    if as_json:
        from tengen.schemas.analysis import AnalysisData

        print_json(AnalysisData.of(board, infos).to_dict())
    else:
        print_line("\n" + showing.summary(board, infos, language))


def _serve(rules: PositionOptions, search_options: SearchOptions, workers: int) -> None:
    """Answer queries from standard input."""
    from tengen.protocol.json_analysis import Analyst, lines_of
    from tengen.queries.reading import Defaults
    from tengen.solver.warmup import warm_up

    language = LANGUAGE.get()
    warm_up()

    defaults = Defaults(rules.rules or "freestyle", rules.size, search_options.limit, search_options.lines)
    Analyst(print_json, search_options.engine, defaults, language, workers).serve(lines_of(sys.stdin))


@command
def bench(
    *,
    rules: Annotated[str | None, option("cli.bench.rules", metavar="NAME")] = None,
    depth: Annotated[int | None, option("cli.bench.depth", positive)] = None,
    nodes: Annotated[int | None, option("cli.bench.nodes", node_count)] = None,
    threads: Annotated[int, option("cli.bench.threads", at_most(MOST_THREADS))] = 1,
    as_json: Json = False,
) -> None:
    if rules is not None and rules not in BENCHED:
        raise CliError("error.rules.preset", name=shorten(rules), names=BENCHED)
    from tengen.cli.output import analysis_table as showing
    from tengen.engine.benchmark import LIMITS, boards, kernels_in_use, measure, signature
    from tengen.solver.warmup import warm_up

    warm_up()
    done = []
    if not as_json:
        print_line(showing.bench_heading(LANGUAGE.get()))
    for search in measure(
        boards(rules), LIMITS if depth is None and nodes is None else (Limit(None, nodes, depth),), threads
    ):
        done.append(search)
        if not as_json:
            print_line(showing.bench_row(search))
    # Searches with several threads are not deterministic, so only those with one thread have a signature.
    word = signature(done) if threads == 1 else None
    if as_json:
        from tengen.schemas.benchmark import BenchData

        print_json(BenchData.of(done, word, kernels_in_use()).to_dict())
        return
    print_line(say(showing.kernels(kernels_in_use()), LANGUAGE.get()))
    if word is not None:
        print_line(f"signature {word}")
    print_line(showing.bench_total(done))


@command
def warmup(*, as_json: Json = False) -> None:
    from tengen.cli.output import analysis_table as showing
    from tengen.engine.benchmark import kernels_in_use
    from tengen.solver.warmup import warm_up

    done = warm_up(everything=True)
    if as_json:
        from tengen.schemas.benchmark import WarmupData

        print_json(WarmupData.of(done).to_dict())
    else:
        print_line(say(showing.warmed(done, kernels_in_use()), LANGUAGE.get()))
