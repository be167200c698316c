"""Warm-up: all kernels loaded, or compiled just in time, before they are needed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import tengen.engine.engine
import tengen.solver.exact.kernel
import tengen.solver.exact.table  # noqa: F401 - all of them declare kernels, or import what does
from tengen.engine.board.playable import check_rules
from tengen.engine.kernels.cache import cache_folder
from tengen.engine.kernels.compile_events import listening
from tengen.engine.kernels.declarations import build, kernels
from tengen.engine.tables import prepared, prepared_networks
from tengen.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Warmed:
    """The result of `warm_up`.

    Attributes:
        functions: number of functions compiled; 0 if all came from the library of kernels or the cache.
        seconds: duration of the warm-up.
        folder: cache folder of the compiled functions; None if none can be written.
    """

    functions: int
    seconds: float
    folder: Path | None


def warm_up(rules: Rules | None = None, *, everything: bool = False) -> Warmed:
    """Load the kernels of the engine and of the threat solvers, or compile them.

    Two processes may compile at once: each writes whole files under the same names.

    Args:
        rules: the rules whose tables are computed as well; freestyle if None.
        everything: also the kernels that the engine does not use: those of the exact solver and of batches.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    wanted = Rules.named("freestyle") if rules is None else rules
    check_rules(wanted)
    if everything:
        import tengen.engine.batch.play  # noqa: F401 - it declares kernels
    began = time.perf_counter()
    names: list[str] = []
    with listening(lambda name, _: names.append(name)):
        build(*kernels("tengen" if everything else "tengen.engine"))
        prepared(wanted)
        prepared_networks(wanted)
    return Warmed(len(names), time.perf_counter() - began, cache_folder())
