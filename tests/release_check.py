"""The release check: packages are built, installed into empty environments, and tried.

    make release-check
    python -m tests.release_check --newest --tests

The wheel is built from the source package, as `python -m build` does it, and from the tree: both must be
the same. Under every Python that is found here the wheel, and the source package, are installed and play a
game, without a compiler and, where Linux lets a process do so, without a network. It needs only Python.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "release"
"""The folder for packages and environments."""

LEAST, MOST = 11, 14
"""The minor versions of Python 3 that ought to be tried; later ones are if they are here."""

LATER = 30

ONE_TARGET = {"TENGEN_TARGETS": "linux-x86-64"}
"""One level of processors is enough to install the source package."""

TESTS = (
    *(
        "tests/test_package.py",
        "tests/game/test_board.py",
        "tests/engine/test_benchmark.py",
        "tests/solver",
    ),
    *("tests/formats/test_sgf.py", "tests/cli/test_application.py", "tests/cli/test_doctor_command.py"),
)
"""Tests that are run with the wheel, under the newest Python."""

GAME = ("match", "engine", "level:1", "--games", "2", "--nodes", "500", "--concurrency", "1", "--json")


def main() -> None:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--newest", action="store_true", help="only the wheel, under the newest Python")
    parser.add_argument(
        "--tests", action="store_true", help="some of the tests too, under the newest Python"
    )
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    pythons = dict(sorted(found_pythons()))
    if options.newest:
        pythons = dict([max(pythons.items())])
    else:
        for minor in range(LEAST, MOST + 1):
            say(f"Python 3.{minor}: {pythons.get(minor, 'not here, not tried')}")
    say("network: " + ("none for what is tried" if offline() else "cannot be cut off here"))
    source, wheel = build()
    if not options.newest:
        compare(wheel, build_from_tree())
    signatures = set()
    for minor, python in pythons.items():
        environment = install(python, f"3.{minor}", wheel)
        signatures.add(try_out(environment, compiled=not wheel.name.endswith("-any.whl")))
        if not options.newest:
            try_out(install(python, f"3.{minor}-source", source, **ONE_TARGET), compiled=None)
    if len(signatures) != 1:
        raise SystemExit(f"the engine plays differently under different Pythons: {signatures}")
    if options.tests:
        run_tests(environment, wheel)
    say(f"{source.name} and {wheel.name} are fit to be released")


def say(text: str) -> None:
    """Print a line with the seconds since the start."""
    print(f"{time.monotonic() - _began:6.0f} s  {text}", flush=True)


_began = time.monotonic()


def run(*command: str | Path, **changes: str) -> str:
    """Run a command and return its output; if it fails, print all that it said and exit."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=FOLDER,
        env=os.environ | changes,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(f"{done.stdout}{done.stderr}")
        raise SystemExit(f"failed with {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


# -- Pythons


def found_pythons() -> Iterator[tuple[int, Path]]:
    """Yield the minor versions of this machine's Pythons that can make environments, and their programs."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR", Path.home() / ".local/share/uv/python"))
    for minor in range(LEAST, LATER):
        named = shutil.which(f"python3.{minor}")
        places = [*pyenv.glob(f"3.{minor}.*/bin/python3"), *uv.glob(f"*-3.{minor}.*/bin/python3")]
        places += [Path(named)] if named else []
        # A shim may be there without the Python that it stands for.
        for python in places:
            if _version(python) == minor:
                yield minor, python
                break


def _version(python: Path) -> int | None:
    program = "import ensurepip, sys, venv; print(sys.version_info.minor)"
    with suppress(OSError):
        done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
        return int(done.stdout) if done.returncode == 0 else None
    return None


LOOPBACK = """
import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname()).close()
"""
"""Connects to this machine: without a network there must still be that."""


@cache
def offline() -> tuple[str, ...]:
    """Return the words before a command that run it without a network; none where that is not possible."""
    up = 'ip link set lo up 2>/dev/null; exec "$@"'
    for own in ((), ("--map-root-user",)):
        words = ("unshare", *own, "--net", "sh", "-c", up, "sh")
        with suppress(OSError):
            tried = subprocess.run(
                [*words, sys.executable, "-c", LOOPBACK], capture_output=True, check=False
            )
            if tried.returncode == 0:
                return words
    return ()


# -- packages


def build() -> tuple[Path, Path]:
    """Build the source package, and the wheel from it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    builder = FOLDER / "builder"
    FOLDER.mkdir(parents=True)
    run(sys.executable, "-m", "venv", builder)
    run(
        program(builder, "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "build",
    )
    say("building the packages")
    run(program(builder, "python"), "-m", "build", "--outdir", FOLDER / "dist", ROOT)
    (source,), (wheel,) = (list((FOLDER / "dist").glob(kind)) for kind in ("*.tar.gz", "*.whl"))
    say(f"{source.name} {_size(source)}, {wheel.name} {_size(wheel)}")
    return source, wheel


def build_from_tree() -> Path:
    """Build the wheel from the tree."""
    folder = FOLDER / "from-tree"
    run(program(FOLDER / "builder", "python"), "-m", "build", "--wheel", "--outdir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def compare(one: Path, other: Path) -> None:
    """Compare two wheels, file by file."""
    contents = [_contents(wheel) for wheel in (one, other)]
    names = sorted(set(contents[0]) | set(contents[1]))
    unlike = [name for name in names if contents[0].get(name) != contents[1].get(name)]
    if unlike or one.name != other.name:
        raise SystemExit(f"the source package and the tree build different wheels: {unlike[:20]}")
    say(f"the source package and the tree build the same wheel of {len(names)} files")


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _size(file: Path) -> str:
    return f"{file.stat().st_size / 1e6:.1f} MB"


# -- environments


def program(environment: Path, name: str) -> Path:
    """Return the path of a program of an environment."""
    return environment / ("Scripts" if os.name == "nt" else "bin") / name


def install(python: Path, name: str, package: Path, **changes: str) -> Path:
    """Install a package into an empty environment, and return that."""
    environment = FOLDER / name
    run(python, "-m", "venv", environment)
    pip = (program(environment, "python"), "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", package, **changes)
    run(*pip, "check")
    say(f"{name}: {package.name} is installed")
    return environment


def try_out(environment: Path, *, compiled: bool | None) -> str:
    """Try what is installed, without a network, and return the engine's signature.

    Args:
        environment: where it is installed.
        compiled: whether the package brings compiled kernels and no compiler; None if either will do.
    """
    python, tengen = program(environment, "python"), program(environment, "tengen")
    with tempfile.TemporaryDirectory() as home:
        alone = {"HOME": home, "TENGEN_DATA": home, "TENGEN_CACHE": home, "TENGEN_LANG": "en"}
        version = run(*offline(), tengen, "--version", **alone).strip()
        if version != f"tengen {stated_version()}":
            raise SystemExit(f"{version} is installed, and the sources are {stated_version()}")
        doctor = json.loads(run(*offline(), tengen, "doctor", "--json", **alone))
        if compiled and (doctor["kernels"]["used"] == "jit" or doctor["kernels"]["numba"]):
            raise SystemExit("a plain installation brings a compiler: are there no kernels in the wheel?")
        games = run(*offline(), tengen, *GAME, **alone).splitlines()
        result = json.loads(games[-1])
        bench = json.loads(run(*offline(), tengen, "bench", "--json", **alone))
        serve(python, alone)
    say(
        f"{environment.name}: {result['wins']} of {result['games']} games won, kernels {bench['kernels']}, "
        f"{bench['nodes_per_second']:,} nodes/s, signature {bench['signature']}"
    )
    return str(bench["signature"])


SERVE = """
import json, re, subprocess, sys, urllib.request
words = ["-m", "tengen", "serve", "--no-browser", "--port", "0"]
server = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
try:
    url = next(found[0] for line in server.stdout if (found := re.search(r"http://\\S+[0-9]", line)))
    assert json.load(urllib.request.urlopen(f"{url}/healthz"))["status"] == "ok"
    assert b"<!doctype html>" in urllib.request.urlopen(url).read().lower()
finally:
    server.terminate()
    status = server.wait(20)
assert status == 0, status
"""
"""Starts the web app, asks for its health and its page, and ends it."""


def serve(python: Path, changes: dict[str, str]) -> None:
    """Start the web app and see whether it answers."""
    run(*offline(), python, "-c", SERVE, **changes)


def stated_version() -> str:
    """Return the version of the sources."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/tengen/__init__.py").read_text("utf-8"), re.M)
    assert found is not None
    return found[1]


def run_tests(environment: Path, wheel: Path) -> None:
    """Run some of the tests with the wheel."""
    pip = (program(environment, "python"), "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", f"{wheel}[jit]", "pytest", "pytest-timeout", "hypothesis")
    command = ("pytest", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=smoke")
    subprocess.run(
        [program(environment, command[0]), *command[1:], *TESTS], cwd=ROOT, env=os.environ, check=True
    )


if __name__ == "__main__":
    main()
