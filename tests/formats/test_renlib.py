"""RenLib libraries: files made by hand, byte by byte, and what is written read again."""

from __future__ import annotations

import gc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tengen import BLACK, PASS, Board, Record, Rules
from tengen.formats import renlib, renlib_reader
from tengen.formats.common import FormatError, WriteError
from tengen.formats.renlib_bytes import START_HEADER
from tengen.game.notation import format_moves, parse_moves
from tengen.game.player import Score
from tengen.game.record import Mark, MarkKind
from tengen.game.rules import NAMES
from tests.errors import key_of
from tests.formats import strategies

HEADER = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
OLD_HEADER = b"\xffRenLib\xff\x03\x00" + b"\xff" * 10

DOWN, RIGHT, OLD_COMMENT, MARK, COMMENT, START, NO_MOVE, EXTENSION = (
    0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01,
)  # fmt: skip
BOARD_TEXT = b"\x00\x01"


SHAPES: dict[str, MarkKind] = {"△": "triangle", "□": "square", "○": "circle", "×": "cross"}


def node(name, flags=0, text=b""):
    """The bytes of a node at a point such as h8, or `--`, with what follows the flags."""
    row = 0 if name == "--" else 15 - int(name[1:])
    column = 0 if name == "--" else "_abcdefghijklmno".index(name[0])
    return bytes([row * 16 + column, flags]) + text


def zero(text):
    """Text with a zero byte, and another where it takes that to make the length even."""
    return text + b"\0" * (2 - len(text) % 2)


def read(data, **options):
    games = renlib.read(data, **options)
    assert games.lost == []
    (record,) = games.records
    return record


def lines(record):
    """All nodes as the moves that lead to them, in order."""
    return [format_moves(found.path(), 15) for found in record.nodes()]


def at(record, moves=""):
    """The node after these moves."""
    found = record.root
    for point in parse_moves(moves, 15, 15):
        found = found.child(point)
    return found


def marks(record, moves=""):
    names = [(Board().name(mark.point), mark.kind, mark.label) for mark in at(record, moves).marks]
    assert len(set(names)) == len(names)
    return set(names)


# -- the tree


@pytest.mark.parametrize("header", [HEADER, OLD_HEADER, b"", b"\xffRenLib\xff\x02\x09" + b"\x00" * 10])
def test_all_versions_in_use(header):
    record = read(header + node("h8") + node("h9") + node("h7", RIGHT))
    assert lines(record) == ["", "h8", "h8h9", "h8h9h7"]


def test_rows_count_from_the_top():
    corners = node("a15", DOWN | RIGHT) + node("o15", DOWN | RIGHT) + node("a1", DOWN | RIGHT)
    assert corners[::2] == b"\x01\x0f\xe1"
    record = read(HEADER + corners + b"\xef\x40")
    assert lines(record) == ["", "a15", "o15", "a1", "o1"]
    assert lines(read(b"\x78\x00\x68\x40")) == ["", "h8", "h8h9"]


def test_variations_follow_where_they_were_announced():
    record = read(
        HEADER
        + node("h8")
        + node("i9", DOWN)  # j9 and h9 follow later
        + node("j10", DOWN)  # k11 follows later
        + node("g7")
        + node("g8", RIGHT)
        + node("k11", RIGHT)
        + node("j9", DOWN | RIGHT)
        + node("h9", RIGHT)
    )
    assert lines(record) == [
        "", "h8", "h8i9", "h8i9j10", "h8i9j10g7", "h8i9j10g7g8", "h8i9k11", "h8j9", "h8h9",
    ]  # fmt: skip


def test_several_first_moves():
    assert lines(read(HEADER + node("h8", DOWN) + node("h9", RIGHT) + node("g7", RIGHT))) == [
        "", "h8", "h8h9", "g7",
    ]  # fmt: skip


def test_a_point_is_free_again_in_the_next_variation():
    record = read(HEADER + node("h8", DOWN) + node("i9", RIGHT) + node("i9") + node("h8", RIGHT))
    assert lines(record) == ["", "h8", "h8i9", "i9", "i9h8"]


@pytest.mark.parametrize("body", [b"", node("--", RIGHT)])
def test_an_empty_library(body):
    assert lines(read(HEADER + body)) == [""]


