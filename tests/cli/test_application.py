from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from cyclopts import CycloptsError
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import tengen
from tengen import Choice, Explanation
from tengen.cli.application import app
from tengen.game.opening_rules import NAMES as OPENINGS
from tengen.game.rules import NAMES as RULES
from tengen.players.levels import needs_engine
from tengen.players.registry import ENTRIES
from tengen.words import LANGUAGES, Message, catalogue, say
from tests.console import Answer, environment, process, run
from tests.positions import rows_of

HERE = f"py:{__name__}"
QUICK = ("play", "fouls", "show", "players", "explain", "convert")
ARENA = ("match", "openings", "tournament", "ladder", "train", "tune")
ENGINE = ("analyse", "review", "bench", "warmup", "engine", "mcp")
PROOFS = ("prove", "verify")
PUZZLES = ("puzzle", "puzzles")
COMMANDS = ("serve", "site", "doctor", *QUICK, *ENGINE, *ARENA[:2], "solve", *PROOFS, *PUZZLES, *ARENA[2:])
PLAYERS = (*ENTRIES, "py:module:Class", "cmd=./program", "prover:file=FILE")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
FOUL = "f8i10g8j7h7e9h6g5"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Without a command the web app starts, and runs until it is ended: see web/test_serve.py.
    monkeypatch.setattr("tengen.web.start.run", lambda *_, **__: None)


class Broken:
    """A player whose code fails, in the way it is told."""

    def __init__(self, fault="raise"):
        self.fault = fault
        self.name = f"{HERE}:Broken"

    def choose(self, board, limit=None, stop=None):
        if self.fault == "raise":
            raise RuntimeError("oh\nno")
        return Choice(999) if self.fault == "choice" else Choice(0)

    def explain(self, board):
        if self.fault == "infinite":
            return Explanation(Message("explain.random", {"count": 1}), {0: float("inf")})
        return None if self.fault == "nothing" else Explanation("I like it", {0: 1})


def fails(answer: Answer, sentence: str) -> None:
    """The command says this and nothing else, and ends with status 2."""
    assert (answer.status, answer.out, answer.err) == (2, "", f"tengen: {sentence}\n")


# -- help


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", [(), *((command,) for command in COMMANDS)])
def test_help_is_complete_and_in_one_language(command, lang):
    answer = run(*command, "--help", lang=lang)
    assert (answer.status, answer.err) == (0, "")
    assert not re.search(r"\b(cli|error|plain|player|describe)\.[a-z]", answer.out), (
        "a key was left untranslated"
    )
    assert not re.search(r"<|list\[|\bAny\b", answer.out), "a type of Python's"
    english = ("Usage:", "Options:", "Commands:", "Arguments:", "Show this", "default:", "required")
    if lang == "zh":
        assert [word for word in english if word in answer.out] == []
        assert all(CHINESE.search(line) for line in answer.out.splitlines() if re.match(r"  -\S*  +", line))
    else:
        assert not CHINESE.search(answer.out)
    assert f"--lang {'|'.join(LANGUAGES)}" in answer.out
    assert answer.out == run(*command, "-h", "--lang", lang).out


def test_every_command_is_listed():
    page = run("--help").out
    assert re.findall(r"^  ([a-z]+)  ", page, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [80, 120])
