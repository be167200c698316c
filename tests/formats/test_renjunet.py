"""RenjuNet databases: small files made by hand, hostile XML, and what is written read again."""

from __future__ import annotations

import io
import tracemalloc
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tengen import PASS, Board, Record, Rules
from tengen.formats import renjunet, renjunet_tables
from tengen.formats import text as text_files
from tengen.formats.common import FileProblem, FormatError, WriteError
from tengen.game.notation import format_moves, point_name
from tests.formats import strategies

TABLES = """
<countries>
<country id="1" name="Northland" abbr="NL"/>
<country id="2" name="Southland" abbr="SL"/>
</countries>
<cities><city id="1" country="1" name="Harbour"/><city id="2" country="2" name="Bridge"/></cities>
<months><month id="1" name="January"/><month id="8" name="August"/></months>
<rules><rule id="1" name="Old rule" info="five moves"/><rule id="2" name="Gomoku swap2"/></rules>
<openings><opening id="1" name="First Star" abbr="D1"/><opening id="2" name="Tenth" abbr="D10"/></openings>
<players>
<player id="1" name="Anna" surname="Alder" country="1" city="1"/>
<player id="2" name="Bo" surname="Birch" country="2" city="0"/>
<player id="3" name="" surname="Cedar" country="" city=""/>
</players>
<tournaments>
<tournament id="1" name="Open" country="1" city="1" year="1999" month="8"
 start="1999-08-03" end="1999-08-05" rule="1" rated="1"/>
<tournament id="2" name="League" country="2" city="0" year="2001" month="8"
 start="12" end="" rule="2" rated="0"/>
</tournaments>
"""

GAME = '<game id="7" tournament="1" black="1" white="2" bresult="1"><move>h8 i9</move><info/></game>'


def database(*games, tables=TABLES):
    inside = f"{tables}<games>{''.join(games)}</games>"
    return f'<?xml version="1.0" encoding="utf-8"?><database>{inside}</database>'


def read(text):
    games = renjunet.read(text.encode() if isinstance(text, str) else text)
    assert games.problems == []
    return games.records


def one(text, **attributes):
    """The record of a game with these attributes."""
    said = "".join(f' {name}="{value}"' for name, value in attributes.items())
    (record,) = read(database(f"<game{said}>{text}</game>"))
    return record


def moves(record):
    return format_moves((node.point for node in record.main_line()), 15, " ")


def stream(text, **wanted):
    return list(renjunet.games(io.BytesIO(text.encode() if isinstance(text, str) else text), **wanted))


def ids(text, **wanted):
    return [record.headers["renjunet:id"] for record in stream(text, **wanted)]


# -- games and their tables


def test_a_game_with_all_that_is_said_of_it():
    text = "<move>h8 i9 h10</move><info>a good &amp; long\ngame</info>"
    record = one(
        text, id=55, publisher=3, tournament=1, round=2, rule=1, black=1, white=2, bresult="0.5",
        btime=60, wtime=55, opening=1, alt="g9 h12", swap=1,
    )  # fmt: skip
    assert moves(record) == "h8 i9 h10"
    assert record.rules == Rules.named("renju")
    assert record.headers == {
        "event": "Open",
        "site": "Harbour, Northland",
        "date": "1999-08-03",
        "round": "2",
        "black": "Anna Alder",
        "white": "Bo Birch",
        "result": "draw",
        "opening": "First Star",
        "comment": "a good & long\ngame",
        "renjunet:id": "55",
        "renjunet:publisher": "3",
        "renjunet:rule": "Old rule",
        "renjunet:abbr": "D1",
        "renjunet:rated": "1",
        "renjunet:end": "1999-08-05",
        "renjunet:black-country": "Northland",
        "renjunet:black-city": "Harbour",
        "renjunet:white-country": "Southland",
        "renjunet:btime": "60",
        "renjunet:wtime": "55",
        "renjunet:alt": "g9 h12",
        "renjunet:swap": "1",
    }


