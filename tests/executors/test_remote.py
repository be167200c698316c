"""What a worker of a cluster is told about tasks that have not come to it yet, or are over."""

from __future__ import annotations

import operator
import pickle
import threading
from uuid import uuid4

import pytest

from tengen.executors import remote
from tengen.executors.tasks import Work, unpack
from tests.executors.work import count, count_aloud, ponder, signalled, until

ASK = pickle.dumps(Work(signalled, (0,), {}))


@pytest.fixture
def token():
    return uuid4().hex


def test_a_task_that_was_hurried_before_it_came_begins_with_the_signal_set(token):
    assert not remote.hurry(token)
    assert unpack(*remote.work(ASK, token, hurried=False)) is True


def test_a_task_can_be_sent_as_hurried(token):
    assert unpack(*remote.work(ASK, token, hurried=True)) is True


def test_a_hurry_that_comes_late_concerns_no_other_task(token):
    assert unpack(*remote.work(ASK, token, hurried=False)) is False
    assert not remote.hurry(token)
    assert unpack(*remote.work(ASK, uuid4().hex, hurried=False)) is False


@pytest.mark.parametrize("tell", [remote.hurry, remote.cancel])
def test_a_running_task_is_told(token, tell, stage):
    packed = pickle.dumps(Work(ponder, (stage, "runs"), {}))
    replies: list[bytes] = []
    thread = threading.Thread(target=lambda: replies.extend(remote.work(packed, token, hurried=False)))
    thread.start()
    until(lambda: stage.told("begin"))
    assert tell(token)
    thread.join(30)
    assert unpack(replies[0]) == ("runs", True)


def test_a_task_that_was_called_off_before_it_came_is_not_begun(token):
    assert not remote.cancel(token)
    assert remote.work(pickle.dumps(Work(operator.truediv, (1, 0), {})), token, hurried=False) == [b""]


def test_reports_are_fetched_while_the_task_runs_and_what_is_left_comes_with_the_answer(token, stage):
    packed, result = pickle.dumps(Work(count_aloud, (stage,), {})), list[bytes]()
    thread = threading.Thread(
        target=lambda: result.extend(remote.work(packed, token, False, reporting=True))
    )
    thread.start()
    fetched: list[int] = []

    def several() -> bool:
        fetched.extend(map(pickle.loads, remote.reports(token)))
        return len(fetched) > 3

    until(several)
    stage.open()
    thread.join(30)
    *left, reply = result
    assert unpack(reply) == "done"
    assert [*fetched, *map(pickle.loads, left)] == list(range(len(fetched) + len(left)))
    assert remote.reports(token) == []


def test_of_very_many_reports_the_newest_are_kept(token):
    packed = pickle.dumps(Work(count, (1000,), {}))
    *left, reply = remote.work(packed, token, hurried=False, reporting=True)
    assert unpack(reply) == 1000
    assert [pickle.loads(report) for report in left] == list(range(900, 1000))


def test_without_a_listener_nothing_is_kept(token):
    assert len(remote.work(pickle.dumps(Work(count, (5,), {})), token, hurried=False)) == 1
