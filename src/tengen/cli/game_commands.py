"""The commands to play, to look at positions and to turn files into others."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tengen.cli.application import (
    LANGUAGE,
    CliError,
    Command,
    FoulsMode,
    Json,
    Lang,
    Leave,
    Moves,
    RulesName,
    SizeText,
    app,
    check_language,
    json_text,
    one_line,
    print_json,
    print_line,
    rules_from,
    whole,
)
from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.words import Message, say


@app.callback(invoke_without_command=True)
def _tengen(
    context: typer.Context,
    lang: Lang = None,
    version: Annotated[bool, typer.Option("--version", help="cli.version")] = False,
) -> None:
    check_language(lang)
    if version:
        from tengen import __version__

        print_line(f"tengen {__version__}")
        raise Leave(0)
    if context.invoked_subcommand is None:
        from tengen.cli.serve_command import serve

        serve(lang=lang)


@app.command(cls=Command, help="cli.play")
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
    check_language(lang)
    from tengen.cli.output.compile_progress import ready_for
    from tengen.game.session import Session
    from tengen.game.session_state import HUMAN
    from tengen.terminal import saved_games
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
        ready_for((black, white), LANGUAGE.get(), sys.stderr)
        session = saved_games.load(load, make_player)
        for colour, spec in ((BLACK, black), (WHITE, white)):
            if spec is not None:
                session.hand_over(session.player_of(colour), seated(spec))
    else:
        chosen = rules_from(rules, size, fouls=fouls, passing=passing or None)
        if black is None and white is None and sys.stdin.isatty():
            white = ask_opponent(LANGUAGE.get(), sys.stdin, sys.stdout, chosen)
            if white is None:
                return
        take_backs = "5" if take_backs is None else take_backs
        left = None if take_backs == "unlimited" else whole("--take-backs", take_backs)
        ready_for((black, white), LANGUAGE.get(), sys.stderr)
        first, second = (HUMAN if spec is None else seated(spec) for spec in (black, white))
        session = Session(chosen, first, second, opening, clock, left, take_back_unit=None)
    ready_for((hints,), LANGUAGE.get(), sys.stderr)
    adviser = None if hints is None else make_player(hints)
    status = PlainGame(session, adviser, LANGUAGE.get(), sys.stdin, sys.stdout).run()
    if status:
        raise Leave(status)


@app.command(cls=Command, help="cli.fouls.help")
def fouls(
    moves: Moves = None,
    rules: Annotated[str | None, typer.Option("--rules", help="cli.fouls.rules", metavar="NAME")] = None,
    size: SizeText = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.terminal import describe

    board = Board.from_moves(" ".join(moves or ()), rules_from("renju" if rules is None else rules, size))
    found = board.fouls()
    if as_json:
        print_json({"fouls": {board.name(point): foul.kind for point, foul in found.items()}})
        return
    print_line(describe.drawing(board, dict.fromkeys(found, describe.FOUL_SIGN)))
    for point, foul in found.items():
        print_line(say(describe.foul(board, point, foul), LANGUAGE.get()))
    if not found:
        print_line(say("cli.fouls.none", LANGUAGE.get()))


@app.command(cls=Command, help="cli.show.help")
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
    check_language(lang)
    from tengen.terminal import describe

    # A game that a foul has lost is worth showing too.
    board = Board.from_moves(" ".join(moves or ()), rules_from(rules, size, fouls="loses"))
    result = board.outcome()
    files: list[str] = []
    if svg or png or gif:
        from tengen.formats.pictures.picture_files import write_pictures

        look, language = theme or "wood", LANGUAGE.get()
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
        print_json(data)
        return
    print_line(describe.drawing(board))
    if result is not None:
        message = describe.outcome(board, result)
    else:
        message = Message("cli.show.turn", {"colour": describe.colour(board.turn)})
    print_line(say(message, LANGUAGE.get()))
    if files:
        print_line(say("cli.show.written", LANGUAGE.get(), files=tuple(map(one_line, files))))


@app.command(cls=Command, help="cli.players.help")
def players(as_json: Json = False, lang: Lang = None) -> None:
    check_language(lang)
    from tengen.players.registry import ENTRIES

    language = LANGUAGE.get()
    if as_json:
        rows = [
            {"name": e.name, "presets": list(e.presets), "summary": say(e.summary, language)}
            for e in ENTRIES.values()
        ]
        print_json({"players": rows})
        return
    for entry in ENTRIES.values():
        presets = f"[:{'|'.join(entry.presets)}]" if entry.presets else ""
        print_line(f"{entry.name}{presets}\n    {say(entry.summary, language)}")
    print_line(f"py:module:Class\n    {say('player.py', language)}")
    print_line(f"cmd=./program\n    {say('player.cmd', language)}")


@app.command(cls=Command, help="cli.explain.help")
def explain(
    spec: Annotated[str, typer.Argument(help="cli.spec", metavar="SPEC")],
    moves: Moves = None,
    rules: RulesName = None,
    size: SizeText = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.cli.output import explanation_text as explaining
    from tengen.cli.output.compile_progress import ready_for
    from tengen.terminal.asking import guarded, make_player

    ready_for((spec,), LANGUAGE.get(), sys.stderr)
    who = make_player(spec)
    board = Board.from_moves(" ".join(moves or ()), rules_from(rules, size))

    def page() -> str:
        choice, explanation = who.choose(board.copy()), who.explain(board.copy())
        if not as_json:
            return explaining.text(board, choice, explanation, LANGUAGE.get())
        return json_text(explaining.data(board, who.name, choice, explanation, LANGUAGE.get()))

    print_line(guarded(page))


@app.command(cls=Command, help="cli.convert.help")
def convert(
    source: Annotated[str, typer.Argument(help="cli.convert.in", metavar="IN")],
    out: Annotated[str, typer.Argument(help="cli.convert.out", metavar="OUT")],
    to: Annotated[str | None, typer.Option("--to", help="cli.convert.to", metavar="FORMAT")] = None,
    rules: Annotated[str | None, typer.Option(help="cli.convert.rules", metavar="NAME")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.cli import conversion as converting

    language = LANGUAGE.get()
    done = converting.convert(source, out, to, rules)
    for problem in done.problems:
        sentence = say("cli.convert.problem", language, game=problem.game, problem=problem.message)
        print_line(f"tengen: {sentence}", sys.stderr)
    if as_json:
        print_json(done.data(language))
    else:
        print_line(say(done.summary(), language))
    if any(problem.lost for problem in done.problems):
        raise Leave(1)
