"""The application: parses the command line, runs a command, and reports errors.

Texts come from the catalogue: a command or option is declared with a key, and `main` replaces the keys by
texts in the user's language before it parses the command line. Errors, including those of the parser, are
printed as one line on stderr, with exit status 2; with ``--json`` also as an object on stdout.
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
"""The environment variable set by a shell that asks for completions; see `tengen.cli.completion`."""

_OF_ENCODINGS = ("error.format.encoding.guess", "error.format.encoding.wrong")
"""Encoding errors, which the option ``--encoding`` can solve."""

_PARSER_TEXTS = ("usage", "options", "arguments", "commands", "required", "help_option")
"""The texts that the parser itself writes in help pages; its own are in English."""


class CliError(TengenError):
    """An error for an invalid command line."""


class Unreadable(Exception):
    """An error for an option value that cannot be parsed, with a message."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class CommandExit(Exception):
    """Raised to end a command with an exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Command(TyperCommand):
    """A command whose help page and errors are in the user's language."""

    def get_help(self, ctx: Any) -> str:
        ctx.terminal_width = UNBROKEN
        return fitted(_localised(super().get_help(ctx)))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of a help page; the parser would show the Python type of arguments."""
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
        if ctx.resilient_parsing:  # a shell asks for completions
            return rest
        if ctx.args:
            raise CliError("error.cli.extra", text=shorten(ctx.args[0]))
        return []


class _Group(TyperGroup):
    """The application as a group of commands, with help pages and errors in the user's language."""

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
    """Run the command line, after all commands have been declared.

    Args:
        arguments: the arguments after the program's name; those of the process if None.

    Returns:
        The exit status: 0; 1 if the answer is no or a check failed; 2 for an error; 130 after Ctrl-C.
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
        for note in notes(error):  # tracebacks of players' own code
            with suppress(OSError):
                print_line(note, sys.stderr)
        return _fail(say(error.message, language), arguments)
    except typer.TyperException as error:
        return _fail(say(_parser_error(error, arguments), language), arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the output has closed it.
        _silence(sys.stdout)
        return 1
    except OSError as error:
        # Commands handle errors of the files they name; the remaining cause is a full disk under the
        # output.
        _silence(sys.stdout)
        return _fail(say("error.cli.output", language, reason=error.strerror or str(error)), arguments)
    except Exception as error:
        if os.environ.get("TENGEN_DEBUG"):
            raise
        reason = one_line(f"{type(error).__name__}: {error}")
        return _fail(say("error.cli.bug", language, reason=reason), arguments)
    return result if isinstance(result, int) else 0


def _await_shell() -> None:
    """Prepare the answer to a shell, if it asks for completions."""
    if _ASKED in os.environ:
        from typer import completion

        completion.completion_init()  # type: ignore[attr-defined]
        os.environ["COLUMNS"] = str(UNBROKEN)  # completions must not be wrapped


def _open_streams() -> None:
    """Ensure that the three standard streams exist and accept any text."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            # Characters that the terminal or a pipe cannot encode must not end the program.
            stream.reconfigure(errors="replace")


def _silence(stream: TextIO) -> None:
    """Redirect a stream that cannot be written to the null device, to discard its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(sentence: str, arguments: list[str]) -> int:
    if "--json" in arguments:
        with suppress(OSError):
            print_json({"error": sentence})
    with suppress(OSError):
        print_line(f"tengen: {sentence}", sys.stderr)
    return 2


def _parser_error(error: typer.TyperException, arguments: list[str]) -> Message:
    """Translate an error of the parser into our own message."""
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
    """Return the parser in one language.

    It is cached, since building it takes longer than most commands.
    """
    command = typer.main.get_command(app)
    _translate(command, language)
    return command


def _translate(command: Any, language: str) -> None:
    """Replace the keys by texts of one language, in a command and its subcommands."""
    texts = catalogue(language)
    command.help = texts.get(command.help, command.help)
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text:
            parameter.help = texts.get(text, text)
    for below in getattr(command, "commands", {}).values():
        _translate(below, language)


def _wanted_language(arguments: list[str]) -> str:
    """Return the language to use before the command line is parsed: from an option, or the environment."""
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
    """Return whether the output encoding supports Chinese."""
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
    """Make a text of unknown origin printable on one line, and shorten it if it is very long."""
    return shorten(text, _LONGEST)


def print_line(text: str, stream: TextIO | None = None) -> None:
    print(text, file=stream or sys.stdout, flush=True)


def print_problem(game: int, problem: Message) -> None:
    """Print a problem with a game of a file to stderr, or with the file itself if `game` is 0."""
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
