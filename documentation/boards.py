"""Boards in the pages: pictures drawn by the package, which become boards to step through.

A comment in a guide stands for a board, and is seen nowhere else:

    <!-- board: rules=renju moves=h8i9g7 numbers -->
"""

from __future__ import annotations

import hashlib
import html
import json
import shutil
from importlib.resources import files
from pathlib import Path

import tengen
from documentation.languages import SiteLanguage
from tengen import assets
from tengen.cli.positions import rules_from
from tengen.formats.pictures.svg import draw
from tengen.game.points import PASS
from tengen.words import catalogue
from tengen.words.languages import language as words_language

_SPOKEN = ("board.", "picture.", "replay.")
_WORDS = ("black", "white", "comma")
_THEME = Path(__file__).parent / "theme"

FOLDER = "boards"
"""The folder of the pictures."""


class Boards:
    """The boards of the pages of a language.

    Args:
        folder: the folder of the pages.
        language: the language of their words.
    """

    def __init__(self, folder: Path, language: SiteLanguage) -> None:
        self._folder = folder
        self._language = language

    def draw(self, words: str) -> str:
        """Draw a board from the words of its comment, and return what stands for it in the page."""
        values = dict(word.partition("=")[::2] for word in words.split())
        numbers = "numbers" in values
        rules = rules_from(values.get("rules"), values.get("size"))
        board = tengen.Board.from_moves(values.get("moves", ""), rules)
        svg = draw(board, numbers=numbers).svg
        name = f"{hashlib.sha256(svg.encode()).hexdigest()[:12]}.svg"
        (self._folder / FOLDER).mkdir(exist_ok=True)
        (self._folder / FOLDER / name).write_text(svg, "utf-8")
        moves = [
            None if move == PASS else [move % board.width, move // board.width] for move in board.moves
        ]
        result = board.outcome()
        line = (
            [] if result is None else [[point % board.width, point // board.width] for point in result.line]
        )
        data = {"width": board.width, "height": board.height, "moves": moves, "line": line}
        given = html.escape(json.dumps(data), quote=True)
        spoken = html.escape(" ".join(board.name(move) for move in board.moves), quote=True)
        picture = f'<img src="{FOLDER}/{name}" alt="{spoken}">'
        return f'<div class="tengen-board" data-game="{given}">{picture}</div>'

    def write_scripts(self) -> None:
        """Write the modules and style sheets that make boards of the pictures."""
        target = self._folder / "tengen"
        target.mkdir()
        for name in assets.names():
            shutil.copyfile(str(files("tengen.assets").joinpath(name)), target / name)
        for file in _THEME.iterdir():
            shutil.copyfile(file, target / file.name)
        texts = {
            key: text
            for key, text in catalogue(self._language.code).items()
            if key.startswith(_SPOKEN) or key in _WORDS
        }
        locale = words_language(self._language.code).locale
        module = f"export const TEXTS = {json.dumps(texts)};\nexport const LOCALE = {json.dumps(locale)};\n"
        (target / "texts.js").write_text(module, "utf-8")
