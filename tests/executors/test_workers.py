"""What every kind of workers does: threads, processes and a Dask cluster."""

from __future__ import annotations

import asyncio
import operator
import os
import sys
import threading
import traceback
from concurrent.futures import FIRST_COMPLETED, CancelledError, as_completed, wait
from random import Random

import pytest

from tengen import Forbidden, TengenError, executors
from tengen.words import Message
from tests.executors.work import (
    Stage,
    count,
    count_aloud,
    count_without_reports,
    die,
    die_when_hurried,
    fail,
    fail_unsendably,
    niceness,
    perform,
    perform_slowly,
    ponder,
    report_what_cannot_be_sent,
    signalled,
    unsendable_result,
    until,
)

KINDS = ("threads", "processes", "cluster")


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def address(kind, request):
    return request.getfixturevalue("cluster") if kind == "cluster" else kind


@pytest.fixture(scope="module")
def two_workers(address):
    with executors.open_workers(address, 2) as opened:
        yield opened


@pytest.fixture(scope="module")
def one_worker(address):
    with executors.open_workers(address, 1) as opened:
        yield opened


@pytest.fixture
def workers(two_workers):
    """Two workers, which other tests have used before."""
    until(lambda: two_workers.slots == 2)  # a cluster may just have replaced one
    return two_workers


@pytest.fixture
def worker(one_worker):
    """Only one, used before too."""
    until(lambda: one_worker.slots == 1)
    return one_worker


def begun(stage: Stage, count: int) -> None:
    """Wait until so many tasks have begun."""
    until(lambda: len(stage.told("begin")) >= count)


# -- tasks run


@pytest.mark.long
def test_each_future_has_the_result_of_its_own_task(workers):
    pool = workers.caller("squares")
    futures = {number: pool.submit(pow, number, 2) for number in range(30)}
    assert {number: future.result() for number, future in futures.items()} == {
        number: number * number for number in range(30)
    }


def test_a_caller_is_an_executor(workers):
    with workers.caller("squares") as pool:
        assert list(pool.map(operator.mul, range(5), range(5))) == [0, 1, 4, 9, 16]
        assert pool.submit(dict, a=1).result() == {"a": 1}


def test_an_exception_arrives_as_it_was_raised(workers):
    pool = workers.caller("errors")
    point = Forbidden("error.forbidden", point="h8", kind=Message("foul.overline"))
    raised = pool.submit(fail, point).exception()
    assert type(raised) is Forbidden
    assert raised.message == point.message
    assert str(raised) == "h8 is forbidden to Black: overline"
    with pytest.raises(ZeroDivisionError):
        pool.submit(operator.floordiv, 1, 0).result()
    assert type(pool.submit(fail, SystemExit(3)).exception()) is SystemExit
    assert pool.submit(abs, -1).result() == 1


def test_an_exception_shows_where_it_was_raised(workers):
    error = workers.caller("errors").submit(fail, ValueError("no")).exception()
    assert "work.py" in "".join(traceback.format_exception(error))


def test_what_cannot_be_sent_costs_only_its_task(workers, kind):
    pool = workers.caller("errors")
    if kind == "threads":
        pytest.skip("threads send nothing")
    assert pool.submit(unsendable_result).exception() is not None
    error = pool.submit(fail_unsendably).exception()
    assert "1 and 2" in str(error)
    assert pool.submit(abs, threading.Lock()).exception() is not None
    assert pool.submit(abs, -1).result() == 1


# -- how many at once, and whose turn it is


def test_never_more_tasks_than_slots(workers, stage):
    assert workers.slots == 2
    pools = [workers.caller(name) for name in "abc"]
    futures = [pool.submit(perform, stage, number) for number in range(8) for pool in pools]
    begun(stage, 2)
    stage.open()
    wait(futures)
    assert len(stage.told("end")) == 24
    assert stage.most_at_once() == 2


def test_first_come_first_served(worker, stage):
    pool = worker.caller("a")
    stage.open()
    wait([pool.submit(perform, stage, number) for number in range(8)])
    assert stage.told("begin") == [str(number) for number in range(8)]


