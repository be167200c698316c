"""Pages put together from elements, so that no text in them is ever taken for markup."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from typing import TypeAlias

Content: TypeAlias = "ET.Element | str | None"
"""The content of an element; None is empty."""


def e(name: str, /, *content: Content, **attributes: str | None) -> ET.Element:
    """An element.

    Args:
        name: its name.
        content: its content, in order.
        attributes: its attributes, without those that are None. An underscore at the end of a name is
            dropped (``class_``), others are hyphens.
    """
    given = {
        key.rstrip("_").replace("_", "-"): clean(value)
        for key, value in attributes.items()
        if value is not None
    }
    made = ET.Element(name, given)
    for part in content:
        if isinstance(part, str):
            if len(made):
                made[-1].tail = (made[-1].tail or "") + clean(part)
            else:
                made.text = (made.text or "") + clean(part)
        elif part is not None:
            made.append(part)
    return made


def raw(name: str, text: str, /, **attributes: str) -> ET.Element:
    """A script or a style sheet, whose text stands as it is."""
    made = e(name, **attributes)
    made.text = text
    return made


def clean(text: str) -> str:
    """A text that any page can hold: what is no character, or controls a terminal, is replaced."""
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)
