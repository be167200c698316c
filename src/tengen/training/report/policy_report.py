"""The report of a policy, in Markdown: its games, its metrics, its strength."""

from __future__ import annotations

from pathlib import Path

from tengen.engine.evaluation.network import digest as network_digest
from tengen.engine.evaluation.policy import digest
from tengen.training.models.policy_model import PolicyMetrics
from tengen.training.models.policy_training import LearnedPolicy, save_learned
from tengen.training.report.numbers_report import table
from tengen.training.report.plot import drawn_policy
from tengen.training.report.sections import (
    ModelComparison,
    began,
    board,
    loss_text,
    page,
    share_text,
    write_report,
)
from tengen.words import say


def write_policy(
    learned: LearnedPolicy, folder: str | Path, lang: str, match: ModelComparison | None = None
) -> dict[str, Path]:
    """Write a policy, the rest of its player, the report and its picture into a folder.

    Args:
        learned: the trained policy.
        folder: created if it does not exist; files of the same names are replaced.
        lang: the language of the report.
        match: the result against the policy that training started from; None if unknown.

    Returns:
        The files: ``policy``, ``weights``, ``network`` where there is one, ``report`` and ``picture``.

    Raises:
        FileError: a file cannot be written.
    """
    files = save_learned(learned, folder)

    def report(sha256: str, picture: str) -> str:
        return policy_report(learned, sha256, picture, lang, match)

    return write_report("policy", learned, files, drawn_policy(learned), report)


def policy_report(
    learned: LearnedPolicy, sha256: str, picture: str, lang: str, match: ModelComparison | None = None
) -> str:
    """Return the report.

    Args:
        learned: the trained policy.
        sha256: the SHA-256 of the policy's file.
        picture: the link to the picture, relative to the report.
        lang: the language of the report.
        match: the result against the policy that training started from; None if unknown.
    """
    plan, network = learned.plan, learned.plan.network
    rows = {
        "train.report.policy": f"`{digest(learned.policy)}`",
        "train.network.sha256": f"`{sha256}`",
        **began("policy", plan, lang),
        "train.network.corrects": f"`{plan.corrected}`",
        **({} if network is None else {"train.policy.beside": f"`{network_digest(network)}`"}),
        "train.network.seed": str(plan.seed),
    }
    return page("policy", learned, rows, _metrics(learned, lang), picture, lang, match)


def _metrics(learned: LearnedPolicy, lang: str) -> str:
    keys = "train.network.board", "", "train.policy.loss", "train.report.first"
    heads = [say(key, lang) if key else "" for key in (*keys, "train.policy.four", "train.policy.eight")]
    whole = [("", learned.before, learned.begun, learned.after)] if len(learned.sizes) > 1 else []
    rows = [
        row
        for name, *metrics in [
            *((board(one), one.before, one.begun, one.after) for one in learned.sizes),
            *whole,
        ]
        for row in _rows(name, metrics, learned.plan.begin is None, lang)
    ]
    return table(heads, rows, left=2)


def _rows(name: str, metrics: list[PolicyMetrics], fresh: bool, lang: str) -> list[list[str]]:
    keys = "train.policy.without", "train.policy.begun", "train.network.after"
    return [
        [
            name,
            say(key, lang),
            loss_text(one.loss),
            *(share_text(share) for share in (one.first, one.four, one.eight)),
        ]
        for key, one in zip(keys, metrics, strict=True)
        if not (fresh and key == "train.policy.begun")
    ]
