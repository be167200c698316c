"""The application: parses the command line, runs a command, and reports errors.

Errors, including those of the parser, are printed as one line on stderr, with exit status 2; with
``--json`` also as an object on stdout.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from typing import Annotated, Any, TextIO

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    UnknownOptionError,
    UnusedCliTokensError,
)

from tengen.cli.commands import COMMANDS
from tengen.cli.compile_notice import compile_notice
from tengen.cli.declaration import HYPHEN, Command, Lang, as_given, option, remember
from tengen.cli.errors import CliError, CommandExit
from tengen.cli.printing import LANGUAGE, one_line, print_error, print_line
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.tracebacks import notes
from tengen.words import Message, say

_OLD_COMPLETION = "_TENGEN_COMPLETE"
"""The environment variable set by the completion scripts that earlier versions installed."""

_Words = Annotated[str, Parameter(show=False, allow_leading_hyphen=True)]

app = Command(
    name="tengen",
    help="cli.help",
    version_flags=(),
    config=remember,
    print_error=False,
    exit_on_error=False,
    suppress_keyboard_interrupt=False,
    result_action="return_value",
    help_format="plaintext",
)
for _name, (_module, _) in COMMANDS.items():
    app.command(f"tengen.cli.{_module}:{_name}", name=_name, help=COMMANDS[_name][1])
app.meta.suppress_keyboard_interrupt = False


@app.default
def _tengen(
    *words: _Words,
    version: Annotated[bool, option("cli.version")] = False,
    show_completion: Annotated[bool, option("cli.completion.show")] = False,
    install_completion: Annotated[bool, option("cli.completion.install")] = False,
) -> None:
    if version:
        from tengen import __version__

        print_line(f"tengen {__version__}")
    elif show_completion:
        from tengen.cli import completion

        print_line(completion.script(app))
    elif install_completion:
        from tengen.cli import completion

        shell, file = completion.install(app)
        print_line(say("cli.completion.installed", LANGUAGE.get(), shell=shell, file=one_line(str(file))))
    elif not words or as_given(words[0]) in COMMANDS:  # what comes after -- is no command
        raise CliError("error.cli.no_option", option="--")
    elif words[0].startswith("-"):
        raise CliError("error.cli.no_option", option=shorten(words[0].partition("=")[0]))
    else:
        name = as_given(words[0])
        if close := get_close_matches(name, COMMANDS, 1):
            raise CliError("error.cli.command.close", name=shorten(name), close=close[0])
        raise CliError("error.cli.command", name=shorten(name), names=tuple(COMMANDS))


@app.meta.default
def _launch(
    *words: _Words,
    lang: Lang = None,  # noqa: ARG001 - `main` has read it before
) -> Any:
    """Run a command; ``--lang`` may stand before and after its name."""
    if _OLD_COMPLETION in os.environ:
        return None
    with compile_notice():
        return app(words or ("serve",))


def run(arguments: list[str]) -> int:
    """Run a command line.

    Args:
        arguments: the arguments after the program's name.

    Returns:
        The exit status; see `tengen.cli.entry.main`.
    """
    try:
        app.meta([HYPHEN if word == "-" else word for word in arguments])
    except CommandExit as leave:
        return leave.status
    except TengenError as error:
        for note in notes(error):  # tracebacks of players' own code
            with suppress(OSError):
                print_line(note, sys.stderr)
        return print_error(error.message, arguments)
    except CycloptsError as error:
        return print_error(_parser_error(error), arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the output has closed it.
        _silence(sys.stdout)
        return 1
    except OSError as error:
        # Commands handle errors of the files they name; the remaining cause is a full disk under the
        # output.
        from tengen.formats.files import reason as system_reason

        _silence(sys.stdout)
        return print_error(Message("error.cli.output", {"reason": system_reason(error)}), arguments)
    except Exception as error:
        if os.environ.get("TENGEN_DEBUG"):
            raise
        reason = one_line(f"{type(error).__name__}: {error}")
        return print_error(Message("error.cli.bug", {"reason": reason}), arguments)
    return 0


def _silence(stream: TextIO) -> None:
    """Redirect a stream that cannot be written to the null device, to discard its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser_error(error: CycloptsError) -> Message:
    """Translate an error of the parser into our own message."""
    if isinstance(error.__cause__, TengenError):  # raised by the reader of an option value
        return error.__cause__.message
    match error:
        case UnknownOptionError():
            option = (error.token.keyword or error.token.value).partition("=")[0]
            known = [name for each in error.argument_collection for name in each.names]
            if close := get_close_matches(option, known, 1):
                return Message("error.cli.no_option.close", {"option": shorten(option), "close": close[0]})
            return Message("error.cli.no_option", {"option": shorten(option)})
        case UnusedCliTokensError(unused_tokens=[text, *_]):
            return Message("error.cli.extra", {"text": shorten(as_given(text))})
        case MissingArgumentError(keyword=str(option)):
            return Message("error.cli.option_value", {"option": option})
        case MissingArgumentError(argument=argument) if argument is not None:
            name = str(argument.parameter.metavar)
            if "|" in name:
                return Message("error.cli.missing.choice", {"names": tuple(name.split("|"))})
            return Message("error.cli.missing", {"name": name})
        case CoercionError(argument=argument) if argument is not None:  # values have readers of their own
            return Message("error.cli.option_flag", {"option": argument.name})
    return Message("error.cli.usage", {"detail": one_line(str(error.msg or type(error).__name__))})
