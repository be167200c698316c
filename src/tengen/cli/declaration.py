"""The declaration of commands: their arguments and options, and groups of options that several share.

A command is a function. Its parameters, annotated with `argument` or `option`, are what it takes on the
command line; all texts are keys of the catalogue. A parameter whose type is a group (a dataclass derived
from `Options`) stands for all its fields, and the function receives an instance with the parsed values:

    @dataclass(frozen=True, kw_only=True)
    class Limits(Options):
        nodes: Annotated[int | None, option("cli.match.nodes", node_count)] = None

    @command
    def match(*players: ..., limits: Limits = Limits(), as_json: Json = False) -> None: ...

The parser is cyclopts. A command is imported when it is run: see `tengen.cli.commands`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, get_origin

from cyclopts import App, Argument, ArgumentCollection, Parameter, Token

from tengen.cli.completion import completer
from tengen.cli.errors import CliError
from tengen.cli.help_pages import help_page
from tengen.cli.option_values import Reader, language
from tengen.cli.output_files import OutputFile, check_outputs
from tengen.cli.printing import LANGUAGE, print_line
from tengen.words import catalogue

_ARGUMENTS: ContextVar[ArgumentCollection] = ContextVar("arguments")
"""The arguments and options of the command that is run, with what was given for each."""

_NAMES_A_FILE = frozenset(("FILE", "FOLDER", "DIR", "SPEC"))
"""Words in the placeholders of options whose values may name files that are read."""

HYPHEN = "\0"
"""The form in which the parser receives a lone hyphen, which it would take for an option."""


def as_given(text: str) -> str:
    """Return an argument as it was given, from what the parser received."""
    return "-" if text == HYPHEN else text


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """A group of options; each field is an option or another group."""


def option(
    text: str,
    read: Reader[Any] | None = None,
    metavar: str | None = None,
    *,
    name: str | tuple[str, ...] = (),
    negative: str | tuple[str, ...] = (),
) -> Parameter:
    """Declare an option; one with neither a reader nor a placeholder is a flag.

    Args:
        text: the catalogue key of its help text.
        read: parses the value; if None, the value is the text.
        metavar: the placeholder of its value in help pages; by default the reader's.
        name: its name, or names, if they do not follow from that of the parameter.
        negative: the name that turns a flag off.
    """
    metavar = metavar or (None if read is None else read.metavar)
    return Parameter(
        name=name,
        negative=negative,
        help=text,
        allow_leading_hyphen=True,  # of the value
        allow_repeating=True,  # the last one counts
        **({} if metavar is None else _value(metavar, read)),
    )


def argument(text: str, metavar: str, read: Reader[Any] | None = None) -> Parameter:
    """Declare a positional argument; the parameters are those of `option`."""
    return Parameter(help=text, **_value(metavar, read))


@dataclass(frozen=True, slots=True)
class _Converter:
    """The parser's converter of values: it calls a reader, or takes the text if there is none."""

    metavar: str
    read: Reader[Any] | None

    def __call__(self, kind: Any, tokens: Sequence[Token]) -> Any:
        """Convert the tokens of an argument or option; the last one counts, unless it is a list."""
        values = [self._converted(token) for token in tokens]
        return values if get_origin(kind) is list else values[-1]

    def _converted(self, token: Token) -> Any:
        text = as_given(token.value)
        return text if self.read is None else self.read(token.keyword or self.metavar, text)


def _value(metavar: str, read: Reader[Any] | None) -> dict[str, Any]:
    """Return the settings of a parameter that has a value."""
    return {
        "metavar": metavar,
        "converter": _Converter(metavar, read),
        "n_tokens": 1,
        "accepts_keys": False,
        "completer": completer(metavar),
    }


class Command(App):
    """A command whose texts are keys of the catalogue, shown in the user's language."""

    @property
    def help(self) -> str:
        """The help text of the command."""
        return _translated(super().help)

    @help.setter  # noqa: A003 - the parser's name
    def help(self, key: str) -> None:
        self._help = key

    def assemble_argument_collection(
        self, *, default_parameter: Parameter | None = None, parse_docstring: bool = False
    ) -> ArgumentCollection:
        """Return the arguments and options, with help texts where they are asked for."""
        arguments = super().assemble_argument_collection(default_parameter=default_parameter)
        if parse_docstring:
            for each in arguments:
                text = Parameter(help=_translated(each.parameter.help or ""))
                each.parameter = Parameter.combine(each.parameter, text)
        return arguments

    def help_print(self, tokens: Any = None, *, console: Any = None) -> None:
        """Print the help page of the command that the words lead to."""
        chain, apps, _ = self.parse_commands(tokens)
        print_line(help_page(chain, apps))


def _translated(key: str) -> str:
    return catalogue(LANGUAGE.get()).get(key, key)


def command(run: Callable[..., None]) -> Command:
    """Declare a function as a command of the same name; its help text stands in `COMMANDS`.

    The files that it is to write are checked before it runs.
    """

    @wraps(run)
    def checked(*args: Any, **kwargs: Any) -> None:
        _check_outputs(_ARGUMENTS.get())
        run(*args, **kwargs)

    return Command(name=run.__name__, default_command=checked, version_flags=())


def _check_outputs(arguments: ArgumentCollection) -> None:
    outputs, inputs, words = [], [], []
    for each in arguments:
        texts = [as_given(token.value) for token in each.tokens]
        converter = each.parameter.converter
        if not isinstance(converter, _Converter):
            continue  # a flag
        if converter.read is not None and converter.read.writes is not None:
            outputs += [OutputFile(text, converter.read.writes) for text in texts]
        elif each.index is not None:
            words += texts
        elif _NAMES_A_FILE.intersection(re.findall("[A-Z]+", converter.metavar)):
            inputs += texts
    if outputs:
        inputs += [*words, " ".join(words)]  # the name of a file may be several words
        resume = next((each for each in arguments if each.field_info.name == "resume"), None)
        resumed = resume is not None and bool(resume.tokens)
        check_outputs(outputs, inputs, resumes=resume is not None, resumed=resumed)


def _shown_name(argument: Argument) -> str:
    """Return the name of an option, or the placeholder of an argument."""
    return argument.name if argument.index is None else str(argument.parameter.metavar)


def refuse_without(needed: str, *options: str) -> None:
    """Reject options that have no effect, because what they need was not given.

    Args:
        needed: what they need, as it is typed.
        options: their parameter names.

    Raises:
        CliError: one of them was given.
    """
    for each in _ARGUMENTS.get():
        if each.tokens and each.field_info.name in options:
            raise CliError("error.cli.without", option=each.name, needed=needed)


Lang = Annotated[str | None, option("cli.lang", language)]


def remember(_: App, __: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Remember what was given on the command line, for `refuse_besides`; called by the parser."""
    _ARGUMENTS.set(arguments)


def refuse_besides(chosen: str, *allowed: str, key: str = "error.cli.resume") -> None:
    """Reject options that cannot be combined with a chosen option.

    Args:
        chosen: the parameter name of the chosen option.
        allowed: the parameters that can be combined with it, besides ``--json``.
        key: the sentence that rejects them.

    Raises:
        CliError: other options were given.
    """
    given = {each.field_info.name: each for each in _ARGUMENTS.get() if each.tokens}
    refused = tuple(
        _shown_name(each) for name, each in given.items() if name not in {chosen, "as_json", *allowed}
    )
    if refused:
        chosen_name = (
            given[chosen].parameter.metavar if given[chosen].index is not None else given[chosen].name
        )
        raise CliError(key, option=chosen_name, options=refused)
