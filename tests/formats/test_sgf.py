"""SGF: what the specification says, and what is met in the field."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Record, Rules
from tengen.formats.common import MAX_TEXT, FormatError
from tengen.formats.sgf import read, write
from tengen.game.player import Score
from tengen.game.record import Mark, Node
from tests import strategies as board_strategies
from tests.errors import key_of
from tests.formats import strategies

ROOT = "(;FF[4]GM[4]SZ[15]"


def games(text):
    """The records of a file that has no problems."""
    found = read(text if isinstance(text, bytes) else text.encode())
    assert found.problems == []
    return found.records


def game(text):
    (record,) = games(text)
    return record


def guessed_game(data):
    """The record of a file of which nothing is missing; its encoding may be a guess."""
    found = read(data)
    assert found.lost == []
    (record,) = found.records
    return record


def moves(record):
    return "".join(record.setup.name(node.point) for node in record.main_line())


def stones(record):
    setup = record.setup
    return tuple(" ".join(map(setup.name, setup.stones(colour))) for colour in (BLACK, WHITE))


def marks_in_order(record):
    """The record with the marks of every node sorted, as SGF groups them by kind."""
    for node in record.nodes():
        node.marks = tuple(sorted(node.marks, key=lambda mark: (mark.kind, mark.point, mark.label)))
    return record


# -- round trips


@given(st.lists(strategies.records(), min_size=1, max_size=3))
def test_everything_comes_back(records):
    back = read(write(records))
    assert back.problems == []
    assert list(map(marks_in_order, back.records)) == list(map(marks_in_order, records))


@given(strategies.records(board_strategies.rules(st.sampled_from((1, 2, 25, 26, 27, 50))), most=10))
def test_boards_of_all_sizes(record):
    (back,) = read(write([record])).records
    assert marks_in_order(back) == marks_in_order(record)


@given(
    st.dictionaries(
        st.sampled_from(
            ("sgf:5A", "sgf:XY", "sgf:RE", "sgf:RU", "sgf:B", "sgf:a]", "psq:division", ":", "", "]\\:")
        )
        | st.sampled_from(tuple(strategies.HEADERS)),
        st.text(st.characters(exclude_categories=("Cs", "Cc"))) | strategies.TEXT,
    )
)
def test_any_header_comes_back(headers):
    back = game(write([Record(headers=headers)])).headers
    assert {key: back.get(key) for key in headers} == headers


@given(st.sampled_from(("black", "white", "draw")), st.sampled_from(("five", "resigned", "time", "agreed")))
def test_results_come_back(result, reason):
    headers = {"result": result, "reason": reason}
    assert game(write([Record(headers=headers)])).headers == headers


def test_a_game_as_it_is_written():
    record = Record("renju", headers={"black": "林", "result": "white", "reason": "resigned"})
    record.root.comment = "a]b\\c:"
    record.add("h8i9")
    record.add("h8g7").marks = (Mark(112, "label", "1:2"), Mark(0, "cross"))
    assert write([record]).decode() == (
        "(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]\n"
        "PB[林]\n"
        "RE[W+R]\n"
        "RU[renju]C[a\\]b\\\\c:];B[hh]\n"
        "(;W[ig])\n"
        "(;W[gi]LB[hh:1\\:2]MA[ao]))\n"
    )


def test_a_tree_of_any_depth():
    record = Record(Rules(passing=True))
    node = record.root
    for _ in range(20_000):
        for point in (PASS, PASS):
            node.children.append(Node(point, node))
        node = node.children[0]
    for node in list(record.nodes()):
        del node.children[1:]
    assert game(write([record])) == record


def test_very_many_brackets():
    (problem,) = read(b"(;" * 20_000).problems
    assert problem.message.values["reason"].key == "error.format.sgf.end"
    assert moves(game(b"(;" + b"(;" * 20_000 + b"B[hh]" + b")" * 20_001)) == "h8"


# -- points, sizes, turns and set-up positions

TOLD = """
    points count from the top left    (;GM[4]SZ[15];B[aa];W[oo];B[ao];W[oa])   a15o1a1o15
    rectangular boards                (;GM[4]SZ[20:15];B[ta];W[to])            t15t1, 20x15
    capital letters beyond z          (;GM[4]SZ[28];B[zA];W[BB])               z2ab1, 28x28
    names as points                   (;GM[4]SZ[15];B[h8];W[I9])               h8i9
    a size said twice                 (;GM[4]SZ[15x15])                        , 15x15
    a size with blanks                (;GM[4]SZ[ 15 ])                         , 15x15
    a size like a rectangle's         (;GM[4]SZ[15:15])                        , 15x15
    one with blanks                   (;GM[4]SZ[15 : 15])                      , 15x15
    no size                           (;GM[4])                                 , 15x15
    no game either                    (;B[hh])                                 h8, 15x15
    no size, and Go                   (;GM[1])                                 , 19x19
    a pass                            (;SZ[15];B[hh];W[ig];B[ii];W[];B[gg])    h8i9i7--g9, passing
    tt is a pass                      (;SZ[15];B[hh];W[ig];B[ii];W[tt];B[gg])  h8i9i7--g9, passing
    but a point on large boards       (;GM[4]SZ[20];B[tt])                     t1, 20x20
    colours come from the properties  (;SZ[15];B[hh];W[ig];B[ii];B[gg];W[ff])  h8i9i7--g9f10, passing
    White may begin                   (;SZ[15];W[hh];B[ig])                    h8i9, White
    two moves in one node             (;SZ[15];W[hh]B[ig];W[ii])               h8i9i7, White
    a move in the first node          (;GM[4]SZ[15]B[hh];W[ig])                h8i9
    stones set up                     (;SZ[15]AB[hh][ii]AW[ig];W[gg])          g9, White, i7 h8 | i9
    the move says whose turn it is    (;SZ[15]AB[hh]AW[ig]PL[W];B[aa])         a15, h8 | i9
    else PL does                      (;SZ[15]AB[hh]AW[ig]PL[W])               , White, h8 | i9
    in whatever words                 (;SZ[15]PL[white])                       , White
    rectangles of stones              (;SZ[15]AB[hh:ji]AW[aa]AE[ii])           , White, h7 j7 h8 i8 j8 | a15
    from any corner                   (;SZ[15]AB[ji:hh])                       , White, h7 i7 j7 h8 i8 j8 |
    behind an empty node              (;;GM[4]SZ[15];AB[hh]AW[ig];PL[W])       , White, h8 | i9
