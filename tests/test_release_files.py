"""What a release brings besides the package, for those who download, host, cite and publish it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import zipfile

import pytest

import tengen
from tests.console import ROOT
from tests.release_check import compare, found_pythons

STUB = """#!/bin/sh
# A Python that says what it is asked for, and makes environments of itself.
case "$*" in
*venv\\ .venv) mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/tengen ;;
-c*) exit 0 ;;
esac
echo "$(basename "$0") $*"
"""


def test_all_that_states_the_version_states_the_same():
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {tengen.__version__}\n" in cited
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1].rstrip(",") == tengen.__version__


@pytest.mark.skipif(os.name == "nt", reason="a script for a shell")
def test_a_double_click_installs_once_and_starts(tmp_path):
    folder, programs = tmp_path / "a folder", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    for file in ("start-macos.command", "pyproject.toml"):
        shutil.copy(ROOT / file, folder / file)
    shutil.copystat(ROOT / "start-macos.command", folder / "start-macos.command")
    for name in ("python3.14", "python3.13", "python3.12", "python3.11", "python3"):
        (programs / name).write_text(STUB)
        (programs / name).chmod(0o755)

    def start(*words: str, **changes: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            [folder / "start-macos.command", *words],
            env={"PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8"} | changes,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()

    status, said = start("--version")
    assert status == 0
    assert said[0].startswith("Installing Tengen")
    assert said[1:] == [
        "python3.14 -m venv .venv",
        "python -m pip install --disable-pip-version-check --editable .",
        "tengen --version",
    ]
    assert start() == (0, ["tengen "]), "the second time it starts at once"
    os.utime(folder / "pyproject.toml", (4e9, 4e9))
    assert [line.split(" ")[0] for line in start(LANG="zh_CN.UTF-8")[1][1:]] == ["python", "tengen"]


@pytest.mark.skipif(os.name == "nt", reason="a script for a shell")
def test_a_double_click_without_python_says_what_is_missing(tmp_path):
    for name in ("dirname", "find"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    shutil.copy(ROOT / "start-macos.command", tmp_path)
    done = subprocess.run(
        ["/bin/sh", str(tmp_path / "start-macos.command")],
        env={"PATH": str(tmp_path), "LANG": "en"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (
        1,
        "Tengen needs Python 3.11 or newer: https://www.python.org/downloads/\n",
    )


def test_windows_reads_lines_that_end_as_its_own_do():
    text = (ROOT / "start-windows.bat").read_bytes()
    assert text.count(b"\n") == text.count(b"\r\n") > 10


def test_a_container_copies_what_a_build_needs():
    """Whatever the build reads from the root is copied, and not left out of what is sent to the builder."""
    copied = re.findall(
        r"^COPY (?!--from)(.*) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE
    )
    files = {name for line in copied for name in line.split()}
    kept = {
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"
    }
    assert files == kept
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    read = set(re.findall(r'root / "([\w.]+)"', (ROOT / "hatch_build.py").read_text("utf-8"))) - {
        ".git",
        "PKG-INFO",
    }
    licences = {file.partition("/")[0] for file in project["project"]["license-files"]}
    assert files == {"pyproject.toml", "hatch_build.py", "src"} | read | licences


def test_wheels_are_compared_file_by_file(tmp_path):
    wheels = [tmp_path / str(number) / "tengen.whl" for number in range(3)]
    for wheel, text in zip(wheels, ("one", "one", "two"), strict=True):
        wheel.parent.mkdir()
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("tengen/__init__.py", text)
    compare(wheels[0], wheels[1])
    with pytest.raises(SystemExit, match=r"tengen/__init__.py"):
        compare(wheels[0], wheels[2])


def test_the_pythons_of_this_machine():
    for minor, python in found_pythons():
        said = subprocess.run([python, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout.startswith(f"Python 3.{minor}.")


def test_what_publishes_names_the_version_of_every_action():
    workflow = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    used = re.findall(r"uses: (\S+)(.*)", workflow)
    assert used
    assert [name for name, _ in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name)] == []
