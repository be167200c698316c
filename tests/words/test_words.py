"""The catalogue of sentences, and that the code and the catalogue fit each other."""

from __future__ import annotations

import ast
import json
import pickle
import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.board import Reason
from tengen.game.fouls import FoulKind
from tengen.game.rules import NAMES
from tengen.players.registry import ENTRIES
from tengen.words import LANGUAGES, Message, catalogue, placeholders, say, texts_of
from tengen.words.languages import TABLE
from tengen.words.numbers import plural_categories
from tests.words.faces import FILES, SOURCE, file_of, literals, named, trees, users

CHINESE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
KEYS = catalogue("en").keys()
ROOMS = "|".join(sorted({key.partition(".")[0] for key in KEYS if "." in key}))

SPOKEN = {
    "foul": get_args(FoulKind),
    "describe.end": get_args(Reason),
    "player": tuple(ENTRIES),
    "rules": (*NAMES, "custom"),
}
"""Keys that code puts together from a prefix and one of these."""


# -- saying things


def test_a_sentence_in_two_languages():
    assert say("error.occupied", point="h8") == "h8 is occupied"
    assert say("error.occupied", "en", point="h8") == "h8 is occupied"
    assert CHINESE.search(say("error.occupied", "zh", point="h8"))


def test_a_message_is_said_later():
    message = Message("error.occupied", {"point": "h8"})
    assert str(message) == say(message) == "h8 is occupied"
    assert say(message, "zh") == say("error.occupied", "zh", point="h8")


def test_a_message_without_values():
    assert str(Message("black")) == "Black"
    assert Message("black").values == {}


def test_a_value_may_be_a_message():
    message = Message("error.forbidden", {"point": "h8", "kind": Message("foul.double-three")})
    assert say(message, "en").endswith(say("foul.double-three", "en"))
    assert say("foul.double-three", "zh") in say(message, "zh")
    assert say("foul.double-three", "en") not in say(message, "zh")


def test_a_value_may_be_a_list():
    for names in (("a", "b", Message("black")), ["a", "b", Message("black")]):
        message = Message("error.rules.name", {"name": "go", "names": names})
        assert "expected one of a, b, Black, or" in say(message, "en")
        comma = catalogue("zh")["comma"]
        assert f"a{comma}b{comma}{say('black', 'zh')}" in say(message, "zh")


def test_a_search_of_one_ply():
    text = say("explain.engine", colour=Message("black"), point="h8", chance=50, depth=1, nodes=1)
    assert text == "Black wins 50% after h8 (depth 1, 1 position)"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "1 stone"),
        (0, "0 stones"),
        (2, "2 stones"),
        (1234, "1,234 stones"),
        (1.5, "1.5 stones"),
        ("1", "1 stone"),
        ("about 3", "about 3 stones"),
        ("{count}", "{count} stones"),
        ("#", "# stones"),
    ],
)
@pytest.mark.usefixtures("tiny_catalogue")
def test_plural_forms(count, text):
    assert say("stones", count=count) == text
    assert say("whose", count=count, colour=Message("black")) == f"{text} of #Black"


@pytest.mark.usefixtures("tiny_catalogue")
def test_forms_of_other_languages():
    assert [say("stones", "ru", count=count) for count in (1, 3, 5, 21)] == [
        *("1 камень", "3 камня", "5 камней", "21 камень")
    ]
    assert say("stones", "zh", count=1234) == "1,234 子"
    assert say("stones", "vi", count=1234) == "1.234 quân"


@pytest.mark.usefixtures("tiny_catalogue")
def test_numbers_are_those_of_the_language():
    texts = [say("number", lang, x=x) for x in (1234.5, "1234", "–", 0.25) for lang in ("en", "vi")]
    assert texts == ["1,234.5", "1.234,5", "1,234", "1.234", "–", "–", "0.25", "0,25"]
    assert [say("two", lang, x=2) for lang in ("en", "vi")] == ["2.00 s", "2,00 s"]


@pytest.mark.usefixtures("tiny_catalogue")
def test_what_a_draft_lacks_is_said_in_english_whole():
    message = Message("whose", {"count": 1, "colour": Message("black")})
    assert say(message, "vi") == "1 stone of #Black"
    assert say("black", "vi") == "Đen"


@pytest.fixture
def tiny_catalogue(monkeypatch):
    texts = {
        "en": {
            "stones": "{count, plural, one {# stone} other {# stones}}",
            "whose": "{count, plural, one {# stone of {colour}} other {# stones of {colour}}}",
            "black": "#Black",
            "number": "{x, number}",
            "two": "{x, number, ::.00} s",
        },
        "ru": {"stones": "{count, plural, one {# камень} few {# камня} many {# камней} other {# камня}}"},
        "zh": {"stones": "{count, number} 子"},
        "vi": {
            "stones": "{count, number} quân",
            "black": "Đen",
            "number": "{x, number}",
            "two": "{x, number, ::.00} s",
        },
    }
    monkeypatch.setattr("tengen.words._own_texts", texts.__getitem__)