@pytest.mark.parametrize("text", ["<move/>", "<move></move>", "<move> \n </move><info/>", ""])
def test_a_game_without_moves(text):
    record = one(text)
    assert moves(record) == ""
    assert record.headers == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<move>a1 o1 a15 o15</move>", "a1 o1 a15 o15"),
        ("<move>\n H8  I9\t\ng7 </move>", "h8 i9 g7"),
        ("<move>h8 i9</move><move>g7</move>", "h8 i9 g7"),
        ("<info>x</info><move>h8<b>ignored</b></move>", "h8 ignored"),
        ("<other><move>a1</move></other><move>h8</move>", "h8"),
    ],
)
def test_moves(text, expected):
    if "ignored" in expected:
        record, problem = stream(database(f"<game>{text}</game>"))
        assert (moves(record), problem.message.key, problem.missing) == ("", "error.format.line", "moves")
    else:
        assert moves(one(text)) == expected


@pytest.mark.parametrize(
    ("score", "result"),
    [("1", "black"), ("0", "white"), ("0.5", "draw"), ("0,5", "draw"), ("1.0", "black"), (" 0 ", "white")],
)
def test_results_are_points_of_black(score, result):
    assert one("<move/>", bresult=score).headers == {"result": result}


def test_a_result_that_is_none():
    assert one("<move/>", bresult="?").headers == {"renjunet:bresult": "?"}
    assert one("<move/>", bresult="").headers == {}


def test_ids_without_a_row():
    headers = one("<move/>", tournament=9, rule=9, black=9, white=0, opening="", other="kept").headers
    assert headers == {
        "renjunet:tournament": "9", "renjunet:rule": "9", "renjunet:black": "9", "renjunet:other": "kept",
    }  # fmt: skip


def test_one_name_is_enough():
    assert one("<move/>", black=3).headers == {"black": "Cedar"}


def test_the_rule_may_be_the_tournaments():
    record = one("<move>h8</move>", tournament=2)
    assert record.headers["renjunet:rule"] == "Gomoku swap2"
    assert record.rules == Rules.named("standard")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("RIF rule", "renju"),
        ("Gomoku", "standard"),
        ("Freestyle gomoku", "freestyle"),
        ("Gomoku, caro", "caro"),
    ],
)
def test_rules_by_name(name, rules):
    tables = f'<rules><rule id="5" name="{name}"/></rules>'
    (record,) = read(database('<game rule="5"><move/></game>', tables=tables))
    assert record.rules == Rules.named(rules)


@pytest.mark.parametrize(
    ("year", "month", "start", "date", "kept"),
    [
        ("1999", "8", "1999-08-03", "1999-08-03", ""),
        ("1999", "8", "12", "1999-08", "12"),
        ("1999", "08", "0000-00-00", "1999-08", "0000-00-00"),
        ("1999", "3", "", "1999-03", ""),
        ("1999", "0", "", "1999", ""),
        ("1999", "88", "", "1999-08", ""),
        ("99", "8", "", "", ""),
        ("", "8", "soon", "", "soon"),
    ],
)
def test_dates(year, month, start, date, kept):
    tables = (
        '<months><month id="88" name="august"/></months>'
        f'<tournament id="1" name="" year="{year}" month="{month}" start="{start}"/>'
    )
    (record,) = read(database('<game tournament="1"><move/></game>', tables=tables))
    assert record.headers.get("date", "") == date
    assert record.headers.get("renjunet:start", "") == kept


def test_a_city_knows_its_country():
    tables = (
        '<country id="1" name="Land"/><city id="4" name="Town" country="1"/><tournament id="1" city="4"/>'
    )
    (record,) = read(database('<game tournament="1"><move/></game>', tables=tables))
    assert record.headers == {"site": "Town, Land"}


def test_names_are_cut():
    tables = f'<player id="1" surname="{"x" * 500}"/>'
    (record,) = read(database('<game black="1"><move/></game>', tables=tables))
    assert record.headers == {"black": "x" * 200}


FOUL = "h8 a1 h9 a3 g10 a5 f10 a7 h10"
"""Black's last move makes two threes."""


def test_a_foul_at_the_end_loses():
    record = one(f"<move>{FOUL}</move>")
    assert record.rules == Rules.named("renju", fouls="loses")
    assert record.board().outcome().reason == "foul"


