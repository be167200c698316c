"""The program that compiles what the native program of the protocol consists of besides its C sources.

    python -m tengen.protocol.native_objects FOLDER TARGET...

It writes, for each target, the header ``generated.h`` and object files into a folder of the target's name:
the kernels for each level of its processors, and the parameters of all rules. It is a process of its own,
because Numba compiles nothing else in it afterwards.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tengen.engine.board.fouls import forbidden_cells
from tengen.engine.board.position import make
from tengen.engine.board.records import CACHE_LINE, PLIES
from tengen.engine.evaluation.parameter_file import set_up
from tengen.engine.kernels.ahead import (
    TARGETS,
    compile_object,
    data_object,
    lower,
    manifest_module,
    manifests,
)
from tengen.engine.kernels.declarations import Kernel
from tengen.engine.kernels.layouts import layouts_of
from tengen.engine.kernels.library import MANIFEST_SYMBOL, symbol
from tengen.engine.search.deepening_kernel import correct_result, fall_back, fill_table, next_result
from tengen.engine.tables import parameter_file
from tengen.protocol.bundle import SOURCES
from tengen.protocol.c_header import PARAMETERS, RULES, header, rules_of
from tengen.solver.build_kernels import CONSTANTS, RECORDS

KERNELS: tuple[Kernel, ...] = (
    set_up,
    make,
    forbidden_cells,
    next_result,
    fill_table,
    correct_result,
    fall_back,
)
"""The kernels that the program calls."""

_LEVELS = ("", "-v3")
"""Levels of processors, as they end the names of targets."""

_SIZE = 15
"""Parameters are the same for all sizes."""


def main(folder: str, *targets: str) -> None:
    """Write the header and the objects.

    Args:
        folder: the folder to write to.
        targets: names of targets without a level.
    """
    levels = {
        target: [f"{target}{level}" for level in _LEVELS if f"{target}{level}" in TARGETS]
        for target in targets
    }
    described = layouts_of(KERNELS, RECORDS, CONSTANTS | {"plies": PLIES})
    parameters = b"".join(parameter_file(rules_of(number, _SIZE)) for number in RULES)
    sources = "".join(file.read_text("utf-8") for file in SOURCES.glob("*.[ch]"))
    modules = lower(KERNELS)
    for target, names in levels.items():
        place = Path(folder, target)
        place.mkdir(parents=True)
        text = header(described, [_suffix(name, target) for name in names], sources)
        (place / "generated.h").write_text(text, "utf-8")
        data = data_object(parameters, PARAMETERS, TARGETS[names[0]], CACHE_LINE)
        (place / "parameters.o").write_bytes(data)
        goals = [TARGETS[name] for name in names]
        for goal, manifest in zip(goals, manifests(KERNELS, goals), strict=True):
            exported = {MANIFEST_SYMBOL, *map(symbol, manifest.kernels)}
            whole = [*modules, manifest_module(manifest)]
            made = compile_object(whole, exported, goal, _suffix(goal.name, target))
            (place / f"{goal.name}.o").write_bytes(made)


def _suffix(name: str, target: str) -> str:
    return f"_level{name.removeprefix(target).replace('-', '_')}"


if __name__ == "__main__":
    main(*sys.argv[1:])
