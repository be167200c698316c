"""What `import tengen` gives, and how little it loads."""

from __future__ import annotations

import builtins
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen import arrays, environments
from tengen.extras import MissingPackage
from tengen.players.spec import SpecError

HEAVY = "PIL resvg_py numpy numba cyclopts rich textual pydantic fastapi sqlalchemy matplotlib torch"


def loaded_after(code: str) -> set[str]:
    """The top-level packages that a fresh Python has loaded after running `code`."""
    report = f"import sys; {code}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_what_is_imported_later_is_offered_at_once():
    """Notebooks complete names, and `help` lists them, by `dir`."""
    script = "import tengen; print(set(tengen.__all__) - set(dir(tengen)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def public_of(module):
    """What a module makes public; the test is skipped where something needs an extra that is missing."""
    try:
        return [getattr(module, name) for name in module.__all__]
    except MissingPackage as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("module", [tengen, arrays, environments], ids=lambda module: module.__name__)
def test_a_module_shows_its_public_names_alone(module):
    names = [name for name in dir(module) if not name.startswith("__")]
    assert sorted(names) == sorted(module.__all__)
    assert len(public_of(module)) == len(names)


RAISED = re.compile(r"^Raises:\n((?: +.*\n?)+)", re.MULTILINE)
"""The section of a docstring about errors."""


def errors_of(thing: object) -> set[str]:
    """The errors that a docstring names, and those of a class's members."""
    members = [thing, *(vars(thing).values() if inspect.isclass(thing) else ())]
    texts = [inspect.getdoc(member) or "" for member in members]
    sections = "".join(section for text in texts for section in RAISED.findall(text))
    return {
        name
        for names in re.findall(r"^    ([A-Z][\w, ]+):", sections, re.MULTILINE)
        for name in names.split(", ")
    }


def test_an_error_that_is_named_can_be_imported():
    things = [*public_of(tengen), *public_of(arrays), *public_of(environments)]
    named = set().union(*map(errors_of, things))
    assert {"SpecError", "FileError", "NotationError"} <= named
    assert named <= {*tengen.__all__, *dir(builtins)}


def test_everything_public_is_there_and_explains_itself():
    assert len(set(tengen.__all__)) == len(tengen.__all__)
    for name in tengen.__all__:
        thing = getattr(tengen, name)
        if not isinstance(thing, int):
            assert inspect.getdoc(thing), name


def test_names_that_there_are_not():
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'Bord'"):
        tengen.Bord  # noqa: B018


def test_what_is_imported_later_is_the_thing_itself():
    assert tengen.Session is importlib.import_module("tengen.game.session").Session
    assert tengen.Record is importlib.import_module("tengen.game.record").Record


def test_colours_and_the_pass():
    assert (tengen.EMPTY, tengen.BLACK, tengen.WHITE, tengen.PASS) == (0, 1, 2, -1)


def test_a_player_from_its_spec():
    made: tengen.Player = tengen.player("random,seed=7")
    assert made.name == "random,seed=7"
    with pytest.raises(SpecError):
        tengen.player("nobody")


def test_the_version_is_a_version():
    major, minor, patch = tengen.__version__.split(".")
    assert major.isdigit()
    assert minor.isdigit()
    assert patch[0].isdigit()


def test_the_package_is_typed():
    assert (Path(tengen.__file__).parent / "py.typed").exists()


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_after("import tengen")
    assert "tengen" in loaded
    assert loaded.isdisjoint(HEAVY.split())


def test_results_and_limits_of_the_solvers_load_nothing_heavy():
    loaded = loaded_after("import tengen.solver.results, tengen.solver.limits, tengen.solver.proofs.verify")
    assert loaded.isdisjoint(HEAVY.split())


def test_the_game_is_pure_python():
    folder = Path(tengen.__file__).parent
    modules = [
        f"tengen.{room}.{path.stem}"
        for room in ("game", "words")
        for path in sorted((folder / room).glob("*.py"))
    ]
    loaded = loaded_after("; ".join(f"import {module.removesuffix('.__init__')}" for module in modules))
    assert loaded.isdisjoint(HEAVY.split())


def test_textbook_players_do_without_numpy_and_numba():
    textbook = ("random", "lookup", "lines", "shapes", "minimax", "mcts", "threats")
    specs = [
        name for name in textbook if name in importlib.import_module("tengen.players.registry").ENTRIES
    ]
    assert specs
    loaded = loaded_after(f"import tengen; [tengen.player(spec) for spec in {specs}]")
    assert loaded.isdisjoint(("numpy", "numba", "pydantic"))


@pytest.mark.parametrize("words", ["--help", "show h8", "fouls h8", "players", "explain lines h8"])
def test_a_command_loads_no_models_unless_it_answers_in_json(words):
    script = f"""
import contextlib, sys
from tengen.__main__ import main
sys.argv = ["tengen", *{words.split()}]
with contextlib.suppress(SystemExit):
    main()
"""
    assert "pydantic" not in loaded_after(f"exec({script!r})")
