"""The program as a whole: it parses the command line, runs a command, and tells what went wrong.

Texts come from the catalogue: a command or option is declared with a key, and `main` puts the reader's
language in its place before anything is parsed. Errors, the parser's own included, are one line on
stderr and exit status 2; with ``--json`` also an object on stdout.
"""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from typing import Any, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from tengen.cli.help_pages import UNBROKEN, fitted
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.tracebacks import notes
from tengen.words import LANGUAGES, Message, catalogue, say

LANGUAGE: ContextVar[str] = ContextVar("language", default="en")
_LONGEST = 200
_ASKED = "_TENGEN_COMPLETE"
"""Set by a shell that asks how a command line may go on; see `tengen.cli.completion`."""

_OF_ENCODINGS = ("error.format.encoding.guess", "error.format.encoding.wrong")
"""Problems that an option of its own is for."""

_PARSER_TEXTS = ("usage", "options", "arguments", "commands", "required", "help_option")
"""What the argument parser itself writes into a help page; the English texts are its own."""


class CliError(TengenError):
    """A command line that says something Tengen cannot do."""


class Unreadable(Exception):
    """The value of an option cannot be read; the message says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class CommandExit(Exception):
    """Ends a command with an exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Command(TyperCommand):
    """A command whose help page and errors are in the reader's language."""

    def get_help(self, ctx: Any) -> str:
        ctx.terminal_width = UNBROKEN
        return fitted(_localised(super().get_help(ctx)))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The lists of a help page; of an argument the parser would tell the type by its name in Python."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            kind, record = parameter.param_type_name, parameter.get_help_record(ctx)
            if record is not None:
                name, text = record
                rows[kind].append((str(parameter.metavar) if kind == "argument" else name, text))
        for kind, heading in (("argument", "Arguments"), ("option", "Options")):
            if rows[kind]:
                with formatter.section(heading):
                    formatter.write_dl(rows[kind])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        rest: list[str] = super().parse_args(ctx, args)
        if ctx.resilient_parsing:  # a shell asks what might follow
            return rest
        if ctx.args:
            raise CliError("error.cli.extra", text=shorten(ctx.args[0]))
        return []


class _Group(TyperGroup):
    """The program, likewise."""

    def get_help(self, ctx: Any) -> str:
        ctx.terminal_width = UNBROKEN
        return fitted(_localised(super().get_help(ctx)))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            raise CliError("error.cli.command", name=shorten(args[0]), names=tuple(self.commands))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    rich_markup_mode=None,
    help="cli.help",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, whose commands have been declared.

    Args:
        arguments: the words after the program's name; the process's own if None.

    Returns:
        The exit status: 0, 1 where the answer is no or a check failed, 2 for an error; 130 where
        Ctrl-C has ended it.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    _open_streams()
    language = _wanted_language(arguments)
    LANGUAGE.set(language)
    _await_shell()
    try:
        result = _parser(language).main(arguments, prog_name="tengen", standalone_mode=False)
    except CommandExit as leave:
        return leave.status
    except (TengenError, Unreadable) as error:
        for note in notes(error):  # where in a player's own code it happened
            with suppress(OSError):
                print_line(note, sys.stderr)
        return _fail(say(error.message, language), arguments)
    except typer.TyperException as error:
        return _fail(say(_parser_error(error, arguments), language), arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        _silence(sys.stdout)
        return 1
    except OSError as error:
        # Commands answer for the files they name; what is left is a full disk under the output.
        _silence(sys.stdout)
        return _fail(say("error.cli.output", language, reason=error.strerror or str(error)), arguments)
    except Exception as error:
        if os.environ.get("TENGEN_DEBUG"):
            raise
        reason = one_line(f"{type(error).__name__}: {error}")
        return _fail(say("error.cli.bug", language, reason=reason), arguments)
    return result if isinstance(result, int) else 0


def _await_shell() -> None:
    """Get ready to answer a shell, if one asks."""
    if _ASKED in os.environ:
        from typer import completion

        completion.completion_init()  # type: ignore[attr-defined]
        os.environ["COLUMNS"] = str(UNBROKEN)  # each answer is one line, whatever it explains


def _open_streams() -> None:
    """Make sure that all three streams are there and take any text."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            # A terminal that lacks a character, or a pipe with a wrong one, must not end the program.
            stream.reconfigure(errors="replace")


def _silence(stream: TextIO) -> None:
    """Let a stream that cannot be written to swallow what is still in its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(sentence: str, arguments: list[str]) -> int:
    if "--json" in arguments:
        with suppress(OSError):
            print_json({"error": sentence})
    with suppress(OSError):
        print_line(f"tengen: {sentence}", sys.stderr)
    return 2


def _parser_error(error: typer.TyperException, arguments: list[str]) -> Message:
    """The parser's complaint in our own words."""
    kind = type(error).__name__
    option = shorten(str(getattr(error, "option_name", None)))
    if kind == "NoSuchOption":
        return Message("error.cli.no_option", {"option": option})
    if kind == "BadOptionUsage":
        flag = any(word.startswith(f"{option}=") for word in arguments)
        return Message("error.cli.option_flag" if flag else "error.cli.option_value", {"option": option})
    if kind == "MissingParameter":
        parameter = getattr(error, "param", None)
        return Message("error.cli.missing", {"name": getattr(parameter, "metavar", None)})
    return Message("error.cli.usage", {"detail": one_line(str(error))})


@cache
def _parser(language: str) -> Any:
    """The program in one language; to put it together takes longer than most commands."""
    command = typer.main.get_command(app)
    _translate(command, language)
    return command


def _translate(command: Any, language: str) -> None:
    """Put the texts of one language where the keys stand, in a command and all below it."""
    texts = catalogue(language)
    command.help = texts.get(command.help, command.help)
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text:
            parameter.help = texts.get(text, text)
    for below in getattr(command, "commands", {}).values():
        _translate(below, language)


def _wanted_language(arguments: list[str]) -> str:
    """The language to speak before the command line is parsed: asked for, or the system's."""
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--lang":
            asked = value if equals else (arguments[place + 1 : place + 2] or [""])[0]
            if asked in LANGUAGES:
                return asked
    for name in ("TENGEN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "zh" if value.lower().startswith("zh") and _shows_chinese() else "en"
    return "en"


def _shows_chinese() -> bool:
    """Whether the output can carry Chinese; nobody can read a page of question marks."""
    try:
        say("black", "zh").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _localised(page: str) -> str:
    for name in _PARSER_TEXTS:
        page = page.replace(say(f"cli.parser.{name}"), say(f"cli.parser.{name}", LANGUAGE.get()))
    return page


def one_line(text: str) -> str:
    """A text of unknown origin, made printable on one line and cut where it is very long."""
    return shorten(text, _LONGEST)


def print_line(text: str, stream: TextIO | None = None) -> None:
    print(text, file=stream or sys.stdout, flush=True)


def print_problem(game: int, problem: Message) -> None:
    """Say on stderr what is wrong with a game of a file, or where `game` is 0 with the file."""
    if problem.key in _OF_ENCODINGS:
        problem = Message("cli.encoding", {"problem": problem})
    if game:
        problem = Message("cli.convert.problem", {"game": game, "problem": problem})
    sentence = say(problem, LANGUAGE.get())
    print_line(f"tengen: {sentence}", sys.stderr)


def json_text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def print_json(data: Any) -> None:
    print_line(json_text(data))
