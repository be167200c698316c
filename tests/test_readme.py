"""What documentation and docstrings show is what happens: their Python examples and commands are run."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest

from tengen.cli import main
from tengen.extras import MissingPackage
from tengen.words import catalogue
from tests.docstrings import SOURCE, docstrings

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
LONG = (
    "arena",
    "engine",
    "environments",
    "players/external",
    "players/lookup",
    "solver",
    "study",
    "training",
)
"""The folders whose examples search, compile or start something."""

EXAMPLES = [
    pytest.param(path, id=name, marks=[pytest.mark.long] if name.startswith(LONG) else [])
    for path in sorted(SOURCE.rglob("*.py"))
    for name in [path.relative_to(SOURCE / "tengen").as_posix()]
    if ">>> " in path.read_text("utf-8")
]
LOG = sorted((ROOT / "benchmarks" / "log").glob("*.md"))
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[tuple[str, str]]:
    """The commands of a page's console blocks, each with the output shown under it."""
    found = []
    for block in CONSOLE.findall(page.read_text("utf-8")):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


SHOWN = [(page.name, command, output) for page in PAGES for command, output in commands(page)]


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = re.sub(r"^```$", "", page.read_text("utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_in_docstrings(path):
    """Examples are run as a reader copies them: one docstring at a time, with nothing imported."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    try:
        importlib.import_module(name)
    except MissingPackage as missing:
        pytest.skip(str(missing))
    failures: list[str] = []
    tried = 0
    for docstring in docstrings(path):
        names = {"__name__": "__main__"}
        test = doctest.DocTestParser().get_doctest(
            docstring.text, names, f"{name}.{docstring.name}", str(path), docstring.line
        )
        tried += doctest.DocTestRunner().run(test, out=failures.append).attempted
    assert tried == path.read_text("utf-8").count(">>> ")
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("page", "command", "output"), SHOWN, ids=lambda value: value[:40])
def test_commands(page, command, output, capsys, monkeypatch):
    monkeypatch.setenv("TENGEN_LANG", "zh" if "zh-CN" in page else "en")
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command)
    assert program == "tengen"
    main(words)
    shown = capsys.readouterr()
    assert (shown.out + shown.err).rstrip() == output.rstrip(), f"{page}: {command}"


def anchors(page: Path) -> set[str]:
    """What links may lead to within a page, as GitHub names it: its headings."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_index_of_the_log_names_every_entry():
    [index] = [page for page in LOG if page.name == "README.md"]
    named = [path for path, _ in LINK.findall(index.read_text("utf-8")) if path.startswith("2")]
    assert sorted(named) == [page.name for page in LOG if page is not index]


@pytest.mark.parametrize("page", [*PAGES, *LOG], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    missing = []
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(f"{path}#{anchor}")
    assert not missing


@pytest.mark.parametrize(
    ("name", "lang", "label"),
    [("origins.md", "en", r"\*([A-Z][^*]+?)\*"), ("origins.zh-CN.md", "zh", "“([^”]+)”")],
)
def test_what_a_reader_is_told_to_press_is_there(name, lang, label):
    labels = re.findall(label, (ROOT / "docs" / name).read_text("utf-8"))
    said = {text[:1].upper() + text[1:] for text in catalogue(lang).values()}
    missing = {label for label in labels if label[:1].upper() + label[1:] not in said}
    assert labels
    assert not missing
