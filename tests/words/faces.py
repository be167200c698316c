"""The files of the catalogue: which code each one serves, and therefore where a key belongs.

    .venv/bin/python -m tests.words.faces

moves every key of every language into its file and sorts the files.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import tengen
from tengen.words import LANGUAGES, catalogue

SOURCE = Path(tengen.__file__).parent
WORDS = SOURCE / "words"
EXAMPLES = Path(__file__).parents[2] / "examples"

_STUDY = ("formats/*", "gomocup/*", "solver/*", "study/*")
_PROGRAMS = ("cli/*", "terminal/*", "protocol/*", "queries/*", "arena/*", "training/*")
_SERVER = ("start", "site/*", "metrics", "settings", "blocklist", "database/connection")
_BETWEEN_PAGES = ("web/static/tournaments/next_game.js", "web/static/tournaments/tournament_names.js")

FILES: dict[str, tuple[str, ...]] = {
    "cli": ("cli/*", "engine/kernels/*", "executors/cluster.py"),
    "terminal": ("terminal/*",),
    "protocol": ("protocol/*", "queries/*"),
    "server": tuple(f"web/*{name}.py" for name in _SERVER),
    "arena": ("arena/*", "cli/*", "assets/report.js", "assets/replay.js"),
    "training": ("training/*", "environments/*", "cli/*"),
    "analyse": ("web/static/analyse/*", "web/files/*"),
    "why": ("web/static/why/*",),
    "games": ("web/static/games/*",),
    "learn": ("web/static/learn/*",),
    "lobby": ("web/static/lobby/*", "web/lobby/*"),
    "play": ("web/static/play/*",),
    "privacy": ("web/static/privacy/*",),
    "site": ("web/static/browser/*", "web/browser/*"),
    "puzzles": ("web/static/puzzles/*", "study/*puzzle*", "terminal/*"),
    "tournaments": ("web/static/tournaments/*", "web/tournaments/*"),
    "study": (*_STUDY, *_PROGRAMS, "web/files/*", "web/static/analyse/*", "web/static/games/*"),
    "web": ("web/*",),
    "shared": ("*",),
}
"""The files of a language, the narrowest first, with the code that each serves.

A key belongs into the first file that serves all the code that names it: `web` holds what several pages or
the server say, `shared` what several faces say, or what the code below the faces says."""


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its path below `src/tengen`."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string that is no docstring; the values in an f-string become ``{}``."""
    skip = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skip.update(map(id, node.values))
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skip:
            yield node.lineno, node.value


@cache
def scripts() -> dict[str, str]:
    """The text of everything else that names keys: what browsers are served, and the examples."""
    paths = [path for kind in ("js", "mjs", "html") for path in SOURCE.rglob(f"*.{kind}")]
    found = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in sorted(paths)}
    return found | {f"examples/{path.name}": path.read_text("utf-8") for path in EXAMPLES.glob("*.py")}


@cache
def named() -> dict[str, frozenset[str]]:
    """The strings of each file of code: whole ones, and beginnings that end in ``{}``."""
    found = {name: frozenset(text for _, text in literals(tree)) for name, tree in trees().items()}
    for name, text in scripts().items():
        whole = re.findall(r"(?<=[\"'`])[\w.-]+(?=[\"'`])", text)
        found[name] = frozenset([*whole, *(f"{head}{{}}" for head in re.findall(r"`([^`$]+)\$\{", text))])
    return found


@cache
def users() -> dict[str, frozenset[str]]:
    """The files of code that name a key, or the beginning of one that they complete, such as ``foul.``."""
    keys = catalogue("en").keys()
    rooms = "|".join({key.partition(".")[0] for key in keys if "." in key})
    found: dict[str, set[str]] = defaultdict(set)
    for name, texts in named().items():
        for text in texts:
            head = text.partition("{}")[0]
            if text in keys:
                found[text].add(name)
            elif head != text and re.fullmatch(rf"(?:{rooms})\.[\w.-]*", head):
                for key in keys:
                    if key.startswith(head):
                        found[key].add(name)
    return {key: frozenset(names) for key, names in found.items()}


def file_of(key: str) -> str:
    """The name of the file that a key belongs into."""
    # What is on its way between pages is told on every page.
    names = {"web/static/shared/" if name in _BETWEEN_PAGES else name for name in users()[key]}
    return next(
        file
        for file, served in FILES.items()
        if all(any(fnmatch(name, one) for one in served) for name in names)
    )


def sort_keys() -> None:
    """Move every key into its file, in every language, sort the files; unused keys stay."""
    homes = {key: file_of(key) for key in users()}
    for folder in (WORDS / language for language in LANGUAGES):
        files: dict[str, dict[str, str]] = {name: {} for name in FILES}
        for path in sorted(folder.glob("*.json")):
            for key, text in json.loads(path.read_text("utf-8")).items():
                files[homes.get(key, path.stem)][key] = text
        for name, texts in files.items():
            if not texts:
                continue
            text = json.dumps(dict(sorted(texts.items())), ensure_ascii=False, indent=2)
            (folder / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    sort_keys()
