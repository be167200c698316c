"""A picture of a tuning: scores, how sure the search is, and where the numbers went.

The picture's words are English in every language: the fonts that come with matplotlib have no Chinese.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.arena.arena_error import ArenaError
from tengen.arena.tuning_parameters import Parameter
from tengen.extras import importing
from tengen.formats.files import check_writable, shown, write_whole

if TYPE_CHECKING:
    from tengen.arena.tuning import TuningState

_FORMATS = (".png", ".svg")


def plot(state: TuningState, path: str | Path) -> None:
    """Draw how a tuning went, generation by generation.

    Three panels, one above the other: the candidates' scores, with their mean and its standard error; the
    standard deviations of the search, with the games of each candidate; the mean of each number that is
    searched by factors, as a multiple of its start. A fourth has those that are searched by amounts, in
    steps from their start.

    Args:
        state: a tuning with a generation at least.
        path: the file, ``.png`` or ``.svg``.

    Raises:
        ArenaError: the name ends otherwise, or nothing has been played.
        FileError: the file cannot be written.
    """
    kind = _kind(path)
    if not state.generations:
        raise ArenaError("error.tune.unplayed")
    write_whole(path, _drawn(state, kind))


def check_picture(path: str | Path) -> None:
    """Say now what would keep a picture from being written at the end of a tuning.

    Raises:
        ArenaError: the name ends otherwise than in ``.png`` or ``.svg``.
        FileError: the file could not be written.
        MissingPackage: matplotlib is not installed.
    """
    _kind(path)
    check_writable(path)
    with importing("arena"):
        import matplotlib  # noqa: F401


def _kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower()
    if kind not in _FORMATS:
        raise ArenaError("error.tune.picture", file=shown(path))
    return kind


def _drawn(state: TuningState, kind: str) -> bytes:
    with importing("arena"):
        import matplotlib as mpl
        from matplotlib.figure import Figure

    parameters = state.tuning.parameters
    factors = [i for i, parameter in enumerate(parameters) if parameter.factors]
    amounts = [i for i, parameter in enumerate(parameters) if not parameter.factors]
    panels = [_scores, _deviations, *([_factors] if factors else []), *([_amounts] if amounts else [])]
    with mpl.rc_context({"svg.hashsalt": "tengen", "font.size": 9}):
        figure = Figure(figsize=(9, 2.6 * len(panels) + 0.6), layout="constrained")
        figure.suptitle(f"tuning of {state.tuning.player.spec}")
        axes = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
        for panel, axis in zip(panels, axes, strict=True):
            axis.grid(alpha=0.3)
            panel(axis, state)
        axes[-1].set_xlabel("generation")
        axes[-1].xaxis.get_major_locator().set_params(integer=True)
        output = io.BytesIO()
        metadata = {"Date": None} if kind == ".svg" else {}
        figure.savefig(output, format=kind[1:], dpi=120, metadata=metadata)
    return output.getvalue()


def _scores(axis: Any, state: TuningState) -> None:
    generations = state.generations
    x = range(1, len(generations) + 1)
    for number, generation in zip(x, generations, strict=True):
        axis.plot([number] * len(generation.totals), generation.totals, ".", color="0.7", markersize=3)
    scores = [generation.score for generation in generations]
    errors = [generation.error for generation in generations]
    axis.errorbar(x, scores, errors, color="C0", capsize=2, label="mean of the candidates ± standard error")
    axis.axhline(0.5, color="0.5", linewidth=0.8, linestyle="--")
    axis.set_ylabel("share of the points")
    axis.legend(loc="best", fontsize="small")


def _deviations(axis: Any, state: TuningState) -> None:
    generations = state.generations
    x = range(1, len(generations) + 1)
    for deviations in zip(*(generation.deviations for generation in generations), strict=True):
        axis.plot(x, deviations, color="C1", linewidth=0.8, alpha=0.7)
    _logarithmic(axis)
    axis.set_ylabel("standard deviation, steps")
    games = axis.twinx()
    games.step(x, [generation.games for generation in generations], where="mid", color="0.6")
    games.set_ylim(bottom=0)
    games.set_ylabel("games a candidate")


def _factors(axis: Any, state: TuningState) -> None:
    _paths(axis, state, factors=True)
    _logarithmic(axis)
    axis.axhline(1, color="0.5", linewidth=0.8, linestyle="--")
    axis.set_ylabel("multiple of its start")


def _amounts(axis: Any, state: TuningState) -> None:
    _paths(axis, state, factors=False)
    axis.axhline(0, color="0.5", linewidth=0.8, linestyle="--")
    axis.set_ylabel("steps from its start")


def _paths(axis: Any, state: TuningState, *, factors: bool) -> None:
    x = range(len(state.generations) + 1)
    for place, parameter in enumerate(state.tuning.parameters):
        if parameter.factors == factors:
            coordinates = [0.0, *(generation.mean[place] for generation in state.generations)]
            style = ("-", "--", ":")[place // 10 % 3]
            axis.plot(x, [_shown(parameter, c) for c in coordinates], style, label=parameter.name)
    axis.legend(
        loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small", ncols=1 + len(axis.lines) // 12
    )


def _logarithmic(axis: Any) -> None:
    """Powers of ten with their halves and fifths, written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _shown(parameter: Parameter, coordinate: float) -> float:
    """A number as the picture has it: a multiple of its start, or steps from there."""
    value = parameter.value(coordinate)
    return value / parameter.start if parameter.factors else (value - parameter.start) / parameter.step
