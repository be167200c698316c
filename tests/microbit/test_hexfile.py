"""What is in the .hex file, read back record by record."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import uflash

from microbit import hexfile
from tests.microbit.fake import SCRIPTS
from tests.microbit.intel import PLACES, files, sections

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "microbit"


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """What `make microbit` writes."""
    target = tmp_path_factory.mktemp("build") / "new" / "tengen.hex"
    subprocess.run([sys.executable, "-m", "microbit.hexfile", target], cwd=ROOT, check=True)
    return target.read_text("ascii")


@pytest.mark.parametrize("version", PLACES)
def test_it_holds_the_scripts(text, version):
    memory = sections(text)[version]
    found = dict(files(memory, *PLACES[version]))
    assert set(found) == {f"{name}.py" for name in SCRIPTS}
    for name, content in found.items():
        assert content == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("version", PLACES)
def test_it_holds_micropython_unchanged(text, version):
    runtime = sections(uflash._RUNTIME)[version]
    memory = sections(text)[version]
    start, end = PLACES[version]
    assert {at: value for at, value in memory.items() if not start <= at <= end} == runtime
    assert memory[end] == 0xFD


def test_the_sections_are_aligned_as_a_universal_hex_file_is(text):
    assert text.index(":020000040000FA\n:0400000A9903") % 512 == 0


@pytest.mark.parametrize("length", [0, 1, 116, 117, 118, 242, 243, 244, 5000])
@pytest.mark.parametrize("version", PLACES)
def test_a_single_file_is_placed_as_uflash_places_it(version, length):
    script = b"#" * length
    ours = hexfile.file_system({"main.py": script}, version)
    header = f":020000040000FA\n:0400000A{version}C0DE" + {"9900": "BB\n", "9903": "B8\n"}[version]
    memory = sections(header + ours)[version]
    assert dict(files(memory, *PLACES[version])) == {"main.py": script}
    if script:
        theirs = uflash.script_to_fs(script, version)
        assert memory == sections(header + theirs)[version]


def test_files_of_every_length_follow_each_other():
    lengths = [1, 120, 121, 122, 126, 252, 500]
    some = {f"f{length}.py": bytes([length % 100]) * length for length in lengths}
    data = b"".join(hexfile.chunks(some))
    assert dict(files(dict(enumerate(data)), 0, len(data))) == some


def test_too_much_is_refused():
    some = {"main.py": b"#" * 18000}
    assert hexfile.embed(some)
    with pytest.raises(ValueError, match=r"take 20\d\d\d bytes of the 20480"):
        hexfile.embed({**some, "more.py": b"#" * 2200})


def test_another_uflash_is_noticed(monkeypatch):
    monkeypatch.setattr(uflash, "script_to_fs", lambda *given: f":00000001FF{given[1]}\n")
    monkeypatch.setattr(uflash, "embed_fs_uhex", lambda *given: given[0])
    with pytest.raises(ValueError, match="uflash"):
        hexfile.embed({"main.py": b"#"})


@pytest.mark.parametrize(("words", "status"), [([], 2), (["--help"], 0)])
def test_who_names_no_file_is_told_to(words, status, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["hexfile", *words])
    with pytest.raises(SystemExit) as ended:
        hexfile.main()
    assert ended.value.code == status
    shown = capsys.readouterr()
    assert "python -m microbit.hexfile [-h] FILE" in shown.out + shown.err
    assert list(tmp_path.iterdir()) == []