"""
"""Games: their moves and, unless usual, the size, the side that begins, the stones, and passing."""


@pytest.mark.parametrize("row", TOLD.strip().split("\n"))
def test_what_a_game_tells(row):
    _, text, expected = re.split(r" {2,}", row.strip())
    record = game(text)
    told = [word.strip() for word in expected.split(",")]
    assert moves(record) == told[0]
    assert record.rules.passing == ("passing" in told)
    assert record.setup.turn == (WHITE if "White" in told else BLACK)
    assert " | ".join(stones(record)).strip() == next((word for word in told if "|" in word), "|")
    assert record.rules.size_text == next(
        (word for word in told if re.fullmatch("[0-9]+x[0-9]+", word)), "15x15"
    )


def test_a_stone_set_up_later_is_a_move():
    record = game(f"{ROOT};B[hh](;AW[ig])(;AW[gg]))")
    assert [record.setup.name(node.point) for node in record.nodes() if node.point] == ["h8", "i9", "g9"]


def test_stones_set_up_later_begin_another_game():
    first, second = games(f"{ROOT}PB[a];B[hh](;AW[ig][gg]AE[hh];B[ii])(;W[ii]))")
    assert moves(first) == "h8i7"
    assert stones(second) == ("", "g9 i9")
    assert moves(second) == "i7"
    assert first.headers == second.headers == {"black": "a"}


def test_a_tree_of_problems_is_many_games():
    found = games(f"{ROOT}(;AB[hh]AW[ig]C[one];B[ii])(;AB[aa]AW[bb]C[two]))")
    assert [stones(record) for record in found] == [("h8", "i9"), ("a15", "b14")]
    assert [record.root.comment for record in found] == ["one", "two"]


# -- texts


def test_escapes_and_soft_line_breaks():
    text = "(;C[a\\]b\\\\c\\:d\\\ne\\\r\nf\tg\r\nh\ri]GN[one\ntwo])"
    record = game(text)
    assert record.root.comment == "a]b\\c:def\tg\nh\ni"
    assert record.headers["name"] == "one two"


@pytest.mark.parametrize("text", ["a\tb", "\tindented\n\t\ttwice", "a\fb\vc"])
def test_blanks_in_a_comment_come_back(text):
    record = Record(headers={"comment": text, "name": text})
    record.add("h8").comment = text
    assert game(write([record])) == record


def test_labels():
    record = game(f"{ROOT}LB[hh:a\\:b:c][ii:\\]][gg]L[aa][bb])")
    assert record.root.marks == (
        Mark(112, "label", "a:b:c"),
        Mark(98, "label", "]"),
        Mark(210, "label", "a"),
        Mark(196, "label", "b"),
    )


def test_marks():
    record = game(f"{ROOT}MA[aa]TR[hh:ih]SQ[]CR[bb]M[cc])")
    assert {(mark.kind, record.setup.name(mark.point)) for mark in record.root.marks} == {
        ("cross", "a15"),
        ("triangle", "h8"),
        ("triangle", "i8"),
        ("circle", "b14"),
        ("cross", "c13"),
    }


def test_comments_without_a_move_belong_to_the_move_before():
    record = game(f"{ROOT};B[hh]N[name]C[one];C[two](;;C[three];W[ii])(;C[three]W[gg]))")
    node = record.main_line()[0]
    assert node.comment == "name\none\ntwo\nthree"
    assert [child.comment for child in node.children] == ["", "three"]


def test_the_same_move_in_two_variations_is_one():
    record = game(f"{ROOT}(;B[hh]C[one];W[ii])(;B[hh]C[two];W[gg]))")
    (node,) = record.root.children
    assert node.comment == "one\ntwo"
    assert len(node.children) == 2


def test_many_variations_of_one_move():
    letters = "abcdefghijklmno"
    text = "".join(f"(;B[{x}{y}];W[hh])" for x in letters for y in letters if x + y != "hh")
    assert len(game(f"{ROOT}{text}{text})").root.children) == 224


# -- encodings


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("utf8", "utf-8-sig"),
        ("UTF-8", "gb18030"),
        ("GB2312", "gb18030"),
        ("gb2312", "utf-8"),
        ("", "gb18030"),
        ("", "utf-8"),
        ("ISO-8859-1", "gb18030"),
        ("ISO-8859-1", "utf-8"),
        ("", "utf-16"),
        ("rot13", "utf-8"),
    ],
)
def test_chinese(declared, encoding):
    text = f"(;GM[4]CA[{declared}]SZ[15]PB[曹冬]PW[吴镝]C[黑1花月，白2直指开局，黑棋必胜。])"
    if declared == "ISO-8859-1" and encoding == "gb18030":
        text = text.replace("ISO-8859-1", "")
    record = guessed_game(text.encode(encoding))
    assert record.headers == {"black": "曹冬", "white": "吴镝"}
    assert record.root.comment == "黑1花月，白2直指开局，黑棋必胜。"


@pytest.mark.parametrize(
    ("declared", "encoding", "name"),
    [
        ("Shift_JIS", "cp932", "中村茂"),
        ("", "cp932", "なかむら 茂"),
        ("Big5", "big5hkscs", "林書玄"),
        ("EUC-JP", "euc_jp", "中村茂"),
        ("ISO-2022-JP", "iso2022_jp", "中村茂"),
        ("EUC-KR", "cp949", "김창훈"),
        ("windows-1251", "cp1251", "Сушков"),
        ("KOI8-R", "koi8_r", "Сушков"),
        ("windows-1250", "cp1250", "Laštovička"),
        ("ISO-8859-2", "iso8859_2", "Laštovička"),
        ("ISO-8859-1", "latin-1", "Jörg Müller"),
        ("", "latin-1", "Jörg Müller"),
        ("UTF-8", "latin-1", "Aivo Õunapuu, Göran"),
    ],
)
def test_other_languages(declared, encoding, name):
    assert guessed_game(f"(;GM[4]CA[{declared}]PB[{name}])".encode(encoding)).headers == {"black": name}


def test_brackets_within_characters():
    """Second bytes of GB18030, Big5 and Shift-JIS may be those of a bracket or a backslash."""
    for name, encoding in (("乗", "gb18030"), ("功", "big5hkscs"), ("表ソ", "cp932")):
        data = f"(;GM[4]CA[{encoding.removesuffix('hkscs')}]PB[{name}]PW[x])".encode(encoding)
        assert game(data).headers == {"black": name, "white": "x"}


def test_a_damaged_character_leaves_the_others():
    data = "(;GM[4]C[黑1花月，白2直指开局，黑棋必胜。])".encode()
    found = read(data.replace("月".encode(), b"\xe6\xff\x88"))
    (record,) = found.records
    assert [(problem.message.key, problem.missing) for problem in found.problems] == [
        ("error.format.encoding.damaged", "detail")
    ]
    assert record.root.comment.startswith("黑1花")
    assert record.root.comment.endswith("黑棋必胜。")


# -- headers, results, rules


def test_headers():
    text = (
        "(;GM[4]EV[World Ch.]PC[Tallinn]DT[2019-08-05]RO[3]PB[A]PW[B]ON[Kagetsu]TM[300]AN[me]SO[book]"
        "GN[A-B]GC[one\ntwo]KM[6.5]HA[0]ST[2]AP[x:1]BR[4 dan])"
    )
    assert game(text).headers == {
        "event": "World Ch.",
        "site": "Tallinn",
        "date": "2019-08-05",
        "round": "3",
        "black": "A",
        "white": "B",
        "opening": "Kagetsu",
        "time": "300",
        "annotator": "me",
        "source": "book",
        "name": "A-B",
        "comment": "one\ntwo",
        "sgf:BR": "4 dan",
    }


def test_extras_of_renju_exporters_are_kept():
    record = game("(;GM[4]SZ[15]GN[A-B(B) : RIF rule]5A[gg][hh]SW[NO]RE[W+Resign];B[hh])")
    assert record.rules == Rules.named("renju")
    assert record.headers == {
        "name": "A-B(B) : RIF rule",
        "sgf:5A": "gg][hh",
        "sgf:SW": "NO",
        "result": "white",
        "reason": "resigned",
    }
    assert b"5A[gg][hh]" in write([record])


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("B+", {"result": "black"}),
        ("W+R", {"result": "white", "reason": "resigned"}),
        ("B+Time", {"result": "black", "reason": "time"}),
        ("b+T", {"result": "black", "reason": "time"}),
        ("W+F", {"result": "white", "sgf:RE": "W+F"}),
        ("0", {"result": "draw"}),
        ("Draw", {"result": "draw", "sgf:RE": "Draw"}),
        ("黑胜", {"result": "black", "sgf:RE": "黑胜"}),
        ("1-0", {"result": "black", "sgf:RE": "1-0"}),
        ("White wins", {"result": "white", "sgf:RE": "White wins"}),
        ("Void", {"sgf:RE": "Void"}),
        ("?", {"sgf:RE": "?"}),
        ("", {}),
    ],
)
def test_results(text, headers):
    record = game(f"(;GM[4]RE[{text}])")
    assert record.headers == headers
    assert game(write([record])) == record


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("renju", "renju"),
        ("Renju", "renju"),
        ("RIF", "renju"),
        ("Yamaguchi", "renju"),
        ("Soosõrv-8", "renju"),
        ("Soosyrv-8", "renju"),
        ("有禁手", "renju"),
        ("无禁手", "freestyle"),
        ("Gomoku", "freestyle"),
        ("Free Style", "freestyle"),
        ("standard", "standard"),
        ("exactly five", "standard"),
        ("Caro", "caro"),
        ("", "freestyle"),
        ("0", "freestyle"),
        ("1", "standard"),
        (" 4 ", "renju"),
        ("5", "renju"),
        ("9", "caro"),
    ],
)
def test_names_of_rules(text, name):
    record = game(f"(;GM[4]SZ[15]RU[{text}])")
    assert record.rules == Rules.named(name)
    assert game(write([record])) == record


def test_caro_with_overlines_by_its_number():
    record = game("(;GM[4]SZ[15]RU[8])")
    assert record.rules == Rules.named("caro", overline="wins")
    assert b"RU[8]" in write([record])
    assert game(write([record])) == record


@pytest.mark.parametrize("text", ["2", "3", "16", "999", "Japanese", "1e1"])
def test_rules_that_are_not_known_are_told(text):
    found = read(f"(;GM[4]SZ[15]RU[{text}];B[hh])(;GM[4];B[ii])(;GM[4]RU[{text}])".encode())
    assert [record.rules for record in found.records] == [Rules.named("freestyle")] * 3
    (problem,) = found.problems
    assert (problem.game, problem.lost) == (1, False)
    assert str(problem.message) == (
        f"line 1, column 17: '{text}' is not the name of any known rules: "
        "the game is read as freestyle gomoku"
    )


def test_what_the_rules_are_taken_for():
    (problem,) = read(b"(;GM[4]GN[Ann-Bob : RIF rule]RU[?])").problems
    assert str(problem.message).endswith(
        "'?' is not the name of any known rules: the game is read as renju"
    )
    assert games("(;GM[4]RU[?]TGR[caro])")[0].rules == Rules.named("caro"), "Tengen's own property decides"


def test_not_all_names_of_rules_are_told_where_there_are_very_many():
    found = read("".join(f"(;GM[4]RU[house {number}])" for number in range(300)).encode())
    assert (len(found.records), len(found.problems)) == (300, 100)


def test_a_game_that_is_lost_is_told_once():
    found = read(b"(;]RU[?];B[hh];W[hh])(;GM[4];B[hh])")
    assert [(problem.game, problem.lost) for problem in found.problems] == [(1, True)]


@given(strategies.RULES)
def test_any_rules_come_back(rules):
    assert game(write([Record(rules)])).rules == rules


# -- fouls


FOUL = ";B[hh];W[aa];B[ih];W[ac];B[jg];W[ae];B[jf];W[ag];B[jh]"
"""Black's j8 makes two threes."""


