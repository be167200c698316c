"""A written site: which files it has, what they say, and what happens to a site that is there."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from zipfile import ZipFile

import pytest

from tengen.extras import MissingPackage
from tengen.formats.files import FileError
from tengen.web.pages import STATIC
from tengen.web.site import packages, python_files, writer
from tengen.web.site.errors import SiteError
from tengen.words import Message
from tests.web.site.conftest import quick
from tests.web.test_pages import COMMENT, IMPORT

brotli = pytest.importorskip("brotli", reason="the extra site is not installed")

REPOSITORY = Path(__file__).parents[3]
LINK = re.compile(r'(?:href|src)="([^"#]*)"')
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import fastapi, tengen, tengen.study.review, tengen.web.games.rooms
print(tengen.__file__, fastapi.__file__)
tengen.player("shapes").choose(tengen.Board())
"""
ABSOLUTE = re.compile(r"""["'`]/(?:static|assets|words|api/qr)/""")


def files_of(site: Path) -> dict[str, bytes]:
    """The contents of a site by name, without compressed copies."""
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file() and path.suffix not in (".br", ".gz")
    }


def without_compiled_part(wheel: Path) -> None:
    """Take the compiled part out of a wheel."""
    with ZipFile(wheel, "w") as empty:
        empty.writestr("pydantic_core/__init__.py", "")


@pytest.fixture(scope="module")
def files(site):
    return files_of(site)


def listed(files):
    return json.loads(files["files.json"])["files"]


# -- files


@pytest.mark.long
def test_there_is_a_document_for_each_page(files):
    names = {name for name in files if name.endswith(".html")}
    assert {"index.html", "404.html", "g/index.html", "analyse/index.html", "learn/index.html"} <= names
    chapters = (STATIC / "learn" / "chapters.js").read_text("utf-8")
    for name in [*re.findall(r'^    name: "(\w+)"', chapters, re.MULTILINE), "rules"]:
        assert f"learn/{name}/index.html" in names
    assert not [name for name in names if name.startswith(("lobby", "tournaments"))]


@pytest.mark.long
def test_all_that_a_document_and_its_modules_load_is_there_by_relative_addresses(files):
    waiting = {name for name in files if name.endswith("index.html")}
    assert len(waiting) > 10
    seen = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        if not name.endswith((".html", ".js")):
            continue
        text = COMMENT.sub("", files[name].decode())
        found = (LINK if name.endswith(".html") else IMPORT).findall(text)
        for address in found:
            assert not address.startswith(("/", "http")), (name, address)
            target = urlsplit(urljoin(f"http://host/{name}", address)).path[1:]
            assert target in files, (name, address)
            waiting |= {target} - seen
    assert {"static/shared/app.js", "static/play/play.js", "static/browser/app_client.js"} <= seen


@pytest.mark.long
def test_no_file_has_an_absolute_address(files):
    texts = {name: data for name, data in files.items() if name.endswith((".js", ".html", ".webmanifest"))}
    own = {name: COMMENT.sub("", data.decode()) for name, data in texts.items()}
    assert [name for name, text in own.items() if ABSOLUTE.search(text)] == []
    assert "isRemote = false" in own["static/shared/connection.js"]
    assert "static/browser/connection.js" not in files
    manifest = json.loads(files["manifest.webmanifest"])
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    assert all(icon["src"] in files for icon in manifest["icons"])


@pytest.mark.long
def test_a_document_forbids_scripts_of_its_own_and_says_what_is_off(files):
    for name in ("index.html", "learn/lines/index.html"):
        text = files[name].decode()
        assert "script-src &#x27;self&#x27; &#x27;wasm-unsafe-eval&#x27;" in text
        assert not re.search(r"<script(?![^>]*\ssrc=)", text)
        assert 'data-off="links lobby names phrases tournaments"' in text
        assert "data-languages=" in text
        assert "could not be loaded" in text
        assert 'id="outdated"' in text
    lost = files["404.html"].decode()
    script = re.search(r"<script>(.*)</script>", lost, re.DOTALL)
    assert script is not None
    digest = hashlib.sha256(script[1].encode()).digest()
    assert f"sha256-{base64.b64encode(digest).decode()}" in lost


