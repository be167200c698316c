"""Which names visitors may have."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.players.levels import LEVELS
from tengen.players.registry import ENTRIES
from tengen.web.games.visitor_names import LONGEST, checked_name
from tengen.web.transport.errors import WrongFields
from tengen.words import LANGUAGES, catalogue, say


@pytest.mark.parametrize(
    "name",
    ["Anna", "李明", "Zoë", "Ευγενία", "Мария", "محمد", "ไก่ต้ม", "7", "Engineer", "Levelling", "😀 Jo"],
)
def test_names_of_people(name: str) -> None:
    assert checked_name(name) == name


def test_a_name_is_kept_without_spaces_around_it_and_composed() -> None:
    assert checked_name("  Anna \u3000 Lena\n") == "Anna Lena"
    assert checked_name("Zoe\u0308") == "Zo\u00eb"
    assert checked_name(" \t") == ""


def test_a_long_name_is_refused() -> None:
    assert checked_name("x" * LONGEST) == "x" * LONGEST
    with pytest.raises(WrongFields, match="21 characters: expected at most 20"):
        checked_name("x" * (LONGEST + 1))


@pytest.mark.parametrize(
    "name",
    ["An\x00na", "a\u202eanna", "a\u200bb", "a\u2066b", "\ud800", "\ue000", "\u3164", "x" + "\u0301" * 5],
    ids=["nul", "override", "zero width", "isolate", "surrogate", "private", "filler", "marks"],
)
def test_what_cannot_be_seen_or_covers_other_lines_is_refused(name: str) -> None:
    with pytest.raises(WrongFields, match="visible characters"):
        checked_name(name)


@pytest.mark.parametrize("name", ["!!!", "- -", "。", "😀"])
def test_a_name_without_letters_is_refused(name: str) -> None:
    with pytest.raises(WrongFields, match="a letter or a digit"):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "level:3",
            "Level 3",
            "LEVEL 10",
            "Ievel 3",
            "leve1 3",
            "L e v e l 3",
            "\u217cevel 3",
            "第 3 级",
            "第12级",
        ),
        *("Engine", "engine!", "\u0415ngine", "\uff45ngine", "Éngine", "引擎", "minimax", "Tengen", "电脑"),
        *("Black", "白", "You", "匿名", "Human", *ENTRIES),
    ],
)
def test_what_looks_like_a_name_of_the_computers_is_refused(name: str) -> None:
    with pytest.raises(WrongFields, match="could be mistaken for"):
        checked_name(name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_that_pages_give_to_a_player_is_refused(lang: str) -> None:
    shown = [say("player.name.level", lang, number=level) for level in LEVELS]
    shown += [
        text for key, text in catalogue(lang).items() if key.startswith("player.name.") and "{" not in text
    ]
    for name in shown:
        with pytest.raises(WrongFields):
            checked_name(name)


@given(st.text(max_size=2 * LONGEST))
def test_whatever_is_written_a_name_can_be_shown_and_is_kept_as_it_is(text: str) -> None:
    try:
        name = checked_name(text)
    except WrongFields:
        return
    assert len(name) <= LONGEST
    assert checked_name(name) == name
    assert all(unicodedata.category(character)[0] in "LMNPSZ" for character in name)
    name.encode("utf-8")  # as the database and files want it
