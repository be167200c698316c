"""A picture of a training: losses, calibration, and what the most valued points are worth.

The picture's words are English in every language: the fonts that come with matplotlib have no Chinese.
"""

from __future__ import annotations

import io
import math
from typing import Any

from tengen.training.fitting import ORDERS, WORTHS
from tengen.training.pattern_names import class_name
from tengen.training.run import Trained, most_valued

_SHOWN = 14


def drawn(trained: Trained) -> bytes:
    """Four panels as a PNG.

    The losses of both fits, epoch by epoch, against that of knowing nothing and that of the numbers before;
    what was predicted against how games ended, with two standard errors; the most valued classes of points,
    of Black where the colours have numbers of their own.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": 9}):
        figure = Figure(figsize=(11, 7), layout="constrained")
        rules = trained.games.rules
        figure.suptitle(f"{rules.name} {rules.size_text}: learned from {trained.games.games} games")
        halves: Any = figure.subfigures(2, 1)
        upper, lower = halves
        worths, orders, calibration = upper.subplots(1, 3)
        _losses(worths, trained, WORTHS, "loss of the worths")
        _losses(orders, trained, ORDERS, "loss of the orders")
        _calibration(calibration, trained)
        _classes(lower.subplots(), trained)
        output = io.BytesIO()
        figure.savefig(output, format="png", dpi=110, metadata={"Software": None})
    return output.getvalue()


def _losses(axis: Any, trained: Trained, what: str, title: str) -> None:
    epochs = trained.epochs[what]
    x = [fit.epoch for fit in epochs]
    axis.plot(x, [fit.training for fit in epochs], color="0.6", label="training")
    axis.plot(x, [fit.validation for fit in epochs], color="C0", marker=".", label="validation")
    for numbers, colour, label in (
        (trained.constant, "C3", "a constant"),
        (trained.before, "C1", "before"),
    ):
        axis.axhline(getattr(numbers, what), color=colour, linewidth=1, linestyle="--", label=label)
    if what == WORTHS:
        axis.axhline(trained.least, color="C2", linewidth=1, linestyle=":", label="the least possible")
    axis.set_title(title)
    axis.set_xlabel("epoch")
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.grid(alpha=0.3)
    axis.legend(loc="best", fontsize="small")


def _calibration(axis: Any, trained: Trained) -> None:
    bins = trained.calibration
    errors = [2 * math.sqrt(max(each.result * (1 - each.result), 0.01) / each.count) for each in bins]
    axis.plot([0, 1], [0, 1], color="0.6", linewidth=0.8)
    axis.errorbar(
        [each.predicted for each in bins], [each.result for each in bins], errors, fmt="o", capsize=2
    )
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1)
    axis.set_title("calibration")
    axis.set_xlabel("predicted")
    axis.set_ylabel("as the games ended")
    axis.grid(alpha=0.3)


def _classes(axis: Any, trained: Trained) -> None:
    rows = list(most_valued(trained, 0, _SHOWN))[::-1]
    places = range(len(rows))
    axis.barh(places, [row[1] for row in rows], color="C0", label="to move")
    axis.plot([row[2] for row in rows], places, "|", color="C3", markersize=9, label="waiting")
    axis.set_yticks(list(places), [class_name(row[0], "en") for row in rows], fontsize="x-small")
    axis.set_title("most valued points, centi-units")
    axis.grid(alpha=0.3, axis="x")
    axis.legend(loc="lower right", fontsize="small")