@pytest.mark.long
def test_a_long_row_does_not_hold_up_another_caller(workers, stage):
    crowd = workers.caller("crowd")
    futures = [crowd.submit(perform, stage, "crowd") for _ in range(60)]
    begun(stage, 2)
    futures.append(workers.caller("guest").submit(perform, stage, "guest"))
    futures += [crowd.submit(perform, stage, "crowd") for _ in range(20)]
    stage.open()
    wait(futures)
    # At once but for what a busy machine lets the other process do before it tells; in one row, the 61st.
    assert stage.told("begin").index("guest") < 45


def test_callers_take_turns(worker, stage):
    hold = worker.caller("first").submit(perform, stage, "hold")
    begun(stage, 1)
    futures = [
        pool.submit(perform, stage, pool.name)
        for pool, count in ((worker.caller("a"), 4), (worker.caller("b"), 2), (worker.caller("c"), 3))
        for _ in range(count)
    ]
    stage.open()
    wait([hold, *futures])
    assert "".join(stage.told("begin")[1:]) == "abcabcaca"


def test_a_caller_may_let_only_so_many_wait(worker, stage):
    pool = worker.caller("web", waiting=1)
    running = pool.submit(perform, stage, "runs")
    waiting = pool.submit(perform, stage, "waits")
    assert pool.waiting == 1
    with pytest.raises(executors.Busy) as busy:
        pool.submit(perform, stage, "too many")
    assert str(busy.value) == "1 task is already waiting: try again later"
    other = worker.caller("other").submit(perform, stage, "of another")
    waiting.cancel()
    last = pool.submit(perform, stage, "now there is room")
    stage.open()
    assert {future.result() for future in (running, other, last)} == {
        "runs",
        "of another",
        "now there is room",
    }
    assert "too many" not in stage.told("begin")


def test_a_caller_that_lets_none_wait(worker, stage):
    pool = worker.caller("web", waiting=0)
    running = pool.submit(perform, stage, "runs")
    with pytest.raises(executors.Busy):
        pool.submit(perform, stage, "waits")
    stage.open()
    assert running.result() == "runs"


# -- cancelling


def test_a_cancelled_task_that_waits_never_begins(worker, stage):
    pool = worker.caller("a")
    running = pool.submit(perform, stage, "runs")
    waiting = pool.submit(perform, stage, "waits")
    begun(stage, 1)
    assert running.running()
    assert not waiting.running()
    assert (worker.running, worker.waiting) == (1, 1)
    assert waiting.cancel()
    assert waiting.cancelled()
    with pytest.raises(CancelledError):
        waiting.result()
    stage.open()
    assert running.result() == "runs"
    assert not running.cancel()
    assert pool.submit(abs, -1).result() == 1
    assert stage.told("begin") == ["runs"]


def test_a_running_task_can_be_cancelled(worker, stage, kind):
    pool = worker.caller("a")
    future = pool.submit(perform, stage, "runs")
    begun(stage, 1)
    told: list[bool] = []
    future.add_done_callback(lambda done: told.append(done.cancelled()))
    assert future.cancel()
    assert future.cancel()
    assert future.cancelled()
    assert not future.running()
    assert told == [True]
    with pytest.raises(CancelledError):
        future.result()
    # The slot is free again, though nobody opened the gate.
    assert pool.submit(abs, -1).result() == 1
    assert stage.told("end") == []
    assert stage.told("stopped") == ([] if kind == "processes" else ["runs"])


def test_cancelling_wakes_those_who_wait(worker, stage):
    pool = worker.caller("a")
    futures = [pool.submit(perform, stage, number) for number in range(3)]
    begun(stage, 1)
    timer = threading.Timer(0.05, lambda: [future.cancel() for future in futures[::-1]])
    timer.start()
    assert set(as_completed(futures, timeout=120)) == set(futures)
    assert wait(futures, timeout=120, return_when=FIRST_COMPLETED).not_done == set()
    timer.join()


def test_a_task_awaited_in_an_event_loop_is_cancelled_with_it(worker, stage):
    pool = worker.caller("web")

    async def serve() -> object:
        request = asyncio.wrap_future(pool.submit(perform, stage, "first"))
        while not stage.told("begin"):
            await asyncio.sleep(0.01)
        request.cancel()
        return await asyncio.wrap_future(pool.submit(pow, 3, 2))

    assert asyncio.run(serve()) == 9


