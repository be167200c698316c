"""Reports of a search in MESSAGE lines, written by Tengen and parsed from any program.

The protocol leaves the text of a MESSAGE to the program. Most programs give numbers in one of a few forms,
which are parsed; the rest of a line is ignored:

>>> from tengen.gomocup.search_reports import last_report
>>> last_report(["depth 10-18 ev 12 n 2345K pv h8 i9", "Depth 12-20 | Eval -34 | Nodes 1.5M | h8 i9"])
(Score(value=-34, mate=None), 1500000)
>>> last_report(["ev +M5"]), last_report(["score: -M6 nodes 900"]), last_report(["I like h8"])
((Score(value=29995, mate=5), 0), (Score(value=-29994, mate=-6), 900), (None, 0))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tengen.game.player import Score
from tengen.game.score_units import WIN

_SCORE = re.compile(
    r"\b(?:ev|eval|evaluation|score)\b\s*[:=]?\s*(?:([+-])M([0-9]{1,4})|([+-]?[0-9]{1,9}))(?![\w.%])",
    re.IGNORECASE,
)
_NODES = re.compile(
    r"\b(?:n|nodes?)\b\s*[:=]?\s*([0-9]{1,18})(\.[0-9]{1,9})?([KMG]?)(?![\w.%])", re.IGNORECASE
)
_FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def last_report(messages: Sequence[str]) -> tuple[Score | None, int]:
    """Return the last score and node count in a program's messages.

    A score is a whole number after ``ev``, ``eval``, ``evaluation`` or ``score``; or ``+M5``, the side to
    move wins in 5 plies, or ``-M6``, it loses in 6. Numbers count as centi-units, clamped short of a win.
    Nodes are a number after ``n``, ``node`` or ``nodes``, with K, M or G for thousands. Case does not
    matter, and ``:`` or ``=`` may precede the number.

    Returns:
        The score, or None, and the nodes, or 0.
    """
    score, nodes = None, 0
    for text in messages:
        match = _SCORE.search(text)
        if match is not None:
            score = _score(*match.groups())
        counted = _NODES.search(text)
        if counted is not None:
            whole, fraction, factor = counted.groups()
            times = _FACTORS[factor.upper()]
            nodes = int(whole) * times + round(float(fraction or 0) * times)
    return score, nodes


def report_text(
    depth: int, score: Score, nodes: int, nodes_a_second: int, seconds: float, line: Iterable[str]
) -> str:
    """Write a report in the form that most programs use, and that `last_report` parses.

    Depth; score in centi-units, or ``+M5`` for a win in 5 plies and ``-M6`` for a loss; nodes, nodes per
    second, milliseconds; and the principal variation, its points as Tengen writes them.
    """
    mate = score.mate
    value = str(score.value) if mate is None else f"{'+' if score.value > 0 else '-'}M{abs(mate)}"
    times = f"nps {nodes_a_second} tm {round(seconds * 1000)}"
    return f"depth {depth} ev {value} n {nodes} {times} pv {' '.join(line)}"


def _score(sign: str | None, plies: str | None, value: str) -> Score:
    if plies is not None:
        return Score.win_in(int(plies)) if sign == "+" else Score.loss_in(int(plies))
    return Score(max(min(int(value), WIN - 1), 1 - WIN))
