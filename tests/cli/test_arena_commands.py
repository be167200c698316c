"""The commands of the arena, as their users meet them; nothing finished is lost when they are stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tengen.arena import journal
from tengen.arena.tournament_store import TournamentStore
from tengen.formats.files import FileError, read_file
from tests.console import environment, process, run, start, until

PROGRAMS = Path(__file__).parents[1] / "programs"
SMALL = ("--size", "7", "--concurrency", "2")


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def alive(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# -- match


def test_a_match():
    answer = run("match", "lines", "random", "--games", "6", *SMALL)
    assert (answer.status, answer.err) == (0, "")
    first, games, pairs, elo = answer.out.splitlines()
    assert first.startswith("lines  –  random")
    assert games.startswith("Games: 6, wins 6, draws 0, losses 0, points 6 (100.0%)")
    assert pairs.split()[-5:] == ["0", "0", "0", "0", "3"]
    assert "+∞" in elo


OWN = """
class Bad:
    name = "py:bad_player:Bad"

    def choose(self, board, limit=None, stop=None):
        return self.best(board)

    def best(self, board):
        raise LookupError("no move")

    def explain(self, board):
        return ""
"""


@pytest.mark.long
def test_a_players_own_code_that_fails(tmp_path):
    """Its traceback is shown once, and kept."""
    (tmp_path / "bad_player.py").write_text(OWN, encoding="utf-8")
    words = ("match", "py:bad_player:Bad", "lines", "--games", "2", "--recover", *SMALL)
    answer = process(*words, "--json", "--out", "g.jsonl", "--out", "g.sgf", cwd=tmp_path)
    assert answer.status == 0
    assert answer.err.count("Traceback (most recent call last):") == 1
    assert answer.err.splitlines()[0] in [f"game {number}: py:bad_player:Bad failed" for number in (1, 2)]
    assert answer.err.splitlines()[-1] == "LookupError: no move"
    games = [json.loads(line) for line in answer.out.splitlines()[:2]]
    assert [game["detail"] for game in games] == ["LookupError: no move"] * 2
    assert all("in best" in game["traceback"] for game in games)
    assert "in best" in (tmp_path / "g.jsonl").read_text("utf-8")
    assert len(read_file(tmp_path / "g.sgf").records) == 2


def test_a_match_in_chinese():
    assert "对局：2，胜 2" in run("match", "lines", "random", "--games", "2", *SMALL, lang="zh").out


def test_a_match_for_a_program():
    answer = run("match", "lines", "random", "--games", "4", "--json", *SMALL)
    *games, last = map(json.loads, answer.out.splitlines())
    assert sorted(game["game"] for game in games) == [1, 2, 3, 4]
    for game in games:
        assert {game["black"], game["white"]} == {"lines", "random"}
        assert game["moves"].startswith(game["opening"])
        assert len(game["seconds"]) == len(game["scores"])
    assert {key: last[key] for key in ("games", "wins", "draws", "losses")} == {
        "games": 4,
        "wins": 4,
        "draws": 0,
        "losses": 0,
    }
    assert last["elo"] is None  # all points: no number says by how much
    assert {"elo_error", "llr", "los", "pentanomial"} <= last.keys()


def test_records_of_every_game():
    run(
        "match",
        "lines",
        "random",
        "--games",
        "2",
        "--out",
        "a.jsonl",
        "--out",
        "a.sgf",
        "--out",
        "a.psq",
        *SMALL,
    )
    for name in ("a.jsonl", "a.sgf"):
        records = read_file(name).records
        assert len(records) == 2
        last = records[0].main_line()[-1]
        assert last.seconds is not None
    assert sorted(path.name for path in Path().glob("*.psq")) == ["a-1.psq", "a-2.psq"]


def test_a_test_ends_a_match():
    answer = run("match", "lines", "random", "--games", "1000", "--sprt", "elo0=0,elo1=100", *SMALL)
    assert "H1 accepted" in answer.out
    assert int(re.findall(r"Games: (\d+)", answer.out)[0]) < 200


def test_however_many_games_there_may_be_they_begin_at_once():
    words = ("match", "lines", "random", "--games", "999999999", "--sprt", "elo0=0,elo1=300")
    answer = run(*words, "--out", "a.jsonl", "--concurrency", "1")
    assert "H1 accepted" in answer.out
    settings, _ = journal.read("a.jsonl")
    assert (settings["games"], len(settings["openings"])) == (999_999_999, 5_000)


def test_openings_from_a_file():
    Path("starts.txt").write_text("# size: 7\nd4d5\nd4e5c3\n", "utf-8")
    words = ("match", "lines", "random", "--games", "4", "--json", *SMALL)
    answer = run(*words, "--openings", "starts.txt,order=sequential")
    games = sorted(
        (json.loads(line) for line in answer.out.splitlines()[:-1]), key=lambda game: game["game"]
    )
    assert [game["opening"] for game in games] == ["d4d5", "d4d5", "d4e5c3", "d4e5c3"]


def test_limits_for_both_or_each():
    words = ("match", "minimax", "mcts", "--games", "2", "--out", "a.jsonl", "--maxmoves", "6", *SMALL)
    assert run(*words, "--nodes", "50:100", "--tc", "60+1", "--depth", "2:3").status == 0
    settings, games = journal.read("a.jsonl")
    assert [seat["nodes"] for seat in settings["players"]] == [50, 100]
    assert [seat["depth"] for seat in settings["players"]] == [2, 3]
    assert [seat["time"] for seat in settings["players"]] == ["60+1", "60+1"]
    assert {game.end for game in games} == {"agreed"}


def test_resigning():
    words = ("match", "minimax", "random", "--games", "2", "--depth", "2", "--json", *SMALL)
    answer = run(*words, "--resign", "movecount=1,score=1,twosided=false")
    assert json.loads(answer.out.splitlines()[-1])["games"] == 2


MISTAKES = [
    (("match",), "A B is missing"),
    (("match", "lines"), "B is missing"),
    (("match", "lines", "nobody"), "nobody"),
    (("match", "lines", "random", "--games", "0"), "--games"),
    (("match", "lines", "random", "--games", "many"), "many"),
    (("match", "lines", "random", "--sprt", "elo0=5,elo1=0"), "elo"),
    (("match", "lines", "random", "--sprt", "5"), "elo0=0,elo1=10"),
    (("match", "lines", "random", "--resign", "moves=3"), "movecount"),
    (
        ("match", "lines", "random", "--resign", "movecount=x"),
        "--resign movecount is 'x': expected a whole number",
    ),
    (("match", "lines", "random", "--draw", "score=1,score=2"), "score=2"),
    (("match", "lines", "random", "--tc", "soon"), "soon"),
    (("match", "lines", "random", "--tc", "60+3x10"), "byo-yomi"),
    (("match", "lines", "random", "--st", "0"), "--st"),
    (("match", "lines", "random", "--openings", "none.txt"), "none.txt"),
    (
        ("match", "lines", "random", "--openings", "order=best"),
        "--openings order is 'best': expected one of random, sequential",
    ),
    (("match", "lines", "random", "--out", "games.pdf"), "games.pdf"),
    (("match", "lines", "random", "--log", "no/folder.log", "--size", "7"), "no/folder.log"),
    (("match", "lines", "random", "--workers", "tcp://127.0.0.1:9", "--size", "7"), "127.0.0.1:9"),
    *(
        ((*words, "--concurrency", "100000"), "--concurrency is 100000: expected at most")
        for words in (
            ("match", "lines", "random", "--out", "a.jsonl"),
            ("tournament", "lines", "random", "--store", "a.sqlite"),
            ("ladder",),
            ("openings",),
            ("tune", "lines"),
            ("train", "--out", "a"),
            ("prove", "h8", "--out", "a", "--candidates", "2"),
        )
    ),
    (("serve", "--processes", "100000"), "--processes is 100000: expected at most"),
    (("serve", "--engine-threads", "100000"), "--engine-threads is 100000: expected at most"),
    (("match", "--resume", "none.jsonl"), "none.jsonl"),
    (("match", "lines", "random", "--resume", "none.jsonl"), "leave out A"),
    (("tournament", "lines"), "at least 2"),
    (("tournament", "lines", "random", "--kind", "knockout"), "swiss"),
    (("tournament", "--resume", "none.sqlite"), "none.sqlite"),
    (("tournament", "lines", "random", "--resume", "none.sqlite"), "leave out SPEC"),
    (("ladder", "--resume", "none.sqlite"), "none.sqlite"),
    (("openings", "--plies", "few"), "3-8"),
    (("openings", "--judge", "nobody"), "nobody"),
    (("openings", "--judge", "level:3", "--playouts", "3"), "3"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=lambda value: " ".join(value)[:40])
@pytest.mark.long
def test_mistakes_are_one_line(words, said):
    answer = run(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert said in answer.err
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("words", "workers"),
    [
        (("match", "lines", "random", "--games", "2"), 2),
        (("tournament", "lines", "random", "level:1", "--games", "2"), 6),
    ],
)
def test_there_are_never_more_workers_than_games(words, workers, monkeypatch):
    opened = []
    monkeypatch.setattr("tengen.executors.open_workers", lambda _, count, **__: opened.append(count))
    run(*words, "--size", "7", "--concurrency", "60")
    run(*words, "--size", "7", "--concurrency", "1")
    assert opened == [workers, 1]


FEW = ("--games", "2", "--size", "7", "--concurrency", "1")
UNWRITABLE = [
    (("match", "lines", "random", *FEW, "--out", "no/a.sgf"), "no/a.sgf cannot be written"),
    (("match", "lines", "random", *FEW, "--out", "a.lib"), "RenLib library is for 15x15"),
    (("tournament", "lines", "random", *FEW, "--out", "a.rif", "--store", "a.sqlite"), "15x15"),
    (("tournament", "lines", "random", *FEW, "--report", "no/a.html", "--store", "a.sqlite"), "no/a.html"),
    (("ladder", "--size", "7", "--report", "no/a.html"), "no/a.html"),
    (("ladder", "--size", "7", "--write", "a.md"), "a.md cannot be read"),
    (("tune", "lines", "--size", "7", "--plot", "no/a.png", "--out", "a.json"), "no/a.png"),
    (("tune", "lines", "--size", "7", "--plot", "a.gif"), "expected a name that ends in .png or .svg"),
    (("openings", "--size", "7", "--judge", "level:1", "--out", "no/a.txt"), "no/a.txt"),
]


@pytest.mark.parametrize(("words", "said"), UNWRITABLE, ids=lambda value: " ".join(value)[-40:])
def test_what_could_not_be_written_is_said_before_anything_is_played(words, said, monkeypatch):
    monkeypatch.setattr("tengen.cli.arena_options.WorkerOptions.open", _unwanted)
    answer = run(*words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not list(Path().iterdir())


def _unwanted(*_):
    raise AssertionError("workers were opened")


def test_a_match_is_over_whatever_becomes_of_its_files(monkeypatch):
    monkeypatch.setattr("tengen.cli.match_command.write_records", _full)
    answer = run("match", "lines", "random", *FEW, "--out", "a.sgf")
    assert answer.status == 2
    assert "Games: 2, wins 2" in answer.out
    assert "a.sgf cannot be written: the disk is full" in answer.err


def _full(_, files):
    raise FileError("error.file.write", file=str(files[0]), reason="the disk is full")


def test_a_match_is_not_written_over():
    words = ("match", "lines", "random", "--games", "2", "--out", "a.jsonl", *SMALL)
    run(*words)
    before = Path("a.jsonl").read_bytes()
    assert "--resume a.jsonl" in run(*words).err
    assert Path("a.jsonl").read_bytes() == before


# -- programs


def program(name: str, *words: str) -> str:
    return " ".join(
        [
            f"cmd={sys.executable} -S -E" if name == "bad" else f"cmd={sys.executable}",
            str(PROGRAMS / f"{name}.py"),
            *words,
        ]
    )


@pytest.mark.long
def test_programs_play_and_what_they_say_is_kept(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    words = ("match", program("good", "lines"), program("good", "lines"), "--games", "2", "--log", "a.log")
    answer = run(*words, "--json", *SMALL)
    first, second = (json.loads(line) for line in answer.out.splitlines()[:2])
    assert first["moves"] == second["moves"]
    assert first["reason"] in ("five", "full")
    log = Path("a.log").read_text("utf-8")
    assert "> START 7" in log
    assert re.search(r"game 1 black < \d+,\d+", log)


# -- stopping and going on


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_match_goes_on_where_it_was(how):
    words = ("match", "minimax,depth=1", "level:1", "--games", "250", "--size", "9", "--concurrency", "2")
    running = start(*words, "--out", "a.jsonl")
    until(lambda: lines_of(Path("a.jsonl")) > 4)
    os.kill(running.pid, how)
    out, err = running.communicate(timeout=120)
    assert running.returncode == (-9 if how == signal.SIGKILL else 130)
    if how == signal.SIGINT:
        assert b"Games: " in out
        assert b"tengen match --resume a.jsonl" in err
    until(lambda: not alive(running.pid))
    _, before = journal.read("a.jsonl")
    assert 4 <= len(before) < 250
    answer = run("match", "--resume", "a.jsonl", "--json")
    _, after = journal.read("a.jsonl")
    assert [game.number for game in after] == list(range(250))
    assert len(answer.out.splitlines()) == 250 - len(before) + 1
    kept = {game.number: game for game in before}
    assert all(kept.get(game.number, game) == game for game in after)
    # As if nothing had happened.
    whole = run(*words, "--json")
    assert json.loads(whole.out.splitlines()[-1]) == json.loads(answer.out.splitlines()[-1])


@pytest.mark.long
def test_a_stopped_tournament_goes_on_where_it_was():
    words = ("tournament", "minimax,depth=1", "level:1", "lines", "--size", "9", "--rounds", "50")
    running = start(*words, "--store", "a.sqlite")

    def played() -> int:
        if not Path("a.sqlite").exists():
            return 0
        try:
            with TournamentStore("a.sqlite") as store:
                return len(store.games())
        except Exception:  # it is just being made
            return 0

    until(lambda: played() > 2)
    running.kill()
    running.communicate(timeout=120)
    before = played()
    assert 2 < before < 300
    answer = run("tournament", "--resume", "a.sqlite", "--json")
    assert len(answer.out.splitlines()) == 300 - before + 1
    assert played() == 300


# -- tournament, ladder, openings


@pytest.mark.long
def test_a_tournament():
    answer = run("tournament", "random", "lines", "level:1", "--report", "a.html", "--out", "a.sgf", *SMALL)
    assert answer.status == 0
    rows = [line.split() for line in answer.out.splitlines()]
    assert rows[0] == ["player", "Elo", "±", "games", "won", "drawn", "lost", "points"]
    assert rows[1][1] == "lines"
    assert len(read_file("a.sgf").records) == 6
    assert "lines" in Path("a.html").read_text("utf-8")


@pytest.mark.long
def test_a_swiss_tournament_shows_who_had_the_harder_opponents():
    words = ("random", "lines", "level:1", "--kind", "swiss", "--rounds", "2")
    assert "对手分" in run("tournament", *words, *SMALL, lang="zh").out
    data = json.loads(run("tournament", *words, "--json", *SMALL).out.splitlines()[-1])
    assert next(player["name"] for player in data["players"]) == "lines"


@pytest.mark.parametrize("command", [("tournament", "lines", "random"), ("ladder",)])
def test_who_stops_one_is_told_how_to_go_on_with_it(command, monkeypatch):
    monkeypatch.setattr("tengen.cli.tournament_commands.play_contest", lambda *_, **__: 130)
    answer = run(*command, "--rules", "tictactoe", "--store", "a.sqlite")
    assert answer.status == 130
    counted, resume = answer.err.splitlines()
    assert re.fullmatch(r"tengen: interrupted: 0 of [\d,]+ games? played", counted)
    assert resume == f"tengen: to continue, run: tengen {command[0]} --resume a.sqlite"
    assert run(command[0], "--resume", "a.sqlite").status == 130


@pytest.mark.long
def test_openings():
    words = ("openings", "--count", "3", "--size", "9", "--judge", "level:1", "--playouts", "2")
    answer = run(*words, "--concurrency", "2")
    assert answer.status == 0
    made = [line for line in answer.out.splitlines() if line and not line.startswith("#")]
    assert len(made) == 3
    assert json.loads(run(*words, "--json").out)["openings"] == made
    assert run(*words, "--out", "a.txt").out == "3 openings written to a.txt\n"
    done = run("match", "lines", "random", "--size", "9", "--games", "6", "--openings", "a.txt", "--json")
    assert {json.loads(line)["opening"] for line in done.out.splitlines()[:-1]} == set(made)