def test_a_game_lost_by_a_foul_can_be_replayed():
    record = game(f"{ROOT}RU[renju]{FOUL})")
    assert record.rules == Rules.named("renju", fouls="loses")
    assert record.board().outcome().winner == WHITE


def test_a_game_that_goes_on_after_a_foul_can_be_replayed():
    record = game(f"{ROOT}RU[renju]{FOUL};W[ai])")
    assert record.rules == Rules.named("renju", fouls="claimed")
    assert record.board().outcome() is None


def test_without_fouls_rules_stay_as_they_are():
    assert game(f"{ROOT}RU[renju]{FOUL[:-5]})").rules == Rules.named("renju")
    assert game(f"{ROOT}RU[freestyle]{FOUL})").rules == Rules.named("freestyle")


# -- evaluations and times


def test_evaluations_of_others_are_for_black():
    line = game(f"{ROOT};B[hh]V[1.5];W[ig]V[1.5];B[ii]V[-1e9];W[gg]V[much])").main_line()
    assert [node.score for node in line] == [Score(150), Score(-150), Score(-30_000), None]


def test_clocks():
    line = game(
        f"{ROOT}TM[300];B[hh]BL[290.5];W[ig]WL[300];B[ii]BL[280];W[gg];B[ff]BL[300];W[ee]WL[1])"
    ).main_line()
    assert [node.seconds for node in line] == [9.5, 0, 10.5, None, None, 299]


