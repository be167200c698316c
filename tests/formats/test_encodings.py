"""Encodings of text files."""

from __future__ import annotations

import pytest
from benchmarks import encodings
from hypothesis import given
from hypothesis import strategies as st

from tengen import Record
from tengen.formats.common import FormatError
from tengen.formats.encodings import DecodedText, decode, decode_text
from tengen.formats.files import FORMATS
from tengen.formats.sgf_syntax import structure_faults

CHINESE = "黑先，花月开局必胜。"


@given(
    st.binary(), st.none() | st.text() | st.sampled_from(("gb2312", "utf-8", "shift_jis", "iso-2022-jp"))
)
def test_any_bytes_are_some_text(data, declared):
    assert isinstance(decode(data, declared), str)


@given(st.text(st.characters(exclude_characters="\0")))
def test_utf_8_needs_no_declaration(plain):
    data = plain.encode("utf-8", "replace")
    if not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(data) == data.decode()
        assert decode(data, "UTF_8") == data.decode()


def test_utf_16_without_a_mark_begins_in_ascii():
    """A zero among the bytes of UTF-8 does not make them UTF-16."""
    for codec in ("utf-16-le", "utf-16-be"):
        assert decode("(;C[五])".encode(codec)) == "(;C[五])"
    assert decode(b"000\0") == "000\0"
    assert decode(b"0\0\0\0") == "0\0\0\0"


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(codec):
    mark = "" if codec in ("utf-8-sig", "utf-16") else "\ufeff"
    assert decode((mark + CHINESE).encode(codec), "big5") == CHINESE


def test_what_the_bytes_can_be_counts_for_more_than_what_is_declared():
    assert decode(CHINESE.encode(), "gb2312") == CHINESE
    assert decode(CHINESE.encode("gb18030"), "utf-8") == CHINESE
    assert decode(CHINESE.encode("gb18030")) == CHINESE


def test_two_byte_sequences_may_be_either():
    """In GB 2312 these characters are bytes that are UTF-8 for Latin ones."""
    data = "隆庐".encode("gb18030")
    assert data.decode("utf-8") == "¡®"
    assert decode(data, "gb2312") == "隆庐"
    assert decode(data) == "¡®"


def test_codecs_that_are_no_character_encoding_are_not_asked():
    for name in ("rot13", "zip", "idna", "unicode_escape", "utf-7", "\x00"):
        assert decode(b"\\u0041+AEE-", name) == "\\u0041+AEE-"


@pytest.mark.parametrize(
    ("text", "codec"),
    [("(;PB[曹冬])", "gb18030"), ("(;PB[Söderström])", "latin-1"), ("(;C[黒の勝ち])", "cp932")],
)
def test_a_name_is_enough(text, codec):
    assert decode(text.encode(codec)) == text


# -- texts that do not say their encoding


def test_names_and_short_comments_are_recognised():
    """Of two names or a comment all are, of single names nearly all."""
    wrong: dict[str, list[str]] = {}
    for kind, codec, text in encodings.games():
        if not encodings.recognised(codec, text):
            wrong.setdefault(kind, []).append(f"{codec} {text}")
    assert set(wrong) <= {"one name"}
    assert sum(map(len, wrong.values())) * 20 < len(encodings.games())


SECOND_BYTES = [
    ("功許蓋", "big5"),  # \
    ("連珠", "big5"),  # ]
    ("乗", "gb18030"),
    ("表ソ能十", "cp932"),
    ("ミソ構貼", "cp932"),
]


@pytest.mark.parametrize(("name", "codec"), SECOND_BYTES)
@pytest.mark.parametrize("end", ["]PW[Ann];B[hh];W[ii]C[x];B[gh])", "];B[hh](;W[ii])(;W[jj]))"])
def test_a_second_byte_is_no_bracket(name, codec, end):
    text = f"(;GM[4]CA[{codec}]SZ[15]PB[{name}{end}"
    decoded = decode_text(text.encode(codec), codec, faults=structure_faults)
    assert (decoded.text, decoded.guessed) == (text, False)


@pytest.mark.parametrize(
    ("declared", "codec", "names"),
    [
        ("GB2312", "big5", "林書玄]PW[許功蓋"),
        ("Big5", "gb18030", "曹冬冬]PW[王小明"),
        ("UTF-8", "cp1251", "Иванов]PW[Сидоров"),
        ("ISO-8859-1", "cp1251", "Иванов]PW[Сидоров"),
        ("windows-1252", "cp949", "이창호]PW[김철수"),
        ("GB2312", "cp949", "이창호]PW[김철수"),
        ("windows-1251", "koi8_r", "Иванов]PW[Александров"),
        ("Shift_JIS", "euc_jp", "中村茂]PW[なかむら"),
        ("klingon", "cp932", "中村茂]PW[岡部寛"),
    ],
)
def test_a_wrong_declaration_is_told(declared, codec, names):
    text = f"(;GM[4]CA[{declared}]SZ[15]PB[{names}];B[hh];W[ii];B[gh])"
    decoded = decode_text(text.encode(codec), declared, faults=structure_faults)
    assert (decoded.text, decoded.guessed, decoded.declared) == (text, True, declared)
    (problem,) = decoded.problems
    assert (problem.message.key, problem.lost) == ("error.format.encoding.wrong", False)


@pytest.mark.parametrize(
    ("codec", "text"), [(codec, text) for kind, codec, text in encodings.games() if kind == "one name"]
)
def test_what_is_declared_is_believed(codec, text):
    decoded = decode_text(text.encode(codec), codec, faults=structure_faults)
    assert (decoded.text, decoded.guessed) == (text, False)


def test_who_knows_better_is_believed():
    data = "(;PB[Иванов])".encode("cp1251")
    assert decode_text(data, "gb2312", "windows-1251") == DecodedText("(;PB[Иванов])", "windows-1251")
    damaged = decode_text(data, None, "utf-8")
    assert damaged.damaged
    assert [problem.missing for problem in damaged.problems] == ["detail"]
    with pytest.raises(FormatError, match="'klingon' is no text encoding"):
        decode_text(data, None, "klingon")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(codec):
    text = "(;GM[4]SZ[15]PB[曹冬];B[hh])"
    assert decode_text(text.encode(codec)).text == text


def test_japanese_in_seven_bits():
    decoded = decode_text("(;PB[中村茂])".encode("iso2022_jp"))
    assert (decoded.text, decoded.guessed) == ("(;PB[中村茂])", True)


@pytest.mark.parametrize(("codec", "name"), [("cp1251", "Иванов"), ("big5", "許功蓋"), ("cp949", "김철수")])
def test_in_other_formats_too(codec, name):
    """Names of psq, and JSON and drawings whose comments are in some encoding."""
    psq = f"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,0\r\n{name}\r\nhomo-2\r\n0\r\n".encode(codec)
    found = FORMATS[".psq"].read(psq)
    assert found.records[0].headers["black"] == name
    assert [problem.lost for problem in found.problems] == [False]
    record = Record(headers={"black": name})
    record.add("h8i9")
    text = FORMATS[".json"].write([record]).decode()
    found = FORMATS[".json"].read(text.encode(codec), encoding=codec)
    assert (found.records[0].headers["black"], found.problems) == (name, [])
    sgf = f"(;GM[4]SZ[15]PB[{name}];B[hh];W[ii])".encode(codec)
    assert FORMATS[".txt"].read(sgf).records[0].headers["black"] == name
