"""Where others think for visitors: in whose queue, and with which player."""

from __future__ import annotations

import threading

from tengen.executors import open_workers
from tengen.web.computing.cached_players import cached_player
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.search_pool import SearchPool
from tests.executors.work import until


def test_the_engine_and_other_players_have_workers_of_their_own():
    with open_workers("threads", 1) as engines, open_workers("threads", 1) as players:
        pool = SearchPool(engines, players, engines, Warmup())
        here = [
            pool.caller(spec, "a game").submit(threading.get_ident).result(120)
            for spec in ("engine", "level:4", "shapes", "level:2")
        ]
        assert len(set(here)) == 2
        assert here[0] == here[1] != here[2] == here[3]


def test_games_without_people_have_one_row_together():
    order: list[str] = []
    gate = threading.Event()
    with open_workers("threads", 1) as workers:
        pool = SearchPool(workers, workers, workers, Warmup())
        pool.caller("shapes", "first").submit(gate.wait)
        until(lambda: not workers.idle)
        for number in range(3):
            pool.caller("shapes", None).submit(order.append, f"alone {number}")
        for name in ("a", "b"):
            pool.caller("shapes", name).submit(order.append, name)
        gate.set()
        until(lambda: workers.idle)
    assert order == ["alone 0", "a", "b", "alone 1", "alone 2"]


def test_a_worker_keeps_the_players_it_has_used_last():
    first = cached_player("random,seed=1")
    assert cached_player("random,seed=1") is first
    for seed in range(2, 6):
        cached_player(f"random,seed={seed}")
    assert cached_player("random,seed=1") is not first
    with open_workers("threads", 1) as workers:
        there = workers.caller("a").submit(cached_player, "random,seed=5").result(120)
    assert there is not cached_player("random,seed=5"), "no two workers share one"