def test_clocks_of_variations():
    record = game(f"{ROOT};B[hh]BL[100](;W[ig];B[ii]BL[90])(;W[gg];B[ii]BL[95]))")
    assert [node.seconds for node in record.nodes()] == [None, None, None, 10, None, 5]


# -- several games, and what is wrong


def test_text_around_the_games():
    first, second = games("Dear (all),\n\n(;GM[4];B[hh]) and (;GM[4];B[ii])\nbye (;-)"[:-4])
    assert (moves(first), moves(second)) == ("h8", "i7")


def test_long_names_of_old_files():
    record = game("(;GaMe[4]SiZe[15]AddBlack[hh]PlayerWhite[x];White[ig]Comment[text])")
    assert stones(record) == ("h8", "")
    assert moves(record) == "i9"
    assert record.main_line()[0].comment == "text"


def test_headers_in_the_second_node():
    record = game("(;(;GM[4]SZ[19]PB[a]C[x];B[ss])(;B[aa]))")
    assert record.rules.size_text == "19x19"
    assert record.headers == {"black": "a"}
    assert record.root.comment == "x"
    assert len(record.root.children) == 2


def test_a_side_to_move_set_up_later():
    record = game("(;GM[4]SZ[15];PL[W]C[White to move])")
    assert record.setup.turn == WHITE
    assert record.root.comment == "White to move"
    assert moves(game(f"{ROOT};B[hh];PL[B];W[ii])")) == "h8i7"


