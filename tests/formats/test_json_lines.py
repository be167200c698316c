"""Files that grow line by line, and what is left of them when the machine dies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.formats.files import FileError
from tengen.formats.json_lines import JsonLinesFile, json_lines

FIRST = {"format": "x"}


@given(cut=st.integers(0, 100), length=st.sampled_from([3, 70_000, 200_000]))
def test_a_line_that_was_not_written_to_its_end_is_cut_off(tmp_path_factory, cut, length):
    path = tmp_path_factory.mktemp("a") / "a.jsonl"
    long = {"text": "x" * length}
    with JsonLinesFile(path, FIRST) as file:
        file.write(long)
        file.write(long)
    path.write_bytes(path.read_bytes()[: path.stat().st_size - cut])
    whole = [FIRST, long, long][: path.read_bytes().count(b"\n")]
    assert [line for _, line in json_lines(path)] == whole
    with JsonLinesFile(path, None) as file:
        file.write({"text": "y"})
    assert [line for _, line in json_lines(path)] == [*whole, {"text": "y"}]


def test_lines_have_their_numbers_and_what_is_no_object_is_empty(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n\n[1]\n\xff\n' + b"[" * 100_000 + b'\n{"b":2}\n{"c":3}')
    assert list(json_lines(path)) == [(1, {"a": 1}), (3, {}), (4, {}), (5, {}), (6, {"b": 2})]


def test_a_file_without_any_whole_line_begins_anew(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 100_000)
    with JsonLinesFile(path, None) as file:
        file.write(FIRST)
    assert list(json_lines(path)) == [(1, FIRST)]


def test_folders_are_made_only_where_that_is_wanted(tmp_path):
    path = tmp_path / "no" / "folder" / "a.jsonl"
    for first in (FIRST, None):
        with pytest.raises(FileError, match=r"a\.jsonl"):
            JsonLinesFile(path, first)
    with pytest.raises(FileError, match=r"a\.jsonl"):
        next(json_lines(path))
    JsonLinesFile(path, FIRST, folders=True).close()
    assert list(json_lines(path)) == [(1, FIRST)]
