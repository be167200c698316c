"""The extras: what installs a package that is missing is said in one line, before any long work."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tengen.extras import MissingPackage, importing
from tengen.game.errors import TengenError
from tests.console import SOURCE, environment

PROJECT = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text("utf-8"))["project"]

EXTRAS = {
    extra: {re.split(r"[^\w.-]", need)[0] for need in needs}
    for extra, needs in PROJECT["optional-dependencies"].items()
    if extra not in ("all", "dev", "docs")
}
"""The packages of each extra, by the name of their distribution."""

MODULES = [
    *("cloudpickle", "cma", "distributed", "gymnasium", "jax", "matplotlib", "mcp", "optax", "pettingzoo"),
    *("psycopg", "pyspiel", "uflash"),
]
"""The modules that come with an extra only."""

BLOCKED = "import sys; sys.modules.update(dict.fromkeys(sys.argv[1].split(',')))\n"

COMMAND = f"{BLOCKED}from tengen.cli import main; sys.exit(main(sys.argv[2:]))"

EVERY_MODULE = f"""{BLOCKED}
import importlib, pkgutil, tengen
from tengen.extras import MissingPackage
names = [one.name for one in pkgutil.walk_packages(tengen.__path__, "tengen.")]
assert len(names) > 200
for name in names:
    if not name.endswith(("__main__", ".migrations.env")):
        try:
            importlib.import_module(name)
        except MissingPackage as error:
            print(name, error.name)
"""


def test_the_error_names_package_and_extra():
    with pytest.raises(MissingPackage) as caught, importing("train"):
        import nowhere_to_be_found  # type: ignore[import-not-found] # noqa: F401
    error = caught.value
    assert str(error) == (
        "the package nowhere_to_be_found is missing: install it with pip install 'tengen[train]'"
    )
    assert error.name == "nowhere_to_be_found"
    assert isinstance(error, TengenError)
    assert isinstance(error, ImportError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.name) == (MissingPackage, str(error), error.name)


def test_without_an_extra_it_is_the_plain_installation():
    with pytest.raises(MissingPackage, match=r"install it with pip install tengen$"), importing():
        import nowhere_to_be_found  # noqa: F401


@pytest.mark.parametrize("name", ["tengen.no_such_module", "_decimal", "os.no_such_module"])
def test_what_no_package_would_mend_is_left_alone(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError), importing():
        __import__(name)


def guarded() -> Iterator[tuple[str, str, str]]:
    """The extra of every `importing`, each module imported under it, and the file."""
    for file in sorted((SOURCE / "tengen").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(node, ast.With):
                continue
            call = node.items[0].context_expr
            if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "importing" and call.args):
                continue
            extra = ast.literal_eval(call.args[0])
            for inner in ast.walk(node):
                if isinstance(inner, ast.Import):
                    yield from ((extra, alias.name.partition(".")[0], file.name) for alias in inner.names)
                elif isinstance(inner, ast.ImportFrom):
                    yield extra, str(inner.module).partition(".")[0], file.name


def test_an_extra_brings_what_is_imported_under_its_name():
    found = list(guarded())
    assert {extra for extra, _, _ in found} >= {"arena", "cluster", "environments", "train"}
    names = packages_distributions()
    wrong = [
        each
        for each in found
        if each[1] != "tengen" and EXTRAS[each[0]].isdisjoint(names.get(each[1], [each[1]]))
    ]
    assert wrong == []


def test_all_is_all_of_them():
    (every,) = PROJECT["optional-dependencies"]["all"]
    assert every == f"tengen[{','.join(sorted(EXTRAS))}]"
    assert "tengen[all,docs]" in PROJECT["optional-dependencies"]["dev"]


def test_a_plain_installation_lacks_only_models_to_train_environments_of_others_and_mcp():
    done = without(MODULES, EVERY_MODULE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines
    assert {package for _, package in lines} == {"jax", "gymnasium", "mcp", "pyspiel"}
    rooms = {"jax": "training", "mcp": "protocol.mcp_server"}
    wrong = [name for name, package in lines if rooms.get(package, ".environments.") not in name]
    assert wrong == []


@pytest.mark.parametrize(
    ("package", "extra", "command"),
    [
        ("cma", "arena", "tune lines --rules tictactoe"),
        ("matplotlib", "arena", "tune lines --plot lines.png"),
        ("matplotlib", "arena", "tournament random lines --report table.html"),
        ("matplotlib", "arena", "ladder --report table.html"),
        ("jax", "train", "train --out learned"),
        ("optax", "train", "train policy --out learned"),
        ("matplotlib", "train", "train network --out learned"),
        ("mcp", "mcp", "mcp"),
        ("distributed", "cluster", "match random random --workers tcp://127.0.0.1:9"),
        ("psycopg", "postgres", "serve --no-browser --database postgresql://localhost/x"),
    ],
)
def test_a_command_says_which_extra_to_install(package, extra, command, tmp_path):
    done = without([package], COMMAND, *command.split(), cwd=tmp_path)
    sentence = f"the package {package} is missing: install it with pip install 'tengen[{extra}]'"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tengen: {sentence}\n")
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("cache", "data")] == []


def without(packages: list[str], script: str, *words: str, cwd: Path | None = None):
    """Run a script where some packages cannot be imported."""
    changes = {} if cwd is None else {"TENGEN_DATA": str(cwd / "data"), "TENGEN_CACHE": str(cwd / "cache")}
    return subprocess.run(
        [sys.executable, "-c", script, ",".join(packages), *words],
        capture_output=True,
        text=True,
        env=environment(**changes),
        cwd=cwd,
        timeout=200,
        check=False,
    )