def test_the_root_may_be_there():
    assert lines(read(HEADER + node("--") + node("h8", RIGHT))) == ["", "h8"]
    record = read(HEADER + node("--", COMMENT, b"hello\0") + node("h8", RIGHT))
    assert record.root.comment == "hello"


def test_the_root_may_be_a_variation_of_nothing():
    assert lines(read(HEADER + node("--", DOWN) + node("h8", RIGHT) + node("i9", RIGHT))) == [
        "",
        "h8",
        "i9",
    ]
    assert lines(read(HEADER + node("--", DOWN | RIGHT) + node("h8", RIGHT))) == ["", "h8"]


def test_a_pass():
    record = read(HEADER + node("h8") + node("--") + node("h9", RIGHT))
    assert lines(record) == ["", "h8", "h8--", "h8--h9"]
    assert record.rules == Rules.named("renju", fouls="loses", passing=True)


def test_rules_let_fouls_be_looked_at():
    record = read(HEADER + node("h8", RIGHT))
    assert record.rules == Rules.named("renju", fouls="loses")


def test_a_variation_that_comes_twice_is_one():
    record = read(
        HEADER
        + node("h8", DOWN | COMMENT, b"one\0")
        + node("h9", RIGHT)
        + node("h8", COMMENT, b"two\0")
        + node("h7", RIGHT)
    )
    assert lines(record) == ["", "h8", "h8h9", "h8h7"]
    assert at(record, "h8").comment == "one"


def test_a_very_deep_library():
    deep = 50_000
    record = read(HEADER + node("--") + node("--") * deep + node("h8", RIGHT))
    assert len(record.main_line()) == deep + 1
    assert read(renlib.write([record])) == record


def test_the_collector_is_left_as_it_was():
    for work in (gc.enable, gc.disable, gc.enable):
        work()
        enabled = gc.isenabled()
        read(HEADER + node("h8", RIGHT))
        assert gc.isenabled() is enabled
        assert key_of(renlib.read, HEADER + b"\x78") == "error.renlib.truncated"
        assert gc.isenabled() is enabled


# -- comments, marks, texts


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        (b"even\0\0", "even"),
        (b"odd\0", "odd"),
        (b"one line\bfirst\r\nsecond\0\0", "one line\nfirst\nsecond"),
        (b"\bfirst\r\nsecond\0\0", "first\nsecond"),
        (b"one line\b\0", "one line"),
        (b"a\rb\nc\0", "a\nb\nc"),
        (b"a\bb\bc\0", "a\nbc"),
        (b"\0\0", ""),
    ],
)
def test_comments(text, comment):
    record = read(HEADER + node("h8", COMMENT, text) + node("h9", RIGHT))
    assert at(record, "h8").comment == comment
    assert lines(record) == ["", "h8", "h8h9"]


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        (b"goo\xe4", "good"),
        (b"fi\xee_", "fin"),
        (b"up\bdow\xee_", "up\ndown"),
        (b"ab\x80_", "ab"),
        (b"ab\xff_", "ab"),
    ],
)
def test_old_comments_end_with_the_top_bit(text, comment):
    record = read(OLD_HEADER + node("h8", OLD_COMMENT, text) + node("h9", RIGHT))
    assert at(record, "h8").comment == comment
    assert lines(record) == ["", "h8", "h8h9"]


def test_marks():
    record = read(HEADER + node("h8", MARK) + node("h9", MARK | RIGHT))
    assert marks(record, "h8") == {("h8", "circle", "")}
    assert marks(record, "h8h9") == {("h9", "circle", "")}


def test_a_board_text_lies_on_a_variation_of_the_position_before():
    record = read(HEADER + node("h8") + node("h9", EXTENSION | RIGHT, BOARD_TEXT + b"A\0"))
    assert marks(record, "h8") == {("h9", "label", "A")}
    assert marks(record, "h8h9") == set()


def test_a_board_text_where_there_is_no_move():
    record = read(
        HEADER
        + node("h8")
        + node("g7", DOWN | RIGHT | NO_MOVE | EXTENSION, BOARD_TEXT + b"12\0\0")
        + node("h9", RIGHT)
    )
    assert marks(record, "h8") == {("g7", "label", "12")}
    assert lines(record) == ["", "h8", "h8h9"]