def test_a_game_that_goes_on_after_a_foul():
    record = one(f"<move>{FOUL} h11 h12</move>")
    assert record.rules == Rules.named("renju", fouls="claimed")
    assert record.board().ply == 11


def test_tables_after_the_games():
    text = database(tables="").replace("<games>", f"<games>{GAME}</games>{TABLES}<games>")
    (record,) = read(text)
    assert record.headers["black"] == "Anna Alder"
    (streamed,) = stream(text)
    assert "black" not in streamed.headers
    assert streamed.headers["renjunet:black"] == "1"
    assert stream(text, player="alder") == []


# -- one after the other, and those asked for


FOUR = database(
    '<game id="1" black="1" white="2" opening="1"><move>h8</move></game>',
    '<game id="2" black="2" white="3" opening="2"><move>h8</move></game>',
    '<game id="3" black="3" white="1" opening="1"><move>h8</move></game>',
    '<game id="4" black="8" white="" opening="7"><move>h8</move></game>',
)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "1234"),
        ({"player": "", "opening": ""}, "1234"),
        ({"player": "alder"}, "13"),
        ({"player": "ANNA A"}, "13"),
        ({"player": "alder anna"}, "13"),
        ({"player": "r"}, "123"),
        ({"player": "nobody"}, ""),
        ({"opening": "d1"}, "13"),
        ({"opening": "D10"}, "2"),
        ({"opening": "first star"}, "13"),
        ({"opening": "STAR"}, "13"),
        ({"opening": "sta"}, ""),
        ({"player": "bo", "opening": "d1"}, "1"),
    ],
)
def test_games_asked_for(wanted, expected):
    assert "".join(ids(FOUR, **wanted)) == expected


def test_a_game_that_is_not_asked_for_is_no_problem():
    text = FOUR.replace('white="3" opening="2"><move>h8', 'white="3" opening="2"><move>h8 h8')
    assert ids(text, player="alder") == ["1", "3"]
    assert [type(game) for game in stream(text, player="cedar")] == [Record, FileProblem, Record]


def test_games_come_as_they_are_read():
    class Endless(io.BytesIO):
        """A database without an end."""

        sent = 0

        def read(self, size=-1):
            self.sent += 1
            return database().encode().split(b"</games>")[0] if self.sent == 1 else GAME.encode() * 100

    source = Endless()
    games = renjunet.games(source)
    assert [moves(next(games)) for _ in range(250)] == ["h8 i9"] * 250
    assert source.sent <= 5


@pytest.mark.long
def test_memory_does_not_grow_with_the_games():
    def peak(count):
        source = io.BytesIO(database(GAME * count).encode())
        tracemalloc.start()
        for _ in renjunet.games(source):
            pass
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return held

    # Other threads may allocate meanwhile, and so make a peak higher, but never lower.
    assert min(peak(3000) for _ in range(3)) < 1.2 * min(peak(1000) for _ in range(3))


# -- encodings


@pytest.mark.parametrize(
    "encoding", ["utf-8", "windows-1251", "ISO-8859-1", "GB2312", "Shift_JIS", "utf-16"]
)
def test_encodings(encoding):
    name = {"windows-1251": "Ирина", "ISO-8859-1": "Göran", "GB2312": "李", "Shift_JIS": "木村"}.get(
        encoding, "Ö李"
    )
    text = database('<game black="1"><move/></game>', tables=f'<player id="1" name="{name}"/>')
    (record,) = read(text.replace("utf-8", encoding).encode(encoding))
    assert record.headers == {"black": name}


def test_a_byte_order_mark():
    (record,) = read(database(GAME).encode("utf-8-sig"))
    assert moves(record) == "h8 i9"


def test_bytes_that_are_not_in_the_encoding():
    text = database('<game black="1"><move/></game>', tables='<player id="1" name="G?ran"/>').encode()
    for declared in (b"utf-8", b"no-such-encoding"):
        data = text.replace(b"G?ran", b"G\xf6ran\x01").replace(b"utf-8", declared)
        games = renjunet.read(data)
        assert games.records[0].headers == {"black": "Göran\ufffd"}
        (problem,) = games.problems
        assert (problem.game, problem.missing) == (0, "nothing")
        assert problem.message.values["encoding"] == "windows-1252"
        named = renjunet.read(data, encoding="windows-1251")
        assert (named.records[0].headers, named.problems) == ({"black": "Gцran\ufffd"}, [])


