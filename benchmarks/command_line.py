"""What benchmarks that take a command line have in common."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import TypeVar

from tengen import TengenError

T = TypeVar("T")


def parser(module: str, doc: str | None) -> ArgumentParser:
    """The parser of a benchmark's command line, whose help begins with the module's docstring."""
    return ArgumentParser(
        prog=f"python -m {module}", description=doc, formatter_class=RawDescriptionHelpFormatter
    )


def refusing(command: Callable[[Sequence[str]], int]) -> Callable[[Sequence[str]], int]:
    """A command that says in a line what is wrong with what it was given, and whose status is 2 then."""

    @wraps(command)
    def refuse(arguments: Sequence[str]) -> int:
        try:
            return command(arguments)
        except TengenError as error:
            print(error, file=sys.stderr)
            return 2

    return refuse


def counted(items: Iterable[T], what: str, count: int) -> Iterator[T]:
    """Each of so many things, and in a terminal how many of them there are by now."""
    for number, item in enumerate(items, 1):
        if sys.stderr.isatty():
            print(f"\r{what} {number}/{count}  ", end="", file=sys.stderr)
        yield item
