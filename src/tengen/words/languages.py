"""The languages of Tengen: a line here, and a folder of texts beside this file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Translation:
    """The translation of the interface into a language, or the English original.

    Attributes:
        code: its name in ``--lang``, in addresses and as a folder of texts.
        locale: its tag in documents, dates and numbers (BCP 47).
        name: its name in the language itself.
        draft: whether no native speaker has reviewed it yet. A draft may lack texts, which are taken
            from English, and is used only if it is chosen.
    """

    code: str
    locale: str
    name: str
    draft: bool = False


TABLE = (
    Translation("en", "en-GB", "English"),
    Translation("zh", "zh-CN", "简体中文"),
    Translation("vi", "vi-VN", "Tiếng Việt", draft=True),
)
"""All languages, English first: it has every text, and is the default."""

LANGUAGES = tuple(language.code for language in TABLE)
"""Their codes."""


def language(code: str) -> Translation:
    """Return the language with a code.

    Raises:
        KeyError: there is none.
    """
    for translation in TABLE:
        if translation.code == code:
            return translation
    raise KeyError(code)


def preferred(tag: str) -> Translation | None:
    """Return the language of a tag or locale, such as ``zh_TW.UTF-8``, if it is no draft."""
    spoken = tag.lower().replace("_", "-").partition("-")[0].partition(".")[0]
    return next((each for each in TABLE if each.code == spoken and not each.draft), None)
