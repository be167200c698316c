"""Reports of a search in MESSAGE lines: how Tengen writes them, and how those of any program are read.

The protocol leaves the text of a MESSAGE to the program. Most name numbers in one of a few ways, and those
are read; whatever else a line says is left alone:

>>> heard(["depth 10-18 ev 12 n 2345K tm 300 pv h8 i9", "Depth 12-20 | Eval -34 | Nodes 1.5M | h8 i9"])
(Score(value=-34, mate=None), 1500000)
>>> heard(["ev +M5"]), heard(["score: -M6 nodes 900"]), heard(["I like h8"])
((Score(value=29995, mate=5), 0), (Score(value=-29994, mate=-6), 900), (None, 0))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tengen.game.player import WIN, Score

_SCORE = re.compile(
    r"\b(?:ev|eval|evaluation|score)\b\s*[:=]?\s*(?:([+-])M([0-9]{1,4})|([+-]?[0-9]{1,9}))(?![\w.%])",
    re.IGNORECASE,
)
_NODES = re.compile(
    r"\b(?:n|nodes?)\b\s*[:=]?\s*([0-9]{1,18})(\.[0-9]{1,9})?([KMG]?)(?![\w.%])", re.IGNORECASE
)
_FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def heard(messages: Sequence[str]) -> tuple[Score | None, int]:
    """The score and the count of nodes that a program named last.

    A score is a whole number after ``ev``, ``eval``, ``evaluation`` or ``score``; or ``+M5``, the side to
    move wins in 5 plies, or ``-M6``, it loses in 6. Numbers are taken for centi-units, cut off short of a
    win. Nodes are a number after ``n``, ``node`` or ``nodes``, with K, M or G for its thousands. Upper and
    lower case are the same, and ``:`` or ``=`` may stand before the number.

    Returns:
        The score, None where there is none, and the nodes, 0 where there are none.
    """
    score, nodes = None, 0
    for text in messages:
        found = _SCORE.search(text)
        if found is not None:
            score = _score(*found.groups())
        counted = _NODES.search(text)
        if counted is not None:
            whole, fraction, factor = counted.groups()
            times = _FACTORS[factor.upper()]
            nodes = int(whole) * times + round(float(fraction or 0) * times)
    return score, nodes


def report_text(
    depth: int, score: Score, nodes: int, nodes_a_second: int, seconds: float, line: Iterable[str]
) -> str:
    """A report in the words that most programs use, and `heard` reads.

    Depth; score in centi-units, or ``+M5`` for a win in 5 plies and ``-M6`` for a loss; nodes, nodes in a
    second, milliseconds; and the line expected, its points as Tengen writes them.
    """
    mate = score.mate
    said = str(score.value) if mate is None else f"{'+' if score.value > 0 else '-'}M{abs(mate)}"
    times = f"nps {nodes_a_second} tm {round(seconds * 1000)}"
    return f"depth {depth} ev {said} n {nodes} {times} pv {' '.join(line)}"


def _score(sign: str | None, plies: str | None, value: str) -> Score:
    if plies is not None:
        return Score.win_in(int(plies)) if sign == "+" else Score.loss_in(int(plies))
    return Score(max(min(int(value), WIN - 1), 1 - WIN))
