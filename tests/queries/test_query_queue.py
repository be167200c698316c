"""Queries wait by priority, and leave when they are terminated."""

from __future__ import annotations

from typing import Any

from tengen.queries.query_queue import Query, QueryQueue
from tengen.queries.reading import Defaults, read_queries


def queries(**fields: Any) -> list[Query]:
    return read_queries({"id": "a", **fields}, Defaults())


def test_the_most_urgent_comes_first_and_equals_in_the_order_of_arrival():
    waiting = QueryQueue()
    for name, priority in (("a", 0), ("b", 2), ("c", 0), ("d", 2), ("e", -1)):
        for query in queries(id=name, priority=priority):
            waiting.add(query)
    assert len(waiting) == 5
    assert [query.id for query in waiting] == ["b", "d", "a", "c", "e"]
    assert [each.to_dict() for each in waiting.waiting()][:2] == [
        {"id": "b", "priority": 2},
        {"id": "d", "priority": 2},
    ]
    assert [waiting.take().id for _ in range(5)] == ["b", "d", "a", "c", "e"]
    assert not waiting


def test_what_is_removed_is_returned_and_the_others_keep_their_order():
    waiting = QueryQueue()
    for query in queries(moves="h8i9g7f6", turns="all", priorities=None):
        waiting.add(query)
    removed = waiting.remove(lambda query: query.turn in (1, 3))
    assert [query.turn for query in removed] == [1, 3]
    assert [query.turn for query in waiting] == [0, 2, 4]
    assert waiting.remove(lambda query: query.turn == 9) == []
    assert [waiting.take().turn for _ in range(3)] == [0, 2, 4]