def test_what_commands_do_is_listed_whole_and_on_a_line_each(lang, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("--help", lang=lang).out.splitlines()
    rows = [line for line in lines if re.match(r"  [a-z]+  +\S", line)]
    assert len(rows) == len(COMMANDS)
    assert lines[-len(rows) :] == rows
    assert not [row for row in rows if row.rstrip().endswith("...")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", [(), *((command,) for command in COMMANDS)])
def test_help_fits_a_terminal(command, lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*command, "--help", lang=lang).out.splitlines()
    assert [line for line in lines if cell_len(line) > 80] == []


@pytest.mark.parametrize("command", ["play", "fouls", "show", "explain", "solve", "prove", "analyse"])
def test_commands_about_a_position_take_rules_and_size(command):
    page = run(command, "--help").out
    assert "--rules NAME" in page
    assert "--size W[xH]" in page


def test_help_names_all_there_is():
    page = "".join(run("play", "--help").out.split())
    for name in (*RULES, *OPENINGS):
        assert name in page


def test_version():
    assert run("--version").out == f"tengen {tengen.__version__}\n"


# -- languages


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [20, 40, 60])
@pytest.mark.parametrize("words", [("--help",), ("prove", "--help"), ("show", "--help"), ("players",)])
def test_narrow_terminals(words, columns, lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run(*words, lang=lang).out.splitlines()
    assert max(map(cell_len, lines)) <= columns
    assert "".join(lines).replace(" ", "").count("random" if words == ("players",) else "--lang") == 1


def test_signs_that_an_encoding_has_not(tmp_path):
    words = ("match", "lines", "random", "--games", "1", "--rules", "tictactoe", "--concurrency", "1")
    answer = process(*words, PYTHONIOENCODING="ascii")
    assert answer.status == 0
    assert answer.out.startswith("lines  -  random   tictactoe 3x3\n")
    assert "?" not in answer.out
    game = tmp_path / "game.sgf"
    game.write_text("(;GM[4]SZ[15];B[hh])", "utf-8")
    assert "no\n" not in process("show", "\u2603", PYTHONIOENCODING="ascii").err


WITHOUT_EFFECT = [
    (("show", "h8", "--theme", "dark"), "--theme has no effect without --svg, --png, --gif"),
    (("show", "--numbers"), "--numbers has no effect without --svg, --png, --gif"),
    (("show", "--coordinates", "chinese"), "--coordinates has no effect without --svg, --png, --gif"),
    (
        ("tournament", "lines", "random", "--champions", "1"),
        "--champions has no effect without --kind",
    ),
    (("site", "out", "--port", "1"), "--port has no effect without --preview"),
    (("site", "out", "--isolated"), "--isolated has no effect without --preview"),
    (("site", "--preview", "--pyodide", "x"), "--pyodide has no effect with --preview: leave it out"),
    (("engine", "--bundle", "x", "--threads", "2"), "--threads has no effect with --bundle: leave it out"),
    (("puzzle", "3fa9c17b", "--level", "2"), "--level has no effect with NAME: leave it out"),
    (("analyse", "--stdin", "--move", "3"), "--move has no effect without MOVES"),
    (
        ("tune", "lines", "--confirm", "0", "--sprt", "elo0=0,elo1=5"),
        "--sprt has no effect with --confirm",
    ),
]


def skip_without_packages(command):
    """Skip a test of a command that needs an extra before it looks at its options."""
    if command == "tune":
        for package in ("cma", "matplotlib"):
            pytest.importorskip(package, reason="the extra arena is not installed")


@pytest.mark.parametrize(("words", "sentence"), WITHOUT_EFFECT, ids=lambda value: "".join(value)[:30])
def test_options_without_effect_are_refused(words, sentence):
    skip_without_packages(words[0])
    answer = run(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"tengen: {sentence}")


def test_json_of_a_preview_is_refused_as_json():
    answer = run("site", "--preview", "--json")
    assert answer.status == 2
    assert json.loads(answer.out) == {"error": "--json has no effect with --preview: leave it out"}


TYPED = [
    (("analyse", "--threads", "65"), "--threads is 65: expected at most 64"),
    (("analyse", "--memory", "999999"), "--memory is 999999: expected at most 131072"),
    (("bench", "--threads", "65"), "--threads is 65: expected at most 64"),
    (("solve",), "one of vcf, vct, exact is missing: see --help"),
    (("train", "foo", "--out", "x"), "'foo' is none of numbers, network, policy"),
    (("play", "--load", "empty"), "empty: the saved game is damaged at line 1, column 1"),
    (("tournament", "--resume", "nofile"), "nofile cannot be read: there is no such file or folder"),
    (("ladder", "--resume", "folder"), "folder cannot be read: it is a folder"),
    (("show", "folder"), "folder cannot be read: it is a folder"),
    (("puzzles", "folder"), "folder cannot be read: it is a folder"),
]


@pytest.mark.parametrize(("words", "sentence"), TYPED, ids=lambda value: "".join(value)[:30])
def test_errors_name_what_was_typed(words, sentence, tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    fails(run(*words), sentence)


def test_what_a_fault_costs_is_told(tmp_path):
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15];B[hh](;W[ii];B[ii])(;W[gg];B[gg])TR[zz])")
    answer = run("show", "a.sgf")
    assert (answer.status, answer.out.splitlines()[-1]) == (0, "Black to move")
    moves, variation = answer.err.splitlines()[:2]
    assert moves.endswith("i7 is occupied; its moves end before it")
    assert variation.endswith("g9 is occupied; this variation ends before it")


def test_the_language_asked_for_comes_first():
    for words in (("--lang", "zh", "show"), ("show", "--lang", "zh"), ("show", "--lang=zh")):
        assert run(*words, lang="en").out.endswith("轮到黑方\n")
    assert run("show", "--lang", "en", lang="zh").out.endswith("Black to move\n")


@pytest.mark.parametrize(
    ("variables", "zh"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LC_ALL": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, True),
        ({"LC_MESSAGES": "zh", "LANG": "de_DE.UTF-8"}, True),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "zh_CN.UTF-8"}, False),
        ({"TENGEN_LANG": "en", "LANG": "zh_CN.UTF-8"}, False),
        ({"TENGEN_LANG": "vi", "LANG": "zh_CN.UTF-8"}, False),
        ({"LANG": "fr_FR.UTF-8"}, False),
        ({}, False),
    ],
)
def test_the_system_says_the_language(variables, zh, monkeypatch, capsys):
    for name in ("TENGEN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert tengen.cli.main(["show"]) == 0
    assert bool(CHINESE.search(capsys.readouterr().out)) is zh


# -- showing a position


def test_show():
    assert (
        run("show", "a1b2", "--rules", "tictactoe").out
        == "3  . . .\n2  .[O].\n1  X . .\n   a b c\nBlack to move\n"
    )
    assert run("show", "a1", "--rules", "mnk:2,1,2").out == "1 [X].\n   a b\nWhite to move\n"
    assert run("show", "h8 i9", "g7,a1").out == run("show", "h8i9g7a1").out


def test_show_a_game_that_is_over():
    won = run("show", "a1b1a2b2a3", "--rules", "tictactoe")
    assert won.out == "3 *X*. .\n2 *X*O .\n1 *X*O .\n   a b c\nBlack wins: a1 a2 a3 in a row\n"
    foul = run("show", FOUL + "h8", "--rules", "renju", lang="zh")
    assert foul.out.endswith("白胜：黑犯三三禁手：f8 g8 h8、h6 h7 h8\n")
    assert " 8  . . . . .!X!X!X!. ." in foul.out


def test_show_as_json():
    assert json.loads(run("show", "a1b1a2b2a3", "--rules", "tictactoe", "--json").out) == {
        "moves": ["a1", "b1", "a2", "b2", "a3"],
        "rules": "tictactoe",
        "size": "3x3",
        "turn": "white",
        "outcome": {"winner": "black", "reason": "five", "line": ["a1", "a2", "a3"], "foul": None},
        "board": ["3 *X*. .", "2 *X*O .", "1 *X*O .", "   a b c"],
    }
    going = json.loads(run("show", "--size", "20x15", "--json").out)
    assert (going["size"], going["turn"], going["outcome"]) == ("20x15", "black", None)
    drawn = json.loads(run("show", "b2a1a2c2b3b1c1a3c3", "--rules", "tictactoe", "--json").out)
    assert drawn["outcome"] == {"winner": None, "reason": "full", "line": [], "foul": None}


# -- fouls


def test_fouls():
    answer = run("fouls", FOUL)
    assert answer.out.splitlines()[7] == " 8  . . . . . X X ! . . . . . . ."
    assert answer.out.endswith("\nh8: three-three, formed by f8 g8 h8, h6 h7 h8\n")
    assert run("fouls", FOUL, lang="zh").out.endswith("\nh8：三三禁手，由 f8 g8 h8、h6 h7 h8 构成\n")


def test_no_fouls():
    for words in (("fouls",), ("fouls", FOUL, "--rules", "freestyle")):
        answer = run(*words)
        assert (answer.status, answer.out.splitlines()[-1]) == (0, "no point is forbidden")


@pytest.mark.parametrize("row", rows_of("forbidden.jsonl")[:547:60], ids=lambda row: row["id"])
def test_fouls_as_json(row):
    answer = run("fouls", row["moves"], "--size", str(row["size"]), "--json")
    assert json.loads(answer.out) == {"fouls": row["forbidden"]}


# -- players and their reasons


@pytest.mark.parametrize("lang", LANGUAGES)
def test_players_are_listed(lang, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    answer = run("players", lang=lang)
    for entry in ENTRIES.values():
        assert re.search(rf"^{entry.name}(\[|$)", answer.out, re.MULTILINE)
        assert say(entry.summary, lang) in answer.out
        assert all(preset in answer.out for preset in entry.presets)
    assert "py:module:Class" in answer.out
    listed = json.loads(run("players", "--json", lang=lang).out)["players"]
    assert [row["name"] for row in listed] == list(ENTRIES)
    assert [row["summary"] for row in listed] == [say(entry.summary, lang) for entry in ENTRIES.values()]


@pytest.mark.long
def test_every_player_listed_can_be_asked():
    for entry in ENTRIES.values():
        specs = [f"{entry.name}:{preset}" for preset in entry.presets if preset != "all"] or [entry.name]
        for spec in specs:
            # The engine plays five in a row alone.
            rules = "freestyle" if needs_engine(spec) else "tictactoe"
            answer = run("explain", spec, "b2a1b1", "--rules", rules, "--json")
            assert answer.status == 0, spec
            assert json.loads(answer.out)["player"].startswith(entry.name)


def test_explain():
    answer = run("explain", "shapes", "h8i9g7")
    assert answer.out.startswith("plays f6\n")
    assert "f6 has weight 70:\n        70  shape 112  (g7 h8 i9)\n" in answer.out
    assert run("explain", "shapes", "h8i9g7", lang="zh").out.startswith("下 f6\n")


def test_explain_as_json():
    answer = json.loads(run("explain", "random,seed=1", "b2", "--rules", "tictactoe", "--json").out)
    assert answer["player"] == "random,seed=1"
    assert answer["choice"] in answer["weights"]
    assert sum(answer["weights"].values()) == pytest.approx(1)
    assert set(answer) == {"player", "choice", "summary", "weights", "parts", "heatmaps", "lines", "tree"}


@pytest.mark.parametrize(
    ("fault", "sentence", "where"),
    [
        ("raise", "the player's code raised RuntimeError: oh?no", "in choose"),
        ("choice", "", ""),
        ("nothing", "explain() is None: expected an object of the class Explanation", ""),
        ("infinite", "Explanation.weights[0] is inf: expected a finite number", "in explain"),
    ],
)
def test_a_player_that_cannot_be_explained(fault, sentence, where):
    """With the traceback of its own code, for its author."""
    answer = run("explain", f"{HERE}:Broken,fault={fault}", "--json")
    assert answer.status == 2
    *trace, last = answer.err.splitlines()
    assert last.startswith(f"tengen: {sentence}")
    assert [line.split(", ")[-1] for line in trace if __file__ in line] == [where] * bool(where)
    assert bool(trace) == bool(where)
    assert json.loads(answer.out).keys() == {"error"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_reasons_in_own_words(lang):
    answer = run("explain", f"{HERE}:Broken,fault=none", "b2", "--rules", "tictactoe", lang=lang)
    assert answer.out.splitlines()[1] == "I like it"


def test_settings_of_a_player():
    answer = run("players", f"{HERE}:Broken,fault=none")
    assert answer.out.splitlines()[1:] == [
        "    A player whose code fails, in the way it is told.",
        "settings, with their defaults:",
        "    ,fault=none",
    ]
    told = json.loads(run("players", "mcts", "--json").out)
    assert "playouts" in [each["name"] for each in told["settings"]]
    assert "冒号后的预设：1" in run("players", "level:3", lang="zh").out
    assert run("players", "nobody").err.startswith("tengen: 'nobody' is not a player")


# -- errors


ERRORS = [
    (("dance",), "error.cli.command", {"name": "dance", "names": COMMANDS}),
    (("",), "error.cli.command", {"name": "", "names": COMMANDS}),
    (("-",), "error.cli.command", {"name": "-", "names": COMMANDS}),
    (("play", "-"), "error.cli.extra", {"text": "-"}),
    (("show", "--", "--dance"), "error.notation.moves", {"place": 3, "found": "dance"}),
    (("convert", "--", "-x.sgf", "a.sgf"), "error.file.read",
     {"file": "-x.sgf", "reason": Message("file.missing")}),
    (("--dance",), "error.cli.no_option", {"option": "--dance"}),
    (("--",), "error.cli.no_option", {"option": "--"}),
    (("--", "show"), "error.cli.no_option", {"option": "--"}),
    (("play", "--dance"), "error.cli.no_option", {"option": "--dance"}),
    (("show", "-x"), "error.cli.no_option", {"option": "-x"}),
    (("play", "h8"), "error.cli.extra", {"text": "h8"}),
    (("players", "random", "lines"), "error.cli.extra", {"text": "lines"}),
    (("explain",), "error.cli.missing", {"name": "SPEC"}),
    (("show", "--rules"), "error.cli.option_value", {"option": "--rules"}),
    (("play", "--plain=maybe"), "error.cli.option_flag", {"option": "--plain"}),
    (("show", "--lang", "fr"), "error.cli.lang", {"lang": "fr", "languages": LANGUAGES}),
    (("--lang", ""), "error.cli.lang", {"lang": "", "languages": LANGUAGES}),
    (("show", "h8h8"), "error.occupied", {"point": "h8"}),
    (("show", "h8 i"), "error.notation.moves", {"place": 4, "found": "i"}),
    (("show", "--rules", "go"), "error.rules.name", {"name": "go", "names": RULES}),
    (("show", "--rules", "mnk:3"), "error.rules.mnk", {"text": "mnk:3"}),
    (("show", "--size", "x"), "error.rules.size", {"text": "x", "most": 50}),
    (("show", "--size", "51"), "error.rules.size", {"text": "51", "most": 50}),
    (("play", "--take-backs", "-1"), "error.cli.whole", {"option": "--take-backs", "text": "-1"}),
    (("play", "--take-backs", ""), "error.cli.whole", {"option": "--take-backs", "text": ""}),
    (("play", "--take-backs", "9" * 99), "error.cli.most",
     {"option": "--take-backs", "text": "9" * 20 + "...", "most": 999_999_999}),
    (("play", "--opening", "chess"), "error.opening.name", {"name": "chess", "names": OPENINGS}),
    (("play", "--clock", "soon"), "error.clock.text", {"text": "soon"}),
    (("play", "--load", "game.json", "--rules", "renju", "--passing"), "error.cli.resume",
     {"option": "--load", "options": ("--rules", "--passing")}),
    (("play", "--load", "."), "error.file.read", {"file": ".", "reason": Message("file.directory")}),
    (("play", "--black", "nobody"), "error.spec.name",
     {"name": "nobody", "names": PLAYERS}),
    (("play", "--white", ""), "error.spec.name", {"name": "", "names": PLAYERS}),
    (("play", "--hints", "nobody"), "error.spec.name",
     {"name": "nobody", "names": PLAYERS}),
    (("explain", "random", "a1b1a2b2a3", "--rules", "tictactoe"), "error.game_over.choose", {}),
    (("explain", f"{HERE}:NOTHING"), "error.spec.import",
     {"path": f"{__name__}:NOTHING",
      "reason": Message("reason.attribute", {"module": __name__, "name": "NOTHING"})}),
    (("explain", "py:no_module:X"), "error.spec.import",
     {"path": "no_module:X", "reason": Message("reason.module", {"name": "no_module"})}),
    (("shwo",), "error.cli.command.close", {"name": "shwo", "close": "show"}),
    (("show", "--rulse", "renju"), "error.cli.no_option.close", {"option": "--rulse", "close": "--rules"}),
    (("show", "-"), "error.format.file",
     {"file": Message("cli.standard_input"), "reason": Message("error.format.empty")}),
]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("words", "key", "values"), ERRORS, ids=lambda value: " ".join(value)[:30])
def test_errors_are_one_line(words, key, values, lang):
    fails(run(*words, lang=lang), say(Message(key, values), lang))


def parameters_that_name_files() -> Iterator[tuple[str, str]]:
    """Commands with the names of their options and arguments whose value is a file or a folder."""
    for name in COMMANDS:
        for each in app[name].assemble_argument_collection():
            metavar = str(each.parameter.metavar or "")
            if metavar in ("IN", "OUT", "DIR") or metavar.startswith(("FILE", "FOLDER")):
                yield name, each.name if each.index is None else metavar


@pytest.mark.parametrize(("command", "name"), list(parameters_that_name_files()))
@pytest.mark.parametrize("value", ["", "~nobody-here/x"])
def test_names_that_no_file_has_are_refused_at_once(command, name, value):
    before = ["x.sgf"] if (command, name) == ("convert", "OUT") else []
    words = [f"{name}={value}"] if name.startswith("--") else [*before, value]
    words += {"verify": ["x"], "solve": ["vcf"]}.get(command, []) if name.startswith("--") else []
    said = "--openings file" if name == "--openings" else name
    answer = run(command, *words)
    assert answer.status == 2
    assert answer.err == f"tengen: {say('error.cli.path', option=said, text=value)}\n"


@pytest.mark.parametrize(
    "words",
    [("fouls", "zz"), ("show", "--dance"), ("dance",), ("players", "x"), ("explain",)],
    ids=" ".join,
)
def test_errors_are_json_too_where_it_is_asked_for(words):
    plain, answer = run(*words), run(*words, "--json")
    assert answer.status == 2
    assert answer.err == plain.err
    assert json.loads(answer.out) == {"error": plain.err.removeprefix("tengen: ").rstrip("\n")}


def test_whatever_else_goes_wrong_is_one_line_too(monkeypatch):
    """A fault of ours: nobody should meet one, but if so it is told how to report it."""

    def fault(*_, **__):
        raise ZeroDivisionError("a\nfault")

    monkeypatch.setattr("tengen.cli.positions.rules_from", fault)
    fails(run("show"), say("error.cli.bug", reason="ZeroDivisionError: a?fault"))
    monkeypatch.setenv("TENGEN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("show")


def test_errors_of_the_parser_that_we_do_not_know_yet(monkeypatch):
    def fault(*_, **__):
        raise CycloptsError("something\nstrange")

    monkeypatch.setattr("tengen.cli.positions.rules_from", fault)
    fails(run("show"), say("error.cli.usage", detail="something?strange"))


# -- play: its options; the game itself is in terminal/test_plain.py


def test_play_takes_seats_for_a_loaded_game(tmp_path):
    run("play", "--rules", "tictactoe", typed="b2\ns game.json\nq\n")
    answer = run("play", "--load", "game.json", "--white", "random,seed=1", "--black", "human", typed="q\n")
    assert "Black (X): You, White (O): Random" in answer.said
    assert answer.said[-1] == "3. Black>"
    assert (tmp_path / "game.json").exists()


UNSUITABLE = "shapes, minimax and mcts play any"


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--white", "engine", "--rules", "mnk:7,7,4"), f"not 4 in a row; {UNSUITABLE}"),
        (("--black", "level:5", "--rules", "tictactoe"), f"not 3x3; {UNSUITABLE}"),
        (("--hints", "engine", "--rules", "mnk:7,7,4"), f"not 4 in a row; {UNSUITABLE}"),
        (("--white", "engine", "--passing"), UNSUITABLE),
        (("--white", "lookup"), "lookup plays on up to 12 points"),
    ],
)
def test_players_that_do_not_play_the_rules_are_refused_at_the_start(words, sentence, plain, monkeypatch):
    monkeypatch.setattr("tengen.cli.game_commands._has_full_screen", lambda: True)
    monkeypatch.setattr("tengen.terminal.game_app.GameApp.run", pytest.fail)
    answer = run("play", *words, *(("--plain",) if plain else ()), typed="a1\n")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert sentence in answer.err


def test_nor_do_they_take_a_seat_in_a_loaded_game(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(tengen.Session("mnk:7,7,4").to_json(), "utf-8")
    answer = run("play", "--load", str(file), "--white", "engine", "--plain")
    assert (answer.status, answer.out) == (2, "")
    assert UNSUITABLE in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "engine"),
        ("match", "engine", "lines", "--out", "a.jsonl"),
        ("tournament", "lines", "level:6", "--store", "a.sqlite"),
        ("ladder", "engine", "--store", "a.sqlite"),
        ("tune", "lines", "--against", "engine", "--out", "a.json"),
        ("openings", "--judge", "engine", "--out", "a.txt"),
    ],
    ids=" ".join,
)
def test_nor_anywhere_else(words, tmp_path):
    skip_without_packages(words[0])
    answer = run(*words, "--rules", "mnk:7,7,4")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.endswith(f"not 4 in a row; {UNSUITABLE}\n")
    assert not list(tmp_path.iterdir())


