"""The declaration of commands: parsed option values, and option groups shared by several commands.

A command is a function, and its parameters are the arguments and options. A parameter whose type is a group
(a dataclass derived from `Options`) stands for all its fields, and the function receives an instance with
the parsed values:

    @dataclass(frozen=True)
    class Limits(Options):
        nodes: Annotated[int | None, option("--nodes", "cli.match.nodes", "N", node_count)] = None

    @command("cli.match.help")
    def match(one: ..., other: ..., *, limits: Limits, as_json: Json = False) -> None: ...
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

import typer

from tengen.cli.application import CliError, Command, Unreadable, app
from tengen.cli.completion import completer
from tengen.cli.option_values import Reader, language
from tengen.game.errors import TengenError

Run = TypeVar("Run", bound=Callable[..., None])
Values: TypeAlias = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Options:
    """A group of options; each field is an option or another group."""


def option(names: str, text: str, metavar: str | None = None, read: Reader[Any] | None = None) -> Any:
    """Declare an option.

    Args:
        names: the name, ``--games``; for a flag possibly both forms, ``--repeat/--no-repeat``; possibly
            also a short name, ``--out, -o``.
        text: the catalogue key of its help text.
        metavar: the placeholder of its value in help pages.
        read: parses the value; if None, it is parsed by its type.
    """
    return _declared(typer.Option, names, text, metavar, read)


def argument(text: str, metavar: str, read: Reader[Any] | None = None) -> Any:
    """Declare a positional argument; the parameters are those of `option`."""
    return _declared(typer.Argument, metavar, text, metavar, read)


def _declared(
    kind: Callable[..., Any], name: str, text: str, metavar: str | None, read: Reader[Any] | None
) -> Any:
    names = tuple(name.split(", ")) if kind is typer.Option else ()
    parser = None if read is None else _parser(names[0] if names else name, read)
    completes = completer(name, metavar)
    return kind(
        *names, help=text, metavar=metavar, parser=parser, show_default=False, autocompletion=completes
    )


def _parser(name: str, read: Reader[Any]) -> Callable[[Any], Any]:
    def parse(given: Any) -> Any:
        if not isinstance(given, str):
            return given  # a default value
        try:
            return read(name, given)
        except TengenError as error:
            # Typer would catch a ValueError and replace its message.
            raise Unreadable(error.message) from error

    return parse


Lang = Annotated[str | None, option("--lang", "cli.lang", "en|zh", language)]


def command(text: str) -> Callable[[Run], Run]:
    """Declare a function as a command of the same name.

    Every command takes ``--lang``, which `tengen.cli.application.main` reads before it parses the command
    line. A function that needs its value declares a parameter `lang`.

    Args:
        text: the catalogue key of the command's help text.
    """

    def declare(function: Run) -> Run:
        app.command(cls=Command, help=text)(spread(function))
        return function

    return declare


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return the function with the options of its groups as its own parameters, and ``--lang``."""
    signature = inspect.signature(function, eval_str=True)
    taken = {parameter.name: _taken(parameter) for parameter in signature.parameters.values()}
    parameters = [parameter for each in taken.values() for parameter in each[0]]
    if "lang" not in taken:
        parameters.append(_typed("lang", Lang, None))

    @wraps(function)
    def run(**values: Any) -> None:
        function(**{name: gather(values) for name, (_, gather) in taken.items()})

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _taken(parameter: inspect.Parameter) -> tuple[list[inspect.Parameter], Callable[[Values], Any]]:
    """Return the parameters that a parameter expands to, and the function that builds its value.

    The function takes the values of all parameters by name.
    """
    group, name = parameter.annotation, parameter.name
    if not (isinstance(group, type) and issubclass(group, Options)):
        return [_typed(name, group, parameter.default)], lambda values: values[name]
    types = {
        name: annotation
        for base in reversed(group.__mro__)
        for name, annotation in inspect.get_annotations(base, locals={}, eval_str=True).items()
    }
    fields = {
        field.name: _taken(_typed(field.name, types[field.name], _default(field)))
        for field in dataclasses.fields(group)
    }

    def gather(values: Values) -> Any:
        return group(**{name: gather(values) for name, (_, gather) in fields.items()})

    return [parameter for each in fields.values() for parameter in each[0]], gather


def _default(field: dataclasses.Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default


def _typed(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Return a parameter for Typer; if we parse the value ourselves, its type is erased."""
    if get_origin(annotation) is Annotated:
        kind, info = get_args(annotation)[:2]
        if getattr(info, "parser", None) is not None:
            several = any(get_origin(one) is list for one in (kind, *get_args(kind)))
            annotation = Annotated[list[Any] | None if several else Any, info]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def refuse_besides(context: typer.Context, chosen: str, *allowed: str) -> None:
    """Reject options that cannot be combined with a chosen option.

    Args:
        context: the context of the command.
        chosen: the parameter name of the chosen option.
        allowed: the parameters that can be combined with it, besides ``--json`` and ``--lang``.

    Raises:
        CliError: other options were given.
    """
    fine = {chosen, "as_json", "lang", *allowed}
    names = {each.name: each for each in context.command.params}
    given = [
        names[name].metavar if names[name].param_type_name == "argument" else names[name].opts[0]
        for name in names
        if name not in fine and _was_given(context, name)
    ]
    if given:
        raise CliError("error.cli.resume", option=names[chosen].opts[0], options=given)


def _was_given(context: typer.Context, name: str | None) -> bool:
    source = context.get_parameter_source(name or "")
    return source is not None and source.name == "COMMANDLINE"
