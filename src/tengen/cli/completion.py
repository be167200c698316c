"""Shell completion: the candidates for option values, and the installation of the shell scripts.

The scripts know commands and options; for the values of `offered` they run the program. Files are completed
by the shell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tengen.cli.errors import CliError
from tengen.game.notation import shorten

if TYPE_CHECKING:
    from cyclopts import App

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
"""The supported shells."""

_WORD = re.compile(r"[a-z][a-z0-9-]*")

_PLAYERS = frozenset(("SPEC", "A", "B"))
"""The metavars that stand for players."""

_OFFERED = _PLAYERS | {"NAME", "FORMAT"}
"""The metavars that may stand for names to offer."""

Completer: TypeAlias = Callable[[Any], list[str]]
"""A function that takes the parser's context of a completion, with the incomplete word."""


def completer(metavar: str) -> Completer | None:
    """Return the completer of an option or argument; None if there is nothing to offer.

    Args:
        metavar: the placeholder of its value in help pages; literal words in it are offered, as in
            ``forbidden|loses``.
    """
    parts = tuple(metavar.split("|"))
    if not _OFFERED.intersection(parts) and not any(map(_WORD.fullmatch, parts)):
        return None

    def complete(context: Any) -> list[str]:
        words = offered(context.argument.name, parts)
        return [word for word in words if word.startswith(context.incomplete)]

    return complete


def offered(name: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return all values that are offered for an option or argument whose metavar has these parts."""
    words = tuple(part for part in parts if _WORD.fullmatch(part))
    if name in _NAMES:
        return (*words, *_NAMES[name]())
    return words if _PLAYERS.isdisjoint(parts) else (*words, *_specs())


def _rules() -> tuple[str, ...]:
    from tengen.game.rules import NAMES

    return (*NAMES, "mnk:")


def _openings() -> tuple[str, ...]:
    from tengen.game.opening_rules import NAMES

    return NAMES


def _themes() -> tuple[str, ...]:
    from tengen.formats.pictures.svg_themes import THEMES

    return tuple(THEMES)


def _formats() -> tuple[str, ...]:
    from tengen.formats.files import FORMATS

    return tuple(extension.removeprefix(".") for extension in FORMATS)


def _specs() -> tuple[str, ...]:
    """Return the players that `tengen players` lists, each with its presets."""
    from tengen.players.registry import ENTRIES

    presets = (f"{name}:{preset}" for name, entry in ENTRIES.items() for preset in entry.presets)
    return (*ENTRIES, *presets)


_NAMES: dict[str, Callable[[], tuple[str, ...]]] = {
    "--rules": _rules,
    "--opening": _openings,
    "--theme": _themes,
    "--to": _formats,
}
"""The candidates of options whose value is a name."""


def current_shell() -> str:
    """Return the user's shell, from the environment.

    Raises:
        CliError: the shell is not supported.
    """
    shell = Path(os.environ.get("SHELL", "")).stem or ("powershell" if os.name == "nt" else "")
    if shell not in SHELLS:
        raise CliError("error.cli.shell", shell=shorten(shell), shells=SHELLS)
    return shell


def script(app: App) -> str:
    """Return the completion script of the user's shell."""
    return app.generate_completion(shell=_family(current_shell()))


def install(app: App) -> tuple[str, Path]:
    """Install the completion script for the user's shell, and load it in the shell's start-up file.

    Returns:
        The shell and the path of the script.

    Raises:
        CliError: the file cannot be written.
    """
    shell = current_shell()
    try:
        return shell, app.install_completion(shell=_family(shell))
    except OSError as error:
        from tengen.formats.files import reason

        raise CliError("error.cli.completion", shell=shell, reason=reason(error)) from error


def _family(shell: str) -> Any:
    """Return the name by which the parser knows a shell."""
    return "powershell" if shell == "pwsh" else shell