def test_what_follows_a_text_makes_it_a_move():
    record = read(HEADER + node("h8") + node("g7", NO_MOVE) + node("h9", RIGHT))
    assert lines(record) == ["", "h8", "h8g7", "h8g7h9"]


def test_a_comment_comes_before_a_board_text():
    flags = COMMENT | EXTENSION | MARK | RIGHT
    record = read(HEADER + node("h8", flags, BOARD_TEXT + b"odd\0" + b"even\0\0"))
    assert at(record, "h8").comment == "odd"
    assert marks(record) == {("h8", "label", "even")}
    assert marks(record, "h8") == {("h8", "circle", "")}


def test_an_extension_may_say_something_else():
    record = read(HEADER + node("h8", EXTENSION, b"\xff\xfe") + node("h9", RIGHT))
    assert lines(record) == ["", "h8", "h8h9"]


def test_of_two_texts_on_a_point_the_later_counts():
    text = NO_MOVE | EXTENSION | RIGHT
    record = read(
        HEADER
        + node("h8")
        + node("g7", text | DOWN, BOARD_TEXT + b"A\0")
        + node("g7", text, BOARD_TEXT + b"B\0")
    )
    assert marks(record, "h8") == {("g7", "label", "B")}


def test_shapes_are_texts():
    text = NO_MOVE | EXTENSION | RIGHT
    body = b"".join(
        node(name, text | DOWN, BOARD_TEXT + zero(shape.encode("gb18030")))
        for name, shape in zip(("b2", "c3", "d4", "e5"), SHAPES, strict=True)
    )
    record = read(HEADER + node("h8") + body + node("h9", RIGHT))
    assert marks(record, "h8") == {
        ("b2", "triangle", ""), ("c3", "square", ""), ("d4", "circle", ""), ("e5", "cross", ""),
    }  # fmt: skip


def test_the_start_position():
    record = read(HEADER + node("h8") + node("--", START) + node("h9", START | RIGHT))
    assert record.headers == {START_HEADER: "h8--"}
    assert read(renlib.write([record])) == record


# -- encodings


CHINESE = "黑棋必胜，白棋无法防守。"
WESTERN = "Göran's best game – très fort"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_chinese(encoding):
    text = CHINESE.encode(encoding)
    record = read(HEADER + node("h8", COMMENT | RIGHT, zero(text)))
    assert at(record, "h8").comment == CHINESE


def test_western():
    record = read(HEADER + node("h8", COMMENT | RIGHT, zero(WESTERN.encode("cp1252"))))
    assert at(record, "h8").comment == WESTERN


def test_all_text_of_a_library_has_the_same_encoding():
    """One word alone would be taken for another encoding."""
    word, text = "ソ".encode("cp932"), "黒の勝ちです。".encode("cp932")
    record = read(HEADER + node("h8", COMMENT | RIGHT | EXTENSION, BOARD_TEXT + zero(text) + zero(word)))
    assert at(record, "h8").comment == "黒の勝ちです。"
    assert marks(record) == {("h8", "label", "ソ")}


def test_an_encoding_is_guessed_unless_it_is_named():
    text = zero("Белые выигрывают".encode("cp1251"))
    data = HEADER + node("h8", COMMENT | RIGHT, text)
    (guess,) = renlib.read(data).problems
    assert (guess.game, guess.message.key, guess.lost) == (0, "error.format.encoding.guess", False)
    assert guess.message.values == {"encoding": "windows-1251"}
    assert at(read(data), "h8").comment == "Белые выигрывают"
    assert renlib.read(data, encoding="windows-1251").problems == []
    assert at(read(data, encoding="windows-1251"), "h8").comment == "Белые выигрывают"
    assert at(read(data, encoding="koi8-r"), "h8").comment != "Белые выигрывают"
    assert "\ufffd" in at(read(data, encoding="utf-8"), "h8").comment
    assert at(read(data, encoding="idna"), "h8").comment.encode("latin-1") == text.rstrip(b"\0")


def test_a_code_page_to_write_in():
    record = Record("renju")
    record.add("h8").comment = "Белые выигрывают"
    assert read(renlib.write([record], encoding="cp1251"), encoding="cp1251").root.children[0].comment == (
        "Белые выигрывают"
    )
    with pytest.raises(WriteError, match="'Б' cannot be written in the encoding cp1252"):
        renlib.write([record], encoding="cp1252")
    assert key_of(renlib.write, [record], encoding="utf-16") == "error.renlib.encode"


