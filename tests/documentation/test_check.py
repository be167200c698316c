"""The check of a site: what leads nowhere, and what would come from another host."""

from __future__ import annotations

from pathlib import Path

import pytest
from documentation.check import faults


def site(folder: Path, body: str, css: str = "") -> Path:
    made = folder / "site"
    made.mkdir()
    (made / "index.html").write_text(f"<html><head>{body}</head></html>")
    (made / "other.html").write_text('<h1 id="there">Other</h1>')
    (made / "图.svg").write_text("<svg/>")
    (made / "style.css").write_text(css)
    return made


@pytest.mark.parametrize(
    "body",
    [
        '<a href="other.html#there">x</a><a href="#own">y</a><p id="own">z</p>',
        '<a href="https://example.org/">x</a><a href="mailto:me@example.org">y</a>',
        '<img src="%E5%9B%BE.svg"><link rel="stylesheet" href="./style.css">',
        '<link rel="canonical" href="https://example.org/"><img src="data:image/png;base64,">',
    ],
)
def test_nothing_is_wrong(body, tmp_path):
    assert list(faults(site(tmp_path, body))) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="nowhere.html">x</a>', "nothing at nowhere.html"),
        ('<a href="other.html#here">x</a>', "no place other.html#here"),
        ('<script src="https://example.org/a.js"></script>', "loads https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "loads //example.org/a.css"),
        ('<img src="gone.png">', "nothing at gone.png"),
    ],
)
def test_what_is_wrong_is_told(body, said, tmp_path):
    assert list(faults(site(tmp_path, body))) == [f"index.html: {said}"]


def test_style_sheets_that_load_from_another_host(tmp_path):
    made = site(tmp_path, "", "@font-face { src: url('https://example.org/font') }")
    assert list(faults(made)) == ["style.css: loads from another host"]