def test_headers_further_on():
    record = game(f"{ROOT}PB[a];B[hh]PB[b]PW[c]XX[d])")
    assert record.headers == {"black": "a", "white": "c"}


@pytest.mark.parametrize("number", ["1", "4", "5"])
def test_games_that_say_they_are_others(number):
    assert moves(game(f"(;GM[{number}]SZ[15];B[hh])")) == "h8"


def faults(found):
    """The faults of a file's games: the game, line, column, the reason's key and what is missing."""
    return [
        (
            problem.game,
            problem.message.values["line"],
            problem.message.values["column"],
            problem.message.values["reason"].key,
            problem.missing,
        )
        for problem in found.problems
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "key", "missing", "kept"),
    [
        (";B[hh]\n;W[hh]", 2, 4, "error.occupied", "moves", "h8"),
        (";B[po]", 1, 22, "error.off_board", "moves", ""),
        (";B[h]", 1, 22, "error.format.sgf.point", "moves", ""),
        (";B[hhh]", 1, 22, "error.format.sgf.point", "moves", ""),
        (";B[éé]", 1, 22, "error.format.sgf.point", "moves", ""),
        (";B[hh][ii]", 1, 26, "error.format.sgf.moves", "moves", ""),
        (";B[hh]TR[hp]", 1, 28, "error.off_board", "nothing", "h8"),
        (";B[hh]LB[:a]", 1, 28, "error.format.sgf.point", "nothing", "h8"),
        (";B[hh]TR[aa:bb:cc]", 1, 28, "error.format.sgf.point", "nothing", "h8"),
        (";B[hh] ! ;W[ii]", 1, 26, "error.format.sgf.token", "detail", "h8i7"),
        (";B;W[ii]", 1, 21, "error.format.sgf.token", "detail", ""),
        (";B W[ii]", 1, 22, "error.format.sgf.token", "detail", ""),
        (";[ii]", 1, 21, "error.format.sgf.token", "detail", ""),
        ("(x)", 1, 20, "error.format.sgf.token", "detail", ""),
    ],
)
def test_the_place_of_a_fault(text, line, column, key, missing, kept):
    for ending in (")", "(;W[aa];)(;C[)\\]]))", ";AW[bb])"):
        found = read(f"(;FF[4]GM[4]PB[ab]{text}{ending}".encode())
        assert faults(found)[0] == (1, line, column, key, missing)
        assert moves(found.records[0])[: len(kept)] == kept


