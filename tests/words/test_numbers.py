"""Numbers and plural categories by CLDR."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.words.languages import TABLE
from tengen.words.numbers import format_number, plural_categories, plural_category
from tests.assets.browser import needs_browser, play_with

WHOLE = (*range(25), 101, 111, 999, 1001, *(10**k for k in range(2, 7)), -1, -1234)
NUMBERS = [*WHOLE, 0.5, 1.5, 0.15, 2.25, 1234.567]
LANGUAGES = ["en", "zh", "vi", "de", "es", "fr", "hi", "pl", "ru", "cs", "ar", "lt", "pt", "pt-PT", "he"]


@pytest.mark.parametrize(
    ("language", "value", "text"),
    [
        ("en", 1234567, "1,234,567"),
        ("en", 999, "999"),
        ("en", -1000, "-1,000"),
        ("en", 0.1 + 0.2, "0.3"),
        ("vi", 1234567.5, "1.234.567,5"),
        ("es", 1234, "1234"),
        ("es", 12345, "12.345"),
        ("hi", 1234567, "12,34,567"),
        ("pt-BR", 1234, "1.234"),
        ("en", "12345", "12,345"),
        ("en", "x", "x"),
        ("en", "", ""),
        ("en", None, "None"),
        ("en", float("inf"), "inf"),
    ],
)
def test_numbers(language, value, text):
    assert format_number(value, language) == text


def test_prescribed_digits():
    assert [format_number(2, lang, 2) for lang in ("en", "vi")] == ["2.00", "2,00"]
    assert format_number(1234.5678, "en", 0) == "1,235"


@pytest.mark.parametrize(
    ("language", "categories"),
    [
        ("en", "other one other other other"),
        ("vi", "other other other other other"),
        ("ru", "many one few many other"),
        ("ar", "zero one two few other"),
    ],
)
def test_categories(language, categories):
    assert [plural_category(value, language) for value in (0, 1, 2, 5, 1.5)] == categories.split()
    assert set(categories.split()) <= {*plural_categories(language)}
    assert plural_category("no number", language) == "other"


def test_an_unknown_language_has_no_numbers():
    with pytest.raises(KeyError):
        format_number(1, "xx")


@given(st.integers(-(10**9), 10**9))
def test_every_language_of_tengen_writes_numbers(value):
    for language in TABLE:
        text = format_number(value, language.code)
        assert "".join(sign for sign in text if sign in "-0123456789") == str(value)
        assert plural_category(value, language.code) in plural_categories(language.code)


@needs_browser
def test_the_browser_writes_the_same(tmp_path):
    script = f"""
      const said = [];
      for (const locale of {LANGUAGES}) for (const value of {NUMBERS}) {{
        const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
        const text = forms.map((form) => `${{form}} {{${{form}}}}`).join(" ");
        const n = `{{n, number}} {{n, plural, ${{text}}}} {{n, number, ::.0}}`;
        const say = $words.speaker({{ n }}, locale);
        said.push(say("n", {{ n: value }}));
      }}
      answer("said", said);
    """
    expected = [
        f"{format_number(n, lang)} {plural_category(n, lang)} {format_number(n, lang, 1)}"
        for lang in LANGUAGES
        for n in NUMBERS
    ]
    assert play_with(tmp_path, script, "words")["said"] == expected
