"""Which tests are run; and tests as a script runs them: in the background, without SIGINT, with no end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.console import ROOT

TESTS = """
import subprocess
import sys
import time

import pytest

@pytest.mark.timeout(2)
def test_endless():
    time.sleep(600)

def test_child():
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"True\\n"
"""


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
@pytest.mark.long
def test_every_test_ends_and_processes_started_by_tests_can_be_interrupted(tmp_path, pytestconfig):
    shown, ended = (float(pytestconfig.getini(name)) for name in ("faulthandler_timeout", "timeout"))
    assert 0 < shown < ended <= 300
    (tmp_path / "test_both.py").write_text(TESTS)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-o", "faulthandler_timeout=1"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "tests.conftest", *settings, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        check=False,
    )
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "crashed while running 'test_both.py::test_endless'" in done.stdout
    assert "in test_endless" in done.stderr, "its stack has been shown"


MARKED = """
import pytest

@pytest.mark.long
def test_of_some_seconds():
    pass

def test_of_none():
    pass
"""


@pytest.mark.parametrize(
    ("named", "asked", "count"), [(False, [], 1), (False, ["--long"], 2), (True, [], 2)]
)
@pytest.mark.long
def test_long_tests_are_run_where_they_are_asked_for_or_tests_are_named(tmp_path, named, asked, count):
    (tmp_path / "test_marked.py").write_text(MARKED)
    where = [str(tmp_path)] if named else ["-o", f"testpaths={tmp_path}"]
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "1", *settings, *asked, *where],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{count} passed" in done.stdout, done.stdout
