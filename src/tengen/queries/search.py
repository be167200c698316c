"""The search that answers a query, and its answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.info import Info
from tengen.executors import report
from tengen.game.player import Limit, Score
from tengen.queries.query_queue import Query
from tengen.schemas.analysis import InfoData, ScoreData
from tengen.schemas.board import SetupData
from tengen.schemas.points import COLOURS, named, point_names
from tengen.schemas.position import ThreatData
from tengen.schemas.queries import AnalysisAnswer, StaticData, WinKind
from tengen.schemas.solution import SolutionData, ThreatSet
from tengen.solver.results import Solution
from tengen.study.threats_on_board import threats

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

WIN_NODES = 1_000_000
"""Nodes of a search for a forced win if a query limits neither nodes nor time."""

_POLICY_DIGITS, _HEAT_DIGITS = 6, 3
"""Decimal places."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of the search for one query."""

    infos: list[Info]
    static: StaticData
    win: SolutionData | None


def search_query(engine: Engine, query: Query, *, stop: threading.Event) -> QueryResult:
    """Search a position; the work of a search (`tengen.executors.running_search`).

    The `StaticData` are reported first, then each `Info`.
    """
    static = static_data(engine, query)
    report(static)
    infos = engine.analyse(
        query.board, query.limit, query.lines, stop, allow=query.allow, avoid=query.avoid
    )
    return QueryResult(infos, static, forced_win(query, stop))


def static_data(engine: Engine, query: Query) -> StaticData:
    """Return what a query asks for besides searches."""
    board, values = query.board, dict[str, object]()
    names = point_names(board.rules)
    maps = {each.name: each for each in engine.heatmaps(board)} if query.policy or query.heat else {}
    if query.heat:
        value = maps["value"]
        score = Score(round(sum(part.value for part in value.total)))
        values["evaluation"] = ScoreData.of(score)
        values["heat"] = {
            names[point]: round(share, _HEAT_DIGITS) for point, share in value.weights.items()
        }
    if query.policy:
        chances = maps["policy"].weights if "policy" in maps else {}
        values["policy"] = {
            names[point]: round(chance / 100, _POLICY_DIGITS) for point, chance in chances.items()
        }
    if query.threats:
        values["threats"] = {
            COLOURS[colour]: tuple(ThreatData.of(board.rules, threat) for threat in several)
            for colour, several in threats(board).items()
        }
    return StaticData.model_validate(values)


def forced_win(query: Query, stop: threading.Event) -> SolutionData | None:
    """Search for the forced win that a query asks for; return the result, None if it asks for none."""
    if query.win is None:
        return None
    solve, kind = solver_of(query.win)
    seconds, nodes = query.limit.seconds, query.limit.nodes
    limit = Limit(seconds, WIN_NODES if seconds is None and nodes is None else nodes)
    found = solve(query.board, limit, query.attacker, stop=stop)
    return SolutionData.of(query.board, found, query.attacker, kind)


def solver_of(kind: WinKind) -> tuple[Callable[..., Solution], ThreatSet]:
    """Return what searches for a kind of forced win, and the threats that it makes."""
    from tengen.solver.threats.vcf import solve_vcf
    from tengen.solver.threats.vct import solve_vct

    return (solve_vcf, "fours") if kind == "vcf" else (solve_vct, "threes")


def data_of(query: Query, infos: Iterable[Info]) -> Iterator[InfoData]:
    """Yield results of a query's search as data."""
    return (InfoData.of(query.board.rules, info) for info in infos)


def answer_of(
    query: Query,
    infos: Iterable[InfoData],
    static: StaticData,
    *,
    final: bool,
    win: SolutionData | None = None,
    limited: str | None = None,
) -> AnalysisAnswer:
    """Return the answer to a query, or a report of its search so far.

    Args:
        query: the query.
        infos: the moves found, the best first; at least one.
        static: what takes no search.
        final: false for a report.
        win: the result of the search for a forced win.
        limited: the reason why the search has been ended early.
    """
    board, found = query.board, tuple(infos)
    rules, setup = board.rules, board.setup
    return AnalysisAnswer(
        id=query.id,
        final=final,
        turn=query.turn,
        moves=named(rules, board.moves),
        rules=rules.name,
        size=rules.size_text,
        best=found[0].point,
        infos=found,
        **dict(static),
        setup=None if setup is None else SetupData.of(setup),
        win=win,
        limited=limited,
    )
