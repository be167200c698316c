"""The table of languages, and what it takes to add one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen.words import LANGUAGES
from tengen.words.languages import TABLE, language, preferred
from tests.words.faces import SOURCE, scripts, trees

HERE = ("words/languages.py", "formats/encoding_languages.py", "formats/encoding_table.py")
"""The table, and the languages of old files, which are others."""


def test_english_comes_first_and_is_complete():
    assert (TABLE[0].code, TABLE[0].draft) == ("en", False)
    assert len(set(LANGUAGES)) == len(LANGUAGES)


def test_a_language_by_its_code():
    assert [language(code).code for code in LANGUAGES] == [*LANGUAGES]
    with pytest.raises(KeyError):
        language("xx")


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh_TW.UTF-8", "zh"),
        ("zh", "zh"),
        ("ZH-Hans-CN", "zh"),
        ("en_GB", "en"),
        ("de_DE.UTF-8", None),
        ("C", None),
        ("", None),
        ("vi_VN.UTF-8", None),
    ],
)
def test_a_language_that_the_system_asks_for_is_no_draft(tag, code):
    found = preferred(tag)
    assert (None if found is None else found.code) == code


def test_no_other_place_in_the_code_names_languages():
    code = "|".join(one.code for one in TABLE[1:]) + "|" + "|".join(one.locale for one in TABLE)
    texts = {name: (SOURCE / name).read_text("utf-8") for name in trees()} | scripts()
    naming = {
        name
        for name, text in texts.items()
        if re.search(rf"[\"'`](?:{code})[\"'`]", text) and not name.startswith("examples/")
    }
    # The header writes the name of the game in Chinese.
    assert naming - {"web/static/shared/header.js"} == {"words/languages.py"}
    assert re.findall(rf"[\"'`](?:{code})[\"'`]", texts["web/static/shared/header.js"]) == ['"zh"']


SHOW = """
from tengen.cli import main
from tengen.web import pages
main(["show", "--lang", "eo"])
main(["play", "--plain", "--lang", "eo"])
print(pages._with_attributes(b"<html>", ()).plain.decode())
print(pages.words_of("eo", "app").plain.decode())
"""


@pytest.mark.long
def test_another_language_is_a_line_and_a_folder(tmp_path):
    """In a copy of the program: one that the command line and the pages speak at once."""
    package = tmp_path / "tengen"
    shutil.copytree(Path(tengen.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    table = package / "words" / "languages.py"
    line = '    Translation("eo", "eo", "Esperanto", draft=True),\n)\n'
    table.write_text(table.read_text("utf-8").replace("\n)\n", f"\n{line}", 1), "utf-8")
    folder = package / "words" / "eo"
    folder.mkdir()
    (folder / "shared.json").write_text('{"black": "Nigro"}', "utf-8")
    (folder / "cli.json").write_text('{"cli.show.turn": "{colour} ludas"}', "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SHOW.replace("eo", "eo")],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        input="q\n",
        check=False,
    )
    assert done.stderr == ""
    *said, document, served = done.stdout.splitlines()
    assert "Nigro ludas" in said
    assert any(line.startswith("1. Black") for line in said), "a draft falls back to English, key by key"
    assert "Esperanto" in document
    assert json.loads(served) == {"black": "Nigro"}
