"""How commands are declared: options read into values, and groups of options that several commands share.

A command is a function. What it takes are its parameters; one whose type is a group (a dataclass with the
base `Options`) stands for all fields of it, and the command gets the group with the values in it:

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
    """A group of options; a field is an option, or another group."""


def option(names: str, text: str, metavar: str | None = None, read: Reader[Any] | None = None) -> Any:
    """An option.

    Args:
        names: what it is called, ``--games``; for a flag maybe both ways, ``--repeat/--no-repeat``; maybe
            a short name as well, ``--out, -o``.
        text: the key of its text in help pages.
        metavar: what stands for its value there.
        read: makes a value of the text that was given; whatever the type says, if None.
    """
    return _declared(typer.Option, names, text, metavar, read)


def argument(text: str, metavar: str, read: Reader[Any] | None = None) -> Any:
    """A word of the command line that is no option; what it takes is as with `option`."""
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
            return given  # a default
        try:
            return read(name, given)
        except TengenError as error:
            # Typer takes a ValueError for its own, and would tell it in its own words.
            raise Unreadable(error.message) from error

    return parse


Lang = Annotated[str | None, option("--lang", "cli.lang", "en|zh", language)]


def command(text: str) -> Callable[[Run], Run]:
    """Declare a function as a command of its name.

    Every command takes ``--lang``, which has been heard before anything else is read; see
    `tengen.cli.application.main`. A function that wants to know what was asked for takes `lang` itself.

    Args:
        text: the key of what the command does, in help pages.
    """

    def declare(function: Run) -> Run:
        app.command(cls=Command, help=text)(spread(function))
        return function

    return declare


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """The function with the options of its groups as parameters of its own, and ``--lang``."""
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
    """What a parameter takes from the command line, and what makes its value of that."""
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
    """A parameter as Typer takes it: of what is read by ourselves it need not know the type."""
    if get_origin(annotation) is Annotated:
        kind, info = get_args(annotation)[:2]
        if getattr(info, "parser", None) is not None:
            several = any(get_origin(one) is list for one in (kind, *get_args(kind)))
            annotation = Annotated[list[Any] | None if several else Any, info]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def refuse_besides(context: typer.Context, chosen: str, *allowed: str) -> None:
    """Refuse options that do not go together with one that was chosen.

    Args:
        context: of the command.
        chosen: the parameter of the option that was chosen.
        allowed: parameters that go together with it, besides ``--json`` and ``--lang``.

    Raises:
        CliError: others were given, too.
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
