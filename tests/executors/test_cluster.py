"""A Dask cluster: who joins it, who leaves it, who must not work, and what becomes of the tasks."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
import threading
from concurrent.futures import wait
from pathlib import Path

import pytest

import tengen
from tengen import executors
from tengen.executors.cluster import ClusterWorkers
from tengen.executors.fingerprint import fingerprint
from tengen.extras import MissingPackage
from tests.executors.conftest import ONE
from tests.executors.work import perform, until

PACKAGE = Path(tengen.__file__).parent
WORKER = r"tcp://127\.0\.0\.1:\d+"


class Notices(list[str]):
    """What has been told."""

    def __call__(self, message):
        self.append(str(message))

    def has(self, pattern: str) -> bool:
        return any(re.fullmatch(pattern, notice) for notice in self)


@pytest.fixture
def notices():
    return Notices()


@pytest.fixture
def port():
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number: int = server.getsockname()[1]
    return number


def complaint(address: str, timeout: float = 5.0) -> str:
    """What `open_workers` says of an address; no thread is left behind."""
    before = set(threading.enumerate())
    with pytest.raises(executors.WorkersError) as error:
        executors.open_workers(address, timeout=timeout)
    assert {thread for thread in threading.enumerate() if thread.name.startswith("tengen")} <= before
    return str(error.value)


# -- workers that die


@pytest.mark.long
def test_a_result_that_dask_stops_fetching_is_fetched_again(cluster, monkeypatch):
    """As it does where its connection to a worker is cut off while others wait for it, too."""
    with executors.open_workers(cluster) as workers:
        assert isinstance(workers, ClusterWorkers)
        fetch, cancelled = workers.client._gather, list[bool]()

        async def fetch_later(*arguments, **options):
            if not cancelled:
                cancelled.append(True)
                raise asyncio.CancelledError
            return await fetch(*arguments, **options)

        monkeypatch.setattr(workers.client, "_gather", fetch_later)
        assert workers.caller("games").submit(abs, -1).result(120) == 1
        assert cancelled


@pytest.mark.long
def test_a_worker_that_is_killed_costs_no_result(cluster, stage, notices):
    with executors.open_workers(cluster, notice=notices) as workers:
        until(lambda: workers.slots == 2)
        pool = workers.caller("games")
        futures = [pool.submit(perform, stage, number) for number in range(12)]
        arrived: list[object] = []
        for future in futures:
            future.add_done_callback(lambda done: arrived.append(done.result()))
        until(lambda: len(stage.told("begin")) == 2)
        os.kill(stage.pids()[0], signal.SIGKILL)
        until(lambda: len(stage.told("begin")) == 3)
        stage.open()
        wait(futures)
        until(lambda: len(arrived) == 12)
        assert sorted(arrived) == list(range(12))  # type: ignore[type-var]
        assert stage.told("begin").count(stage.told("begin")[0]) == 2
        gone = f"worker {WORKER} has left: its work is done again elsewhere, 1 task runs at once now"
        until(lambda: notices.has(gone))
        until(lambda: notices.has(f"worker {WORKER} has joined: 2 tasks run at once now"))


# -- workers that come later, and workers that must not work


@pytest.fixture
def another(tmp_path):
    """A folder with another tengen: the same version, but not the same code."""
    shutil.copytree(PACKAGE, tmp_path / "tengen", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "tengen" / "game" / "rules.py").open("a") as rules:
        rules.write("\n# Something else.\n")
    return tmp_path


@pytest.mark.long
def test_workers_join_while_tasks_wait_and_one_that_differs_gets_none(
    scheduler, dask, stage, notices, another
):
    with executors.open_workers(scheduler, notice=notices) as workers:
        assert notices == [f"the cluster at {scheduler} has no worker now: tasks are waiting for one"]
        pool = workers.caller("games")
        futures = [pool.submit(perform, stage, number) for number in range(4)]
        assert workers.slots == 0
        differing = dask("worker", scheduler, *ONE, path=(another,))
        until(lambda: len(notices) == 2)
        assert notices.has(
            rf"worker {WORKER} runs tengen {re.escape(tengen.__version__)} \([0-9a-f]{{8}}\), but this"
            rf" machine runs {re.escape(fingerprint())}: install the same version on both"
            " and restart the worker"
        )
        good = dask("worker", scheduler, *ONE)
        until(lambda: workers.slots == 1)
        stage.open()
        assert [future.result() for future in futures] == [0, 1, 2, 3]
        assert set(stage.pids()) == {good.pid}
        assert workers.everywhere(os.getpid) == [good.pid]
        assert differing.poll() is None
    # Once it is there, nobody begins with it.
    assert complaint(scheduler) == notices[1]


@pytest.mark.long
def test_a_worker_without_tengen(scheduler, dask, tmp_path):
    (tmp_path / "tengen.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'tengen'\", name='tengen')"
    )
    dask("worker", scheduler, *ONE, path=(tmp_path,))
    found: list[str] = []

    def refused() -> bool:
        try:
            executors.open_workers(scheduler).close()
        except executors.WorkersError as error:
            found.append(str(error))
        return bool(found)

    until(refused)
    assert re.fullmatch(
        rf"worker {WORKER} has no usable tengen: install {re.escape(fingerprint())} there and"
        " restart the worker",
        found[0],
    )


def test_a_worker_with_several_threads_is_used_and_talked_about(scheduler, dask, stage, notices):
    dask("worker", scheduler, "--nthreads", 2, "--no-nanny")
    with executors.open_workers(scheduler, notice=notices) as workers:
        until(lambda: workers.slots == 2)
        slow = (
            f"worker {WORKER} runs 2 tasks in one Python process, where they slow each other down:"
            " start it with --nworkers 2 --nthreads 1"
        )
        until(lambda: notices.has(slow))
        pool = workers.caller("games")
        futures = [pool.submit(perform, stage, number) for number in range(4)]
        until(lambda: len(stage.told("begin")) == 2)
        futures[0].cancel()
        until(lambda: stage.told("stopped"))
        stage.open()
        assert [future.result() for future in futures[1:]] == [1, 2, 3]
        assert stage.told("stopped") == ["0"]


def test_a_notice_that_cannot_be_taken_stops_nothing(scheduler, dask, caplog):
    def refuse(message):
        raise ValueError(message)

    with executors.open_workers(scheduler, notice=refuse) as workers:
        future = workers.caller("a").submit(abs, -1)
        dask("worker", scheduler, *ONE)
        assert future.result() == 1
    assert "a notice failed" in caplog.text


# -- the scheduler


@pytest.mark.long
def test_the_cluster_goes_and_comes_back(dask, port, stage, notices):
    address = f"tcp://127.0.0.1:{port}"

    def start():
        running = dask("scheduler", "--host", "127.0.0.1", "--port", port)
        return running, dask("worker", address, *ONE)

    first = start()
    until(lambda: answers(port))
    with executors.open_workers(address, notice=notices, timeout=60) as workers:
        assert isinstance(workers, ClusterWorkers)
        workers._timeout = 5  # as usual, from now on: it is tried again and again
        until(lambda: workers.slots == 1)
        future = workers.caller("games").submit(perform, stage, "a long game")
        until(lambda: stage.told("begin"))
        for process in first:
            process.kill()
            process.wait()
        until(lambda: notices.has(f"the cluster at {address} is not responding: trying again"))
        start()
        until(lambda: notices.has(f"the cluster at {address} responds again"))
        stage.open()
        assert future.result() == "a long game"
        assert len(stage.told("begin")) == 2


@pytest.mark.long
def test_a_cluster_that_stays_away_is_given_up(dask, port, stage):
    address = f"tcp://127.0.0.1:{port}"
    running = dask("scheduler", "--host", "127.0.0.1", "--port", port)
    worker = dask("worker", address, *ONE)
    until(lambda: answers(port))
    with executors.open_workers(address, timeout=60, patience=1) as workers:
        assert isinstance(workers, ClusterWorkers)
        workers._timeout = 1  # from now on
        pool = workers.caller("games")
        futures = [pool.submit(perform, stage, number) for number in range(3)]
        until(lambda: stage.told("begin"))
        for process in (running, worker):
            process.kill()
            process.wait()
        for future in futures:
            with pytest.raises(
                executors.WorkersError, match=rf"{address} has not responded for \d+ seconds"
            ):
                future.result(timeout=120)
        with pytest.raises(executors.WorkersError):
            pool.submit(abs, 1)


def answers(port: int) -> bool:
    """Whether somebody listens at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except OSError:
        return False
    return True


def test_nobody_there(port):
    pytest.importorskip("distributed", reason="a cluster needs the extra `cluster`")
    assert complaint(f"tcp://127.0.0.1:{port}", 0.5) == (
        f"nothing answers at tcp://127.0.0.1:{port} within 0.5 seconds: expected a Dask scheduler there"
    )


@pytest.mark.parametrize(
    "address", ["tcp://", "tcp://localhost", "tcp://localhost:port", "tcp://:::", "tls://x:1"]
)
def test_an_address_that_dask_cannot_use(address):
    pytest.importorskip("distributed", reason="a cluster needs the extra `cluster`")
    said = complaint(address, 0.5)
    assert said.startswith(f"the cluster at {address} cannot be used: ")
    assert "\n" not in said


def test_something_else_there():
    pytest.importorskip("distributed", reason="a cluster needs the extra `cluster`")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n" * 10)
                connection.recv(1000)

        thread = threading.Thread(target=serve)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        said = complaint(address, 0.5)
        thread.join()
    assert address in said
    assert "\n" not in said


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackage, match=r"distributed .* pip install 'tengen\[cluster\]'"):
        executors.open_workers("tcp://localhost:8786")