def test_play_takes_a_size_and_fouls():
    answer = run("play", "--rules", "renju", "--size", "9x11", "--fouls", "loses")
    assert answer.said[0] == "Tengen: renju, 9x11, 5 in a row"
    assert "Black loses by committing a foul." in answer.said


# -- in a process of its own


def test_the_installed_command_and_the_module_are_the_same(tmp_path):
    answer = process("show", "a1", "--rules", "tictactoe", cwd=tmp_path)
    assert answer == run("show", "a1", "--rules", "tictactoe")


def test_a_game_through_a_pipe(tmp_path):
    typed = "2 2\n1 3\n1 2\n3 2\n1 1\n3 3\n2 3\n3 1\nn\n"
    answer = process(
        "play", "--plain", "--rules", "tictactoe", typed=typed, cwd=tmp_path, LANG="zh_CN.UTF-8"
    )
    assert "白胜：a1 b1 c1 连成一线" in answer.said
    assert (answer.status, answer.err) == (0, "")


def test_a_player_from_the_current_folder(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tengen import Choice, Explanation\n"
        "from tengen.words import Message\n"
        "class Mine:\n"
        "    name = 'py:mine:Mine'\n"
        "    def choose(self, board, limit=None, stop=None):\n"
        "        return Choice(board.legal_points()[-1])\n"
        "    def explain(self, board):\n"
        "        return Explanation(Message('explain.random', {'count': 1}))\n"
    )
    answer = process("play", "--white", "py:mine:Mine", typed="h8\nq\n", cwd=tmp_path)
    assert "White plays o15" in answer.said
    assert answer.said[-1] == "3. Black>"


