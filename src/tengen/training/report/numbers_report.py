"""The report of the point-class weights, in Markdown: their games, their metrics, their values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.board.pattern_names import class_name
from tengen.engine.evaluation.weights import family, save
from tengen.formats.files import write_error, write_whole
from tengen.game.rules import Rules
from tengen.training.games.point_classes import ORDERS, WORTHS, TrainingData
from tengen.training.models.calibration import Bin
from tengen.training.models.point_class_training import FitMetrics, Trained, most_valued
from tengen.training.report.plot import drawn
from tengen.words import Message, catalogue, say


def write(trained: Trained, nodes: Sequence[int], folder: str | Path, lang: str) -> dict[str, Path]:
    """Write the weights, the report and its picture into a folder.

    Args:
        trained: the trained weights.
        nodes: the distinct node limits per move of the games.
        folder: created if it does not exist; files of the same names are replaced.
        lang: the language of the report.

    Returns:
        The files: ``weights``, ``report`` and ``picture``.

    Raises:
        FileError: a file cannot be written.
    """
    place = Path(folder).expanduser()
    name = family(trained.games.rules)
    files = {kind: place / f"{name}.{end}" for kind, end in _ENDINGS.items()}
    try:
        save(name, trained.weights, place)
    except OSError as error:
        raise write_error(files["weights"], error) from error
    write_whole(files["picture"], drawn(trained))
    write_whole(files["report"], report(trained, nodes, files["picture"].name, lang).encode())
    return files


_ENDINGS = {"weights": "npz", "report": "md", "picture": "png"}


def report(trained: Trained, nodes: Sequence[int], picture: str, lang: str) -> str:
    """Return the report.

    Args:
        trained: the trained weights.
        nodes: the distinct node limits per move of the games.
        picture: the link to the picture, relative to the report.
        lang: the language of the report.
    """
    rules = trained.games.rules
    parts = [
        "# " + say("train.report.title", lang, rules=rules_message(rules), size=rules.size_text),
        say("train.report.intro", lang, nodes=tuple(nodes)),
        games_table(trained.games, lang),
        "## " + say("train.report.losses", lang),
        say("train.report.losses.text", lang),
        loss_table(trained, lang),
        f"![{say('train.report.picture', lang)}]({picture})",
        "## " + say("train.report.epochs", lang),
        _epochs(trained, lang),
        "## " + say("train.report.calibration", lang),
        say("train.report.calibration.text", lang),
        calibration_table(trained.calibration, lang),
        "## " + say("train.report.classes", lang),
        say("train.report.classes.text", lang),
    ]
    for colour, key in enumerate(("black", "white") if rules.has_fouls else ("",)):
        parts += [f"### {say(key, lang)}"] if key else []
        parts.append(_classes(trained, colour, lang))
    return "\n\n".join(parts) + "\n"


def rules_message(rules: Rules) -> Message:
    """Return the name of some rules."""
    key = f"rules.{rules.name}"
    return Message(key if key in catalogue("en") else "rules.custom")


def games_table(games: TrainingData, lang: str) -> str:
    """Return a table of the number of games and their results."""
    count = max(games.games, 1)
    heads = [say(f"train.report.{key}", lang) for key in ("games", "positions", "plies")]
    heads += [say(f"train.report.{key}", lang) for key in ("black", "draws", "white")]
    row = [str(games.games), str(len(games.positions)), f"{games.plies / count:.1f}"]
    row += [f"{100 * number / count:.1f} %" for number in (games.black, games.draws, games.white)]
    return table(heads, [row], left=0)


def loss_table(trained: Trained, lang: str) -> str:
    """Return a table of the metrics on the validation set, compared with other weights."""
    heads = ["", *(say(f"train.report.{key}", lang) for key in ("worths", "orders", "first", "among"))]
    rows = [[say("train.report.least", lang), f"{trained.least:.4f}", "", "", ""]]
    for key, numbers in (("after", trained.after), ("before", trained.before)):
        rows.append([say(f"train.report.{key}", lang), *_cells(numbers)])
    rows.append([say("train.report.constant", lang), *_cells(trained.constant)])
    return table(heads, rows)


def _cells(numbers: FitMetrics) -> list[str]:
    shares = [f"{100 * share:.1f} %" for share in (numbers.first, numbers.among)]
    return [f"{numbers.worths:.4f}", f"{numbers.orders:.4f}", *shares]


def _epochs(trained: Trained, lang: str) -> str:
    names = [say(f"train.report.{key}", lang) for key in ("worths", "orders")]
    kinds = [say(f"train.report.{key}", lang) for key in ("training", "validation")]
    heads = [say("train.report.epoch", lang), *(f"{name}: {kind}" for name in names for kind in kinds)]
    pairs = zip(trained.epochs[WORTHS], trained.epochs[ORDERS], strict=True)
    rows = [
        [
            str(one.epoch),
            *(f"{loss:.4f}" for fit in (one, other) for loss in (fit.training, fit.validation)),
        ]
        for one, other in pairs
    ]
    return table(heads, rows, left=0)


def calibration_table(bins: Sequence[Bin], lang: str) -> str:
    """Return a table of predicted probabilities and results."""
    heads = [say(f"train.report.{key}", lang) for key in ("predicted", "ended", "error", "positions")]
    rows = [
        [
            f"{100 * each.predicted:.1f} %",
            f"{100 * each.result:.1f} %",
            f"± {100 * math.sqrt(max(each.result * (1 - each.result), 0) / each.count):.1f} %",
            str(each.count),
        ]
        for each in bins
    ]
    return table(heads, rows, left=0)


def _classes(trained: Trained, colour: int, lang: str) -> str:
    heads = [say(f"train.report.{key}", lang) for key in ("class", "moving", "waiting", "seen")]
    positions = max(len(trained.games.positions), 1)
    rows = [
        [class_name(number, lang), f"{moving:.0f}", f"{waiting:.0f}", f"{100 * seen / positions:.2f}"]
        for number, moving, waiting, seen in most_valued(trained, colour)
    ]
    return table(heads, rows)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table; columns from index `left` on are aligned to the right."""
    lines = [heads, ["---" if place < left else "---:" for place in range(len(heads))], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
