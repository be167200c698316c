"""The commands to play, to show positions, and to convert files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from tengen.cli.compile_notice import ready_for
from tengen.cli.declaration import argument, command, option, refuse_besides, refuse_without
from tengen.cli.errors import CliError, CommandExit
from tengen.cli.option_values import (
    STANDARD_OUTPUT,
    converted_file,
    file_path,
    one_of,
    output_file,
    reader,
    whole,
)
from tengen.cli.options import (
    EncodingText,
    FoulRulesOptions,
    GameOptions,
    Json,
    MoveNumber,
    Moves,
    PositionOptions,
    SizeText,
)
from tengen.cli.positions import read_board
from tengen.cli.printing import (
    LANGUAGE,
    json_text,
    print_bytes,
    print_json,
    print_line,
    print_problem,
    print_wrapped,
)
from tengen.game.points import BLACK, WHITE
from tengen.plaintext.streams import piped_lines
from tengen.words import Message, say


@reader("N|unlimited")
def _take_backs(name: str, text: str) -> int | None:
    """Parse the number of take-backs; None for unlimited."""
    return None if text == "unlimited" else whole(name, text)


@command
def play(
    *,
    rules: FoulRulesOptions = FoulRulesOptions(),
    black: Annotated[str | None, option("cli.play.black", metavar="human|SPEC")] = None,
    white: Annotated[str | None, option("cli.play.white", metavar="human|SPEC")] = None,
    opening: Annotated[str | None, option("cli.play.opening", metavar="NAME")] = None,
    take_backs: Annotated[int | None, option("cli.play.take_backs", _take_backs)] = 5,
    clock: Annotated[str | None, option("cli.play.clock", metavar="SECONDS")] = None,
    passing: Annotated[bool, option("cli.play.passing")] = False,
    hints: Annotated[str | None, option("cli.play.hints", metavar="SPEC")] = None,
    load: Annotated[Path | None, option("cli.play.load", file_path)] = None,
    plain: Annotated[bool, option("cli.play.plain")] = False,
) -> None:
    from tengen.game.session import Session
    from tengen.game.session_state import HUMAN
    from tengen.players.calls import make_player, seated
    from tengen.terminal import saved_games
    from tengen.terminal.menu import FRIENDLY, ask_opponent

    language = LANGUAGE.get()
    full_screen = not plain and _has_full_screen()
    if load is not None:
        refuse_besides("load", "black", "white", "hints", "plain")
        session = saved_games.load(load, make_player)
        ready_for((black, white), session.rules)
        for colour, spec in ((BLACK, black), (WHITE, white)):
            if spec is not None:
                session.hand_over(session.player_of(colour), seated(spec))
    else:
        chosen = rules.chosen(passing=passing or None)
        if black is None and white is None and full_screen:
            white = FRIENDLY  # can be replaced in the dialog of seats
        elif black is None and white is None and sys.stdin.isatty():
            white = ask_opponent(language, sys.stdin, sys.stdout, chosen)
            if white is None:
                return
        ready_for((black, white), chosen)
        first, second = (HUMAN if spec is None else seated(spec) for spec in (black, white))
        session = Session(chosen, first, second, opening, clock, take_backs, take_back_unit=None)
    ready_for((hints,), session.rules)
    adviser = None if hints is None else make_player(hints)
    if full_screen:
        from tengen.terminal.game_app import GameApp

        app = GameApp(session, adviser, language)
        status = app.run() or 0
        for trace in app.traces:
            print_line(trace, sys.stderr)
    else:
        from tengen.terminal.plain import PlainGame

        status = PlainGame(session, adviser, language, piped_lines(sys.stdin), sys.stdout).run()
    if status:
        raise CommandExit(status)


def _has_full_screen() -> bool:
    """Return whether the program runs in a terminal that supports full-screen output."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@command
def fouls(
    *moves: Moves,
    rules: Annotated[str | None, option("cli.fouls.rules", metavar="NAME")] = None,
    size: SizeText = None,
    game_options: GameOptions = GameOptions(),
    move: MoveNumber = None,
    as_json: Json = False,
) -> None:
    from tengen.formats import describe

    place: dict[str, Any] = {"game": game_options.game, "move": move, "encoding": game_options.encoding}
    # A game lost by a foul can be shown, too.
    board = read_board(moves, rules, size, usual="renju", **place, fouls="loses")
    found = board.fouls()
    if as_json:
        from tengen.schemas.shown import FoulKinds

        print_json(FoulKinds.of(board).to_dict())
        return
    print_line(describe.drawing(board, dict.fromkeys(found, describe.FOUL_SIGN)))
    for point, foul in found.items():
        print_line(say(describe.foul(board, point, foul), LANGUAGE.get()))
    if not found:
        print_line(say("cli.fouls.none", LANGUAGE.get()))


