"""Sections that the reports of a network and of a policy share, in Markdown.

They contain neither dates nor folders, so that the same games and settings give the same report: the
reports of the models that come with Tengen are checked in beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tengen.engine.evaluation.weights import family
from tengen.formats.files import write_whole
from tengen.training.models.learning import Learned, LearningPlan, SizeResult, checksum
from tengen.training.models.trainer import Fit
from tengen.training.report.numbers_report import rules_message, table
from tengen.words import Message, say

What: TypeAlias = Literal["network", "policy"]
"""The kinds of models with such reports."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """The result of a match of a trained model against the one that training started from.

    Attributes:
        what: the kind of the model.
        verdict: whether the trained model plays better, as far as the games show.
        elo: the Elo difference with its 95 % error, as text.
        wins: games won by the trained model.
        draws: games without a winner.
        losses: games lost by the trained model.
        seconds: the time per move, in seconds.
    """

    what: What
    verdict: Literal["better", "worse", "open"]
    elo: str
    wins: int
    draws: int
    losses: int
    seconds: float

    def text(self, lang: str) -> str:
        """Return the result as a sentence."""
        values = {key: value for key, value in asdict(self).items() if key != "verdict"}
        values |= {"games": self.wins + self.draws + self.losses, "seconds": f"{self.seconds:g}"}
        values["what"] = Message(f"train.report.{self.what}")
        return say(f"train.match.{self.verdict}", lang, **values)


_ENDINGS = {"report": "md", "picture": "png"}


def write_report(
    what: What,
    learned: Learned[Any, Any],
    files: Mapping[str, Path],
    picture: bytes,
    report: Callable[[str, str], str],
) -> dict[str, Path]:
    """Write the picture and the report of a model beside its file.

    Args:
        what: the kind of the model.
        learned: the trained model.
        files: the files of the player, the model's among them under its kind.
        picture: the picture, a PNG file.
        report: called with the SHA-256 of the model's file and the link to the picture; returns the report.

    Returns:
        All files: those given, ``report`` and ``picture``.

    Raises:
        FileError: a file cannot be written.
    """
    name = f"{family(learned.rules)}-{what}"
    beside = {kind: files[what].with_name(f"{name}.{end}") for kind, end in _ENDINGS.items()}
    write_whole(beside["picture"], picture)
    write_whole(beside["report"], report(checksum(files[what]), beside["picture"].name).encode())
    return {**files, **beside}


def page(
    what: What,
    learned: Learned[Any, Any],
    rows: Mapping[str, str],
    metrics: str,
    picture: str,
    lang: str,
    match: ModelComparison | None,
    *,
    more: Sequence[str] = (),
    options: Sequence[str] = (),
) -> str:
    """Return a whole report from the parts that differ by the kind of the model.

    Args:
        what: the kind of the model.
        learned: the trained model.
        rows: the facts about it; see `facts`.
        metrics: the table of its metrics.
        picture: the link to the picture, relative to the report.
        lang: the language of the report.
        match: the result against the model that training started from; None if unknown.
        more: sections after the losses of the epochs.
        options: options of the command that reproduces it, in addition to those common to all models.
    """
    parts = [
        *opening(what, learned, lang),
        facts(rows, lang),
        "## " + say("train.network.games", lang),
        games_table(what, learned.sizes, lang),
        "## " + say("train.report.losses", lang),
        say(f"train.{what}.losses", lang),
        metrics,
        f"![{say(f'train.{what}.picture', lang)}]({picture})",
        *epochs_section(learned.epochs, lang),
        *more,
        *ending(what, command_words(learned.plan, *options), match, lang),
    ]
    return "\n\n".join(parts) + "\n"


def opening(what: What, learned: Learned[Any, Any], lang: str) -> list[str]:
    """Return the title and the introduction."""
    where = say("comma", lang).join(map(board, learned.sizes))
    return [
        "# " + say(f"train.{what}.title", lang, rules=rules_message(learned.rules), size=where),
        say(f"train.{what}.intro", lang),
    ]


def facts(rows: Mapping[str, str], lang: str) -> str:
    """Return a table of facts, from values by the catalogue key of their name."""
    return table(["", ""], [[say(key, lang), text] for key, text in rows.items()], left=2)


def began(what: What, plan: LearningPlan, lang: str) -> dict[str, str]:
    """Return the row of `facts` for the model that training started from."""
    text = f"`{plan.begun_with}`" if plan.begun_with else say("train.network.random", lang)
    return {f"train.{what}.began": text}


def games_table(what: What, sizes: Sequence[SizeResult[Any]], lang: str) -> str:
    """Return a table of the games by board size."""
    keys = "train.network.board", "train.report.games", f"train.{what}.own", "train.network.nodes"
    more = "train.report.positions", "train.network.outside", "train.network.apart"
    heads = [say(key, lang) for key in (*keys, *more)]
    rows = [
        [
            board(one),
            str(one.games),
            str(one.own),
            say("comma", lang).join(map(str, one.nodes)),
            str(one.positions),
            str(one.outside),
            str(one.apart),
        ]
        for one in sizes
    ]
    return table(heads, rows)


def board(result: SizeResult[Any]) -> str:
    """Return the board size of a result as text."""
    return f"{result.size}x{result.size}"


def loss_text(loss: float) -> str:
    """Format a loss; NaN is a dash."""
    return "–" if math.isnan(loss) else f"{loss:.4f}"


def share_text(share: float) -> str:
    """Format a share as a percentage; NaN is a dash."""
    return "–" if math.isnan(share) else f"{100 * share:.1f} %"


def epochs_section(epochs: Sequence[Fit], lang: str) -> list[str]:
    """Return the section of the losses of each epoch."""
    heads = [say(f"train.report.{key}", lang) for key in ("epoch", "training", "validation")]
    rows = [[str(one.epoch), loss_text(one.training), loss_text(one.validation)] for one in epochs]
    return ["## " + say("train.report.epochs", lang), table(heads, rows, left=0)]


def ending(what: What, words: Sequence[str], match: ModelComparison | None, lang: str) -> list[str]:
    """Return the sections on strength, on reproduction and on the licence.

    Args:
        what: the kind of the model.
        words: the options of the command that reproduces it, except those common to all models.
        match: the result against the model that training started from; None if unknown.
        lang: the language of the report.
    """
    command = " ".join(["tengen train", what, *words, "--games 0 --data GAMES.jsonl --out FOLDER"])
    return [
        "## " + say("train.network.strength", lang),
        say(f"train.{what}.unplayed", lang) if match is None else match.text(lang),
        "## " + say("train.network.repeat", lang),
        say(f"train.{what}.repeat.text", lang),
        f"```sh\n{command}\n```",
        "## " + say("train.network.licence", lang),
        say("train.network.licence.text", lang),
    ]


def command_words(plan: LearningPlan, *more: str) -> list[str]:
    """Return the options of the command that reproduces a model; see `ending`."""
    return [
        f"--rules {plan.rules.name}",
        f"--size {plan.rules.size_text}",
        f"--epochs {plan.epochs}",
        *more,
        f"--seed {plan.seed}",
        *([] if plan.begun_with else ["--fresh"]),
    ]