def test_a_task_sees_no_stop_signal_of_another(worker, stage):
    pool = worker.caller("a")
    future = pool.submit(perform, stage, "called off")
    begun(stage, 1)
    future.cancel()
    later = pool.submit(perform, stage, "goes on")
    begun(stage, 2)
    stage.open()
    assert later.result() == "goes on"


def test_outside_a_task_nobody_sets_the_stop_signal():
    assert not executors.stop_signal().is_set()
    executors.stop_signal().set()
    assert not executors.stop_signal().is_set()


# -- reports


def test_reports_come_in_order_and_before_the_result(worker):
    heard: list[object] = []
    future = worker.caller("a").submit_with_listener(heard.append, count, 50)
    future.add_done_callback(lambda done: heard.append(done.result()))
    assert future.result(120) == 50
    until(lambda: len(heard) == 51)
    assert heard == list(range(51))


def test_reports_come_while_the_task_runs(worker, stage):
    heard: list[object] = []
    future = worker.caller("a").submit_with_listener(heard.append, count_aloud, stage)
    until(lambda: len(heard) > 3)
    assert not future.done()
    assert future.hurry()
    assert future.result(120) == "stopped"
    assert heard == list(range(len(heard)))


def test_each_listener_hears_its_own_task(workers):
    pool = workers.caller("a")
    heard: list[list[object]] = [[], [], [], []]
    futures = [pool.submit_with_listener(each.append, count, number) for number, each in enumerate(heard)]
    assert [future.result(120) for future in futures] == [0, 1, 2, 3]
    assert heard == [[], [0], [0, 1], [0, 1, 2]]


def test_what_a_task_calls_may_be_unheard(worker):
    heard: list[object] = []
    assert worker.caller("a").submit_with_listener(heard.append, count_without_reports, 3).result(120) == 3
    until(lambda: len(heard) == 2)
    assert heard == ["begin", "end"]


def test_a_task_nobody_listens_to_may_report(worker):
    assert worker.caller("a").submit(count, 3).result(120) == 3


def test_a_cancelled_task_is_not_heard_any_more(worker, stage):
    pool = worker.caller("a")
    heard: list[object] = []
    future = pool.submit_with_listener(heard.append, count_aloud, stage)
    until(lambda: heard)
    assert future.cancel()
    said = len(heard)
    assert pool.submit(abs, -1).result(120) == 1
    assert len(heard) <= said + 1, "one may have been on its way"


def test_a_listener_that_fails_stops_nothing(worker, caplog):
    assert worker.caller("a").submit_with_listener(lambda number: 1 / number, count, 2).result(120) == 2
    assert "a listener failed" in caplog.text


def test_a_report_that_cannot_be_sent_costs_only_its_task(worker, kind):
    pool = worker.caller("a")
    heard: list[object] = []
    future = pool.submit_with_listener(heard.append, report_what_cannot_be_sent)
    if kind == "threads":
        future.result(120)
        assert len(heard) == 1
    else:
        with pytest.raises(Exception, match="lambda"):
            future.result(120)
    assert pool.submit(abs, -1).result(120) == 1


def test_outside_a_task_nobody_hears_a_report():
    executors.report(1)


# -- a thread of its own


def test_a_task_in_a_thread_of_its_own(stage):
    heard: list[object] = []
    future = executors.run_in_thread(heard.append, count_aloud, stage)
    assert future.running()
    until(lambda: heard)
    assert future.hurry()
    assert future.result(120) == "stopped"
    assert heard == list(range(len(heard)))


def test_a_task_in_a_thread_of_its_own_can_be_cancelled(stage):
    future = executors.run_in_thread(None, perform, stage, "it")
    begun(stage, 1)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(120)
    until(lambda: stage.told("stopped"))


def test_a_task_in_a_thread_of_its_own_that_fails():
    future = executors.run_in_thread(None, fail, SystemExit(3))
    with pytest.raises(SystemExit):
        future.result(120)


# -- hurrying


def test_a_hurried_task_ends_early_with_its_answer(worker, stage):
    pool = worker.caller("a")
    future = pool.submit(ponder, stage, "best so far")
    begun(stage, 1)
    assert future.hurry()
    assert future.result(120) == ("best so far", True)
    assert not future.hurry()
    assert not future.cancelled()
    # The next task has all the time it wants.
    later = pool.submit(ponder, stage, "later")
    begun(stage, 2)
    stage.open()
    assert later.result(120) == ("later", False)


