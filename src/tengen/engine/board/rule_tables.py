"""The tables of some rules: patterns by line, point classes, and kinds of points by class."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tengen.engine.board.patterns import fill_patterns
from tengen.engine.board.playable import LARGEST, check_rules
from tengen.engine.board.point_classes import fill_classes
from tengen.engine.board.records import TABLES, TABLES_REF, Record, new_record
from tengen.engine.kernels.declarations import kernel
from tengen.engine.kernels.signatures import signature
from tengen.game.rules import Rules


def new_tables(rules: Rules) -> Record:
    """Return the tables of some rules, for every size: an array of one `TABLES`, not to be changed."""
    check_rules(rules)
    return _tables(replace(rules, width=LARGEST, height=LARGEST))


@lru_cache(maxsize=8)
def _tables(rules: Rules) -> Record:
    tables = new_record(TABLES)
    tables["overline_wins"] = rules.overline == "wins"
    tables["overlines"] = rules.overline == "foul"
    tables["double_fours"] = rules.double_four
    tables["double_threes"] = rules.double_three
    tables["closed"] = rules.blocked_five != "wins"
    tables["barred"] = rules.has_fouls and rules.fouls == "forbidden"
    fill_tables(tables)
    return tables


@kernel(signature(None, TABLES_REF), seconds=1)
def fill_tables(tables_ref):
    """Fill the tables of some rules, whose numbers are there already; all else is zero."""
    fill_patterns(tables_ref[0])
    fill_classes(tables_ref[0])
