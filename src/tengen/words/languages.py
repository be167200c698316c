"""The languages of Tengen: a line here, and a folder of texts beside this file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Translation:
    """The translation of the interface into a language, or the English original.

    Attributes:
        code: its name in ``--lang``, in addresses and as a folder of texts.
        locale: its tag in documents, dates and numbers (BCP 47).
        name: what its speakers call it.
        draft: whether it still waits for a speaker to read it. A draft may lack texts, which are said in
            English, and is used only if it is chosen.
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
"""All languages, English first: it has every text, and is used where nothing else is asked for."""

LANGUAGES = tuple(language.code for language in TABLE)
"""Their codes."""


def language(code: str) -> Translation:
    """Return the language with a code.

    Raises:
        KeyError: there is none.
    """
    for one in TABLE:
        if one.code == code:
            return one
    raise KeyError(code)


def preferred(tag: str) -> Translation | None:
    """Return the language of a tag or locale, such as ``zh_TW.UTF-8``, if it is no draft."""
    spoken = tag.lower().replace("_", "-").partition("-")[0].partition(".")[0]
    return next((one for one in TABLE if one.code == spoken and not one.draft), None)
