"""``tengen engine`` and ``pbrain-tengen``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tengen.words import say
from tests.console import environment, run


def test_a_script_is_played():
    answer = run("engine", typed="INFO timeout_turn 0\nSTART 15\nBEGIN\nEND\n")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.splitlines()[0] == "OK"
    assert answer.out.splitlines()[-1] == "7,7"


def test_it_speaks_english_unless_asked():
    """What a manager shows is often no more than ASCII."""
    asked, chosen = (
        run("engine", *words, typed="BEGIN\nEND\n", lang="zh").out for words in (("--lang", "zh"), ())
    )
    assert asked == "ERROR 还没有棋盘：应先发 START\n"
    assert chosen == "ERROR there is no board yet: expected START first\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "0"), "--threads"),
        (("--threads", "65"), "at most 64"),
        (("--memory", "x"), "--memory"),
        (("--memory", "99999"), "at most 16384"),
        (("h8",), "unexpected argument 'h8'"),
    ],
)
def test_mistakes(words, said):
    answer = run("engine", *words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize("program", ["Piskvork", "Yixin-Board", "pbrain-tengen"])
def test_help_says_how_to_enter_it(program):
    for lang in ("en", "zh"):
        assert program in run("engine", "--help", lang=lang).out


def pbrain(typed: str, folder: Path, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """The installed program, started by a manager in a folder of its own."""
    script = "import sys; from tengen.__main__ import pbrain; sys.exit(pbrain())"
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(**changes),
        timeout=500,
        check=False,
    )


@pytest.mark.long
def test_the_program_for_guis(tmp_path):
    done = pbrain("INFO timeout_turn 0\nSTART 20\nTURN 0,0\nEND\n", tmp_path, "--threads", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("OK\n")
    assert list(tmp_path.iterdir()) == []


def cold(folder):
    """An environment in which nothing has been compiled."""
    return {"TENGEN_KERNELS": "jit", "TENGEN_CACHE": str(folder / "cache")}


@pytest.mark.slow
def test_a_first_start(tmp_path):
    """The engine is compiled before START is answered, and says so."""
    done = pbrain("ABOUT\nSTART 15\nTURN 7,7\nEND\n", tmp_path, **cold(tmp_path))
    about, first, *rest = done.stdout.splitlines()
    assert about.startswith('name="Tengen"')
    assert first.startswith("MESSAGE compiling the engine")
    assert "OK" in rest
    assert (done.returncode, done.stderr) == (0, f"tengen: {say('compiling.once')}\n")