@pytest.mark.parametrize(
    ("root", "key"),
    [
        ("SZ[x]", "error.format.sgf.size"),
        ("SZ[51]", "error.rules.most"),
        ("SZ[0]", "error.rules.least"),
        ("TGR[chess]", "error.rules.name"),
        ("TGR[renju x]", "error.rules.word"),
    ],
)
def test_rules_that_make_no_sense_are_guessed(root, key):
    found = read(f"(;GM[4]{root};B[hh];W[ii])".encode())
    (problem,) = found.problems
    guessed = problem.message.values["reason"]
    assert (problem.lost, guessed.key) == (False, "error.format.sgf.guessed")
    assert (guessed.values["reason"].key, guessed.values["size"]) == (key, "15x15")
    assert moves(found.records[0]) == "h8i7"


def test_another_game():
    assert key_of(read, b"(;GM[3];B[hh])") == "error.format.place"


def test_a_stone_off_the_board_and_a_text_too_long_leave_the_rest():
    long = "x" * (MAX_TEXT + 1)
    found = read(f"(;SZ[15]AB[hh][xx]AW[ii]PB[a]EV[{long}];B[aa]C[{long}]N[name];W[bb])".encode())
    (record,) = found.records
    assert (stones(record), record.headers) == (("h8", "i7"), {"black": "a"})
    assert moves(record) == "a15b14"
    assert record.main_line()[0].comment == "name"
    assert [(problem.message.values["reason"].key, problem.missing) for problem in found.problems] == [
        ("error.format.text", "detail"),
        ("error.off_board", "moves"),
        ("error.format.text", "detail"),
    ]