def test_a_character_that_is_damaged_leaves_the_others():
    text = database(
        '<game black="1"><move/></game>', tables='<player id="1" name="李木村子中文"/>'
    ).encode()
    assert read(text.replace("木".encode(), b"\xe6\xff"))[0].headers["black"].endswith("村子中文")


# -- damaged and hostile files


def problem_of(text):
    """What is wrong with the only game of a database, which is kept as far as it goes."""
    record, problem = stream(database(text))
    assert moves(record) in ("", "h8", "h8 i9")
    assert problem.game == 1
    return str(problem.message)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("h8 i9 h8", "move 3: h8 is occupied"),
        ("h8 p1", "move 2: expected a point from a1 to o15, found 'p1'"),
        ("h8 h16", "move 2: expected a point from a1 to o15, found 'h16'"),
        ("h8 h0", "move 2: expected a point from a1 to o15, found 'h0'"),
        ("h8i9", "move 1: expected a point from a1 to o15, found 'h8i9'"),
        ("h8 --", "move 2: expected a point from a1 to o15, found '--'"),
        ("h8" + " " * 3000, "the text of the moves is longer than any game could be"),
    ],
)
def test_moves_that_cannot_be(text, sentence):
    first = TABLES.count("\n") + 1
    assert problem_of(f"<game><move>{text}</move></game>") == f"line {first}: {sentence}"


def test_a_text_that_is_too_long():
    game = f"<game><info>{'x' * 1_000_001}</info><move>h8</move></game>"
    assert problem_of(game).endswith("a text is longer than 1000000 characters")
    assert [moves(game) for game in stream(database(game))[:1]] == ["h8"]
    assert len(one(f"<info>{'x' * 999_999}</info>").headers["comment"]) == 999_999


def test_the_other_games_are_read():
    games = renjunet.read(database(GAME, "<game><move>h8 h8</move></game>", GAME).encode())
    assert [moves(record) for record in games.records] == ["h8 i9", "h8", "h8 i9"]
    assert [(problem.game, problem.missing) for problem in games.problems] == [(2, "moves")]


def test_after_very_many_problems_the_rest_is_left(monkeypatch):
    monkeypatch.setattr(text_files, "MAX_PROBLEMS", 3)
    games = renjunet.read(database(GAME, "<game><move>x</move></game>" * 9).encode())
    assert [problem.game for problem in games.problems] == [2, 3, 4, 5]
    assert games.problems[-1].message.key == "error.format.problems"


def test_a_file_that_breaks_off():
    text = database(GAME, GAME, GAME)
    cut = text[: text.rindex("<move>") + 8]
    games = renjunet.read(cut.encode())
    assert len(games.records) == 2
    (problem,) = games.problems
    assert problem.game == 3
    assert str(problem.message).endswith("the XML is damaged")
    assert stream(cut)[:2] == games.records


@pytest.mark.parametrize(
    "end", ["stray", "a < b & c", "<!DOCTYPE x>", "\x1a", "</database>", "<p>\n</p>\n"]
)
@pytest.mark.parametrize("distance", [1, 70_000])
def test_text_after_the_end(end, distance):
    text = database(GAME, GAME) + distance * "\n" + end
    games = renjunet.read(text.encode())
    assert games.records == read(database(GAME, GAME))
    (problem,) = games.problems
    assert (problem.game, problem.lost) == (2, False)
    assert str(problem.message).endswith("there is text after the end of the database: it is skipped")
    assert stream(text) == [*games.records, problem]


@pytest.mark.parametrize("distance", [0, 70_000])
def test_a_game_after_the_end_is_read(distance):
    games = renjunet.read((database(GAME) + "x" + distance * " " + database(GAME)).encode())
    assert [moves(record) for record in games.records] == ["h8 i9", "h8 i9"]
    assert any(problem.lost for problem in games.problems)


