"""What a package index is told: addresses, and a README whose links lead somewhere."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def hook(monkeypatch) -> ModuleType:
    """The hook; what builds packages need not be installed where the tests run."""
    if importlib.util.find_spec("hatchling") is None:
        for interface, name in (
            ("hatchling.metadata.plugin.interface", "MetadataHookInterface"),
            ("hatchling.builders.hooks.plugin.interface", "BuildHookInterface"),
        ):
            parts = interface.split(".")
            for count in range(1, len(parts) + 1):
                part = ".".join(parts[:count])
                monkeypatch.setitem(sys.modules, part, sys.modules.get(part) or ModuleType(part))
            setattr(sys.modules[interface], name, type(name, (), {}))
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "remote",
    [
        "https://forge.example/group/tengen.git",
        "https://somebody@forge.example/group/tengen",
        "git@forge.example:group/tengen.git",
        "ssh://git@forge.example/group/tengen.git",
    ],
)
def test_the_address_is_that_of_the_clone(remote, hook, tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_REPOSITORY", raising=False)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", remote], check=True)
    assert hook.repository(tmp_path) == "https://forge.example/group/tengen"
    monkeypatch.setenv("TENGEN_REPOSITORY", "https://other.example/tengen")
    assert hook.repository(tmp_path) == "https://other.example/tengen"


def test_a_source_package_keeps_it(hook, tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_REPOSITORY", raising=False)
    assert hook.repository(tmp_path) is None
    (tmp_path / "PKG-INFO").write_text(
        "Name: tengen\nProject-URL: Repository, https://forge.example/tengen\n"
    )
    assert hook.repository(tmp_path) == "https://forge.example/tengen"


def test_links_of_the_readme_are_absolute_or_plain(hook):
    text = (ROOT / "README.md").read_text("utf-8")
    address = "https://forge.example/group/tengen"
    there, nowhere = hook.readme(text, address), hook.readme(text, None)
    assert f"]({address}/blob/HEAD/docs/library.md)" in there
    assert f"({address}/raw/HEAD/docs/img/web.png)" in there
    for page in (there, nowhere):
        targets = re.findall(r"\]\(([^)]+)\)", page)
        assert [target for target in targets if not target.startswith(("https://", "http://", "#"))] == []
    assert address not in nowhere
    assert hook.urls(address)["Repository"] == address
    assert hook.urls(None) == {}


def test_the_project_leaves_both_to_the_hook():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"readme", "urls"} <= set(project["dynamic"])
    assert "readme" not in project


PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_file(page):
    targets = re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.long
def test_what_is_imported_is_declared():
    """What another dependency happens to bring would be missing as soon as that one changes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = needs(project)
    declared = {re.split(r"[^\w.-]", each)[0].lower() for each in stated}
    imported = set[str]()
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).partition(".")[0])
    foreign = imported - sys.stdlib_module_names - {"tengen", "_typeshed"}
    packages = packages_distributions()
    sources = {
        name: [each.lower().replace("_", "-") for each in packages.get(name, [name])] for name in foreign
    }
    assert {name for name, several in sources.items() if declared.isdisjoint(several)} == set()


def test_the_oldest_versions_that_are_tried_are_those_that_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = needs(project)
    bounds = {
        found[1]: found[2] for found in map(re.compile(r"([\w-]+).*>=([\d.]+)").fullmatch, needed) if found
    }
    assert len(bounds) == len({re.split(r"[\[>]", text)[0] for text in needed})
    pinned = dict(
        line.split("==")
        for line in (ROOT / "tests/lowest.txt").read_text("utf-8").split("\n")
        if "==" in line
    )
    others = {
        name: pinned.get(name)
        for name, bound in bounds.items()
        if not f"{pinned.get(name)}.".startswith(f"{bound}.")
    }
    assert others == {}


def needs(project):
    """All that the project and its extras need, but for the extras that stand for others."""
    stated = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    return [need.partition(";")[0] for need in stated if not need.startswith("tengen[")]
