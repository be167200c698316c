"""The command line: parses, calls, prints.

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
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules, parse_size
from tengen.words import LANGUAGES, Message, catalogue, say

_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")
_PARSER_TEXTS = ("usage", "options", "arguments", "commands", "help_option")
"""What the argument parser itself writes into a help page; the English texts are its own."""


class CliError(TengenError):
    """A command line that says something Tengen cannot do."""


class _Leave(Exception):
    """Ends a command with an exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Command(TyperCommand):
    """A command whose help page and errors are in the reader's language."""

    def get_help(self, ctx: Any) -> str:
        return _localised(super().get_help(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        super().parse_args(ctx, args)
        if ctx.args:
            raise CliError("error.cli.extra", text=shorten(ctx.args[0]))
        return []


class _Group(TyperGroup):
    """The program, likewise."""

    def get_help(self, ctx: Any) -> str:
        return _localised(super().get_help(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise CliError("error.cli.command", name=shorten(args[0]), names=tuple(self.commands))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    rich_markup_mode=None,
    help="cli.help",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Moves = Annotated[list[str] | None, typer.Argument(help="cli.moves", metavar="MOVES")]
RulesName = Annotated[str | None, typer.Option("--rules", help="cli.rules", metavar="NAME")]
SizeText = Annotated[str | None, typer.Option("--size", help="cli.size", metavar="W[xH]")]
Lang = Annotated[str | None, typer.Option("--lang", help="cli.lang", metavar="en|zh")]
Json = Annotated[bool, typer.Option("--json", help="cli.json")]
FoulsMode = Annotated[
    str | None, typer.Option("--fouls", help="cli.fouls", metavar="forbidden|loses|claimed")
]


@app.callback(invoke_without_command=True)
def _tengen(
    context: typer.Context,
    lang: Lang = None,
    version: Annotated[bool, typer.Option("--version", help="cli.version")] = False,
) -> None:
    _check_language(lang)
    if version:
        from tengen import __version__

        _print(f"tengen {__version__}")
        raise _Leave(0)
    if context.invoked_subcommand is None:
        # The terminal game is what there is to start until the web app exists.
        play(lang=lang)


@app.command(cls=_Command, help="cli.play")
def play(
    rules: RulesName = None,
    size: SizeText = None,
    fouls: FoulsMode = None,
    black: Annotated[str | None, typer.Option(help="cli.play.black", metavar="human|SPEC")] = None,
    white: Annotated[str | None, typer.Option(help="cli.play.white", metavar="human|SPEC")] = None,
    opening: Annotated[str | None, typer.Option(help="cli.play.opening", metavar="NAME")] = None,
    take_backs: Annotated[
        str | None, typer.Option(help="cli.play.take_backs", metavar="N|unlimited")
    ] = None,
    clock: Annotated[str | None, typer.Option(help="cli.play.clock", metavar="SECONDS")] = None,
    passing: Annotated[bool, typer.Option("--passing", help="cli.play.passing")] = False,
    hints: Annotated[str | None, typer.Option(help="cli.play.hints", metavar="SPEC")] = None,
    load: Annotated[str | None, typer.Option(help="cli.play.load", metavar="FILE")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="cli.play.plain")] = False,  # noqa: ARG001
    lang: Lang = None,
) -> None:
    _check_language(lang)
    from tengen.game.session import Session
    from tengen.game.state import HUMAN
    from tengen.terminal import files
    from tengen.terminal.asking import make_player
    from tengen.terminal.menu import ask_opponent
    from tengen.terminal.plain import PlainGame, seated

    if load is not None:
        settings = {
            "--rules": rules,
            "--size": size,
            "--fouls": fouls,
            "--opening": opening,
            "--take-backs": take_backs,
            "--clock": clock,
            "--passing": passing or None,
        }
        given = [option for option, value in settings.items() if value is not None]
        if given:
            raise CliError("error.cli.load", options=given)
        session = files.load(load, make_player)
        for colour, spec in ((BLACK, black), (WHITE, white)):
            if spec is not None:
                session.hand_over(session.player_of(colour), seated(spec))
    else:
        chosen = _rules(rules, size, fouls=fouls, passing=passing or None)
        if black is None and white is None and sys.stdin.isatty():
            white = ask_opponent(_LANGUAGE.get(), sys.stdin, sys.stdout)
            if white is None:
                return
        take_backs = "5" if take_backs is None else take_backs
        left = None if take_backs == "unlimited" else _whole("--take-backs", take_backs)
        first, second = (HUMAN if spec is None else seated(spec) for spec in (black, white))
        session = Session(chosen, first, second, opening, clock, left, take_back_unit=None)
    adviser = None if hints is None else make_player(hints)
    status = PlainGame(session, adviser, _LANGUAGE.get(), sys.stdin, sys.stdout).run()
    if status:
        raise _Leave(status)


@app.command(cls=_Command, help="cli.fouls.help")
def fouls(
    moves: Moves = None,
    rules: Annotated[str | None, typer.Option("--rules", help="cli.fouls.rules", metavar="NAME")] = None,
    size: SizeText = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    _check_language(lang)
    from tengen.terminal import describe

    board = Board.from_moves(" ".join(moves or ()), _rules("renju" if rules is None else rules, size))
    found = board.fouls()
    if as_json:
        _print_json({"fouls": {board.name(point): foul.kind for point, foul in found.items()}})
        return
    _print(describe.drawing(board, dict.fromkeys(found, describe.FOUL_SIGN)))
    for point, foul in found.items():
        _print(say(describe.foul(board, point, foul), _LANGUAGE.get()))
    if not found:
        _print(say("cli.fouls.none", _LANGUAGE.get()))


@app.command(cls=_Command, help="cli.show.help")
def show(
    moves: Moves = None,
    rules: RulesName = None,
    size: SizeText = None,
    svg: Annotated[str | None, typer.Option(help="cli.show.svg", metavar="FILE")] = None,
    png: Annotated[str | None, typer.Option(help="cli.show.png", metavar="FILE")] = None,
    gif: Annotated[str | None, typer.Option(help="cli.show.gif", metavar="FILE")] = None,
    numbers: Annotated[bool, typer.Option("--numbers", help="cli.show.numbers")] = False,
    theme: Annotated[str | None, typer.Option(help="cli.show.theme", metavar="NAME")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    _check_language(lang)
    from tengen.terminal import describe

    # A game that a foul has lost is worth showing too.
    board = Board.from_moves(" ".join(moves or ()), _rules(rules, size, fouls="loses"))
    result = board.outcome()
    files: list[str] = []
    if svg or png or gif:
        from tengen.formats.pictures import write_pictures

        look, language = theme or "wood", _LANGUAGE.get()
        files = write_pictures(board, svg, png, gif, numbers=numbers, theme=look, lang=language)
    if as_json:
        winner = None if result is None else {BLACK: "black", WHITE: "white", None: None}[result.winner]
        outcome = result and {
            "winner": winner,
            "reason": result.reason,
            "line": [board.name(point) for point in result.line],
        }
        data = {
            "moves": [board.name(point) for point in board.moves],
            "rules": board.rules.name,
            "size": board.rules.size_text,
            "turn": "black" if board.turn == BLACK else "white",
            "outcome": outcome,
            "board": describe.drawing(board).splitlines(),
        }
        if files:
            data["files"] = files
        _print_json(data)
        return
    _print(describe.drawing(board))
    if result is not None:
        message = describe.outcome(board, result)
    else:
        message = Message("cli.show.turn", {"colour": describe.colour(board.turn)})
    _print(say(message, _LANGUAGE.get()))
    if files:
        _print(say("cli.show.written", _LANGUAGE.get(), files=tuple(map(_one_line, files))))


@app.command(cls=_Command, help="cli.players.help")
def players(as_json: Json = False, lang: Lang = None) -> None:
    _check_language(lang)
    from tengen.players.registry import ENTRIES

    language = _LANGUAGE.get()
    if as_json:
        rows = [
            {"name": e.name, "presets": list(e.presets), "summary": say(e.summary, language)}
            for e in ENTRIES.values()
        ]
        _print_json({"players": rows})
        return
    for entry in ENTRIES.values():
        presets = f"[:{'|'.join(entry.presets)}]" if entry.presets else ""
        _print(f"{entry.name}{presets}\n    {say(entry.summary, language)}")
    _print(f"py:module:Class\n    {say('player.py', language)}")


@app.command(cls=_Command, help="cli.explain.help")
def explain(
    spec: Annotated[str, typer.Argument(help="cli.spec", metavar="SPEC")],
    moves: Moves = None,
    rules: RulesName = None,
    size: SizeText = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    _check_language(lang)
    from tengen.terminal import explain as explaining
    from tengen.terminal.asking import guarded, make_player

    who = make_player(spec)
    board = Board.from_moves(" ".join(moves or ()), _rules(rules, size))

    def page() -> str:
        choice, explanation = who.choose(board.copy()), who.explain(board.copy())
        if not as_json:
            return explaining.text(board, choice, explanation, _LANGUAGE.get())
        return _json(explaining.data(board, who.name, choice, explanation, _LANGUAGE.get()))

    _print(guarded(page))


@app.command(cls=_Command, help="cli.convert.help")
def convert(
    source: Annotated[str, typer.Argument(help="cli.convert.in", metavar="IN")],
    out: Annotated[str, typer.Argument(help="cli.convert.out", metavar="OUT")],
    to: Annotated[str | None, typer.Option("--to", help="cli.convert.to", metavar="FORMAT")] = None,
    rules: Annotated[str | None, typer.Option(help="cli.convert.rules", metavar="NAME")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    _check_language(lang)
    from tengen.terminal import convert as converting

    language = _LANGUAGE.get()
    done = converting.convert(source, out, to, rules)
    for problem in done.problems:
        sentence = say("cli.convert.problem", language, game=problem.game, problem=problem.message)
        _print(f"tengen: {sentence}", sys.stderr)
    if as_json:
        _print_json(done.data(language))
    else:
        _print(say(done.summary(), language))
    if done.problems:
        raise _Leave(1)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program's name; the process's own if None.

    Returns:
        The exit status: 0, 1 where the answer is no or a check failed, 2 for an error; 130 where
        Ctrl-C has ended it.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    _open_streams()
    language = _wanted_language(arguments)
    _LANGUAGE.set(language)
    command = typer.main.get_command(app)
    _translate(command, language)
    try:
        result = command.main(arguments, prog_name="tengen", standalone_mode=False)
    except _Leave as leave:
        return leave.status
    except TengenError as error:
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
        reason = _one_line(f"{type(error).__name__}: {error}")
        return _fail(say("error.cli.bug", language, reason=reason), arguments)
    return result if isinstance(result, int) else 0


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
            _print_json({"error": sentence})
    with suppress(OSError):
        _print(f"tengen: {sentence}", sys.stderr)
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
    return Message("error.cli.usage", {"detail": _one_line(str(error))})


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


def _check_language(lang: str | None) -> None:
    """Refuse a language there is none of; `main` has already set the one to speak."""
    if lang is not None and lang not in LANGUAGES:
        raise CliError("error.cli.lang", lang=shorten(lang), languages=LANGUAGES)


def _localised(page: str) -> str:
    for name in _PARSER_TEXTS:
        page = page.replace(say(f"cli.parser.{name}"), say(f"cli.parser.{name}", _LANGUAGE.get()))
    return page


def _rules(name: str | None, size: str | None, **overrides: Any) -> Rules:
    given = {field: value for field, value in overrides.items() if value is not None}
    return Rules.parse(
        "freestyle" if name is None else name, None if size is None else parse_size(size), **given
    )


def _whole(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise CliError("error.cli.whole", option=option, text=shorten(text))
    return int(text)


def _one_line(text: str) -> str:
    from tengen.terminal.describe import one_line

    return one_line(text)


def _print(text: str, stream: TextIO | None = None) -> None:
    print(text, file=stream or sys.stdout, flush=True)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _print_json(data: Any) -> None:
    _print(_json(data))


if __name__ == "__main__":
    sys.exit(main())
