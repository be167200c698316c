"""The pictures in the documentation are what the fake display shows now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.microbit.pictures import FOLDER, drops, pictures

PAGES = [FOLDER.parent / name for name in ("microbit.md", "microbit.zh-CN.md")]


def test_the_pictures_are_up_to_date():
    found = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.svg")}
    assert found == pictures(), "run: make microbit-pictures"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_is_shown(page):
    text = page.read_text("utf-8")
    assert all(f"microbit/{name}" in text for name in pictures())


def test_the_game_is_drawn_to_its_end():
    assert len(drops()) == 8
    assert drops()[-1] == "90903 00000 00909 00000 30303"


def test_a_light_is_drawn_for_every_point():
    for path in Path(FOLDER).glob("*.svg"):
        text = path.read_text("utf-8")
        assert text.count('width="10"') == 25 * text.count(f'height="{5 * 28 + 16}" rx')