@pytest.mark.parametrize("encoding", ["no-such", "hex", "undefined", "a\0b", ""])
def test_encodings_that_are_none(encoding):
    data = HEADER + node("h8", RIGHT)
    assert key_of(renlib.read, data, encoding=encoding) == "error.format.encoding"
    assert key_of(renlib.write, [Record()], encoding=encoding) == "error.format.encoding"


@pytest.mark.parametrize(
    ("comment", "encoding"),
    [("plain", "ascii"), (WESTERN, "cp1252"), (CHINESE, "gb18030"), ("囍 é", "utf-8"), ("한국어", "utf-8")],
)
def test_text_is_written_so_that_it_is_recognised(comment, encoding):
    record = Record("renju")
    record.add("h8").comment = comment
    data = renlib.write([record])
    assert comment.encode(encoding) in data
    assert read(data).root.children[0].comment == comment


# -- damaged files


EXAMPLE = (
    HEADER
    + node("--", COMMENT, b"a library\0")
    + node("h8", MARK | COMMENT, zero(b"one line\bmore\r\nlines"))
    + node("h9", DOWN | EXTENSION, BOARD_TEXT + b"A\0")
    + node("h10", RIGHT | START)
    + node("i9", DOWN | RIGHT | OLD_COMMENT, b"ol\xe4\0")
    + node("a1", NO_MOVE | RIGHT | EXTENSION | DOWN, BOARD_TEXT + b"text\0\0")
    + node("--")
    + node("g7", RIGHT | COMMENT, zero("棋".encode()))
)


def test_the_example_is_whole():
    record = read(EXAMPLE)
    assert lines(record) == ["", "h8", "h8h9", "h8h9h10", "h8i9", "h8--", "h8--g7"]
    assert at(record, "h8i9").comment == "old"
    assert at(record, "h8--g7").comment == "棋"
    assert marks(record, "h8") == {("h8", "circle", ""), ("h9", "label", "A"), ("a1", "label", "text")}
    assert read(renlib.write([record])) == record


@pytest.mark.parametrize("length", [n for n in range(len(EXAMPLE)) if n != len(HEADER)])
def test_a_file_cut_anywhere_is_kept_as_far_as_it_goes(length):
    whole = lines(read(EXAMPLE))
    if length <= 22:
        key = "error.renlib.header" if length < 7 else "error.renlib.truncated"
        assert key_of(renlib.read, EXAMPLE[:length]) == key
        return
    games = renlib.read(EXAMPLE[:length])
    (record,) = games.records
    (problem,) = games.lost
    assert (problem.game, str(problem.message)) == (1, f"byte {length}: the library ends here unexpectedly")
    kept = lines(record)
    assert kept == whole[: len(kept)]
    # A node is there as soon as its two bytes are.
    assert len(kept) == 1 + sum(length >= begin + 2 for begin in (32, 56, 62, 64, 80, 82))


@pytest.mark.parametrize("data", [b"", b"\xff", b"RenLib", b"h8", b"\x00\x00", b"\xffRenLab\xff\x03\x04"])
def test_what_is_no_library(data):
    assert key_of(renlib.read, data) == "error.renlib.header"


@pytest.mark.parametrize(
    ("major", "minor", "name"), [(3, 5, "3.05"), (4, 0, "4.00"), (255, 255, "255.255")]
)
def test_newer_versions(major, minor, name):
    data = HEADER[:8] + bytes([major, minor]) + HEADER[10:] + node("h8", RIGHT)
    with pytest.raises(FormatError, match=f"version {name} is unknown"):
        renlib.read(data)


