"""The one handle of a running search: the engine, players and solvers, in threads and in processes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

import pytest

from tengen import Board, Engine, Limit, executors, player
from tengen.engine.info import Info
from tengen.executors.running_search import Search, in_loop
from tengen.game.errors import GameOver
from tengen.schemas.analysis import InfoData
from tengen.solver.threats.vcf import solve_vcf
from tests.executors.work import until

BOARD = Board.from_moves("h8 i9 g9 i7")
ENDLESS = Limit(seconds=1000)


@pytest.fixture(scope="module", params=["alone", "threads", "processes"])
def workers(request):
    """Whose task a search is."""
    if request.param == "alone":
        yield None
        return
    with executors.open_workers(request.param, 1) as opened:
        yield opened.caller("searches")


def wait_for_signal(report: object = None, *, stop: threading.Event) -> str:
    """Report something, and end when told."""
    executors.report(report)
    stop.wait(600)
    return "stopped" if stop.is_set() else "late"


def fail(*, stop: threading.Event) -> None:  # noqa: ARG001 - as all searches have it
    """Raise."""
    raise GameOver("error.game_over.choose")


@pytest.mark.long
def test_a_search_is_iterated_and_has_a_result(workers):
    search = Search.start(player("engine").choose, BOARD, Limit(depth=4), workers=workers)
    infos = list(search)
    assert [info.depth for info in infos] == [1, 2, 3, 4]
    assert all(isinstance(info, Info) for info in infos)
    assert search.result(120).point == infos[-1].point
    assert search.done
    assert list(search) == [], "it has all been told"


def test_the_same_moves_wherever_it_runs(workers):
    here = Engine().analyse(BOARD, Limit(nodes=2000), lines=2)
    found = Search.start(Engine().analyse, BOARD, Limit(nodes=2000), lines=2, workers=workers).result(60)
    assert [(info.point, info.score, info.line) for info in found] == [
        (info.point, info.score, info.line) for info in here
    ]


@pytest.mark.parametrize("spec", ["engine", "minimax,depth=30", "mcts,playouts=1000000000"])
def test_any_player_answers_at_once_when_it_is_hurried(workers, spec):
    search = Search.start(player(spec).choose, BOARD, ENDLESS, workers=workers)
    until(lambda: search.started)
    assert not search.join(0.2)
    assert search.hurry()
    assert BOARD.is_legal(search.result(120).point)
    assert not search.hurry()


def test_a_solver_is_a_search():
    solution = Search.start(solve_vcf, BOARD).result(60)
    assert solution.proven
    assert solution.winner is None


def test_a_cancelled_search_has_no_result(workers):
    search = Search.start(wait_for_signal, workers=workers)
    until(lambda: search.started)
    assert search.cancel()
    assert search.done
    with pytest.raises(CancelledError):
        search.result(120)
    assert set(search) <= {None}


def test_what_the_work_raises(workers):
    search = Search.start(fail, workers=workers)
    with pytest.raises(GameOver):
        list(search)
    with pytest.raises(GameOver):
        search.result(120)


def test_a_result_that_is_not_there_yet():
    with Search.start(wait_for_signal) as search:
        with pytest.raises(TimeoutError):
            search.result(0.05)
        assert not search.join(0.05)
    assert search.result(0) == "stopped", "it ends with its context"


def test_a_listener_hears_instead_of_whoever_iterates(workers):
    heard: list[object] = []
    search = Search.start(wait_for_signal, "here", workers=workers, on_report=heard.append)
    until(lambda: heard)
    search.hurry()
    assert search.result(120) == "stopped"
    assert heard == ["here"]
    assert list(search) == []


def test_somebody_is_told_when_it_is_over(workers):
    told = threading.Event()
    search = Search.start(wait_for_signal, workers=workers)
    search.when_done(told.set)
    assert not told.wait(0.05)
    search.hurry()
    assert told.wait(120)


def test_a_search_that_waits_for_a_worker():
    with executors.open_workers("threads", 1) as opened:
        first = Search.start(wait_for_signal, workers=opened.caller("a"))
        second = Search.start(wait_for_signal, workers=opened.caller("b"))
        until(lambda: first.started)
        assert not second.started
        first.hurry()
        until(lambda: second.started)
        second.hurry()
        assert second.result(120) == "stopped"


# -- in an event loop


def test_waiting_in_an_event_loop(workers):
    async def main() -> tuple[bool, bool, str, list[object]]:
        heard: list[object] = []
        search = Search.start(wait_for_signal, 1, workers=workers, on_report=in_loop(heard.append))
        early = await search.wait(0.05)
        search.hurry()
        late = await search.wait()
        return early, late, search.result(0), heard

    assert asyncio.run(main()) == (False, True, "stopped", [1])


def test_who_stops_waiting_stops_nothing():
    async def main() -> str:
        search = Search.start(wait_for_signal)
        waiting = asyncio.create_task(search.wait())
        await asyncio.sleep(0.01)
        waiting.cancel()
        assert not search.done
        search.hurry()
        await search.wait()
        return search.result(0)

    assert asyncio.run(main()) == "stopped"


@pytest.mark.parametrize(("deaf", "grace"), [(False, 600), (True, 0.05)])
def test_an_abandoned_search_is_hurried_and_then_cancelled(deaf, grace):
    heard, cancelled = threading.Event(), threading.Event()

    def work(*, stop: threading.Event) -> str:
        stop.wait()
        heard.set()
        if deaf:  # as long as anybody waits for it
            cancelled.wait()
        return "done"

    async def main() -> bool:
        search = Search.start(work)
        search.abandon(grace)
        await search.wait()
        try:
            search.result(0)
        except CancelledError:
            return True
        return False

    assert asyncio.run(main()) is deaf
    assert heard.wait(60)
    cancelled.set()


def test_an_abandoned_search_that_has_not_begun_never_does():
    async def main() -> bool:
        with executors.open_workers("threads", 1) as opened:
            first = Search.start(wait_for_signal, workers=opened.caller("a"))
            second = Search.start(wait_for_signal, workers=opened.caller("a"))
            second.abandon(30)
            first.hurry()
            return second.done

    assert asyncio.run(main())


def test_reports_for_a_loop_that_is_closed():
    async def main() -> Callable[..., None]:
        return in_loop(print)

    tell = asyncio.run(main())
    tell("nobody hears this")


# -- as JSON


def test_what_is_found_as_json():
    info = Engine().analyse(BOARD, Limit(depth=3))[0]
    said = InfoData.of(BOARD.rules, info).to_dict()
    assert said == {
        "point": BOARD.name(info.point),
        "win_rate": round(info.score.win_rate, 4),
        "value": info.score.value,
        "mate": info.score.mate,
        "depth": info.depth,
        "nodes": info.nodes,
        "nps": info.nps,
        "seconds": round(info.seconds, 4),
        "line": [BOARD.name(point) for point in info.line],
    }