def test_what_cannot_be_said():
    with pytest.raises(KeyError):
        say("no.such.key")
    with pytest.raises(KeyError):
        say("error.occupied", "fr", point="h8")
    with pytest.raises(KeyError):
        say("error.occupied")
    with pytest.raises(KeyError):
        catalogue("")


@given(st.text())
def test_values_are_never_read_as_text_of_the_catalogue(text):
    assert say("error.occupied", point=text) == f"{text} is occupied"


def test_a_message_as_data():
    message = Message(
        "error.forbidden",
        {
            "kind": Message("foul.overline"),
            "names": ("a", Message("black")),
            "n": 1,
            "x": 0.5,
            "o": Path("a"),
        },
    )
    data = message.to_dict()
    assert data == {
        "key": "error.forbidden",
        "values": {
            "kind": {"key": "foul.overline", "values": {}},
            "names": ["a", {"key": "black", "values": {}}],
            "n": 1,
            "x": 0.5,
            "o": "a",
        },
    }
    assert json.loads(json.dumps(data)) == data


def test_messages_are_values():
    message = Message("error.occupied", {"point": "h8"})
    assert message == Message("error.occupied", {"point": "h8"})
    assert message != Message("error.occupied", {"point": "h9"})
    assert pickle.loads(pickle.dumps(message)) == message


def test_placeholders_of_a_text():
    assert placeholders("") == set()
    assert placeholders("{a} and {b, plural, one {# of {c}} other {{d, number}}}, {a}") == {
        "a",
        "b",
        "c",
        "d",
    }
    assert placeholders("{e, number} {f, number, ::.00}") == {"e", "f"}


# -- the catalogue itself


def pairs(lang: str, file: str) -> list[tuple[str, str]]:
    path = SOURCE / "words" / lang / f"{file}.json"
    text = path.read_text("utf-8") if path.exists() else "{}"
    found: list[tuple[str, str]] = json.loads(text, object_pairs_hook=list)
    return found


COMPLETE = [language.code for language in TABLE if not language.draft]
DRAFTS = [language.code for language in TABLE if language.draft]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_have_the_same_keys_in_the_same_files_in_order(lang):
    assert {path.stem for path in (SOURCE / "words" / lang).glob("*")} <= FILES.keys()
    everything = [key for file in FILES for key, _ in pairs(lang, file)]
    assert len(everything) == len(set(everything))
    for file in FILES:
        keys = [key for key, _ in pairs(lang, file)]
        assert keys == sorted(keys), file
        assert set(keys) <= {key for key, _ in pairs("en", file)}, file
    assert lang in DRAFTS or set(everything) == KEYS


@pytest.mark.parametrize("lang", DRAFTS)
def test_a_draft_has_the_pages_that_it_is_for(lang):
    """Nearly: who adds a sentence need not speak the language."""
    for file in ("play", "puzzles", "lobby", "why", "web"):
        assert len(pairs(lang, file)) >= 0.85 * len(pairs("en", file)), file
    played = [
        key for key in texts_of("en", "shared") if not key.startswith(("argument", "error", "explanation"))
    ]
    assert len(texts_of(lang, "shared").keys() & set(played)) >= 0.8 * len(played)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_needs_the_values_of_the_english_one(lang):
    texts = catalogue(lang)
    assert [
        key for key, text in catalogue("en").items() if placeholders(text) != placeholders(texts[key])
    ] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_is_written_in_the_part_of_messageformat_that_is_spoken(lang):
    """Every brace belongs to a placeholder, and every plural has the forms that the language needs."""
    value = r"\{\w+(?:, number(?:, ::\.0+)?)?\}"
    form = rf" \w+ \{{(?:[^{{}}]|{value})*\}}"
    for file in FILES:
        for key, text in pairs(lang, file):
            rest = re.sub(rf"\{{\w+, plural,((?:{form})+)\}}|{value}", "", text)
            assert not re.search(r"[{}]", rest), key
            for forms in re.findall(rf"\{{\w+, plural,((?:{form})+)\}}", text):
                assert re.findall(r" (\w+) \{", re.sub(value, "", forms)) == [*plural_categories(lang)], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_can_be_said(lang):
    for key, text in catalogue(lang).items():
        assert say(Message(key, dict.fromkeys(placeholders(text), 1)), lang).strip(), key


def test_english_is_not_chinese():
    assert [key for key, text in catalogue("en").items() if CHINESE.search(text)] == []


def words(text: str) -> list[str]:
    """The English words of a text: examples of notation, options and placeholders are none."""
    plain = re.sub(r"\{[^{}]*\}", " ", text)
    return re.findall(r"(?<![\w:-])[a-z]{3,}(?![\w:.=-])", plain)


def test_chinese_is_chinese():
    """A Chinese text holds Chinese, unless the English has no words either."""
    for key, text in catalogue("zh").items():
        assert CHINESE.search(text) or not words(catalogue("en")[key]), key


