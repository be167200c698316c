"""Training output: progress lines, and the results."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from tengen.arena.match import MatchState
from tengen.cli.output import columns, match_lines
from tengen.cli.output.progress import Pace
from tengen.training.games.point_classes import WORTHS
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.models.learning import Learned
from tengen.training.models.network_training import LearnedNetwork
from tengen.training.models.point_class_training import Trained
from tengen.training.models.policy_training import LearnedPolicy
from tengen.training.models.trainer import Fit
from tengen.training.report.sections import ModelComparison, share_text
from tengen.words import Message, say


class PlayingProgress:
    """The progress line of self-play.

    Args:
        games: the total number of games; None if only the time is limited.
        seconds: the time limit; None for no limit.
        before: the number of games played before.
        lang: the language of messages.
    """

    def __init__(self, games: int | None, seconds: float | None, before: int, lang: str) -> None:
        self._games, self._seconds, self._lang = games, seconds, lang
        self._pace = Pace(lang, before)
        self._done, self._positions = before, 0

    def add(self, game: SelfPlayGame) -> None:
        """Count a finished game."""
        self._done += 1
        self._positions += len(game.samples)

    def __call__(self) -> str:
        """Return the current line."""
        games = str(self._done) if self._games is None else f"{self._done}/{self._games}"
        values = {"games": games, "positions": self._positions, "time": self._pace.time}
        text = say("train.progress.games", self._lang, **values)
        return "  ".join([text, *self._pace.left(self._done, self._games, self._seconds)])


class FittingProgress:
    """The progress line of a fit.

    Args:
        epochs: the number of passes over all positions.
        lang: the language of messages.
    """

    def __init__(self, epochs: int, lang: str) -> None:
        self._epochs, self._lang = epochs, lang
        self._what, self._now = WORTHS, Fit(0, math.nan, math.nan)

    def update(self, what: str, now: Fit) -> None:
        """Update the losses."""
        self._what, self._now = what, now

    def __call__(self) -> str:
        """Return the current line."""
        if not self._now.epoch:
            return say("train.progress.reading", self._lang)
        values = {
            "what": Message(f"train.report.{self._what}"),
            "epoch": self._now.epoch,
            "epochs": self._epochs,
            "training": f"{self._now.training:.4f}",
            "validation": "–" if math.isnan(self._now.validation) else f"{self._now.validation:.4f}",
        }
        return say("train.progress.fit", self._lang, **values)


def summary(trained: Trained, written: dict[str, Path], lang: str) -> str:
    """Return the results of a training: its data, its metrics, and the files written."""
    games = trained.games
    heads = ["", *(say(f"train.report.{key}", lang) for key in ("worths", "orders", "first"))]
    rows = [heads]
    for key, numbers in (
        ("after", trained.after),
        ("before", trained.before),
        ("constant", trained.constant),
    ):
        cells = [f"{numbers.worths:.4f}", f"{numbers.orders:.4f}", f"{100 * numbers.first:.1f} %"]
        rows.append([say(f"train.report.{key}", lang), *cells])
    shares = {
        name: f"{100 * number / games.games:.0f}"
        for name, number in (("black", games.black), ("draws", games.draws), ("white", games.white))
    }
    values = {"games": games.games, "positions": len(games.positions), **shares}
    return "\n".join(
        [
            say("train.games", lang, **values),
            columns.table(rows, left=(0,)),
            *(say("train.written", lang, file=str(path)) for path in written.values()),
            say("train.prove", lang, folder=str(written["weights"].parent)),
        ]
    )


def network_summary(
    learned: LearnedNetwork,
    written: dict[str, Path],
    standing: MatchState | None,
    result: ModelComparison | None,
    lang: str,
) -> str:
    """Return the results of the training of a network, and of its match, if any.

    Args:
        learned: the trained network.
        written: the files.
        standing: the state of the match; None if none was started.
        result: the result of the match; None if it is not finished.
        lang: the language of messages.
    """
    values = {
        "positions": learned.positions,
        "before": f"{learned.before:.4f}",
        "begun": f"{learned.begun:.4f}",
        "after": f"{learned.after:.4f}",
    }
    text = "train.network" if learned.begun == learned.before else "train.network.again"
    return _summary(say(text, lang, **values), learned, written, standing, result, lang)


def policy_summary(
    learned: LearnedPolicy,
    written: dict[str, Path],
    standing: MatchState | None,
    result: ModelComparison | None,
    lang: str,
) -> str:
    """Return the results of the training of a policy; see `network_summary`."""
    known = {"_before": learned.before, "_begun": learned.begun, "": learned.after}
    values = {
        "positions": learned.positions,
        "before": f"{learned.before.loss:.4f}",
        "begun": f"{learned.begun.loss:.4f}",
        "after": f"{learned.after.loss:.4f}",
        **{f"first{name}": share_text(metrics.first) for name, metrics in known.items()},
    }
    text = "train.policy" if learned.plan.begin is None else "train.policy.again"
    return _summary(say(text, lang, **values), learned, written, standing, result, lang)


def _summary(
    text: str,
    learned: Learned[Any, Any],
    written: dict[str, Path],
    standing: MatchState | None,
    result: ModelComparison | None,
    lang: str,
) -> str:
    """Return the results of a training, after a sentence on its losses."""
    # A network trained on games of other players learns their evaluation and distribution of positions.
    others = learned.games - learned.own
    notice = [say("train.network.others", lang, others=others, games=learned.games)] if others else []
    folder = str(written["weights"].parent)
    return "\n".join(
        [
            text,
            *notice,
            *(say("train.written", lang, file=str(path)) for path in written.values()),
            *([] if standing is None else [match_lines.summary(standing, lang)]),
            say("train.prove", lang, folder=folder) if result is None else result.text(lang),
        ]
    )
