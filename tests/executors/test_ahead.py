"""Tasks submitted ahead: how many at once, in which order, and which of them are cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing

import pytest

from tengen.executors import open_workers, submit_ahead


class Hand:
    """Takes tasks, and finishes them when a test says so."""

    def __init__(self) -> None:
        self.futures: dict[int, Future[int]] = {}

    def submit(self, task: int) -> Future[int]:
        return self.futures.setdefault(task, Future())

    def finish(self, *tasks: int) -> None:
        for task in tasks:
            self.futures[task].set_result(task * task)


def numbered(count: int) -> Callable[[], int | None]:
    numbers: Iterator[int] = iter(range(count))
    return lambda: next(numbers, None)


def test_all_tasks_are_done_by_real_workers() -> None:
    with open_workers("threads", 2) as workers:
        pool = workers.caller("test")
        finished = submit_ahead(numbered(20), lambda task: pool.submit(pow, task, 2), lambda: 3)
        assert sorted((task, future.result()) for task, future in finished) == [
            (task, task**2) for task in range(20)
        ]


@pytest.mark.long
def test_no_more_than_the_slots_are_under_way_and_the_rest_follows() -> None:
    hand, room = Hand(), 2
    finished = submit_ahead(numbered(9), hand.submit, lambda: room, tick=lambda: hand.finish(*todo()))

    def todo() -> list[int]:
        open_tasks = [task for task, future in hand.futures.items() if not future.done()]
        assert len(open_tasks) == min(room, 9 - len(hand.futures) + len(open_tasks))
        return open_tasks[-1:]

    tasks = [task for task, _ in finished]
    assert sorted(tasks) == list(range(9))
    assert tasks != sorted(tasks)  # the later of two finishes first


def test_the_order_of_submission_is_kept_where_it_is_asked_for() -> None:
    hand = Hand()

    def finish_newest() -> None:
        hand.finish([task for task, future in hand.futures.items() if not future.done()][-1])

    finished = submit_ahead(numbered(30), hand.submit, lambda: 2, ordered=True, pause=0, tick=finish_newest)
    assert [task for task, _ in finished] == list(range(30))


def test_with_the_order_kept_a_slow_task_holds_back_only_so_many() -> None:
    hand, ticks = Hand(), 0

    def all_but_the_first() -> None:
        nonlocal ticks
        ticks += 1
        hand.finish(*(task for task, future in hand.futures.items() if task and not future.done()))

    finished = submit_ahead(
        numbered(99),
        hand.submit,
        lambda: 2,
        ordered=True,
        over=lambda: ticks > 40,
        tick=all_but_the_first,
        pause=0,
    )
    assert list(finished) == []
    assert len(hand.futures) == 16
    assert hand.futures[0].cancelled()


@pytest.mark.long
def test_there_may_be_nothing_to_do_for_now() -> None:
    hand, ready, done = Hand(), [1], []

    def next_task() -> int | None:
        return ready.pop() if ready else None

    def finish() -> None:
        hand.finish(*(task for task, future in hand.futures.items() if not future.done()))

    for task, _ in submit_ahead(next_task, hand.submit, lambda: 2, tick=finish):
        done.append(task)
        if task < 4:
            ready.append(task + 1)
    assert done == [1, 2, 3, 4]


def test_whoever_goes_away_cancels_what_is_under_way() -> None:
    hand = Hand()
    finished = submit_ahead(numbered(9), hand.submit, lambda: 3, tick=lambda: hand.finish(0))
    with closing(finished):
        assert next(finished)[0] == 0
    assert [task for task, future in hand.futures.items() if future.cancelled()] == [1, 2]


def test_what_a_task_raises_is_in_its_future() -> None:
    future: Future[int] = Future()
    future.set_exception(ZeroDivisionError())
    [(_, failed)] = submit_ahead(numbered(1), lambda _: future, lambda: 1)
    with pytest.raises(ZeroDivisionError):
        failed.result()
