from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tengen
from tests.executors.work import Stage

ROOT = Path(__file__).parents[2]
SOURCE = Path(tengen.__file__).parents[1]
ONE = ("--nthreads", "1", "--no-nanny")


@pytest.fixture
def stage(tmp_path):
    return Stage(tmp_path)


# Not for the session: its processes are busy even when nobody asks them for anything.
@pytest.fixture(scope="package")
def cluster():
    """The address of a Dask cluster with two workers of one thread each; those that die are replaced."""
    distributed = pytest.importorskip("distributed", reason="a cluster needs the extra `cluster`")
    import dask

    # So long after a death it looks whether a worker has replaced the dead one, and else never replaces it
    # again; but that worker may just have died in turn.
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with (
        patient,
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as running,
    ):
        yield running.scheduler_address


@pytest.fixture
def scheduler():
    """The address of a Dask scheduler of our own, without workers."""
    distributed = pytest.importorskip("distributed", reason="a cluster needs the extra `cluster`")
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as running:
        yield running.scheduler_address


@pytest.fixture
def dask() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts `dask scheduler ...` or `dask worker ...` with other places to find modules first."""
    started = []

    def start(*arguments: Any, path: tuple[Path, ...] = ()) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *map(str, arguments), "--no-dashboard"]
        env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*path, SOURCE, ROOT)))}
        process = subprocess.Popen(
            command, env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        started.append(process)
        return process

    yield start
    for process in started[::-1]:
        process.kill()
        process.wait()
