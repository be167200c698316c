"""The HTTP API of the included puzzles: their list, and single puzzles with all solutions."""

from __future__ import annotations

from functools import lru_cache

from fastapi import APIRouter, Request, Response

from tengen.game.notation import format_moves
from tengen.schemas.puzzle import PuzzleData, PuzzleList, PuzzleSummary
from tengen.study.puzzle_set import shipped
from tengen.study.puzzle_threat import threat_of
from tengen.web.transport.contents import Content, answer, content
from tengen.web.transport.errors import NoSuchGame
from tengen.web.transport.http_errors import answer_of

router = APIRouter(prefix="/api", tags=["study"])


# Not `async`: the first request reads all puzzles, which must not block the event loop.
@router.get("/puzzles", response_model=PuzzleList)
def get_puzzles(request: Request) -> Response:
    """Return all puzzles, easiest first, with name, rules, size, kind, level and number of moves."""
    return answer(request, _list())


@router.get("/puzzles/{name}", response_model=PuzzleData)
def get_puzzle(name: str) -> Response:
    """Return a puzzle: the moves up to its position, and all correct moves with their continuations.

    A puzzle of defence also has the ``threat`` to be stopped: the moves by which the other side would win.
    """
    puzzle = shipped().get(name)
    if puzzle is None:
        raise NoSuchGame("error.web.no_puzzle")
    return answer_of(PuzzleData.of(puzzle, _threat(name)))


@lru_cache(maxsize=1000)
def _threat(name: str) -> str:
    """Return the threat of an existing puzzle as move text; this takes up to some tenths of a second."""
    puzzle = shipped()[name]
    return format_moves(threat_of(puzzle), puzzle.rules.width)


@lru_cache(maxsize=1)
def _list() -> Content:
    puzzles = PuzzleList(puzzles=tuple(PuzzleSummary.of(puzzle) for puzzle in shipped().values()))
    return content(puzzles.to_json().encode(), ".json")
