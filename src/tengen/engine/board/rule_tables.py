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
    for name, number in rule_numbers(rules).items():
        tables[0][name] = number
    fill_tables(tables)
    return tables


def rule_numbers(rules: Rules) -> dict[str, int]:
    """Return the fields of `TABLES` that say what the rules are, 1 or 0 each."""
    return {
        "overline_wins": int(rules.overline == "wins"),
        "overlines": int(rules.overline == "foul"),
        "double_fours": int(rules.double_four),
        "double_threes": int(rules.double_three),
        "closed": int(rules.blocked_five != "wins"),
        "barred": int(rules.has_fouls and rules.fouls == "forbidden"),
    }


RULE_NUMBERS = tuple(rule_numbers(Rules()))
"""The names of these fields."""


@kernel(signature(None, TABLES_REF))
def fill_tables(tables_ref):
    """Fill the tables of some rules, whose numbers are there already; all else is zero."""
    fill_patterns(tables_ref[0])
    fill_classes(tables_ref[0])