def test_a_terminal_that_has_no_chinese(tmp_path):
    poor = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    asked = process("show", "--lang", "zh", cwd=tmp_path, **poor)
    assert (asked.status, asked.err) == (0, "")
    assert asked.out.endswith("????\n")
    chosen = process("show", cwd=tmp_path, **(poor | {"LC_ALL": "zh_CN"}))
    assert chosen.out.endswith("Black to move\n"), "rather English than question marks"
    strange = process("play", typed="ｈ８ 天\n", cwd=tmp_path, **poor)
    assert (strange.status, strange.err) == (0, "")


posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell or signals")


def shell(script: str) -> subprocess.CompletedProcess[str]:
    command = f'exec "{sys.executable}" -m tengen {script}'
    return subprocess.run(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )


@pytest.mark.long
@posix
def test_streams_that_are_closed():
    for script in ("play >&- <&-", "play 2>&- <&-", "show h8 >&-"):
        done = shell(script)
        assert (done.returncode, done.stderr) == (0, ""), script
    assert shell("show h8h8 2>&-").returncode == 2


@posix
def test_a_reader_that_goes_away():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "tengen", "show", "h8"]
    with os.fdopen(write, "wb") as out:
        done = subprocess.run(
            command, stdout=out, stderr=subprocess.PIPE, env=environment(), check=False, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")  # noqa: PTH110
@pytest.mark.parametrize("script", ["show h8", "show h8h8 --json", "play"])
def test_a_disk_that_is_full(script):
    done = shell(f"{script} >/dev/full")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("tengen: ")


SLOW = """
from tengen import Choice, Explanation
class Slow:
    name = "py:slow:Slow"
    def choose(self, board, limit=None, stop=None):
        stop.wait(180)
        return Choice(board.legal_points()[0])
    def explain(self, board): ...
"""


@pytest.mark.long
@posix
def test_ctrl_c_asks_a_thinking_player_to_move_and_quits_at_the_prompt(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-m", "tengen", "play", "--rules", "tictactoe", "--black", "py:slow:Slow"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(), cwd=tmp_path,
    ) as game:  # fmt: skip
        assert game.stdout is not None
        assert game.stderr is not None
        watchdog = threading.Timer(180, game.kill)
        watchdog.start()
        for awaited in (b"Ctrl-C: move now", b"2. White> "):
            seen = b""
            while awaited not in seen:
                letter = game.stdout.read(1)
                assert letter, seen
                seen += letter
            # Python notices a signal in the microseconds between its prompt and its wait for a line only
            # when the line has come: that is nobody's Ctrl-C, and happened once in some 240.
            time.sleep(0.5)
            game.send_signal(signal.SIGINT)
        rest, complaints = game.stdout.read(), game.stderr.read()
        assert (game.wait(), complaints) == (0, b"")
        watchdog.cancel()
    assert b"Black plays a1" in seen
    assert rest == b"\n"


@posix
@pytest.mark.parametrize("program", ["main", "pbrain"])
def test_ctrl_c_ends_a_command_that_is_still_being_imported(program, tmp_path):
    (tmp_path / "cyclopts.py").write_text("import time; print('importing', flush=True); time.sleep(60)")
    script = f"import sys; from tengen.__main__ import {program}; sys.exit({program}())"
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONPATH=path),
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline() == b"importing\n"
        command.send_signal(signal.SIGINT)
        assert (command.wait(30), command.stderr.read()) == (130, b"")


