"""Sections that the reports of a network and of a policy share, in Markdown.

They hold neither dates nor folders, so that the same games and settings give the same report: these are the
pages that lie beside what comes with Tengen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from tengen.training.models.learning import Learned, LearningPlan, SizeResult
from tengen.training.models.trainer import Fit
from tengen.training.report.numbers_report import rules_message, table
from tengen.words import Message, say

What: TypeAlias = Literal["network", "policy"]
"""What may be learned that a page tells of."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match of something new against what it began with.

    Attributes:
        what: is new.
        verdict: whether the new one plays better, as far as the games tell.
        elo: the difference with its 95 % error, as text.
        wins: of the new one.
        draws: games without a winner.
        losses: of the new one.
        seconds: how long each thought about a move.
    """

    what: What
    verdict: Literal["better", "worse", "open"]
    elo: str
    wins: int
    draws: int
    losses: int
    seconds: float

    def text(self, lang: str) -> str:
        """One sentence that says it."""
        values = {key: value for key, value in asdict(self).items() if key != "verdict"}
        values |= {"games": self.wins + self.draws + self.losses, "seconds": f"{self.seconds:g}"}
        values["what"] = Message(f"train.report.{self.what}")
        return say(f"train.match.{self.verdict}", lang, **values)


def opening(what: What, learned: Learned[Any, Any], lang: str) -> list[str]:
    """The title and what it is."""
    where = say("comma", lang).join(map(board, learned.sizes))
    return [
        "# " + say(f"train.{what}.title", lang, rules=rules_message(learned.rules), size=where),
        say(f"train.{what}.intro", lang),
    ]


def facts(rows: Mapping[str, str], lang: str) -> str:
    """Names and values, by the key of the name."""
    return table(["", ""], [[say(key, lang), text] for key, text in rows.items()], left=2)


def began(what: What, plan: LearningPlan, lang: str) -> dict[str, str]:
    """What it began with, as one of the `facts`."""
    text = f"`{plan.begun_with}`" if plan.begun_with else say("train.network.random", lang)
    return {f"train.{what}.began": text}


def games_table(what: What, sizes: Sequence[SizeResult[Any]], lang: str) -> str:
    """From which games, by size of the board."""
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
    """The board of a result."""
    return f"{result.size}x{result.size}"


def loss_text(loss: float) -> str:
    """A loss; a dash where it is not known."""
    return "–" if math.isnan(loss) else f"{loss:.4f}"


def share_text(share: float) -> str:
    """A share of a hundred; a dash where it is not known."""
    return "–" if math.isnan(share) else f"{100 * share:.1f} %"


def epochs_section(epochs: Sequence[Fit], lang: str) -> list[str]:
    """The losses of each epoch."""
    heads = [say(f"train.report.{key}", lang) for key in ("epoch", "training", "validation")]
    rows = [[str(one.epoch), loss_text(one.training), loss_text(one.validation)] for one in epochs]
    return ["## " + say("train.report.epochs", lang), table(heads, rows, left=0)]


def ending(what: What, words: Sequence[str], match: MatchResult | None, lang: str) -> list[str]:
    """Return the sections on strength, on how to learn it again, and on the licence.

    Args:
        what: was learned.
        words: of the command that learns it again, from the same games, but for what all have in common.
        match: how it plays against what it began with; None if that is not known.
        lang: the language to write in.
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
    """The words of the command that learns it again; see `ending`."""
    return [
        f"--rules {plan.rules.name}",
        f"--size {plan.rules.size_text}",
        f"--epochs {plan.epochs}",
        *more,
        f"--seed {plan.seed}",
        *([] if plan.begun_with else ["--fresh"]),
    ]
