"""The puzzles that a page asks for, of a real server."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tengen.study.puzzle import Puzzle
from tengen.study.puzzle_set import shipped
from tests.web.serving import serve


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serve() as running, httpx.Client(base_url=running.url, timeout=60) as opened:
        yield opened


def test_the_list_has_all_puzzles_the_easier_ones_first(client):
    puzzles = client.get("/api/puzzles").json()["puzzles"]
    assert [puzzle["name"] for puzzle in puzzles] == list(shipped())
    levels = [puzzle["level"] for puzzle in puzzles]
    assert levels == sorted(levels)
    assert set(puzzles[0]) == {"name", "rules", "size", "kind", "level", "length"}


def test_the_list_is_not_sent_twice_to_one_browser(client):
    tag = client.get("/api/puzzles").headers["ETag"]
    again = client.get("/api/puzzles", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_puzzle_has_all_that_solves_it(client):
    puzzle = next(iter(shipped().values()))
    told = client.get(f"/api/puzzles/{puzzle.name}").json()
    assert (told["name"], told["level"], told["length"]) == (puzzle.name, puzzle.level, puzzle.length)
    assert Puzzle.from_dict(told) == puzzle


@pytest.mark.parametrize("name", ["0", "no-such-puzzle", "%00", "a" * 2000])
def test_there_is_no_such_puzzle(client, name):
    answer = client.get(f"/api/puzzles/{name}")
    assert answer.status_code == 404
    assert answer.json()["error"]["key"] == "error.web.no_puzzle"
