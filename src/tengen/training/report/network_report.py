"""The report of a network, in Markdown: its games, its metrics, its strength."""

from __future__ import annotations

from pathlib import Path

from tengen.engine.evaluation.network import digest
from tengen.training.models.network_training import LearnedNetwork, save_learned
from tengen.training.report.numbers_report import calibration_table, table
from tengen.training.report.plot import drawn_network
from tengen.training.report.sections import ModelComparison, began, board, loss_text, page, write_report
from tengen.words import say


def write_network(
    learned: LearnedNetwork, folder: str | Path, lang: str, match: ModelComparison | None = None
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

    def report(sha256: str, picture: str) -> str:
        return network_report(learned, sha256, picture, lang, match)

    return write_report("network", learned, files, drawn_network(learned), report)


def network_report(
    learned: LearnedNetwork, sha256: str, picture: str, lang: str, match: ModelComparison | None = None
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
    rows = {
        "train.network.digest": f"`{digest(learned.network)}`",
        "train.network.sha256": f"`{sha256}`",
        **began("network", plan, lang),
        "train.network.corrects": f"`{plan.corrected}`",
        "train.network.trace": f"{plan.trace:g}",
        "train.network.sureness": f"{learned.sureness:.3f}",
        "train.network.seed": str(plan.seed),
    }
    calibration = [
        "## " + say("train.report.calibration", lang),
        say("train.network.calibration", lang),
        calibration_table(learned.calibration, lang),
    ]
    trace, losses = f"--trace {plan.trace:g}", _losses(learned, lang)
    return page("network", learned, rows, losses, picture, lang, match, more=calibration, options=[trace])


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