def test_chinese_has_full_width_punctuation():
    for key, text in catalogue("zh").items():
        plain = text.replace("py:模块:类", "")  # a notation, not a sentence
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]", plain), key


def test_dots_are_those_of_the_language():
    for lang in LANGUAGES:
        dots = "……" if lang == "zh" else "…"
        for key, text in catalogue(lang).items():
            plain = text.replace("://...", "")  # an address that is left open
            assert "..." not in plain, key
            assert plain.replace(dots, "").count("…") == 0, key


# -- the catalogue and the code


@cache
def all_literals() -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{name}:{line}", text) for name, tree in trees().items() for line, text in literals(tree)
    )


@cache
def prefixes() -> frozenset[str]:
    """The beginnings of keys that code completes with a value, such as ``foul.`` of ``f"foul.{kind}"``."""
    heads = [text.partition("{}")[0] for texts in named().values() for text in texts if "{}" in text]
    return frozenset(head for head in heads if re.fullmatch(rf"(?:{ROOMS})\.[\w.-]*", head))


@pytest.mark.long
def test_every_key_in_the_code_is_in_the_catalogue():
    a_key = re.compile(rf"(?:{ROOMS})(?:\.[a-z_][\w-]*)+")
    missing = [
        (where, text)
        for where, text in all_literals()
        if a_key.fullmatch(text) and text not in KEYS and not text.endswith((".py", ".json", ".jsonl"))
    ]
    assert missing == []


def test_every_prefix_in_the_code_begins_a_key():
    assert [head for head in sorted(prefixes()) if not any(key.startswith(head) for key in KEYS)] == []


@pytest.mark.parametrize(("prefix", "ends"), SPOKEN.items(), ids=SPOKEN)
def test_keys_put_together_are_in_the_catalogue(prefix, ends):
    assert [end for end in ends if f"{prefix}.{end}" not in KEYS] == []


def test_every_key_is_used_and_stands_in_the_file_of_the_code_that_uses_it():
    """`python -m tests.words.faces` moves keys into their files."""
    assert [key for key in KEYS if key not in users()] == []
    homes = {key: file for file in FILES for key in texts_of("en", file)}
    assert [(key, file, file_of(key)) for key, file in homes.items() if file != file_of(key)] == []


def given_values(call: ast.Call) -> set[str] | None:
    """The names of the values that a call passes beside a key; None where that cannot be read off."""
    if len(call.args) > 1 and isinstance(call.args[1], ast.Dict):
        names = call.args[1].keys
        if all(isinstance(name, ast.Constant) for name in names):
            return {str(name.value) for name in names if isinstance(name, ast.Constant)}
        return None
    if any(word.arg is None for word in call.keywords) or any(
        isinstance(arg, ast.Starred) for arg in call.args
    ):
        return None
    if getattr(call.func, "id", "") == "Message" and len(call.args) > 1:
        return None
    return {word.arg for word in call.keywords if word.arg is not None}


def test_every_sentence_gets_the_values_it_needs():
    wrong = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            key = node.args[0].value
            speaker = getattr(node.func, "attr", getattr(node.func, "id", ""))
            # Messages, errors, and what says them; a helper may have values of its own to add.
            if key not in KEYS or not (speaker.strip("_") == "say" or speaker[:1].isupper()):
                continue
            values = given_values(node)
            missing = set() if values is None else placeholders(catalogue("en")[key]) - values
            if missing:
                wrong.append((f"{name}:{node.lineno}", key, missing))
    assert wrong == []


FACES = ("cli/", "terminal/", "protocol/", "web/")
TECHNICAL = {
    "BEGIN IMMEDIATE",
    "text/plain; version=0.0.4; charset=utf-8",
    'attachment; filename="tengen.{}"',
    "{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{}",
    "User-agent: *\nDisallow: /g/\nDisallow: /tournaments/\nDisallow: /api/\n",
}
"""What programs read: SQL, folders of a system, headers of HTTP."""

NO_FACE = (
    "protocol/c_header.py",
    "web/browser/array_types.py",
    "web/browser/arrays.py",
    "web/browser/kernels.py",
)
"""What writes C or Python, or stands for NumPy and raises errors that no user sees."""


def test_no_face_has_sentences_of_its_own():
    """Two words or more in a face's string belong into the catalogue."""
    sentence = re.compile(rf"[A-Za-z]{{2,}}[,;:]? +[A-Za-z]{{2,}}|{CHINESE.pattern}{{2}}")
    found = [
        (f"{name}:{line}", text)
        for name, tree in trees().items()
        if name.startswith(FACES) and name not in NO_FACE
        for line, text in literals(tree)
        if sentence.search(text) and text not in KEYS and text not in TECHNICAL
    ]
    assert found == []


def test_the_game_and_the_players_print_nothing():
    printing = [
        f"{name}:{node.lineno}"
        for name, tree in trees().items()
        if name.startswith(("game/", "players/", "words/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("print", "input")
    ]
    assert printing == []