def test_a_task_hurried_while_it_waits_begins_with_the_signal_set(worker, stage):
    pool = worker.caller("a")
    running, waiting, last = (pool.submit(ponder, stage, name) for name in ("runs", "waits", "last"))
    begun(stage, 1)
    assert waiting.hurry()
    assert not waiting.running()
    assert not running.done()
    running.hurry()
    assert waiting.result(120) == ("waits", True)
    begun(stage, 2)
    assert stage.told("hurried") == ["waits"]
    stage.open()
    assert last.result(120) == ("last", False)


def test_hurrying_twice_and_then_cancelling(worker, stage):
    pool = worker.caller("a")
    future = pool.submit(perform_slowly, stage)
    begun(stage, 1)
    assert future.hurry()
    assert future.hurry()
    until(lambda: stage.told("hurried"))
    assert future.cancel()
    assert not future.hurry()
    assert future.cancelled()
    stage.open()  # which a thread needs to end
    assert pool.submit(abs, -1).result(120) == 1


def test_a_cancelled_task_cannot_be_hurried(worker, stage):
    pool = worker.caller("a")
    running, waiting = pool.submit(perform, stage, "runs"), pool.submit(perform, stage, "waits")
    begun(stage, 1)
    assert waiting.cancel()
    assert running.cancel()
    assert not waiting.hurry()
    assert not running.hurry()
    assert pool.submit(abs, -1).result(120) == 1
    assert stage.told("begin") == ["runs"]


@pytest.mark.long
def test_a_hurry_at_any_moment_reaches_its_task_and_no_other(worker, kind):
    """Before the task is sent, while it is sent, while it runs, as it ends, and after that."""
    pool, random = worker.caller("a"), Random(7)
    assert not pool.submit(signalled, 0).result(120)
    for _ in range(20 if kind == "cluster" else 400):
        hurried = pool.submit(signalled, 120)
        threading.Event().wait(random.choice((0, random.uniform(0, 0.001))))
        assert hurried.hurry()
        brief = pool.submit(signalled, 0)
        hasty = threading.Timer(random.uniform(0, 0.001), brief.hurry)
        hasty.start()
        spared = pool.submit(signalled, random.choice((0, 0.001)))
        assert hurried.result(120) is True
        assert spared.result(120) is False
        hasty.join()


def test_many_hurry_the_same_task(workers, stage):
    futures = [workers.caller("a").submit(ponder, stage, number) for number in range(6)]
    threads = [threading.Thread(target=future.hurry) for future in futures for _ in range(5)]
    for thread in threads:
        thread.start()
    assert [future.result(120) for future in futures] == [(number, True) for number in range(6)]
    for thread in threads:
        thread.join()


# -- closing


def our_threads():
    return {thread for thread in threading.enumerate() if thread.name.startswith("tengen-")}


def test_a_caller_shuts_down_alone(worker, stage):
    going, staying = worker.caller("going"), worker.caller("staying")
    futures = [going.submit(perform, stage, "going") for _ in range(3)]
    begun(stage, 1)
    other = staying.submit(perform, stage, "staying")
    going.shutdown(cancel_futures=True)
    assert all(future.cancelled() for future in futures)
    with pytest.raises(RuntimeError):
        going.submit(abs, 1)
    stage.open()
    assert other.result() == "staying"
    assert staying.submit(abs, -1).result() == 1


def test_shutting_down_waits_for_the_tasks(workers, stage):
    pool = workers.caller("a")
    futures = [pool.submit(perform, stage, number) for number in range(4)]
    threading.Timer(0.05, stage.open).start()
    pool.shutdown()
    assert [future.result(timeout=0) for future in futures] == [0, 1, 2, 3]


def test_shutting_down_without_waiting(worker, stage):
    pool = worker.caller("a")
    future = pool.submit(perform, stage, "runs")
    pool.shutdown(wait=False)
    assert not future.done()
    stage.open()
    assert future.result() == "runs"


