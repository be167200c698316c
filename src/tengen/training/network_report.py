"""The report of a network, in Markdown: from what it was learned, how well, and whether it plays better.

It holds neither dates nor folders, so that the same games and settings give the same report: this is the
page that lies beside each network that comes with Tengen.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from tengen.engine.network import digest
from tengen.engine.weights import family
from tengen.formats.files import write_whole
from tengen.training.network_training import LearnedNetwork, SizeResult, checksum, save_learned
from tengen.training.plot import drawn_network
from tengen.training.report import calibration_table, rules_message, table
from tengen.words import say


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What came of a match of the new network against the one that it began with.

    Attributes:
        verdict: whether the new one plays better, as far as the games tell.
        elo: the difference with its 95 % error, as text.
        wins: of the new one.
        draws: games without a winner.
        losses: of the new one.
        seconds: how long each thought about a move.
    """

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
        return say(f"train.match.{self.verdict}", lang, **values)


def write_network(
    learned: LearnedNetwork, folder: str | Path, lang: str, match: MatchResult | None = None
) -> dict[str, Path]:
    """Write a network, the numbers it corrects, the report and its picture into a folder.

    Args:
        learned: what has been learned.
        folder: made if there is none; files of these names are replaced.
        lang: the language of the report.
        match: how it plays against the one that it began with; None if that is not known.

    Returns:
        The files: ``network``, ``weights``, ``report`` and ``picture``.

    Raises:
        FileError: one cannot be written.
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
    """The page.

    Args:
        learned: what has been learned.
        sha256: of the network's file.
        picture: the file with the picture, as the page sees it.
        lang: the language to write in.
        match: how it plays against the one that it began with; None if that is not known.
    """
    rules = learned.rules
    sizes = [f"{one.size}x{one.size}" for one in learned.sizes]
    where = say("comma", lang).join(sizes)
    return (
        "\n\n".join(
            [
                "# " + say("train.network.title", lang, rules=rules_message(rules), size=where),
                say("train.network.intro", lang),
                _facts(learned, sha256, lang),
                "## " + say("train.network.games", lang),
                _games(learned.sizes, lang),
                "## " + say("train.report.losses", lang),
                say("train.network.losses", lang),
                _losses(learned, lang),
                f"![{say('train.network.picture', lang)}]({picture})",
                "## " + say("train.report.epochs", lang),
                _epochs(learned, lang),
                "## " + say("train.report.calibration", lang),
                say("train.network.calibration", lang),
                calibration_table(learned.calibration, lang),
                "## " + say("train.network.strength", lang),
                say("train.network.unplayed", lang) if match is None else match.text(lang),
                "## " + say("train.network.repeat", lang),
                say("train.network.repeat.text", lang),
                f"```sh\n{_command(learned)}\n```",
                "## " + say("train.network.licence", lang),
                say("train.network.licence.text", lang),
            ]
        )
        + "\n"
    )


def _facts(learned: LearnedNetwork, sha256: str, lang: str) -> str:
    plan = learned.plan
    rows = {
        "digest": f"`{digest(learned.network)}`",
        "sha256": f"`{sha256}`",
        "began": f"`{plan.begun_with}`" if plan.begin else say("train.network.random", lang),
        "corrects": f"`{plan.corrected}`",
        "trace": f"{plan.trace:g}",
        "sureness": f"{learned.sureness:.3f}",
        "seed": str(plan.seed),
    }
    cells = [[say(f"train.network.{key}", lang), text] for key, text in rows.items()]
    return table(["", ""], cells, left=2)


def _games(sizes: list[SizeResult], lang: str) -> str:
    keys = "train.network.board", "train.report.games", "train.network.own", "train.network.nodes"
    more = "train.report.positions", "train.network.outside", "train.network.apart"
    heads = [say(key, lang) for key in (*keys, *more)]
    rows = [
        [
            f"{one.size}x{one.size}",
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


def _losses(learned: LearnedNetwork, lang: str) -> str:
    fresh = learned.plan.begin is None
    heads = [say(f"train.network.{key}", lang) for key in ("board", "without", "begun", "after")]
    whole = [("", learned.before, learned.begun, learned.after)] if len(learned.sizes) > 1 else []
    rows = [
        [name, _loss(before), "" if fresh else _loss(begun), _loss(after)]
        for name, before, begun, after in [
            *((f"{one.size}x{one.size}", one.before, one.begun, one.after) for one in learned.sizes),
            *whole,
        ]
    ]
    return table(heads, rows)


def _loss(loss: float) -> str:
    return "–" if math.isnan(loss) else f"{loss:.4f}"


def _epochs(learned: LearnedNetwork, lang: str) -> str:
    heads = [say(f"train.report.{key}", lang) for key in ("epoch", "training", "validation")]
    rows = [[str(one.epoch), _loss(one.training), _loss(one.validation)] for one in learned.epochs]
    return table(heads, rows, left=0)


def _command(learned: LearnedNetwork) -> str:
    """The command that learns it again, from the same games."""
    plan = learned.plan
    words = [
        "tengen train network",
        f"--rules {plan.rules.name}",
        f"--size {plan.rules.size_text}",
        f"--epochs {plan.epochs}",
        f"--trace {plan.trace:g}",
        f"--seed {plan.seed}",
        *(["--fresh"] if plan.begin is None else []),
        "--games 0 --data GAMES.jsonl --out FOLDER",
    ]
    return " ".join(words)