@pytest.mark.long
def test_the_list_names_every_file_with_its_size_and_digest(files):
    assert set(files) - set(listed(files)) == {"files.json", "service_worker.js"}
    for name, (size, digest) in listed(files).items():
        assert (size, digest) == (len(files[name]), hashlib.sha256(files[name]).hexdigest())
    version = json.loads(files["files.json"])["version"]
    assert f'const VERSION = "{version}";' in files["service_worker.js"].decode()


@pytest.mark.long
def test_compressed_copies_lie_beside_files_worth_it(site, files):
    name = "static/shared/app.js"
    assert gzip.decompress((site / f"{name}.gz").read_bytes()) == files[name]
    assert brotli.decompress((site / f"{name}.br").read_bytes()) == files[name]
    assert not (site / "static" / "icon-192.png.gz").exists()


@pytest.mark.long
def test_packages_are_the_modules_that_the_page_needs(files):
    others, own = (unpacked(files[f"python/{name}"]) for name in (writer.PACKAGES, writer.OWN))
    assert {name.startswith("tengen/") for name in others} == {False}
    assert {name.startswith("tengen/") for name in own} == {True}
    modules = others | own
    names = set(modules)
    source = modules["tengen/game/board.py"].decode()
    needed = {
        "tengen/words/en/play.json",
        "tengen/study/puzzles.jsonl",
        "sqlalchemy/dialects/sqlite/base.py",
        "tengen/web/browser/empty.sqlite",
        "pydantic_core/__init__.py",
    }
    assert needed <= names
    assert {"fastapi/routing.py", "pydantic/main.py", "typing_extensions.py"} <= names
    unwanted = (
        "tengen/cli/",
        "tengen/web/static/",
        "tengen/training/",
        "numpy/",
        "sqlalchemy/dialects/mysql/",
        "sqlalchemy/orm/",
        "alembic/",
    )
    assert not [name for name in names if name.startswith(unwanted)]
    assert not [name for name in names if name.endswith((".pyi", ".pyc", ".npz"))]
    migrating = set(unpacked(files[f"python/{writer.MIGRATING}"]))
    assert {"alembic/command.py", "sqlalchemy/orm/__init__.py"} <= migrating
    assert not names & migrating
    assert '"""' not in source
    assert b"import" not in modules["anyio/to_interpreter.py"]
    assert "python/licences/pydantic/LICENSE" in files
    libraries = ("gifenc", "lit-html", "xz-decompress")
    assert {f"python/licences/{name}/LICENSE" for name in libraries} <= set(files)


@pytest.mark.long
def test_archives_take_little_memory_to_decompress(files):
    for name in (writer.PACKAGES, writer.OWN, writer.MIGRATING):
        assert lzma.decompress(files[f"python/{name}"], memlimit=10 << 20)


@pytest.mark.long
def test_the_compiled_part_of_a_package_is_a_file_that_the_page_links_itself(files):
    modules = unpacked(files[f"python/{writer.PACKAGES}"])
    assert {name: data for name, data in modules.items() if name.endswith(".so")} == {
        python_files.COMPILED_FILE: b""
    }
    assert files[f"python/{writer.COMPILED_PART}"] == b"compiled"
    script = files["static/browser/python.js"].decode()
    assert f'"{writer.COMPILED_PART}"' in script
    assert all(
        f'"{name}"' in script for name in (writer.LIBRARY, writer.PACKAGES, writer.OWN, writer.MIGRATING)
    )
    assert f"/{python_files.COMPILED_FILE}`" in script


@pytest.mark.long
def test_packages_can_be_imported_without_what_is_left_out(files, tmp_path):
    """With the compiled packages of this environment, which a page has in its own way or does without."""
    for name in (writer.PACKAGES, writer.OWN):
        with tarfile.open(fileobj=io.BytesIO(files[f"python/{name}"])) as archive:
            members = [entry for entry in archive if not entry.name.startswith("pydantic_core/")]
            archive.extractall(tmp_path, members, filter="data")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    first, second = done.stdout.split()[:2]
    assert Path(first).is_relative_to(tmp_path)
    assert Path(second).is_relative_to(tmp_path)


@pytest.mark.long
def test_the_standard_library_is_reduced(files):
    packed = gzip.decompress(files[f"python/{writer.LIBRARY}"])
    with ZipFile(io.BytesIO(packed)) as library:
        assert library.namelist() == ["abc.py", "encodings/gb18030.py", "encodings/utf_8.py"]
        assert library.read("abc.py") == b"ONE = 1"