@pytest.mark.parametrize(
    ("damaged", "numbers", "missing"),
    [
        # in a game
        ('<game id="8" <move>a1</move></game>', ["7", "9"], [(2, "game")]),
        ('<game id="8"><move>a1</mve></game>', ["7", "9"], [(2, "game")]),
        ('<game id="8"><move>a1 & b2</move></game>', ["7", "9"], [(2, "game")]),
        ('<game id="8"><move>a1', ["7", "9"], [(2, "game")]),
        ('<gme id="8"><move>a1</move></game>', ["7", "9"], [(2, "detail")]),
        # between games
        ("a < b", ["7", "9"], [(2, "detail")]),
        ("&nbsp;", ["7", "9"], [(2, "detail")]),
        # a row
        ('<player id="4" name="A&B"/>', ["7", "9"], [(2, "detail")]),
    ],
)
def test_after_damage_the_next_game_is_read(damaged, numbers, missing):
    for distance in (0, 70_000):
        third = GAME.replace('"7"', '"9"')
        games = renjunet.read(database(GAME, damaged, " " * distance, third, third).encode())
        assert [record.headers["renjunet:id"] for record in games.records] == [*numbers, "9"]
        assert [record.headers["black"] for record in games.records] == ["Anna Alder"] * 3
        assert [(problem.game, problem.missing) for problem in games.problems] == missing


def test_the_lines_of_damage_count_from_the_beginning():
    bad = '<game id="8"><move>&x;</move></game>\n'
    text = database("\n", GAME, "\n", bad, GAME, "\n", bad, GAME)
    lines = [number for number, line in enumerate(text.split("\n"), 1) if "&x;" in line]
    problems = renjunet.read(text.encode()).problems
    assert [problem.message.values["line"] for problem in problems] == lines


def test_a_damaged_row_leaves_the_other_rows():
    tables = '<player id="1" name="Anna"/><player id="2" name="B & C"/><player id="3" name="Dora"/>'
    games = renjunet.read(
        database('<game black="1" white="3"><move>h8</move></game>', tables=tables).encode()
    )
    assert games.records[0].headers == {"black": "Anna", "white": "Dora"}
    assert [problem.missing for problem in games.problems] == ["detail"]


def refused(text):
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(FormatError) as caught:
        renjunet.read(data)
    with pytest.raises(FormatError) as streamed:
        stream(data)
    return str(caught.value), str(streamed.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1, column 1: the XML is damaged"),
        ("h8 i9", "line 1, column 1: the XML is damaged"),
        ("<database>\n<games>\n <game", "line 3, column 2: the XML is damaged"),
        ("<database>&foo;</database>", "line 1, column 11: the XML is damaged"),
        ("<html/>", "line 1: this is not a RenjuNet database: expected the element database, found html"),
        ("<database>" + "<a>" * 16, "line 1: elements are nested too deeply"),
        (f'<database a="{"x" * 1_200_000}"/>', "line 1: a tag is longer than 1048576 bytes"),
        (f"<database><!--{'x' * 1_200_000}--></database>", "line 1: a tag is longer than 1048576 bytes"),
        (
            f"<database>{''.join(f'<a{n} />' for n in range(9000))}</database>",
            "line 1: the file has more than 1000 kinds of elements and attributes",
        ),
    ],
)
def test_what_is_no_database(text, sentence):
    assert refused(text) == (sentence, sentence)


LAUGHS = (
    '<!DOCTYPE database [<!ENTITY a "haha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]><database><game><info>&j;</info></game></database>"
)


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE database SYSTEM "file:///secret"><database/>',
        '<!DOCTYPE database [<!ENTITY x SYSTEM "file:///secret">]><database><info>&x;</info></database>',
        '<!DOCTYPE database [<!ENTITY % x SYSTEM "http://127.0.0.1/"> %x;]><database/>',
        "<!DOCTYPE database><database/>",
    ],
)
def test_document_types_are_not_read(text):
    sentence = "line 1: the file declares a document type, which no database needs: it is not opened"
    assert refused(text) == (sentence, sentence)


def test_a_database_without_games():
    with pytest.raises(FormatError) as caught:
        renjunet.read(database().encode())
    assert caught.value.message.key == "error.format.empty"
    assert stream(database()) == []


