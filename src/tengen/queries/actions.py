"""The actions of queries that only tell something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tengen import __version__
from tengen.queries.query_queue import Query, QueryQueue
from tengen.schemas.analysis import InfoData
from tengen.schemas.queries import QueriesData, RunningQueryData


def running_query(query: Query, infos: Iterable[InfoData], seconds: float) -> RunningQueryData:
    """Return the state of a search as data.

    Args:
        query: the query.
        infos: the moves found so far.
        seconds: since the search has begun.
    """
    found = tuple(infos)
    return RunningQueryData(
        id=query.id,
        turn=query.turn,
        seconds=round(seconds, 4),
        depth=max((info.depth for info in found), default=0),
        nodes=max((info.nodes for info in found), default=0),
    )


def echo(
    action: dict[str, Any], running: Iterable[RunningQueryData], waiting: QueryQueue, workers: int
) -> dict[str, Any]:
    """Return the answer to an action: the query itself, with what it asks for.

    Args:
        action: the query.
        running: the searches in progress.
        waiting: the queries that wait.
        workers: the number of searches that may run at once.
    """
    if action["action"] == "query_version":
        return {**action, "version": __version__}
    if action["action"] == "query_running":
        state = QueriesData(workers=workers, running=tuple(running), waiting=waiting.waiting())
        return {**action, **state.to_dict()}
    return action