def test_modules_lose_comments_and_docstrings_alone():
    source = (
        b'"""One."""\n# two\ndef f():\n    """Three."""\n\nclass A:\n    "four"\n    x = "five"  # six\n'
    )
    expected = 'def f():\n    pass\n\nclass A:\n    x = "five"'.replace('"', "'")
    assert packages.without_comments(source).decode() == expected
    assert packages.without_comments(b"def (") == b"def ("


def unpacked(archive: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        found = ((entry.name, opened.extractfile(entry)) for entry in opened)
        return {name: file.read() for name, file in found if file is not None}


# -- writing again


@pytest.mark.long
def test_the_same_sources_are_the_same_site_which_replaces_the_old_one(
    files, pyodide, tmp_path, monkeypatch
):
    quick(monkeypatch, tmp_path / "cache")
    out = tmp_path / "here" / "site"
    writer.write_site(out, pyodide, lambda _: None)
    assert files_of(out) == files
    (out / "left.txt").write_text("of an older version")
    steps: list[Message] = []
    writer.write_site(out, pyodide, steps.append)
    assert files_of(out) == files
    assert [path.name for path in out.parent.iterdir()] == ["site"]
    assert len({step.key for step in steps}) == 5


def test_an_interrupted_run_leaves_the_old_site(pyodide, tmp_path, monkeypatch):
    quick(monkeypatch, tmp_path / "cache")
    out = tmp_path / "site"
    out.mkdir()
    (out / "files.json").write_text('{"tengen": "0"}')

    def interrupted(step):
        if step.key == "site.progress.packages":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        writer.write_site(out, pyodide, interrupted)
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["site"]
    assert [path.name for path in out.iterdir()] == ["files.json"]


@pytest.mark.parametrize("content", ["notes.txt", "files.json"])
def test_a_folder_with_something_else_is_left_alone(content, pyodide, tmp_path):
    (tmp_path / content).write_text("[1]")
    with pytest.raises(SiteError, match="other than a site"):
        writer.write_site(tmp_path, pyodide, lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == [content]


def test_a_file_is_no_folder(pyodide, tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(SiteError, match="other than a site"):
        writer.write_site(tmp_path / "out", pyodide, lambda _: None)
    with pytest.raises((FileError, SiteError)):
        writer.write_site(tmp_path / "out" / "in", pyodide, lambda _: None)


# -- what is missing


def test_the_version_of_pyodide_is_that_of_the_tools():
    pinned = json.loads((REPOSITORY / "package.json").read_text("utf-8"))["devDependencies"]["pyodide"]
    assert pinned == python_files.PYODIDE


def test_without_pyodide_it_is_said_what_to_fetch(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SiteError, match=f"npm install pyodide@{python_files.PYODIDE}") as caught:
        writer.write_site(tmp_path / "out", None, lambda _: None)
    assert str(Path("node_modules", "pyodide")) in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_another_version_of_pyodide_is_refused(pyodide, tmp_path):
    for file in pyodide.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "package.json").write_text('{"version": "0.1"}')
    with pytest.raises(SiteError, match=r"has Pyodide 0\.1, but"):
        python_files.find_pyodide(tmp_path)


def test_a_wheel_that_cannot_be_downloaded_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(python_files, "cache_folder", lambda: tmp_path)
    monkeypatch.setitem(os.environ, "PIP_NO_INDEX", "1")
    with pytest.raises(SiteError, match=r"pydantic-core [\d.]+ for the browser cannot be downloaded"):
        python_files.find_wheel(tmp_path)


@pytest.mark.parametrize("spoil", [lambda file: file.write_bytes(b"no archive"), without_compiled_part])
def test_a_damaged_wheel_is_named(pyodide, tmp_path, spoil):
    [wheel] = pyodide.glob("*.whl")
    copy = tmp_path / wheel.name
    copy.write_bytes(wheel.read_bytes())
    spoil(copy)
    with pytest.raises(SiteError, match=r"is damaged: \S"):
        python_files.compiled_package(tmp_path)


def test_without_its_extra_nothing_is_begun(pyodide, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "brotli", None)
    with pytest.raises(MissingPackage, match=r"tengen\[site\]"):
        writer.write_site(tmp_path / "out", pyodide, lambda _: None)
    assert not (tmp_path / "out").exists()
