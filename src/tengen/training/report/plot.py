"""Pictures of a training: losses, calibration, and the worths of the most valued points.

The text in the pictures is English in every language: the fonts that come with matplotlib have no Chinese
characters.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tengen.engine.board.pattern_names import class_name
from tengen.game.rules import Rules
from tengen.training.games.point_classes import ORDERS, WORTHS
from tengen.training.models.calibration import Bin
from tengen.training.models.network_training import LearnedNetwork
from tengen.training.models.point_class_training import Trained, most_valued
from tengen.training.models.policy_model import PolicyMetrics
from tengen.training.models.policy_training import LearnedPolicy
from tengen.training.models.trainer import Fit

_SHOWN = 14


def drawn(trained: Trained) -> bytes:
    """Draw four panels for point-class weights; return a PNG.

    The panels show the losses of worths and of orders by epoch, against the uniform baseline and the
    previous weights; the calibration, with two standard errors; and the most valued point classes, of Black
    where the colours have separate weights.
    """

    def draw(figure: Any) -> None:
        upper, lower = figure.subfigures(2, 1)
        worths, orders, calibration = upper.subplots(1, 3)
        for axis, what in ((worths, WORTHS), (orders, ORDERS)):
            known = {"a constant": trained.constant, "before": trained.before}
            levels = {label: getattr(numbers, what) for label, numbers in known.items()}
            if what == WORTHS:
                levels["the least possible"] = trained.least
            _losses(axis, trained.epochs[what], levels, f"loss of the {what}")
        _calibration(calibration, trained.calibration)
        _classes(lower.subplots(), trained)

    return _picture((11, 7), trained.games.rules, trained.games.games, draw)


_BEGUN = "the one it began with"


def drawn_network(learned: LearnedNetwork) -> bytes:
    """Draw two panels for a network, the losses by epoch and the calibration; return a PNG."""

    def draw(figure: Any) -> None:
        losses, calibration = figure.subplots(1, 2)
        levels = {"no network": learned.before}
        if learned.plan.begin is not None:
            levels[_BEGUN] = learned.begun
        _losses(losses, learned.epochs, levels, "loss")
        _calibration(calibration, learned.calibration)

    return _picture((8, 3.7), learned.rules, learned.games, draw)


def drawn_policy(learned: LearnedPolicy) -> bytes:
    """Draw two panels for a policy, the losses by epoch and the ranks of chosen moves; return a PNG."""

    def draw(figure: Any) -> None:
        losses, places = figure.subplots(1, 2)
        known = {"no policy": learned.before}
        if learned.plan.begin is not None:
            known[_BEGUN] = learned.begun
        _losses(losses, learned.epochs, {name: one.loss for name, one in known.items()}, "loss")
        _places(places, known | {"learned": learned.after})

    return _picture((8, 3.7), learned.rules, learned.games, draw)


def _picture(size: tuple[float, float], rules: Rules, games: int, draw: Callable[[Any], None]) -> bytes:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": 9}):
        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(f"{rules.name} {rules.size_text}: learned from {games} games")
        draw(figure)
        output = io.BytesIO()
        figure.savefig(output, format="png", dpi=110, metadata={"Software": None})
    return output.getvalue()


_LEVELS = ("C3", "--"), ("C1", "--"), ("C2", ":")


def _losses(axis: Any, epochs: Sequence[Fit], levels: Mapping[str, float], title: str) -> None:
    x = [fit.epoch for fit in epochs]
    axis.plot(x, [fit.training for fit in epochs], color="0.6", label="training")
    axis.plot(x, [fit.validation for fit in epochs], color="C0", marker=".", label="validation")
    for (label, level), (colour, style) in zip(levels.items(), _LEVELS, strict=False):
        axis.axhline(level, color=colour, linewidth=1, linestyle=style, label=label)
    axis.set_title(title)
    axis.set_xlabel("epoch")
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.grid(alpha=0.3)
    axis.legend(loc="best", fontsize="small")


def _calibration(axis: Any, bins: Sequence[Bin]) -> None:
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


def _places(axis: Any, known: Mapping[str, PolicyMetrics]) -> None:
    width = 0.8 / len(known)
    for number, (label, one) in enumerate(known.items()):
        # The shares are NaN where the validation set is empty.
        shares = [0.0 if math.isnan(share) else 100 * share for share in (one.first, one.four, one.eight)]
        axis.bar([place + number * width for place in range(3)], shares, width, label=label)
    axis.set_xticks([place + 0.4 - width / 2 for place in range(3)], ["first", "first four", "first eight"])
    axis.set_title("the chosen move, of a hundred")
    axis.grid(alpha=0.3, axis="y")
    axis.legend(loc="upper left", fontsize="small")


def _classes(axis: Any, trained: Trained) -> None:
    rows = list(most_valued(trained, 0, _SHOWN))[::-1]
    places = range(len(rows))
    axis.barh(places, [row[1] for row in rows], color="C0", label="to move")
    axis.plot([row[2] for row in rows], places, "|", color="C3", markersize=9, label="waiting")
    axis.set_yticks(list(places), [class_name(row[0], "en") for row in rows], fontsize="x-small")
    axis.set_title("most valued points, centi-units")
    axis.grid(alpha=0.3, axis="x")
    axis.legend(loc="lower right", fontsize="small")