@pytest.mark.parametrize(
    ("body", "sentence", "missing", "kept"),
    [
        (
            node("h8", RIGHT) + node("h9", RIGHT),
            "22: the tree of moves is complete, but the file goes on",
            "detail",
            ["", "h8"],
        ),
        (
            node("h8", RIGHT) + b"\0" * 5,
            "22: the tree of moves is complete, but the file goes on",
            "nothing",
            ["", "h8"],
        ),
        (node("h8") + node("h8", RIGHT), "22: h8 is occupied", "moves", ["", "h8"]),
        (
            node("h8") + node("h9", DOWN) + node("h8") + node("a1", RIGHT) + node("i9", RIGHT),
            "24: h8 is occupied",
            "moves",
            ["", "h8", "h8h9", "h8i9"],
        ),
        (
            node("h8")
            + node("h9", DOWN | RIGHT)
            + node("h8", DOWN)
            + node("a1", RIGHT)
            + node("i9", RIGHT),
            "24: h8 is occupied",
            "variation",
            ["", "h8", "h8h9", "h8i9"],
        ),
        (
            node("h8") + b"\x10\xc0" + node("i9", RIGHT),
            "22: expected a point of the 15x15 board, found the number 16",
            "moves",
            ["", "h8", "h8i9"],
        ),
        (node("h8", DOWN | RIGHT), "22: the library ends here unexpectedly", "variation", ["", "h8"]),
        (node("h8", COMMENT, b"endless"), "29: the library ends here unexpectedly", "moves", ["", "h8"]),
        (
            node("h8", OLD_COMMENT, b"endless"),
            "29: the library ends here unexpectedly",
            "moves",
            ["", "h8"],
        ),
    ],
)
def test_one_fault_loses_what_follows_it_alone(body, sentence, missing, kept):
    games = renlib.read(HEADER + body)
    (problem,) = games.problems
    assert (problem.game, str(problem.message), problem.missing) == (1, f"byte {sentence}", missing)
    assert lines(games.records[0]) == kept


def test_a_file_that_breaks_off_within_a_comment_keeps_the_beginning():
    games = renlib.read(HEADER + node("h8", COMMENT, b"endless"))
    assert at(games.records[0], "h8").comment == "endless"


def test_where_bytes_are_missing_nothing_is_made_up():
    """Behind a byte that is gone the others would be points and flags of something else."""
    body = node("h8") + node("h9")[:1] + node("i9") + node("g7") + node("f6") + node("e5", RIGHT)
    games = renlib.read(HEADER + body)
    assert any(problem.lost for problem in games.problems)
    assert len(lines(games.records[0])) < 7


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"\xf1\x40", "20: expected a point of the 15x15 board, found the number 241"),
        (b"\xff\x42", "20: expected a point of the 15x15 board, found the number 255"),
        (node("h8", COMMENT, b"a" * 5_000_000), "22: the text that begins here is too long"),
    ],
)
def test_without_a_move_there_is_no_library(body, sentence):
    if body == b"\xff\x42":
        assert lines(renlib.read(HEADER + body).records[0]) == [""]
        return
    with pytest.raises(FormatError) as caught:
        renlib.read(HEADER + body)
    assert str(caught.value) == f"byte {sentence}"


def test_a_byte_of_the_header_may_be_damaged():
    assert lines(read(b"\x00RenLib\xff\x03\x04" + b"\xff" * 10 + node("h8", RIGHT))) == ["", "h8"]


def test_there_is_a_limit(monkeypatch):
    monkeypatch.setattr(renlib_reader, "MAX_NODES", 10)
    assert len(lines(read(HEADER + node("--") * 10 + node("h8", RIGHT)))) == 11
    games = renlib.read(HEADER + node("--") * 11 + node("h8", RIGHT))
    assert [str(problem.message) for problem in games.problems] == [
        "byte 42: the library contains more than 10 moves"
    ]
    assert len(lines(games.records[0])) == 11


# -- writing


def test_a_library_as_it_is_written():
    rules = Rules.named("renju", passing=True)
    record = Record(rules, headers={"black": "is not kept", START_HEADER: "h8h9"})
    record.add("h8h9")
    record.root.children[0].add(128).add(PASS)
    first, second = at(record, "h8"), at(record, "h8h9")
    first.marks = (
        Mark(112, "circle"), Mark(127, "label", "A"), Mark(0, "cross"), Mark(0, "label", "second text"),
    )  # fmt: skip
    second.comment = "one\ntwo\nthree"
    at(record, "h8i9").comment = "x" * 81
    second.score, second.seconds = Score(3), 1.5
    assert renlib.write([record]) == (
        HEADER
        + node("h8", MARK)
        + node("h9", DOWN | RIGHT | START | COMMENT | EXTENSION, BOARD_TEXT + b"one\btwo\r\nthree\0\0A\0")
        + node("i9", DOWN | COMMENT, b"\b" + b"x" * 81 + b"\0\0")
        + node("--", RIGHT)
        + node("a1", NO_MOVE | RIGHT | EXTENSION, BOARD_TEXT + "×".encode("cp1252") + b"\0")
    )


