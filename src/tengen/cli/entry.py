"""The entry of the command line, which needs no other package: it says so where one is missing."""

from __future__ import annotations

import codecs
import io
import os
import sys

from tengen.cli.printing import LANGUAGE, print_error
from tengen.extras import MissingPackage, importing
from tengen.plaintext.characters import in_plain_signs
from tengen.words import LANGUAGES
from tengen.words.languages import Translation, preferred

_PLAIN = "tengen.plain"
"""The name of the handler of characters that an output encoding has not."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the arguments after the program's name; those of the process if None.

    Returns:
        The exit status: 0; 1 if the answer is no or a check failed; 2 for an error; 130 after Ctrl-C.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    _open_streams()
    LANGUAGE.set(_wanted_language(arguments))
    try:
        with importing():
            from tengen.cli.application import run
    except MissingPackage as error:
        return print_error(error.message, arguments)
    return run(arguments)


def _open_streams() -> None:
    """Ensure that the three standard streams exist and accept any text."""
    codecs.register_error(_PLAIN, in_plain_signs)
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            # Characters that the terminal or a pipe cannot encode must not end the program.
            stream.reconfigure(errors="replace" if name == "stdin" else _PLAIN)


def _wanted_language(arguments: list[str]) -> str:
    """Return the language to use before the command line is parsed: from an option, or the environment."""
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--lang":
            code = value if equals else (arguments[place + 1 : place + 2] or [""])[0]
            if code in LANGUAGES:
                return code
    code = os.environ.get("TENGEN_LANG", "")
    if code in LANGUAGES:
        return code
    for name in ("TENGEN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            translation = preferred(value)
            return translation.code if translation is not None and _shows(translation) else "en"
    return "en"


def _shows(language: Translation) -> bool:
    """Return whether the output encoding has the letters of a language."""
    try:
        language.name.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
