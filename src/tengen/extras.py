"""Packages that may not be installed, and the error that says what installs them.

Boards, rules, sessions, records, file formats, pictures as SVG, and the players written in Python need only
Python itself. The rest needs the packages of a plain installation, and some of it those of an *extra* of
``pyproject.toml``, such as ``tengen[train]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tengen.words import TengenError


class MissingPackage(TengenError, ImportError):
    """A package that is not installed; the sentence says what installs it."""

    def __init__(self, key: str, /, **values: Any) -> None:
        super().__init__(key, **values)
        self.name = values["package"]


@contextmanager
def importing(extra: str = "") -> Iterator[None]:
    """Import packages, in the body of a ``with`` statement.

    Args:
        extra: the extra that installs them; a plain installation if empty.

    Raises:
        MissingPackage: one of them is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = error.name or ""
        # Anything else is a fault of an installation, which Python's own error describes.
        if not name or "." in name or name in sys.stdlib_module_names:
            raise
        if extra:
            raise MissingPackage("error.package.extra", package=name, extra=extra) from error
        raise MissingPackage("error.package.plain", package=name) from error


def public_names(module: Mapping[str, object], names: Iterable[str]) -> list[str]:
    """Return what `dir` shows of a module: its public names, and the special ones that every module has.

    Args:
        module: its attributes.
        names: the public names, those that are imported later as well.
    """
    return sorted({*names, *(name for name in module if name.startswith("__") and name.endswith("__"))})


def imported_later(package: str, places: Mapping[str, str], name: str) -> object:
    """Return a name of a package that is imported when it is first asked for (PEP 562).

    Args:
        package: the package.
        places: the modules of such names.
        name: the name.

    Raises:
        AttributeError: the package has no such name.
        MissingPackage: a package that it needs is not installed.
    """
    if name not in places:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    with importing():
        return getattr(import_module(places[name]), name)
