from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tengen import Board
from tengen.formats.files import FileError
from tengen.formats.pictures.picture_files import write_pictures
from tests.formats.pictures.compare import parsed, structure

EXAMPLE = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "pictures.py"))


def test_what_has_been_written(tmp_path):
    names = [str(tmp_path / name) for name in ("a.svg", "b.png")]
    assert write_pictures(Board(), names[0], names[1]) == names
    assert write_pictures(Board()) == []
    assert sorted(str(path) for path in tmp_path.iterdir()) == names


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(FileError, match="cannot be written: it is a folder"):
        write_pictures(Board(), svg=str(tmp_path))


@pytest.mark.parametrize("name", EXAMPLE["PICTURES"])
def test_the_documentation_shows_what_is_drawn(name):
    """If this fails, python -m examples.pictures draws them anew; look at them."""
    shown = parsed((EXAMPLE["FOLDER"] / f"{name}.svg").read_text("utf-8"))
    assert structure(shown) == structure(parsed(EXAMPLE["PICTURES"][name]()))
