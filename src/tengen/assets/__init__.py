"""What the browser draws with: the board, the replay of a game, the look of every page.

Style sheets and ES modules without dependencies, served as they are by the web app and put into one file
by the reports of the arena. Each begins with what it is for; `board.js` and `replay.js` are the ones to
build upon.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_IMPORT_ALL = re.compile(r'^import \* as (\w+) from "\./(\w+)\.js";\n', re.MULTILINE)
_PASSED_ON = re.compile(r'^export \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)


def read(name: str) -> str:
    """The text of one of the files here, such as ``board.css``.

    Raises:
        FileNotFoundError: there is no such file.
    """
    return files(__name__).joinpath(name).read_text("utf-8")


def names() -> list[str]:
    """The names of all style sheets and modules here."""
    suffixes = (".css", ".js")
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.name.endswith(suffixes))


def board_lengths() -> dict[str, Any]:
    """The lengths of a drawn board, as ``board_lengths.js`` gives and explains them."""
    _, _, text = read("board_lengths.js").partition("export const LENGTHS = ")
    lengths: dict[str, Any] = json.loads(text.rstrip().removesuffix(";"))
    return lengths


def board_themes() -> dict[str, dict[str, str]]:
    """The colours of drawn boards by theme and name, as ``board_themes.css`` gives and explains them.

    The themes of a dark page are ``"wood dark"`` and the like; lengths are in pixels, without their unit.
    """
    sheet = re.sub(r"/\*.*?\*/", "", read("board_themes.css"), flags=re.DOTALL)
    themes: dict[str, dict[str, str]] = {}
    for name, block in re.findall(r'\[data-board(?:="(\w+)")?\] \{(.*?)\}', sheet, re.DOTALL):
        for side, suffix in enumerate(("", " dark")):
            theme = themes.setdefault(f"{name or 'wood'}{suffix}", dict(themes.get(f"wood{suffix}", {})))
            for key, value in re.findall(r"--board-([\w-]+): ([^;]+);", block):
                both = re.fullmatch(r"light-dark\((.+), (.+)\)", value)
                theme[key] = both[1 + side] if both else value.removesuffix("px")
    return themes


def styles(*modules: str) -> str:
    """Style sheets as one, each named without its suffix."""
    return "\n".join(read(f"{module}.css") for module in modules)


def script(*modules: str) -> str:
    """Modules and all that they import, as the text of one module that imports nothing.

    A page opened from a file may not import another file. Each module becomes a function that is called
    once and returns what the module exports, ``$board`` for ``board.js``. Understands only what the
    modules here make use of: named imports and ``import * as``, and exports where something is declared or
    passed on.

    Args:
        modules: their names without the suffix.
    """
    needed: list[str] = []
    for module in modules:
        _find_needed(module, needed)
    return "".join(map(_wrapped, needed))


def _find_needed(module: str, found: list[str]) -> None:
    """Add the modules that `module` imports, those first that others import, and itself."""
    text = read(f"{module}.js")
    for pattern in (_IMPORT, _IMPORT_ALL, _PASSED_ON):
        for match in pattern.finditer(text):
            _find_needed(match.group(2), found)
    if module not in found:
        found.append(module)


def _wrapped(module: str) -> str:
    text = read(f"{module}.js")
    exported = [match.group(2) for match in _EXPORT.finditer(text)]
    for match in _PASSED_ON.finditer(text):
        exported += [f"{name}: ${match.group(2)}.{name}" for name in _listed(match.group(1))]
    text = _PASSED_ON.sub("", text)
    text = _IMPORT.sub(r"const {\1} = $\2;\n", text)
    text = _IMPORT_ALL.sub(r"const \1 = $\2;\n", text)
    text = _EXPORT.sub(r"\1 \2", text)
    return f"const ${module} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def _listed(text: str) -> Iterator[str]:
    return (name.strip() for name in text.split(",") if name.strip())
