"""Warm-up: compilation of all kernels before they are needed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from tengen.engine.board.playable import check_rules
from tengen.engine.engine import load_kernels
from tengen.engine.kernels.cache import cache_folder
from tengen.engine.kernels.compile_events import listening
from tengen.engine.kernels.declarations import build, kernels
from tengen.engine.tables import prepared, prepared_networks
from tengen.game.rules import Rules
from tengen.solver.exact.kernel import attack
from tengen.solver.exact.table import keep_entries


@dataclass(frozen=True, slots=True)
class Warmed:
    """The result of `warm_up`.

    Attributes:
        functions: number of functions compiled; 0 if all came from the cache.
        seconds: duration of the warm-up.
        folder: cache folder of the compiled functions; None if none can be written.
    """

    functions: int
    seconds: float
    folder: Path | None


def warm_up(rules: Rules | None = None, *, everything: bool = False) -> Warmed:
    """Compile the kernels of the engine and of the threat solvers, or load them from the cache.

    Two processes may warm up at once: each writes whole files under the same names.

    Args:
        rules: the rules whose tables are computed as well; freestyle if None.
        everything: also compile the exact solver, which the engine does not use.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    wanted = Rules.named("freestyle") if rules is None else rules
    check_rules(wanted)
    began = time.perf_counter()
    names: list[str] = []
    with listening(lambda name, _: names.append(name)):
        build(*kernels("tengen.engine"))
        load_kernels()
        prepared(wanted)
        prepared_networks(wanted)
        if everything:
            build(attack, keep_entries)
    return Warmed(len(names), time.perf_counter() - began, cache_folder())