def test_closing_cancels_everything_and_leaves_no_thread_behind(address, stage):
    before = our_threads()
    with executors.open_workers(address, 2) as workers:
        pools = [workers.caller(name) for name in "ab"]
        futures = [pool.submit(perform, stage, number) for number in range(10) for pool in pools]
        begun(stage, 2)
        assert len(our_threads() - before) >= 2
    assert all(future.cancelled() for future in futures)
    assert len(stage.told("begin")) == 2
    assert our_threads() == before
    assert workers.slots == 0
    with pytest.raises(RuntimeError):
        pools[0].submit(abs, 1)
    workers.close()


def test_something_done_in_every_process(workers, stage, kind):
    pool = workers.caller("a")
    futures = [pool.submit(perform, stage, number) for number in range(2)]
    begun(stage, 2)
    stage.open()
    wait(futures)
    processes = workers.everywhere(os.getpid)
    assert sorted(processes) == sorted(set(stage.pids()))
    assert len(processes) == (1 if kind == "threads" else 2)
    assert workers.everywhere(operator.floordiv, 1, 0) == []
    assert pool.submit(abs, -1).result() == 1


# -- workers that die


@pytest.fixture
def mortal(kind, workers):
    if kind == "threads":
        pytest.skip("a thread does not die alone")
    return workers


@pytest.mark.long
@pytest.mark.parametrize("code", [None, 0, 1])
def test_a_task_whose_worker_dies_is_run_again(mortal, stage, code):
    pool = mortal.caller("a")
    assert pool.submit(die, stage, 1, code).result() == "done"
    assert len(stage.told("begin")) == 2
    assert len(set(stage.pids())) == 2


@pytest.mark.long
def test_a_task_that_kills_worker_after_worker_is_given_up(mortal, stage):
    pool = mortal.caller("a")
    error = pool.submit(die, stage, 99).exception()
    assert type(error) is executors.WorkerLost
    assert str(error).startswith("a task was abandoned: 4 workers died while running it, the last one ")
    assert "\n" not in str(error)
    assert len(stage.told("begin")) == 4
    assert pool.submit(abs, -1).result() == 1


def test_a_task_whose_worker_dies_while_it_is_hurried_is_run_again_with_the_signal_set(mortal, stage):
    future = mortal.caller("a").submit(die_when_hurried, stage)
    begun(stage, 1)
    assert future.hurry()
    assert future.result(120) == "done"
    assert len(stage.told("begin")) == 1
    assert len(stage.told("hurried")) == 1


# -- where there are no workers


@pytest.mark.parametrize("address", ["", "process", "localhost", "127.0.0.1:8786", "http://127.0.0.1:8786"])
def test_an_address_that_is_none(address):
    with pytest.raises(executors.WorkersError) as error:
        executors.open_workers(address)
    assert str(error.value) == (
        f"'{address}' is not a place where work can run: expected processes, threads, or the"
        " address of a Dask scheduler such as tcp://192.168.0.5:8786"
    )
    assert isinstance(error.value, TengenError)


@pytest.mark.parametrize("count", [0, -1])
def test_no_workers_at_all(count):
    with pytest.raises(executors.WorkersError, match=f"is {count}: expected a whole number of at least 1"):
        executors.open_workers("threads", count)


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_as_many_as_there_are_processors(kind):
    with executors.open_workers(kind) as workers:
        assert 1 <= workers.slots <= (os.cpu_count() or 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers_that_give_way_to_others(kind):
    ours = niceness()
    with executors.open_workers(kind, 1, nice=3) as workers:
        assert workers.caller("a").submit(niceness).result() == min(ours + 3, 19)
    assert niceness() == ours


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_priority_that_is_refused_changes_nothing(kind):
    """Raising it takes a right that few users have; either way the work is done."""
    with executors.open_workers(kind, 1, nice=-1) as workers:
        assert workers.caller("a").submit(abs, -1).result() == 1


@pytest.mark.parametrize("address", ["threads", "processes"])
def test_a_machine_has_no_more_workers_than_it_can_bear(address, monkeypatch):
    monkeypatch.setattr("tengen.executors.processors", lambda: 4)
    assert executors.most_workers() == 64
    with pytest.raises(executors.WorkersError, match="the number of workers is 65: expected at most 64"):
        executors.open_workers(address, 65)
    monkeypatch.setattr("tengen.executors.processors", lambda: 100)
    assert executors.most_workers() == 100
