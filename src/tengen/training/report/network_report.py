"""The report of a network, in Markdown: its games, its metrics, its strength."""

from __future__ import annotations

from pathlib import Path

from tengen.engine.evaluation.network import digest
from tengen.engine.evaluation.weights import family
from tengen.formats.files import write_whole
from tengen.training.models.learning import checksum
from tengen.training.models.network_training import LearnedNetwork, save_learned
from tengen.training.report.numbers_report import calibration_table, table
from tengen.training.report.plot import drawn_network
from tengen.training.report.sections import (
    MatchResult,
    began,
    board,
    command_words,
    ending,
    epochs_section,
    facts,
    games_table,
    loss_text,
    opening,
)
from tengen.words import say


def write_network(
    learned: LearnedNetwork, folder: str | Path, lang: str, match: MatchResult | None = None
) -> dict[str, Path]:
    """Write a network, the rest of its player, the report and its picture into a folder.

    Args:
        learned: the trained network.
        folder: created if it does not exist; files of the same names are replaced.
        lang: the language of the report.
        match: the result against the network that training started from; None if unknown.

    Returns:
        The files: ``network``, ``weights``, ``policy`` where there is one, ``report`` and ``picture``.

    Raises:
        FileError: a file cannot be written.
    """
    files = save_learned(learned, folder)
    name = f"{family(learned.rules)}-network"
    files |= {kind: files["network"].with_name(f"{name}.{end}") for kind, end in _ENDINGS.items()}
    write_whole(files["picture"], drawn_network(learned))
    text = network_report(learned, checksum(files["network"]), files["picture"].name, lang, match)
    write_whole(files["report"], text.encode())
    return files


_ENDINGS = {"report": "md", "picture": "png"}


def network_report(
    learned: LearnedNetwork, sha256: str, picture: str, lang: str, match: MatchResult | None = None
) -> str:
    """Return the report.

    Args:
        learned: the trained network.
        sha256: the SHA-256 of the network's file.
        picture: the link to the picture, relative to the report.
        lang: the language of the report.
        match: the result against the network that training started from; None if unknown.
    """
    plan = learned.plan
    return (
        "\n\n".join(
            [
                *opening("network", learned, lang),
                _facts(learned, sha256, lang),
                "## " + say("train.network.games", lang),
                games_table("network", learned.sizes, lang),
                "## " + say("train.report.losses", lang),
                say("train.network.losses", lang),
                _losses(learned, lang),
                f"![{say('train.network.picture', lang)}]({picture})",
                *epochs_section(learned.epochs, lang),
                "## " + say("train.report.calibration", lang),
                say("train.network.calibration", lang),
                calibration_table(learned.calibration, lang),
                *ending("network", command_words(plan, f"--trace {plan.trace:g}"), match, lang),
            ]
        )
        + "\n"
    )


def _facts(learned: LearnedNetwork, sha256: str, lang: str) -> str:
    plan = learned.plan
    rows = {
        "train.network.digest": f"`{digest(learned.network)}`",
        "train.network.sha256": f"`{sha256}`",
        **began("network", plan, lang),
        "train.network.corrects": f"`{plan.corrected}`",
        "train.network.trace": f"{plan.trace:g}",
        "train.network.sureness": f"{learned.sureness:.3f}",
        "train.network.seed": str(plan.seed),
    }
    return facts(rows, lang)


def _losses(learned: LearnedNetwork, lang: str) -> str:
    fresh = learned.plan.begin is None
    heads = [say(f"train.network.{key}", lang) for key in ("board", "without", "begun", "after")]
    whole = [("", learned.before, learned.begun, learned.after)] if len(learned.sizes) > 1 else []
    rows = [
        [name, loss_text(before), "" if fresh else loss_text(begun), loss_text(after)]
        for name, before, begun, after in [
            *((board(one), one.before, one.begun, one.after) for one in learned.sizes),
            *whole,
        ]
    ]
    return table(heads, rows)
