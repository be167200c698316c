"""The command ``tengen review``: the judgement of a game's moves."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Annotated

from tengen.cli.arena_runs import INTERRUPTED
from tengen.cli.declaration import command, option
from tengen.cli.errors import CommandExit
from tengen.cli.option_values import node_count, output_file, seconds
from tengen.cli.options import GameOptions, Json, Moves, RulesOptions
from tengen.cli.positions import read_record
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.executors.ctrl_c import first_ctrl_c
from tengen.game.player import Limit
from tengen.words import say


@command
def review(
    *moves: Moves,
    rules: RulesOptions = RulesOptions(),
    game_options: GameOptions = GameOptions(),
    limit_seconds: Annotated[float | None, option("cli.review.seconds", seconds, name="--seconds")] = None,
    nodes: Annotated[int | None, option("cli.review.nodes", node_count)] = None,
    sgf: Annotated[Path | None, option("cli.review.sgf", output_file)] = None,
    png: Annotated[Path | None, option("cli.review.png", output_file)] = None,
    as_json: Json = False,
) -> None:
    from tengen.cli.output import review_text
    from tengen.cli.output.progress import Pace, ProgressLine
    from tengen.engine.board.playable import plays
    from tengen.formats.files import FORMATS, check_writable, write_whole
    from tengen.solver.warmup import warm_up
    from tengen.study import review as reviewing
    from tengen.study.annotation import annotate

    language = LANGUAGE.get()
    record = read_record(moves, rules.rules, rules.size, game_options.game, game_options.encoding)
    board = record.board()
    reviewing.check_reviewable(board.rules)  # report errors before anything is compiled
    files = [path for path in (sgf, png) if path is not None]
    for path in files:
        check_writable(path)
    if plays(board.rules):
        warm_up(board.rules)
    limit = None if limit_seconds is nodes is None else Limit(limit_seconds, nodes)
    pace, done, stop = Pace(language), 0, threading.Event()

    def line() -> str:
        values = {"done": done, "positions": board.ply + 1, "time": pace.time}
        return "  ".join([say("review.progress", language, **values), *pace.left(done, board.ply + 1)])

    progress = ProgressLine(line, sys.stderr)

    def count(*_: object) -> None:
        nonlocal done
        done += 1
        progress()

    with first_ctrl_c(stop.set):
        found = reviewing.review(record, limit, stop, count)
    progress.clear()
    if sgf is not None:
        write_whole(sgf, FORMATS[".sgf"].write([annotate(record, found, language)]))
    if png is not None:
        write_whole(png, found.draw(language).png())
    if as_json:
        from tengen.schemas.game_review import WholeReview

        print_json(WholeReview.of(board, found, map(str, files)).to_dict())
    else:
        print_line(review_text.text(board, found, files, language))
    if stop.is_set():
        raise CommandExit(INTERRUPTED)
