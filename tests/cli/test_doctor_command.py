"""``tengen doctor``: what it finds, in a process of its own as its users start it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

import tengen
from tengen.cli import examination
from tengen.engine.benchmark import kernels_in_use
from tengen.schemas.sentence import spoken
from tengen.web.database.connection import open_engine
from tengen.web.transport.settings import PORT, ServerSettings
from tests.console import ROOT, Answer, environment, process, until

BLOCKED = "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(',')))\n"
PROGRAM = f"{BLOCKED}from tengen.__main__ import main; sys.exit(main())"

pytestmark = pytest.mark.long

SCREEN = 30
"""Lines of a terminal."""


def doctor(folder: Path, *words: str, **changes: str) -> Answer:
    """Run the command with folders of its own."""
    return process("doctor", *words, cwd=folder, **folders(folder) | changes)


def folders(folder: Path) -> dict[str, str]:
    return {
        "TENGEN_DATA": str(folder / "data"),
        "TENGEN_CACHE": str(folder / "cache"),
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "xdg"),
    }


def found(folder: Path, *words: str, status: int = 0, **changes: str) -> dict[str, Any]:
    answer = doctor(folder, "--json", *words, **changes)
    assert (answer.status, answer.err) == (status, "")
    data: dict[str, Any] = json.loads(answer.out)
    assert data["ok"] is (status == 0)
    return data


OF_THIS_MACHINE = (("port", False), ("package", False), ("kernels", False))
"""What may be where tests run: the port is taken, sources are newer than what is installed or compiled."""


def problems(data: dict[str, Any]) -> list[tuple[str, bool]]:
    """The parts in which something is wrong, and whether that is needed."""
    parts = [(each["part"], each["needed"]) for each in data["problems"]]
    return [each for each in parts if each not in OF_THIS_MACHINE]


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def test_an_installation_in_json(tmp_path):
    data = found(tmp_path)
    assert data["python"]["version"] == ".".join(map(str, sys.version_info[:3]))
    assert data["package"]["version"] == tengen.__version__
    assert data["package"]["folder"] == str(Path(tengen.__file__).parent)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert data["packages"]["lacking"] == []
    assert data["kernels"]["used"] == kernels_in_use()
    assert data["processor"]["cores"] == len(os.sched_getaffinity(0))
    assert {each["name"] for each in data["extras"]} <= set(project["optional-dependencies"])
    assert data["database"] == {
        "kind": "sqlite",
        "address": str(tmp_path / "data" / "games.sqlite"),
        "reachable": True,
        "version": None,
        "newest": data["database"]["newest"],
    }
    assert [each["name"] for each in data["programs"]] == ["node", "zig", "cc"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_fits_a_screen(lang, tmp_path):
    answer = doctor(tmp_path, "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(lines) <= SCREEN
    assert [line for line in lines if cell_len(line) > 80] == []
    last = {"en": "Everything that is needed is there.", "zh": "必需的部分都已具备。"}[lang]
    assert lines[-1] == last


def test_it_changes_nothing(tmp_path):
    doctor(tmp_path)
    assert list(tmp_path.rglob("*")) == []
    open_engine(ServerSettings(data=tmp_path / "data")).dispose()
    before = tree(tmp_path)
    data = found(tmp_path)
    assert data["database"]["version"] == data["database"]["newest"]
    assert tree(tmp_path) == before


def test_a_database_of_a_server_that_runs(tmp_path):
    """The latest changes are in the file beside the database."""
    engine = open_engine(ServerSettings(data=tmp_path / "data"))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
        assert (tmp_path / "data" / "games.sqlite-wal").exists()
        data = found(tmp_path)
        assert data["database"]["version"] == data["database"]["newest"], "it is not committed"
    data = found(tmp_path)
    engine.dispose()
    assert (data["database"]["version"], data["database"]["reachable"]) == ("0001", True)


def test_a_database_of_a_later_version(tmp_path):
    open_engine(ServerSettings(data=tmp_path / "data")).dispose()
    with closing(sqlite3.connect(tmp_path / "data" / "games.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    data = found(tmp_path, status=1)
    assert problems(data) == [("database", True)]
    assert "9999" in "".join(each["sentence"] for each in data["problems"])


@pytest.mark.parametrize(
    "database", ["postgresql://me:secret@127.0.0.1:9/games", "mysql://me:secret@127.0.0.1/games"]
)
def test_a_database_that_cannot_be_reached(database, tmp_path):
    data = found(tmp_path, status=1, TENGEN_DATABASE=database)
    assert problems(data) == [("database", True)]
    assert data["database"]["reachable"] is False
    assert data["database"] == found(tmp_path, "--database", database, status=1)["database"]
    answer = doctor(tmp_path, TENGEN_DATABASE=database)
    assert answer.status == 1
    assert "secret" not in answer.out + json.dumps(data)
    assert data["database"]["address"] == database.replace("secret", "...")
    assert answer.out.splitlines()[-1] == "What is marked X is needed and broken."


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games.sqlite").write_text("not at all a database" * 100)
    assert problems(found(tmp_path, status=1)) == [("database", True)]


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "data").write_text("")
    data = found(tmp_path, status=1)
    assert ("data", True) in problems(data)


@pytest.mark.parametrize("words", [("new", "below"), ("file",), ("file", "below"), ("link",), ("n" * 300,)])
@pytest.mark.parametrize("variable", ["TENGEN_DATA", "TENGEN_CACHE"])
def test_folders_that_cannot_be_written(variable, words, tmp_path):
    """They are tried, as permissions say nothing to root, nor about /proc."""
    if sys.platform != "linux":
        pytest.skip("no /proc")
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("/nowhere/at/all")
    name = Path("/proc", *words) if words[0] == "new" else Path(tmp_path, *words)
    needed = variable == "TENGEN_DATA"
    part, field = ("data", "data") if needed else ("caches", "cache")
    data = found(tmp_path, status=int(needed), **{variable: str(name)})
    assert (part, needed) in problems(data)
    assert (data[field]["folder"], data[field]["writable"]) == (str(name), False)
    (sentence,) = [each["sentence"] for each in data["problems"] if each["part"] == part]
    assert sentence.startswith(f"nothing can be written to {name}, so ")
    assert variable in sentence
    text = "".join(doctor(tmp_path, **{variable: str(name)}).out.split())
    assert "".join(sentence.split()) in text


def test_folders_without_room(monkeypatch, tmp_path):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_500_000))
    data = examination.Examination(tmp_path / "data", "").result()
    assert not data.ok
    said = {each.part: spoken(each.sentence.to_dict(), "en") for each in data.problems}
    assert "only 1.5 MB are free in" in said["data"]
    assert "TENGEN_CACHE" in said["caches"]


@pytest.mark.parametrize("name", ["/proc/new/games.sqlite", "{folder}/missing/games.sqlite"])
def test_a_database_file_that_cannot_be_made(name, tmp_path):
    data = found(tmp_path, "--database", f"sqlite:///{name.format(folder=tmp_path)}", status=1)
    assert ("database", True) in problems(data)


def has_port(listener: socket.socket) -> bool:
    """Listen on the port; that a server has it already is as well."""
    try:
        listener.bind(("127.0.0.1", PORT))
        listener.listen()
    except OSError:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", PORT)) == 0
    return True


def test_the_port(tmp_path):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        until(lambda: has_port(taken))
        data = found(tmp_path)
        assert (data["port"]["free"], data["port"]["server"]) == (False, None)
        assert data["port"]["next"] > PORT
        assert "port" in [each["part"] for each in data["problems"]]
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "server.url").write_text(f"http://127.0.0.1:{PORT}/")
        data = found(tmp_path)
        assert data["port"]["server"] == f"http://127.0.0.1:{PORT}/"
        assert "port" not in [each["part"] for each in data["problems"]]


def blocked(packages: str, folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the command where some packages cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, packages, "doctor", "--json"],
        capture_output=True,
        text=True,
        env=environment(**folders(folder) | changes),
        cwd=folder,
        timeout=200,
        check=False,
    )


def test_without_kernels_and_without_their_compiler(tmp_path):
    done = blocked("numba", tmp_path, TENGEN_KERNELS="jit")
    data = json.loads(done.stdout)
    assert (done.returncode, data["kernels"]["used"]) == (1, None)
    assert problems(data) == [("kernels", True)]


def test_without_numpy(tmp_path):
    done = blocked("numpy", tmp_path)
    data = json.loads(done.stdout)
    assert (done.returncode, data["kernels"]["used"]) == (1, None)
    assert problems(data) == [("kernels", True)]


def test_kernels_asked_for_that_are_unknown(tmp_path):
    data = found(tmp_path, status=1, TENGEN_KERNELS="fast")
    assert problems(data) == [("kernels", True)]
    assert "'fast'" in "".join(each["sentence"] for each in data["problems"])


def test_packages_that_are_missing_or_old(tmp_path):
    """The metadata of an installation that needs more than there is."""
    installed = tmp_path / "site" / "tengen-0.0.1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: tengen\nVersion: 0.0.1\n"
        "Requires-Dist: nowhere-to-be-found>=2\nRequires-Dist: numpy>=999\nRequires-Dist: rich>=1\n"
        'Requires-Dist: other>=1; python_version < "3"\n'
        "Provides-Extra: here\nProvides-Extra: both\nProvides-Extra: gone\nProvides-Extra: all\n"
        'Requires-Dist: rich>=1; extra == "here"\nRequires-Dist: lost>=3; extra == "gone"\n'
        'Requires-Dist: tengen[gone,here]; extra == "both"\n'
    )
    path = os.pathsep.join((str(tmp_path / "site"), environment()["PYTHONPATH"]))
    data = found(tmp_path, status=1, PYTHONPATH=path)
    assert data["packages"]["needed"] == 3
    lacking = {each["name"]: (each["needed"], each["found"]) for each in data["packages"]["lacking"]}
    assert lacking["nowhere-to-be-found"] == (">=2", None)
    assert lacking["numpy"][0] == ">=999"
    assert lacking["numpy"][1]
    assert len(lacking) == 2
    extras = {each["name"]: [need["name"] for need in each["lacking"]] for each in data["extras"]}
    assert extras == {"here": [], "gone": ["lost"], "both": ["lost"]}
    assert problems(data) == [("packages", True), ("packages", True)]
    assert "0.0.1" in data["problems"][0]["sentence"]
    text = " ".join(doctor(tmp_path, PYTHONPATH=path).out.split())
    assert "pip install 'tengen[both,gone]'" in text
    assert "pip install nowhere-to-be-found" in text


def test_caches_and_their_sizes(tmp_path):
    kernels = tmp_path / "cache" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "one").write_bytes(b"x" * 1_500_000)
    data = found(tmp_path)
    assert data["caches"] == [{"name": "kernels", "folder": str(kernels), "size": 1_500_000}]
    assert "kernels 1.5 MB" in doctor(tmp_path).out


def test_only_the_cache_that_is_in_use_is_named(tmp_path):
    """Also before it is there, and whatever lies in the user's folder."""
    (tmp_path / "xdg" / "tengen" / "kernels").mkdir(parents=True)
    data = found(tmp_path)
    assert (data["cache"]["folder"], data["cache"]["writable"]) == (str(tmp_path / "cache"), True)
    assert data["caches"] == []
    text = doctor(tmp_path).out
    assert "~/cache" in text
    assert "xdg" not in text
    users = found(tmp_path, TENGEN_CACHE="")
    assert [each["folder"] for each in users["caches"]] == [str(tmp_path / "xdg" / "tengen" / "kernels")]
