"""What a worker of a cluster is told about tasks that have not come to it yet, or are over."""

from __future__ import annotations

import operator
import pickle
import threading
from uuid import uuid4

import pytest

from tengen.executors import remote
from tengen.executors.tasks import Work, unpack
from tests.executors.work import ponder, signalled, until

ASK = pickle.dumps(Work(signalled, (0,), {}))


@pytest.fixture
def token():
    return uuid4().hex


def test_a_task_that_was_hurried_before_it_came_begins_with_the_signal_set(token):
    assert not remote.hurry(token)
    assert unpack(remote.work(ASK, token, hurried=False)) is True


def test_a_task_can_be_sent_as_hurried(token):
    assert unpack(remote.work(ASK, token, hurried=True)) is True


def test_a_hurry_that_comes_late_concerns_no_other_task(token):
    assert unpack(remote.work(ASK, token, hurried=False)) is False
    assert not remote.hurry(token)
    assert unpack(remote.work(ASK, uuid4().hex, hurried=False)) is False


@pytest.mark.parametrize("tell", [remote.hurry, remote.call_off])
def test_a_running_task_is_told(token, tell, stage):
    packed = pickle.dumps(Work(ponder, (stage, "runs"), {}))
    replies: list[bytes] = []
    thread = threading.Thread(target=lambda: replies.append(remote.work(packed, token, hurried=False)))
    thread.start()
    until(lambda: stage.told("begin"))
    assert tell(token)
    thread.join(30)
    assert unpack(replies[0]) == ("runs", True)


def test_a_task_that_was_called_off_before_it_came_is_not_begun(token):
    assert not remote.call_off(token)
    assert remote.work(pickle.dumps(Work(operator.truediv, (1, 0), {})), token, hurried=False) == b""
