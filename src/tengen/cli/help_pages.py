"""Help pages, wrapped to the width of the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tengen.cli.commands import COMMANDS
from tengen.cli.printing import LANGUAGE
from tengen.plaintext.wrapping import columns, wrapped
from tengen.words import catalogue, say

if TYPE_CHECKING:
    from cyclopts import App, Argument

Row: TypeAlias = tuple[str, str]
"""A name with its text."""

WIDEST = 78
"""The greatest width of a page, in columns."""

_NARROWEST = 16

_COLUMNS = 56
"""The narrowest page with two columns."""

_NAMES = 30
"""The widest column of names; the text of a longer name begins on the next line."""


def help_page(chain: Sequence[str], apps: Sequence[App]) -> str:
    """Return the help page of a command.

    Args:
        chain: the names of the commands below the program.
        apps: the program, and the commands of these names.
    """
    language, program, command = LANGUAGE.get(), apps[0], apps[-1]
    width = max(min(shutil.get_terminal_size().columns - 2, WIDEST), _NARROWEST)
    arguments = command.assemble_argument_collection(parse_docstring=True)
    shared = program.meta.assemble_argument_collection(parse_docstring=True)
    positional = [each for each in arguments if each.show and each.index is not None]
    names = {name for each in arguments for name in each.names}
    options = [each for each in arguments if each.show and each.index is None]
    options += [each for each in shared if each.show and names.isdisjoint(each.names)]
    usage = [
        "tengen",
        *chain,
        "[OPTIONS]",
        *(map(_placeholder, positional) if chain else ("COMMAND", "[ARGS]...")),
    ]
    lines = [say("cli.parser.usage", language) + " ".join(usage), ""]
    lines += [f"  {line}" if line else "" for line in command.help.split("\n")]
    if positional:
        lines += ["", say("cli.parser.arguments", language)]
        lines += _rows(((str(each.parameter.metavar), _text(each)) for each in positional), width)
    lines += ["", say("cli.parser.options", language)]
    own = ("-h, --help", say("cli.parser.help_option", language))
    lines += _rows([*((_names(each), _text(each)) for each in options), own], width)
    if not chain:
        texts = catalogue(language)
        lines += ["", say("cli.parser.commands", language)]
        lines += _rows(
            ((name, texts[key].partition("\n")[0]) for name, (_, key) in COMMANDS.items()), width
        )
    return "\n".join(line for long in lines for line in wrapped(long, width))


def _placeholder(argument: Argument) -> str:
    """Return an argument as the usage line shows it."""
    name = str(argument.parameter.metavar)
    if argument.required:
        return f"{{{name}}}" if "|" in name else name
    return f"[{name}]..." if argument.is_var_positional() else f"[{name}]"


def _names(option: Argument) -> str:
    """Return the names of an option, and the placeholder of its value."""
    names = " / ".join(
        ", ".join(sorted(some, key=len)) for some in (option.positives, option.negatives) if some
    )
    return f"{names} {option.parameter.metavar}" if option.parameter.metavar else names


def _text(argument: Argument) -> str:
    text = argument.parameter.help or ""
    return f"{text}  {say('cli.parser.required', LANGUAGE.get())}" if argument.required else text


def _rows(rows: Iterable[Row], width: int) -> list[str]:
    """Return the lines of a list of names and texts: two columns, or, on a narrow page, the texts below."""
    rows = list(rows)
    if width < _COLUMNS:
        return [line for name, text in rows for line in (f"  {name}", f"      {text}")]
    column = min(max(columns(name) for name, _ in rows), _NAMES)
    lines = []
    for name, text in rows:
        beside = name if columns(name) <= column else ""
        lines += [] if beside else [f"  {name}"]
        lines.append(f"  {beside}{' ' * (column - columns(beside))}  {text}")
    return lines