def test_limits(monkeypatch):
    monkeypatch.setattr(renjunet, "_MAX_ROWS", 11)
    assert "the tables of the database have more than 11 rows" in refused(database(GAME))[0]
    monkeypatch.setattr(renjunet, "_MAX_ROWS", 100)
    monkeypatch.setattr(renjunet, "_MAX_GAMES", 2)
    games = renjunet.read(database(GAME * 4).encode())
    assert len(games.records) == 2
    assert [problem.message.key for problem in games.problems] == ["error.renjunet.most"]
    monkeypatch.setattr(renjunet, "MAX_NODES", 3)
    assert len(renjunet.read(database(GAME * 4).encode()).records) == 1


def test_a_stream_without_an_end_is_left(monkeypatch):
    monkeypatch.setattr(renjunet, "MAX_BYTES", 100_000)
    *games, last = stream(database(GAME * 5000))
    assert len(games) > 100
    assert last.game == len(games) + 1
    assert last.message.key == "error.format.bytes"


# -- writing


def test_what_is_written_is_a_database_of_its_own():
    records = read(FOUR)
    records[0].headers["comment"] = 'quotes " and <tags>\n& lines'
    root = ET.fromstring(renjunet.write(records).decode())
    assert root.tag == "database"
    rows = {each.tag: [row.attrib for row in each] for each in root if each.tag not in ("games", "months")}
    assert rows["countries"] == [
        {"id": "1", "name": "Northland", "abbr": ""},
        {"id": "2", "name": "Southland", "abbr": ""},
    ]
    assert rows["cities"] == [{"id": "1", "country": "1", "name": "Harbour"}]
    assert rows["players"] == [
        {"id": "1", "name": "Anna", "surname": "Alder", "country": "1", "city": "1"},
        {"id": "2", "name": "Bo", "surname": "Birch", "country": "2", "city": ""},
        {"id": "3", "name": "", "surname": "Cedar", "country": "", "city": ""},
    ]
    assert rows["openings"] == [
        {"id": "1", "name": "First Star", "abbr": "D1"},
        {"id": "2", "name": "Tenth", "abbr": "D10"},
    ]
    assert rows["rules"] == [{"id": "1", "name": "Renju"}]
    assert rows["tournaments"] == []
    games = root.findall("games/game")
    assert [game.get("id") for game in games] == ["1", "2", "3", "4"]
    assert [(game.get("black"), game.get("white")) for game in games] == [
        ("1", "2"), ("2", "3"), ("3", "1"), ("", ""),
    ]  # fmt: skip
    assert games[0].findtext("move") == "h8"
    assert games[0].findtext("info") == 'quotes " and <tags>\n& lines'


def test_all_that_is_read_is_written():
    text = (
        '<game id="1" publisher="3" tournament="1" round="2" rule="1" black="1" white="2" bresult="0.5"'
        ' btime="60" wtime="55" opening="1" alt="g9 h12" swap="1"><move>h8 i9</move><info>a text</info>'
        "</game>"
    )
    records = read(database(text))
    assert read(renjunet.write(records)) == records


def test_only_the_main_line_is_written():
    record = Record("renju", headers={"annotator": "me", "result": "nonsense", "date": "May", "black": " "})
    record.add("h8i9g7")
    record.add("h8h9")
    record.root.comment = "lost"
    (again,) = read(renjunet.write([record]))
    assert moves(again) == "h8 i9 g7"
    assert again.headers == {"renjunet:id": "1", "renjunet:rule": "Renju"}
    assert [format_moves(node.path(), 15) for node in again.nodes()] == ["", "h8", "h8i9", "h8i9g7"]


def test_characters_that_xml_cannot_hold():
    record = Record("renju", headers={"event": "a\0b\ud800", "comment": "\x1b[0m\r\n\ttabs\r"})
    (again,) = read(renjunet.write([record]))
    assert again.headers["event"] == "a\ufffdb\ufffd"
    assert again.headers["comment"] == "\ufffd[0m\r\n\ttabs"


def test_a_rule_that_means_other_rules():
    record = Record("standard", headers={"renjunet:rule": "Old rule"})
    (again,) = read(renjunet.write([record]))
    assert again.rules.name == "standard"
    assert again.headers["renjunet:rule"] == "Gomoku"