@pytest.mark.parametrize("data", [b"", b"(", b"()", b"((;B[hh]))"[:1], b"\xff\xfe", b"h8i9"])
def test_no_sgf(data):
    assert key_of(read, data) == "error.format.sgf.start"


def test_the_other_games_of_a_file_are_read():
    found = read(b"(;GM[4];B[hh];W[hh](;B[ii]))\n(;B[aa])\n(;]B[bb];W[cc])(;SZ[15];B[dd])")
    assert list(map(moves, found.records)) == ["h8", "a15", "d12"]
    assert [
        (p.game, p.message.values["line"], p.message.values["column"], p.missing) for p in found.problems
    ] == [(1, 1, 17, "moves"), (3, 3, 3, "game")]


@pytest.mark.parametrize(
    ("text", "kept", "column", "key"),
    [
        ("(;GM[4];B[hh];W[ii]", "h8i7", 20, "error.format.sgf.end"),
        ("(;GM[4];B[hh];W[ii];B", "h8i7", 22, "error.format.sgf.end"),
        ("(;GM[4](;B[hh];W[ii]) \n ", "h8i7", 2, "error.format.sgf.end"),
        ("(;GM[4];B[hh];W[i", "h8", 16, "error.format.sgf.open"),
        ("(;GM[4];B[hh];W[ii]C[\\]", "h8", 21, "error.format.sgf.open"),
    ],
)
def test_a_game_broken_off_is_kept_so_far(text, kept, column, key):
    found = read(text.encode())
    assert list(map(moves, found.records)) == [kept]
    (problem,) = found.problems
    assert (problem.message.values["column"], problem.message.values["reason"].key) == (column, key)


