"""The pages about queries are complete, and what they show is what is answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tengen import Engine
from tengen.protocol.json_analysis import Analyst
from tengen.schemas.analysis import InfoData
from tengen.schemas.base import Schema
from tengen.schemas.queries import AnalysisAnswer, AnalysisQuery, NoResults, QueryRefused

pytestmark = pytest.mark.usefixtures("compiled")

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "queries.md", DOCS / "queries.zh-CN.md"]
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)

STABLE = ("id", "final", "turn", "moves", "rules", "size", "error", "kind", "gains", "winner", "proven")
"""Fields that have the values shown, whatever the engine thinks."""

BY_POINT = ("heat", "policy")
"""Objects with a field for each point, of which a page shows some."""


def blocks(page: Path) -> list[list[dict[str, Any]]]:
    return [list(map(json.loads, block.splitlines())) for block in BLOCK.findall(page.read_text("utf-8"))]


def answers(queries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    Analyst(found.append, Engine).serve(map(json.dumps, queries))
    return found


def alike(shown: Any, found: Any, name: str = "") -> None:
    """Require the same fields, and the same values of those that no engine changes."""
    assert type(shown) is type(found), name
    if isinstance(shown, dict):
        assert shown.keys() <= found.keys() if name in BY_POINT else list(shown) == list(found), name
        for key, value in shown.items():
            alike(value, found[key], key)
    elif isinstance(shown, list) and name in ("infos", "running", "waiting", "black", "white"):
        assert len(shown) == len(found), name
        for one, other in zip(shown, found, strict=True):
            alike(one, other, name)
    elif name in (
        "id",
        "final",
        "turn",
        "moves",
        "rules",
        "size",
        "error",
        "kind",
        "gains",
        "winner",
        "proven",
    ):
        assert shown == found, name


def examples() -> list[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    every = [block for block in blocks(PAGES[0]) if "mcpServers" not in block[0]]
    return list(zip(every[::2], every[1::2], strict=True))


@pytest.mark.parametrize(("asked", "shown"), examples(), ids=lambda block: str(block[0]["id"]))
def test_what_is_shown_is_what_is_answered(asked, shown):
    found = answers(asked)
    assert len(found) == len(shown)
    for one, other in zip(shown, found, strict=True):
        alike(one, other)


def test_the_win_that_is_shown_is_one():
    shown = next(shown for asked, shown in examples() if asked[0]["id"] == "set up")
    (found,) = answers(next(asked for asked, _ in examples() if asked[0]["id"] == "set up"))
    for answer in (shown[0], found):
        assert answer["best"] == "k8"
        assert answer["infos"][0]["mate"] == 3
        assert answer["win"]["length"] == 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_field_has_its_row(page):
    rows = ROW.findall(page.read_text("utf-8"))
    fields: list[type[Schema]] = [AnalysisQuery, AnalysisAnswer, NoResults, QueryRefused, InfoData]
    missing = {name for model in fields for name in model.model_fields} - set(rows)
    assert not missing