def passed():
    record = Record(Rules.named("renju", passing=True))
    record.add("h8h9i10--")
    return record


def off_board():
    record = Record("renju")
    record.root.add(300)
    return record


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (Record(Rules.named("renju", 14)), "error.renjunet.size"),
        (Record("tictactoe"), "error.renjunet.size"),
        (Record(Rules.mnk(15, 15, 4)), "error.renjunet.rules"),
        (Record(Rules.named("tictactoe", 15)), "error.renjunet.rules"),
        (Record("renju", setup=Board.from_stones(["h8"], rules="renju")), "error.renjunet.setup"),
        (Record("renju", setup=Board.from_stones(turn=2, rules="renju")), "error.renjunet.setup"),
        (passed(), "error.renjunet.pass"),
        (off_board(), "error.renjunet.move"),
    ],
)
def test_what_a_database_cannot_hold(record, key):
    with pytest.raises(WriteError) as caught:
        renjunet.write([Record("renju"), record])
    assert caught.value.message.key == key


# -- round trips and fuzzing


NAMES = ("event", "site", "date", "round", "black", "white", "result", "opening", "comment")
RECORDS = strategies.main_lines(strategies.FIFTEEN, strategies.headers(*NAMES))


def legible(record):
    """Whether XML has all of a record's characters."""
    return not any(character in "\ufffe\uffff" for text in record.headers.values() for character in text)


@given(st.lists(RECORDS.filter(legible), min_size=1, max_size=4))
def test_what_is_written_can_be_read(records):
    again = read(renjunet.write(records))
    assert [record.rules.name for record in again] == [record.rules.name for record in records]
    assert [moves(record) for record in again] == [moves(record) for record in records]
    for number, (mine, theirs) in enumerate(zip(again, records, strict=True), 1):
        assert mine.headers.pop("renjunet:id") == str(number)
        assert mine.headers.pop("renjunet:rule")
        assert mine.headers == theirs.headers
        assert mine.board() == theirs.board()


FILES = st.lists(RECORDS, min_size=1, max_size=3).map(renjunet.write) | st.just(FOUR.encode())


@given(strategies.hostile(FILES))
@example(database(GAME, "<game>").encode())
@example(b"<database><game/></database>\0")
@example(b"\xff\xfe<\0d\0")
@example(b"<?xml version='1.1'?><database/>")
@example(b"<database><game black='\xed\xa0\x80'/></database>")
def test_any_bytes_are_read_or_refused(data):
    try:
        games = renjunet.read(data)
    except FormatError:
        return
    again = read(renjunet.write(games.records))
    assert [moves(record) for record in again] == [moves(record) for record in games.records]
    told = [problem for problem in games.problems if problem.game]
    assert len(stream(data)) == len(games.records) + len(told)


TEXTS = st.sampled_from(
    ("", "0", "1", "2", "x", "1999", "8", "1999-08-03", "Gomoku", "D1", "0.5", "h8", "h8 i9")
)
ATTRIBUTES = sorted(
    {"id", "round", "bresult", "alt", *sum(renjunet_tables.TABLES.values(), ()), "black", "white"}
)
ELEMENTS = st.builds(
    lambda name, said, text: (
        f"<{name} {' '.join(f'{key}={value!r}' for key, value in said.items())}>{text}</{name}>"
    ),
    st.sampled_from(("game", "game", "move", "info", *renjunet_tables.TABLES)),
    st.dictionaries(st.sampled_from(ATTRIBUTES), TEXTS, max_size=4),
    TEXTS | st.builds("<move>{}</move>".format, TEXTS),
)


@given(st.lists(ELEMENTS, max_size=12))
def test_any_elements_are_read_or_refused(elements):
    data = database("".join(elements), tables="").encode()
    try:
        games = renjunet.read(data)
    except FormatError:
        return
    for record in games.records:
        assert all(isinstance(value, str) and value for value in record.headers.values())
    assert len(read(renjunet.write(games.records))) == len(games.records)


def test_every_point_has_its_name():
    for point in range(225):
        assert one(f"<move>{point_name(point, 15)}</move>").main_line()[0].point == point
    assert PASS not in renjunet_tables.NAMES
