"""What the engine, the solvers and the players answer: the same in Pyodide as in a process."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

MOVES = "h8i9g7f6h10i8"
RENJU = "h8h9j10g10i7k9h6h7j8j9"
GAME = "h8i9g7f6h10i8i6h7j5k4g9"
FOURS = "h8a1i8c15j8e1"


def results() -> dict[str, Any]:
    """Return answers that depend on no clock."""
    from tengen import Board, Engine, Limit, Record, player, review, solve_vcf, solve_vct
    from tengen.engine import benchmark

    measured = list(benchmark.measure(benchmark.boards()))
    board, renju = Board.from_moves(MOVES), Board.from_moves(RENJU, "renju")
    found: dict[str, Any] = {
        "signature": benchmark.signature(measured),
        "nodes": sum(result.nodes for result in measured),
        "several": [info.point for info in Engine().analyse(renju, Limit(nodes=5000), lines=3)],
        "without network": Engine(weights="classes").choose(board, Limit(nodes=2000)).point,
    }
    for name, at in (("freestyle", board), ("renju", renju)):
        found[f"explain {name}"] = _explained(Engine().explain(at, Limit(nodes=3000)))
        for level in (4, 9, 10):
            chosen = player(f"level:{level},seed=3")
            found[f"level {level} {name}"] = chosen.choose(at, Limit(nodes=20_000)).point
        found[f"level 4 explains {name}"] = _explained(player("level:4,seed=3").explain(at))
    four = Board.from_moves(FOURS)
    for name, solved in (
        ("vcf", solve_vcf(four)),
        ("vcf shortest", solve_vcf(four, shortest=True)),
        ("vct", solve_vct(Board.from_moves("h8a1i8a3j9a5j10"), Limit(nodes=20_000))),
        ("vct of renju", solve_vct(renju, Limit(nodes=20_000))),
    ):
        found[name] = (solved.winner, solved.proven, solved.line, solved.nodes)
    record = Record.from_board(Board.from_moves(GAME))
    found["review"] = repr(asdict(review(record, Limit(nodes=3000)))["graph"])
    return found


def _explained(explanation: Any) -> Any:
    weights = {point: round(weight, 6) for point, weight in explanation.weights.items()}
    maps = [
        {point: round(weight, 6) for point, weight in each.weights.items()} for each in explanation.heatmaps
    ]
    return [str(explanation.summary), weights, maps, explanation.lines]


def exact() -> Any:
    """Return the value of a small game, which has a kernel of its own."""
    from tengen import Board, Rules, solve

    solved = solve(Board(Rules.mnk(4, 4, 4)))
    return [solved.value, solved.distance, solved.positions]


def with_helpers() -> Any:
    """Return the nodes of each thread of a search, and which helpers are busy before, during and after."""
    import tengen_kernels  # type: ignore[import-not-found]

    from tengen import Board
    from tengen.engine.board.conversion import position_of
    from tengen.engine.search.deepening import SearchTask, run
    from tengen.engine.search.table import new_table
    from tengen.engine.tables import prepared, prepared_networks

    board = Board.from_moves("h8i9")
    state, tables = position_of(board, prepared=prepared(board.rules))
    task = SearchTask(
        state, tables, prepared_networks(board.rules), new_table(4), threads=2, most_nodes=60_000
    )
    kernels = tengen_kernels.kernels
    count, free = kernels.helpers.length, kernels.free()
    found = [kernels.free() for _ in run(task)]
    nodes = [int(each[0]["nodes"]) for each in task.thread_states]
    return [nodes, count - free, sorted({*found, kernels.free()}) if count else []]


def seconds_of(limit: float, stop: Any = None) -> dict[str, float]:
    """Return how long searches took that have a limit of time, or a signal to end."""
    from tengen import Board, Engine, Limit, Rules, solve

    board = Board.from_moves("h8i9")
    engine = Engine()
    engine.prepare(board)
    found = {}
    for name, search in (
        ("engine", lambda: engine.choose(board, Limit(seconds=limit), stop)),
        ("exact", lambda: solve(Board(Rules.mnk(7, 7, 5)), Limit(seconds=limit), stop=stop)),
    ):
        began = time.perf_counter()
        search()
        found[name] = time.perf_counter() - began
    return found
