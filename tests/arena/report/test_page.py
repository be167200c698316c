"""Reports: what is in the file, and what a browser makes of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tengen import BLACK, WHITE, Board, Choice, Rules, Score, player
from tengen.arena.contestants import Contestant
from tengen.arena.game import GameTask, play
from tengen.arena.rating import rate
from tengen.arena.report.page import Report, html, write_report
from tengen.arena.report.plots import elo, lengths_plot, levels_plot, ratings_plot, seconds_plot
from tengen.arena.report.report_data import Figures, embedded
from tengen.arena.results import ENDS, PlayedGame, PlayedMove
from tengen.formats.files import FileError, read_file
from tengen.game import notation
from tengen.words import LANGUAGES, catalogue, say
from tengen.words.languages import language
from tests.assets.browser import driven, needs_browser, see

RENJU = Rules.named("renju")
SPECS = ("shapes", "lines", "level:1", "level:2", "random,seed=3")
HOSTILE = '</script><script>alert("1")</script> <!-- \' & 五子棋 $x^2$ \x1b[0m'


class Faulty:
    """Plays well for a while, and then not at all."""

    name = f"py:{__name__}:Faulty"

    def __init__(self, after: int = 9, fault: str = "crash"):
        self.after, self.fault, self.inner = after, fault, player("shapes")

    def choose(self, board, limit=None, stop=None):
        if board.ply < self.after:
            return self.inner.choose(board, limit, stop)
        if self.fault == "crash":
            raise RuntimeError("no </script> & no move")
        nowhere: Any = "nowhere"
        return Choice(board.moves[0] if self.fault == "illegal" else nowhere)

    def explain(self, board):
        return self.inner.explain(board)


@lru_cache
def games():
    """A round robin of five textbook players, all in earnest."""
    opening = Board.from_moves("h8i9h7", RENJU).moves
    found: list[PlayedGame] = []
    for one in SPECS:
        for other in SPECS:
            if one != other:
                task = GameTask(len(found), RENJU, opening, Contestant(one), Contestant(other))
                found.append(play(task))
    return tuple(found)


@lru_cache
def faults():
    """Games that one of the players loses by something other than play."""
    found: list[PlayedGame] = []
    for fault in ("crash", "illegal", "protocol"):
        for seats in ((fault, "lines"), ("lines", fault)):
            black, white = (
                Contestant("lines")
                if name == "lines"
                else Contestant(f"{Faulty.name},fault={fault}", f"{fault} 机")
                for name in seats
            )
            found.append(play(GameTask(len(found), RENJU, (), black, white)))
    return tuple(found)


def report(played=None, **changes) -> Report:
    given = games() if played is None else tuple(played)
    base = Report("Five players", "round-robin", RENJU, {"Time": "1+0.1", "Openings": "one"}, given, ())
    return replace(base, **changes)


@lru_cache
def page(lang="en") -> str:
    return html(report(), lang)


def game(winner, end="resigned", black="a", white="b", number=0, moves="h8i9h7", **changes) -> PlayedGame:
    """A game put together by hand."""
    points = notation.parse_moves(moves, 15, 15)
    made = PlayedGame(
        number, RENJU, black, white, (), tuple(PlayedMove(p, 0.25) for p in points), winner, end
    )
    return replace(made, **changes)


class Reader(HTMLParser):
    """Reads a page as strictly as it can: every element is closed, and nothing is asked of the network."""

    VOID = frozenset(("meta", "input", "br", "link", "hr", "img"))

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.language = ""
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        given = dict(attrs)
        assert len(given) == len(attrs)
        self.attributes += attrs
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        if tag == "html":
            self.language = given["lang"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())

    @property
    def data(self):
        """What the page embeds."""
        return json.loads(self.texts["script"][0])


# -- the file


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_is_one_well_formed_page(lang):
    seen = Reader(page(lang))
    assert page(lang).startswith("<!doctype html>\n<html")
    assert seen.language == language(lang).locale
    assert len(seen.ids) == len(set(seen.ids))
    assert seen.texts["h1"] == ["Five players"]
    assert seen.texts["title"][0] == "Five players"


@pytest.mark.long
def test_nothing_is_asked_of_the_network():
    seen = Reader(page())
    assert {link[0] for link in seen.links} == {"#"}
    assert [value for key, value in seen.attributes if key == "src"] == []
    assert [key for key, _ in seen.attributes if key.startswith("on")] == []
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page())
    assert "default-src 'none'" in page()


@pytest.mark.long
def test_links_within_the_page_lead_somewhere():
    seen = Reader(page())
    places = {link[1:].partition("?")[0] for link in seen.links}
    assert places <= set(seen.ids)
    references = [value for key, value in seen.attributes if key in ("aria-labelledby", "aria-describedby")]
    assert references
    assert set(references) <= set(seen.ids)


@pytest.mark.long
def test_the_games_are_embedded_whole():
    data = Reader(page()).data
    assert (data["rules"]["width"], data["rules"]["height"], data["rules"]["k"]) == (15, 15, 5)
    assert len(data["games"]) == len(games())
    for row, played in zip(data["games"], games(), strict=True):
        number, black, white, winner, end, given, moves, milliseconds, scores, *more = row
        assert number == played.number + 1
        assert (data["players"][black], data["players"][white]) == (played.black, played.white)
        assert (winner, end) == (played.winner or 0, played.end)
        assert notation.parse_moves(moves, 15, 15) == [*played.opening, *(m.point for m in played.moves)]
        assert given == len(played.opening) == 3
        assert milliseconds == pytest.approx([1000 * m.seconds for m in played.moves], abs=0.5)
        if any(move.score for move in played.moves):
            for said, move in zip(scores, played.moves, strict=True):
                if move.score is None:
                    assert said is None
                elif move.score.mate is not None:
                    assert said == f"#{move.score.mate}"
                else:
                    assert said / 1000 == pytest.approx(move.score.win_rate, abs=0.001)
        else:
            assert scores == []
        outcome = played.board().outcome()
        assert outcome is not None
        lines = [tuple(notation.parse_moves(text, 15, 15)) for text in more[1]] if more else []
        assert tuple(lines) == outcome.lines


def test_the_row_that_was_a_foul_is_embedded():
    rules = Rules.named("renju", fouls="loses")
    moves = "g8a1i8a15h7o1h9o15h8"  # two threes
    points = notation.parse_moves(moves, 15, 15)
    played = PlayedGame(0, rules, "a", "b", (), tuple(PlayedMove(p, 0.1) for p in points), WHITE, "foul")
    outcome = played.board().outcome()
    assert outcome is not None
    assert outcome.foul is not None
    (row,) = json.loads(embedded(report([played], rules=rules), "en"))["games"]
    assert [tuple(notation.parse_moves(text, 15, 15)) for text in row[10]] == list(outcome.foul.lines)
    # A move that was refused is not on the board, and a score of a known end is written as such.
    refused = replace(
        played,
        moves=(*played.moves[:-2], PlayedMove(14 * 15, 0.1, Score.win_in(5))),
        detail="h8 is forbidden",
    )
    (row,) = json.loads(embedded(report([refused], rules=rules), "en"))["games"]
    assert row[9:] == ["h8 is forbidden"]
    assert row[8][-1] == "#5"
    assert row[8][0] is None


def test_a_player_may_have_any_name():
    played = [
        game(BLACK, black=HOSTILE, white="b</title>", detail=HOSTILE),
        game(None, "agreed", "b</title>", HOSTILE, 1),
    ]
    text = html(
        report(
            played, title=HOSTILE, settings={HOSTILE: HOSTILE}, date=HOSTILE, players=[HOSTILE, "\ud800"]
        )
    )
    seen = Reader(text)
    assert text.encode()
    assert seen.texts["h1"] == [HOSTILE.replace("\x1b", "\ufffd")]
    assert seen.data["players"] == [HOSTILE.replace("\x1b", "\ufffd"), "b</title>", "\ufffd"]
    assert seen.data["games"][0][9] == HOSTILE.replace("\x1b", "\ufffd")
    assert seen.tags["script"] == text.count("</script>") == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tournament_that_has_not_begun(lang):
    seen = Reader(html(report([], players=["a", "b"], finished=False), lang))
    assert say("report.empty", lang) in seen.texts["p"]
    assert say("report.unfinished", lang) in seen.texts["span"]
    assert seen.data["games"] == []
    assert "a" in seen.texts["a"]
    nobody = Reader(html(report([]), lang))
    assert nobody.data["players"] == []


def test_nothing_but_draws():
    seen = Reader(html(report([game(None, "agreed", number=n) for n in range(4)], kind="match")))
    assert "4 (100%)" in seen.texts["dd"]
    assert seen.texts["small"] == ["+0 =4 −0", "+0 =4 −0"]
    assert [rating.elo for rating in report([game(None, "agreed")]).rated.players] == pytest.approx([0, 0])


def test_a_match_says_how_much_stronger_the_first_is():
    played = [game(BLACK if n % 4 else WHITE, number=n) for n in range(20)]
    played += [game(WHITE if n % 4 else BLACK, black="b", white="a", number=n) for n in range(20, 40)]
    seen = Reader(html(report(played, kind="match")))
    difference, error = rate((g.black, g.white, g.points) for g in played).difference("a", "b")
    assert f"{elo(difference)} ± {error:.0f} Elo" in seen.texts["dd"]


def test_faults_are_counted_and_told():
    assert {played.end for played in faults()} == {"crash", "illegal", "protocol"}
    figures = Figures.of(report(faults()))
    assert figures.faults() == ["crash", "illegal", "protocol"]
    lost = {line.name: dict(line.faults) for line in figures.players if line.faults.total()}
    assert lost == {f"{fault} 机": {fault: 2} for fault in ("crash", "illegal", "protocol")}
    seen = Reader(html(report(faults()), "zh"))
    for fault in ("crash", "illegal", "protocol"):
        assert seen.texts["th"].count(say(f"report.end.{fault}", "zh")) == 1
        assert any(link.endswith(f"&result=lost&end={fault}") for link in seen.links)
    assert any("no </script> & no move" in row[9] for row in seen.data["games"])


def test_all_ends_have_a_name_in_both_languages():
    for lang in LANGUAGES:
        names = [say(f"report.end.{end}", lang, k=5) for end in ENDS]
        assert len(set(names)) == len(names)


@pytest.mark.long
def test_both_languages_say_everything():
    english, chinese = (Reader(page(lang)) for lang in ("en", "zh"))
    assert english.data["texts"] != chinese.data["texts"]
    assert english.data["texts"].keys() == chinese.data["texts"].keys()
    assert english.data["texts"]["report.copy"] == catalogue("en")["report.copy"]
    assert english.data["games"] == chinese.data["games"]
    # No English is left on a Chinese page but names and what the caller gave.
    known = {*SPECS, "Five players", "Time", "Openings", "one", "1+0.1", "Tengen 天元", "Elo"}
    shown = [t for tag, texts in chinese.texts.items() if tag not in ("script", "style") for t in texts]
    left = [text for text in shown if re.search(r"[A-Za-z]{3,}", text) and text not in known]
    assert [text for text in left if not re.search(r"[\u4e00-\u9fff]|Elo$|seed", text)] == []


def test_figures():
    figures = Figures.of(report())
    for line in figures.players:
        own = [g for g in games() if line.name in (g.black, g.white)]
        made = sum(g.points if g.black == line.name else 1 - g.points for g in own)
        assert (line.tally.games, line.tally.points) == (len(own), made)
        assert line.black.games == 4
    elos = [line.rating.elo for line in figures.players if line.rating]
    assert elos == sorted(elos, reverse=True)
    assert len(elos) == len(SPECS)
    moves = sum(len(line.seconds) for line in figures.players)
    assert moves == sum(len(g.moves) for g in games())
    assert sum(map(len, figures.lengths.values())) == figures.ends.total() == len(games())
    for (one, other), tally in figures.meetings.items():
        assert tally == figures.meetings[other, one].swapped()


def test_time_is_the_mover_s_own_whoever_moves_first_after_the_opening():
    opening = tuple(notation.parse_moves("a1b2c3", 15, 15))
    played = game(BLACK, moves="h8i9", opening=opening)
    slow = replace(played, moves=(replace(played.moves[0], seconds=9.0), played.moves[1]))
    seconds = {line.name: line.seconds for line in Figures.of(report([slow])).players}
    assert seconds == {"b": [9.0], "a": [0.25]}


def test_ratings_may_be_given():
    anchored = rate([("a", "b", 1.0), ("b", "a", 0.5)], anchor=("b", 1000))
    seen = Reader(html(report([game(BLACK)], ratings=anchored)))
    assert any(text.endswith(" ± 0") and "+1000" in text for text in seen.texts["td"])


# -- plots


def texts_of(plot):
    return [element.text or "" for element in plot.svg.iter("text")]


def test_plots_speak_and_look_like_the_page():
    ratings = rate(
        [("level:1", HOSTILE, 1.0), (HOSTILE, "level:2", 0.5), ("level:2", "level:1", 1.0)]
    ).players
    for lang in LANGUAGES:
        plot = ratings_plot(ratings, lang)
        assert "level:1" in texts_of(plot)
        assert say("report.elo", lang) in texts_of(plot)
        assert any("…" in text and text.startswith("</script>") for text in texts_of(plot))
        styles = " ".join(element.get("style", "") for element in plot.svg.iter())
        assert "var(--here)" in styles
        assert not re.search(r"#0102|font-family|DejaVu", styles)
        assert [
            element.tag for element in plot.svg.iter() if "{" in element.tag or element.tag == "style"
        ] == []


def test_levels_are_plotted_where_there_are_two():
    ratings = rate(
        [("level:1", "level:2", 1.0), ("level:2", "level:1", 1.0), ("level:2", "x", 1.0)]
    ).players
    plot = levels_plot(ratings, "en")
    assert plot is not None
    assert [row[0] for row in plot.rows] == ["1", "2"]
    assert levels_plot(ratings[:1], "en") is None
    assert levels_plot((), "en") is None


def test_times_of_any_size_are_plotted():
    plot = seconds_plot({"a": [0.0, 0.0], "b": [1e-6, 5000.0], "none": []}, "en")
    assert plot is not None
    assert [row[0] for row in plot.rows] == ["a", "b"]
    assert seconds_plot({"none": []}, "en") is None


def test_lengths_are_counted_by_winner():
    plot = lengths_plot({BLACK: [9, 9, 11], WHITE: [10], None: [225]}, "en")
    assert plot is not None
    counts = [[int(cell) for cell in row[1:]] for row in plot.rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [3, 1, 1]
    one = lengths_plot({BLACK: [9], WHITE: [], None: []}, "en")
    assert one is not None
    assert one.rows == (("9", "1", "0", "0"),)
    assert lengths_plot({BLACK: [], WHITE: [], None: []}, "en") is None


# -- the file on disk


def test_a_report_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "报告.html"
    write_report(report([], title="五子棋"), path, "zh")
    assert path.read_text("utf-8") == html(report([], title="五子棋"), "zh")
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileError, match="it is a folder"):
        write_report(report([]), tmp_path)
    with pytest.raises(FileError):
        write_report(report([]), tmp_path / "nowhere" / "report.html")
    assert list(tmp_path.iterdir()) == [path]


def test_two_thousand_games_are_a_small_file():
    many = [replace(played, number=n) for n, played in enumerate(games() * 100)]
    assert len(many) == 2000
    moves = sum(played.length for played in many)
    size = len(embedded(report(many), "en"))
    # About a dozen bytes a move: 2,000 games of 60 moves are well below two megabytes.
    assert size < 30_000 + 14 * moves + 80 * len(many)


# -- in a browser


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    found = tmp_path_factory.mktemp("report") / "report.html"
    played = [*games(), *(replace(g, number=len(games()) + n) for n, g in enumerate(faults()))]
    write_report(report(played), found)
    return found


@pytest.mark.long
@needs_browser
def test_the_list_is_filled_and_an_address_opens_a_game(path):
    seen = see(path, "#game-3")
    assert seen.console == []
    total = len(games()) + len(faults())
    assert seen.text("found") == f"{total} of {total} games"
    assert seen.html.count('class="row" role="row"') > 5
    third = games()[2]
    assert seen.text("viewer-title") == "Game 3"
    assert third.black in seen.text("viewer-players")
    assert third.white in seen.text("viewer-players")
    assert f"Move {third.length} of {third.length}" in seen.text("replay")
    assert seen.html.count('class="stone ') == third.length
    assert re.search(r"<dialog[^>]* open", seen.html)


@pytest.mark.long
@needs_browser
def test_the_page_can_be_used(path, tmp_path):
    script = Path(__file__).with_name("report.js").read_text("utf-8")
    driver = tmp_path / "driven.html"
    driver.write_text(driven(path.read_text("utf-8"), script), "utf-8")
    seen = see(driver)
    assert seen.console == []
    answers = seen.answers
    total = len(games()) + len(faults())
    assert answers["rows"] == ["1", "2", "3"]
    assert answers["turned"] == [str(total), "descending"]
    shortest = min(played.length for played in (*games(), *faults()))
    assert answers["short"] == f"{shortest} moves"
    assert answers["faults"] == [f"{len(faults())} of {total} games", "#games?end=fault"]
    assert answers["crashes"] == [f"2 of {total} games", 2]
    opened, result, detail = answers["crash"]
    assert opened
    assert result.endswith("won: crash")
    assert "RuntimeError: no </script> & no move" in detail
    assert answers["next"][1]
    assert answers["closed"] == [False, "#games?end=crash"]
    assert answers["reset"] == [f"{total} of {total} games", "#games?"]
    said, cell, title, name = answers["pair"]
    points, count = re.findall(r"^([\d.]+)/(\d+)\+", cell)[0]
    assert said.startswith(f"{count} of {total} games; {name}: ")
    assert said.endswith(f", {points} {'point' if points == '1' else 'points'}")
    assert title.startswith(f"{name} – ")
    won = re.search(r"(\d+) won", title)
    assert won is not None
    assert answers["won"].startswith(f"{won[1]} of {total} games")
    assert answers["beside"][0] == "Game 2"
    assert not answers["back"]
    assert answers["wide"]
    # What is saved can be read again.
    again = tmp_path / "game-2.txt"
    again.write_text(answers["saved"], "utf-8")
    (record,) = read_file(again).records
    assert record.rules == RENJU
    assert [node.point for node in record.main_line()] == list(games()[1].board().moves)


@pytest.mark.long
@needs_browser
def test_a_phone_shows_it_without_scrolling_sideways(tmp_path):
    """A window may be no narrower than 500 pixels, but a frame in it may."""
    inner, outer = tmp_path / "inner.html", tmp_path / "outer.html"
    long = "a-name-that-is-not-meant-for-phones," * 9
    told = """
    await import("report.js");
    const { scrollWidth } = document.documentElement;
    parent.postMessage([scrollWidth, innerWidth, document.querySelector("dialog").scrollTop], "*");
    """
    crash = game(BLACK, "crash", black=long, detail="RuntimeError: nothing to play " * 12)
    inner.write_text(driven(html(report([crash], title=long)), told), "utf-8")
    frame = f'<iframe width="390" height="844" src="{inner.as_uri()}#game-1"></iframe>'
    script = """
    const told = new Promise((done) => addEventListener("message", (event) => done(event.data)));
    answer("wide", await told);
    """
    outer.write_text(driven(f"<!doctype html><body>{frame}</body>", script), "utf-8")
    wide, screen, scrolled = see(outer).answers["wide"]
    assert screen == 390
    assert wide <= screen
    assert scrolled == 0
