"""The table of environment variables: all that the sources read, in both languages."""

from __future__ import annotations

import re

import pytest

from tests.console import ROOT

SOURCES = (*(ROOT / "src").rglob("*.py"), ROOT / "hatch_build.py")
READ = re.compile(r"""["'](TENGEN_[A-Z_]+)["']""")
ROW = re.compile(r"^\| `(TENGEN_[A-Z_]+)` \|", re.MULTILINE)


@pytest.mark.parametrize("page", ["command-line.md", "command-line.zh-CN.md"])
def test_the_table_names_every_variable_that_the_sources_read(page):
    read = {name for file in SOURCES for name in READ.findall(file.read_text("utf-8"))}
    assert {"TENGEN_LANG", "TENGEN_DEBUG", "TENGEN_CACHE", "TENGEN_KERNELS"} <= read
    table = ROW.findall((ROOT / "docs" / page).read_text("utf-8"))
    assert sorted(table) == sorted(read)