def test_ctrl_c_elsewhere_ends_the_command(monkeypatch):
    def interrupted(*_, **__):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("tengen.cli.positions.rules_from", interrupted)
    answer = run("show")
    assert (answer.status, answer.out, answer.err) == (130, "", "")


# -- no text ends in a traceback

OPTIONS = sorted({name for page in COMMANDS for name in re.findall(r"--?[a-z-]+", run(page, "--help").out)})
VALUES = (
    *(
        "renju",
        "tictactoe",
        "caro",
        "standard",
        "mnk:3,3,3",
        "mnk:1,9,2",
        "mnk:9,1,1",
        "9",
        "7x8",
        "en",
        "zh",
    ),
    *(
        "human",
        "random",
        "random,seed=1",
        "shapes",
        "lines:o4",
        "swap2",
        "rif",
        "5",
        "unlimited",
        "300+3x30",
    ),
    *("loses", "claimed", "a1b2c3", "a1", "--", "-", "--lang=zh", "--version", FOUL, "c3b3c2b2c1"),
)
WORDS = st.one_of(
    st.sampled_from(QUICK),
    st.sampled_from(OPTIONS),
    st.sampled_from(VALUES),
    st.text(st.characters(exclude_characters="\0"), max_size=8),
)


@given(st.lists(WORDS, max_size=7), st.sampled_from(LANGUAGES))
def test_no_command_line_ends_in_a_traceback(words, lang):
    answer = run(*words, typed="a1\nq\n", lang=lang)
    bug = catalogue(lang)["error.cli.bug"].partition("{")[0]
    assert bug not in answer.err
    if answer.status == 2:
        assert answer.err.startswith("tengen: ")
        assert answer.err.count("\n") == 1
        assert answer.err.rstrip("\n").isprintable()
        assert bool(answer.out) is ("--json" in words)
    else:
        assert answer.status in (0, 1)
        assert answer.err == ""


@pytest.mark.long
@given(st.sampled_from(ARENA), st.lists(WORDS, max_size=5), st.sampled_from(LANGUAGES))
def test_nor_does_one_of_the_arena(command, words, lang):
    """On a board that there is not, so that no game is played."""
    answer = run(command, *words, "--size", "0", lang=lang)
    if {"--help", "-h"}.isdisjoint(words):
        assert answer.status == 2
        assert answer.err.startswith("tengen: ")
        assert answer.err.count("\n") == 1


@pytest.mark.long
@given(st.sampled_from(("show", "fouls", "explain")), st.lists(WORDS, max_size=4))
def test_answers_for_programs_are_json(command, words):
    spec = ["random"] if command == "explain" else []
    answer = run(command, *spec, "--json", *words)
    if {"--help", "-h"}.isdisjoint(words):
        assert isinstance(json.loads(answer.out), dict)
