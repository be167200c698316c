"""A PostgreSQL server of a test's own, gone afterwards; where there is none, tests that need it skip."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest


def _initdb() -> Path | None:
    """The program that makes a database, of the latest version there is."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = installed[-1] if installed else shutil.which("initdb")
    return None if found is None else Path(found)


INITDB = _initdb()

needs_postgres = pytest.mark.skipif(INITDB is None, reason="PostgreSQL is not installed")


class Cluster:
    """A server that listens on a socket in a folder of its own.

    PostgreSQL does not run as root, so root runs it as the user ``postgres``.
    """

    def __init__(self) -> None:
        if INITDB is None:
            pytest.skip("PostgreSQL is not installed")
        self.folder = Path(tempfile.mkdtemp(prefix="tengen-pg-"))
        self.folder.chmod(0o755)
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            self._user = {"user": "postgres", "group": "postgres", "extra_groups": [], "cwd": self.folder}
        self._bin = INITDB.parent
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        made = [str(self._bin / "initdb"), "-D", f"{self.folder}/data", "-U", "tengen", "-A", "trust", "-N"]
        subprocess.run([*made, "-E", "UTF8", "--locale=C"], check=True, capture_output=True, **self._user)
        self.start()

    def start(self) -> None:
        """Start it, for the first time or again; returns once it answers."""
        command = [str(self._bin / "postgres"), "-D", f"{self.folder}/data", "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            process: subprocess.Popen[bytes] = subprocess.Popen(
                [*command, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60"],
                stdout=log,
                stderr=log,
                **self._user,
            )
        self._process = process
        for _ in range(200):
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return
        raise TimeoutError((self.folder / "log").read_text())

    def stop(self) -> None:
        """Stop it at once, as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        """Stop it, and leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://tengen@/{name}?host={self.folder}"

    def new_database(self) -> str:
        """The address of a database with nothing in it."""
        name = f"test{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return self.url(name)