@command
def show(
    *moves: Moves,
    rules: PositionOptions = PositionOptions(),
    svg: Annotated[Path | None, option("cli.show.svg", output_file)] = None,
    png: Annotated[Path | None, option("cli.show.png", output_file)] = None,
    gif: Annotated[Path | None, option("cli.show.gif", output_file)] = None,
    numbers: Annotated[bool, option("cli.show.numbers")] = False,
    theme: Annotated[str | None, option("cli.show.theme", metavar="NAME")] = None,
    coordinates: Annotated[
        Literal["letters", "chinese"],
        option("cli.show.coordinates", one_of("letters", "chinese")),
    ] = "letters",
    as_json: Json = False,
) -> None:
    from tengen.formats import describe

    if not (svg or png or gif):
        refuse_without("--svg, --png, --gif", "numbers", "theme", "coordinates")
    # A game lost by a foul can be shown, too.
    board = rules.board(moves, fouls="loses")
    result = board.outcome()
    files: list[str] = []
    if svg or png or gif:
        from tengen.formats.pictures.picture_files import write_pictures

        language = LANGUAGE.get()
        files = write_pictures(
            board,
            svg,
            png,
            gif,
            numbers=numbers,
            theme=theme or "wood",
            coordinate_style=coordinates,
            lang=language,
        )
    if as_json:
        from tengen.schemas.shown import ShownBoard

        print_json(ShownBoard.of(board, describe.drawing(board), files).to_dict())
        return
    print_line(describe.drawing(board))
    if result is not None:
        message = describe.outcome(board, result)
    else:
        message = Message("cli.show.turn", {"colour": describe.colour(board.turn)})
    print_line(say(message, LANGUAGE.get()))
    if files:
        from tengen.formats.files import shown

        print_line(say("cli.show.written", LANGUAGE.get(), files=tuple(map(shown, files))))


@command
def players(
    spec: Annotated[str | None, argument("cli.players.spec", "SPEC")] = None,
    /,
    *,
    as_json: Json = False,
) -> None:
    from tengen.players.registry import ENTRIES

    language = LANGUAGE.get()
    if spec is not None:
        _print_player(spec, as_json=as_json)
        return
    if as_json:
        from tengen.schemas.players import PlayerList

        print_json(PlayerList.of(language).to_dict())
        return
    for entry in ENTRIES.values():
        presets = f"[:{'|'.join(entry.presets)}]" if entry.presets else ""
        print_wrapped(f"{entry.name}{presets}\n    {say(entry.summary, language)}")
    print_wrapped(f"py:module:Class\n    {say('player.py', language)}")
    print_wrapped(f"cmd=./program\n    {say('player.cmd', language)}")
    print_wrapped(f"prover:file=FILE\n    {say('player.prover', language)}")


def _print_player(spec: str, *, as_json: bool) -> None:
    """Print a player's description and the settings of its spec."""
    from tengen.players.calls import guarded
    from tengen.players.settings import entry_of, settings, summary

    language = LANGUAGE.get()
    entry, about, found = guarded(lambda: (entry_of(spec), summary(spec), settings(spec)))
    description = "" if about is None else say(about, language)
    presets = () if entry is None else entry.presets
    if as_json:
        from tengen.schemas.players import PlayerSettings

        print_json(PlayerSettings.of(spec, entry, about, found, language).to_dict())
        return
    print_wrapped(spec + (f"\n    {description}" if description else ""))
    if presets:
        print_wrapped(say("cli.players.presets", language, presets=presets))
    print_line(say("cli.players.settings" if found else "cli.players.no_settings", language))
    for setting in found:
        print_line(f"    ,{setting.name}=" + ("..." if setting.required else setting.text))


@command
def explain(
    spec: Annotated[str, argument("cli.spec", "SPEC")],
    /,
    *moves: Moves,
    rules: PositionOptions = PositionOptions(),
    as_json: Json = False,
) -> None:
    from tengen.cli.output.search_progress import watched
    from tengen.executors.running_search import Search
    from tengen.formats import explanation_text as explaining
    from tengen.plaintext.wrapping import columns_of
    from tengen.players.calls import contained, explained, guarded, make_player

    board = rules.board(moves)
    ready_for((spec,), board.rules)
    who = make_player(spec)
    search = Search.start(contained, lambda stop: explained(who, board, stop=stop))
    choice, why = watched(search, "explain.waiting", LANGUAGE.get())

    def page() -> str:
        if not as_json:
            return explaining.text(board, choice, why, LANGUAGE.get(), columns_of(sys.stdout))
        from tengen.schemas.explanation import ChoiceData
        from tengen.schemas.sentence import spoken

        data = ChoiceData.of(board, who.name, choice, why).to_dict()
        return json_text(spoken(data, LANGUAGE.get()))

    print_line(guarded(page))


@command
def convert(
    source: Annotated[Path, argument("cli.convert.in", "IN", file_path)],
    out: Annotated[Path, argument("cli.convert.out", "OUT", converted_file)],
    /,
    *,
    to: Annotated[str | None, option("cli.convert.to", metavar="FORMAT")] = None,
    rules: Annotated[str | None, option("cli.convert.rules", metavar="NAME")] = None,
    size: Annotated[str | None, option("cli.convert.size", metavar="W[xH]")] = None,
    encoding: EncodingText = None,
    as_json: Json = False,
) -> None:
    from tengen.cli import conversion as converting

    language = LANGUAGE.get()
    done = converting.convert(source, out, to, rules, size, encoding)
    if as_json and done.data is not None:
        raise CliError("error.cli.together", option="--json", other=STANDARD_OUTPUT)
    for problem in done.problems:
        print_problem(problem.game, problem.message, problem.missing)
    if done.not_kept is not None:
        print_line(f"tengen: {say(done.not_kept, language)}", sys.stderr)
    if as_json:
        from tengen.schemas.files import ConversionData, ConversionProblem

        data = ConversionData(
            read=done.read,
            written=done.written,
            files=done.files,
            problems=tuple(ConversionProblem.of(problem, language) for problem in done.problems),
            not_kept=None if done.not_kept is None else say(done.not_kept, language),
        )
        print_json(data.to_dict())
    elif done.data is not None:
        print_bytes(done.data)
    else:
        print_line(say(done.summary(), language))
    if not done.complete:
        raise CommandExit(1)
