"""The engine in pages: the files that it loads, and searches of native kernels to compare it with."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.engine.handicap import handicap
from tengen.engine.kernels.source_hash import PACKAGE
from tengen.engine.search.deepening import DepthResult
from tengen.game.notation import parse_moves
from tengen.game.points import Colour
from tengen.web.site.engine_levels import handicap_data

SEARCHES: tuple[tuple[str, int, str, dict[str, Any], int], ...] = (
    *(
        (family, size, moves, limit, lines)
        for family in ("freestyle", "standard", "renju", "caro")
        for size, moves, limit, lines in (
            (15, "h8i9g7f6h10i8", {"nodes": 20_000}, 1),
            (15, "h8i9g7f6h10i8", {"depth": 4}, 3),
            (15, "h8h9i8i9j8j9", {"nodes": 4000}, 1),
            (9, "e5d5e6", {"depth": 5}, 1),
        )
    ),
    ("renju", 15, "h8i8j8k10k11i10l10j9l11l12j11m11", {"nodes": 30_000}, 1),
    ("caro", 15, "g7f9g8e8h11g4f12g10d7f7d9e5", {"nodes": 30_000}, 1),
)
"""Rules, size, moves, limit and lines."""

STRENGTHS: tuple[tuple[str, int, str, int, int, dict[str, Any]], ...] = (
    *(("freestyle", 15, "h8i9g7f6h10i8", strength, 0, {}) for strength in (10, 25, 40)),
    *(("renju", 15, "h8h9i8i9g10", strength, -7, {}) for strength in (10, 55)),
    ("standard", 20, "k10l11k12m12k11", 25, 2**61, {}),
    ("caro", 9, "e5d5e6", 10, 3, {"depth": 4}),
    ("freestyle", 15, "h8", 85, 1, {"nodes": 9000}),
    ("freestyle", 15, "h8i9g7f6h10i8g8g9", 10, 12, {}),
    ("freestyle", 15, "h8i9g7f6h10i8g8g9", 10, 13, {}),
)
"""Rules, size, moves, strength, seed and limit."""

SETUPS: tuple[tuple[str, str, str, Colour, str], ...] = (
    ("freestyle", "h8 h9 j10 k11", "i9 g7 f6", BLACK, "i8i10"),
    ("renju", "h8 h9 i10", "i9 g7 f6", WHITE, ""),
)
"""Rules, black stones, white stones, the side to move, and moves."""


def folder_of(config: pytest.Config) -> Path:
    """The folder of all that the engine in a page loads, made from the sources as they are."""
    from tengen.solver.build_kernels import write_data_for_web
    from tests.engine.kernels.on_webassembly import built

    folder: Path = config.cache.mkdir("webassembly")
    built(folder)
    write_data_for_web(folder)
    return folder


class _Handler(SimpleHTTPRequestHandler):
    """Serves the modules of pages, the engine's files and an empty page."""

    folder: Path
    isolated: bool

    def translate_path(self, path: str) -> str:
        _, first, *rest = path.partition("?")[0].split("/")
        folders = {"static": PACKAGE / "web" / "static", "engine": self.folder}
        return str(folders.get(first, Path(os.devnull)).joinpath(*rest))

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>-</title>")

    def end_headers(self) -> None:
        if self.isolated:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, *, isolated: bool) -> Iterator[str]:
    """Serve an empty page and all that the engine needs, with or without isolation from other origins."""
    handler = type("_Served", (_Handler,), {"folder": folder, "isolated": isolated})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def native_searches(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The results of each depth by native kernels, as the engine in a page reports them."""
    monkeypatch.setattr("tengen.engine.engine._info_of", lambda _, result: result)
    searches = []
    for family, size, moves, limit, lines in SEARCHES:
        board = Board.from_moves(moves, Rules.named(family, size))
        searches.append(_search(Engine(), board, limit, lines))
    for family, size, moves, strength, seed, limit in STRENGTHS:
        board = Board.from_moves(moves, Rules.named(family, size))
        searches.append(_weaker(board, strength, seed, limit))
    for family, black, white, turn, moves in SETUPS:
        board = Board.from_stones(black.split(), white.split(), turn, Rules.named(family))
        for move in parse_moves(moves, board.width, board.height):
            board.push(move)
        searches.append(_search(Engine(), board, {"nodes": 3000}, 2))
        searches.append(_weaker(board, 40, 5, {}))
    return searches


def _weaker(board: Board, strength: int, seed: int, limit: dict[str, Any]) -> dict[str, Any]:
    """A search below full strength."""
    errors = handicap(strength)
    assert errors is not None
    search = _search(Engine(strength=strength, seed=seed), board, limit)
    return {**search, "handicap": {**handicap_data(errors), "seed": str(seed)}}


def _search(engine: Engine, board: Board, limit: dict[str, Any], lines: int = 1) -> dict[str, Any]:
    """A search as the engine in a page is asked for it, with its results."""
    size, infos = board.width, []
    for result in engine.infos(board, Limit(**limit), lines):
        info = asdict(cast("DepthResult", result))
        cells = [info.pop("cell"), *info.pop("line")]
        points = [(cell // 32 - 5) * size + cell % 32 - 5 for cell in cells]
        infos.append({**info, "point": points[0], "line": points[1:]})
    for info in infos:
        del info["seconds"]
    position: dict[str, Any] = {"family": board.rules.name, "size": size, "moves": list(board.moves)}
    if board.setup is not None:
        black, white = (board.setup.stones(colour) for colour in (BLACK, WHITE))
        position["setup"] = {"black": black, "white": white, "turn": board.setup.turn - 1}
    return {"position": position, "limit": limit, "lines": lines, "infos": infos}