# -- hostile files


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[50])" * 10_000,
        "(;SZ[50]" + ";TR[aa:XX]" * 10_000 + ")",
        "(;SZ[50]AB[aa:XX])" * 1_000,
        "(;SZ[50]" + "(;AB[aa:XX])" * 1_000 + ")",
        "(;SZ[50]" + "(;AB[aa][bb])" * 5_000 + ")",
    ],
)
def test_small_files_that_ask_for_much(text):
    try:
        message = read(text.encode()).problems[0].message
    except FormatError as error:
        message = error.message
    assert message.values["reason"].key == "error.format.greedy"


@pytest.mark.parametrize(
    "text",
    [
        "(;B[hh" * 50_000,
        "(;B[hh])" * 20_000,
        "(;B[hh]x)" * 20_000,
        "(;GM[4]B[hh]!)" * 20_000,
        "(;GM[4]" + ";C[a]" * 100_000 + ")",
        "(;" + "SZ[15];" * 50_000 + ")",
        "(;LB[" + "\\:" * 500_000 + "])",
        "(;C[" + "\\\\" * 500_000,
        "\\" * 500_000,
        "(" * 500_000,
        ";" * 500_000,
        "(;" + "A" * 500_000,
        "(;" + "A " * 250_000,
    ],
)
@pytest.mark.long
def test_long_files_end_soon(text):
    with suppress(FormatError):
        read(text.encode())


@given(strategies.hostile(strategies.records().map(lambda record: write([record]))))
def test_damaged_files(data):
    try:
        records = read(data).records
    except FormatError:
        return
    back = read(write(records))
    assert back.problems == []
    assert list(map(marks_in_order, back.records)) == list(map(marks_in_order, records))


PIECES = [
    *(
        "(;",
        ";",
        "(",
        ")",
        "[",
        "]",
        "\\",
        ":",
        "GM[4]",
        "GM[1]",
        "SZ[15]",
        "SZ[3:5]",
        "SZ[50]",
        "RU[renju]",
    ),
    *("B[hh]", "W[hh]", "B[aa]", "W[bb]", "B[]", "W[tt]", "AB[aa][bb]", "AW[cc]", "AE[aa:cc]", "PL[W]"),
    *("C[x]", "N[y]", "LB[aa:1]", "TR[aa:cc]", "V[1]", "BL[10]", "WL[5]", "TM[60]", "TGS[5:3]", "TGT[1]"),
    *("TGR[renju fouls=loses]", "TGH[a:b]", "RE[B+R]", "5A[aa][bb]", "\n", "x", "中文"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_pieces_in_any_order(text):
    try:
        records = read(f"(;{text}".encode()).records
    except FormatError:
        return
    back = read(write(records)).records
    assert list(map(marks_in_order, back)) == list(map(marks_in_order, records))


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("GM[11]SZ[15]", ["error.format.sgf.other_game"]),
        ("GM[2]SZ[15]", ["error.format.sgf.other_game"]),
        ("GM[99]SZ[20]RU[renju]", ["error.format.sgf.other_game"]),
        ("GM[3]GN[Renju World Championship]", ["error.format.sgf.other_game"]),
        ("GM[gomoku]", []),
        ("GM[Gomoku+Renju]SZ[15]", []),
        ("GM[ 4 ]SZ[15]", []),
        ("GM[]SZ[15]", []),
    ],
)
def test_a_wrong_number_of_the_game_does_no_harm_on_a_board_of_five_in_a_row(head, told):
    games = read(f"(;{head};B[hh];W[ii])".encode())
    assert len(games.records[0].main_line()) == 2
    assert [problem.message.values["reason"].key for problem in games.problems] == told
    assert not games.lost


@pytest.mark.parametrize("head", ["GM[2]SZ[8]", "GM[11]", "GM[3]", "GM[2]SZ[9:15]", "GM[5x]SZ[30]"])
def test_other_games_are_refused(head):
    assert key_of(read, f"(;{head};B[cc])".encode()) == "error.format.place"