@pytest.mark.parametrize("start", ["", "i9", "h8h9i10", "nonsense", "z99"])
def test_a_start_position_that_is_not_there(start):
    record = Record(headers={START_HEADER: start})
    record.add("h8h9")
    assert read(renlib.write([record])).headers == {}


def test_a_library_that_begins_with_a_pass():
    record = read(HEADER + node("--", DOWN) + node("--") + node("h8", RIGHT) + node("i9", RIGHT))
    assert lines(record) == ["", "--", "--h8", "i9"]
    assert read(renlib.write([record])) == record


def test_an_empty_record():
    assert renlib.write([Record()]) == HEADER + node("--", RIGHT)
    record = Record()
    record.root.marks = (Mark(0, "label", "A"),)
    assert marks(read(renlib.write([record]))) == {("a1", "label", "A")}


@pytest.mark.parametrize(
    ("records", "key"),
    [
        ([], "error.renlib.games"),
        ([Record(), Record()], "error.renlib.games"),
        ([Record("tictactoe")], "error.renlib.size"),
        ([Record(Rules.named("renju", size=(15, 14)))], "error.renlib.size"),
        ([Record(setup=Board.from_stones(["h8"]))], "error.renlib.setup"),
        ([Record(setup=Board.from_stones([], ["h8"], BLACK))], "error.renlib.setup"),
        ([Record(setup=Board.from_stones(turn=2))], "error.renlib.setup"),
    ],
)
def test_what_a_library_cannot_hold(records, key):
    with pytest.raises(WriteError) as caught:
        renlib.write(records)
    assert caught.value.message.key == key


def test_points_that_are_none():
    record = Record()
    record.root.add(225)
    assert key_of(renlib.write, [record]) == "error.renlib.off"
    record = Record()
    record.root.marks = (Mark(-7, "label", "A"),)
    assert key_of(renlib.write, [record]) == "error.renlib.off"


# -- round trips and fuzzing


def held(record):
    """What a library holds of a record: each move with its comment and marks, one text a point."""
    found = []
    for each in record.nodes():
        own = {mark for mark in each.marks if (mark.point, mark.kind) == (each.point, "circle")}
        texts: dict[int, Mark] = {}
        for mark in each.marks:
            if mark not in own:
                shape = SHAPES.get(mark.label)
                texts.setdefault(mark.point, Mark(mark.point, shape) if shape else mark)
        found.append((each.point, len(each.children), each.comment, own | set(texts.values())))
    return found


RULES = st.builds(
    lambda name, passing: Rules.named(name, size=15, passing=passing), st.sampled_from(NAMES), st.booleans()
)
RECORDS = strategies.records(RULES, setups=False)


@given(RECORDS)
def test_what_is_written_can_be_read(record):
    data = renlib.write([record])
    again = read(data)
    assert held(again) == held(record)
    assert renlib.write([again]) == data or read(renlib.write([again])) == again


FILES = RECORDS.map(lambda record: renlib.write([record])) | st.just(EXAMPLE)
BODIES = st.lists(st.tuples(st.sampled_from(b"\x78\x68\x79\x69\x00\x77"), st.integers(0, 255))).map(
    lambda nodes: HEADER + b"".join(map(bytes, nodes))
)


@given(strategies.hostile(FILES) | BODIES)
@example(OLD_HEADER + node("h8", OLD_COMMENT | RIGHT, b"\0\b\0\x80"))
@example(HEADER + node("h8", NO_MOVE | RIGHT | DOWN | START) + node("h8", RIGHT))
@example(HEADER + node("h8") + node("h8", RIGHT | NO_MOVE | EXTENSION, BOARD_TEXT + "○".encode() + b"\0"))
def test_any_bytes_are_read_or_refused(data):
    try:
        (record,) = renlib.read(data).records
    except FormatError:
        return
    assert held(read(renlib.write([record]))) == held(record)
