"""Conversion of games between file formats."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tengen.cli.errors import CliError
from tengen.cli.option_values import STANDARD_OUTPUT
from tengen.cli.output_files import check_replaceable
from tengen.cli.positions import STANDARD_INPUT, read_standard_input
from tengen.formats.common import FileProblem, ReadResult
from tengen.formats.files import FORMATS, FileError, Format, format_of, read_file, shown, write_files
from tengen.formats.not_kept import not_kept
from tengen.formats.record_builder import under
from tengen.formats.rules_text import parse_rules
from tengen.game.notation import shorten
from tengen.game.record import Record
from tengen.game.rules import Rules, parse_size
from tengen.words import Message


@dataclass(frozen=True, slots=True)
class Conversion:
    """The result of a conversion.

    Attributes:
        read: the number of games read.
        written: the number of games written.
        files: the output files; none if the games are written to standard output.
        problems: problems with games, by their number in the file.
        not_kept: a message about data that the output format does not keep; None if it keeps everything.
        complete: whether the conversion is complete: nothing is missing except variations in a format
            without them.
        data: what is to be written to standard output; None if files have been written.
    """

    read: int
    written: int
    files: tuple[str, ...]
    problems: tuple[FileProblem, ...]
    complete: bool
    not_kept: Message | None = None
    data: bytes | None = None

    def summary(self) -> Message:
        """Return a message about the files written."""
        key = "cli.convert.file" if len(self.files) == 1 else "cli.convert.files"
        values = {"written": self.written, "files": len(self.files), "first": shown(self.files[0])}
        return Message(key, {**values, "last": shown(self.files[-1])})


def convert(
    source: str | Path,
    out: str | Path,
    extension: str | None = None,
    rules: str | None = None,
    size: str | None = None,
    encoding: str | None = None,
) -> Conversion:
    """Read the games of a file and write them in another format.

    Args:
        source: the file to read; its format is given by its extension, or detected if that is unknown.
            ``-`` is standard input.
        out: the file or folder to write; see `tengen.formats.files.write_files`. ``-`` is standard output,
            which is left to the caller.
        extension: the format to write, if `out` is a folder or standard output.
        rules: the rules of the games, overriding those in the file; the board size is kept.
        size: the board size, if the file format does not store it.
        encoding: the text encoding of the source, overriding that declared in the file.

    Raises:
        FileError: a file cannot be read or written, or the extension of `out` is unknown.
        CliError: the file to write is the one that is read.
        FormatError: no game can be read, or the encoding does not exist.
        RulesError: the rules do not exist.
    """
    chosen = None if rules is None else parse_rules(rules)
    path, to_output = Path(out).expanduser(), str(out) == STANDARD_OUTPUT
    if extension is None and to_output:
        raise CliError("error.convert.stdout")
    if extension is None and path.is_dir():
        raise FileError("error.convert.folder", file=shown(out))
    if extension is None:
        target = format_of(path)
    elif (suffix := f".{extension.lower().removeprefix('.')}") in FORMATS:
        target = FORMATS[suffix]
    else:
        formats = [name.removeprefix(".") for name in FORMATS]
        raise FileError("error.convert.to", text=shorten(extension), formats=formats)
    games = _read(source, size, encoding)
    records = games.records if chosen is None else [under(record, chosen) for record in games.records]
    if to_output:
        assert extension is not None
        return _for_output(records, games, target, extension)
    stem = "game" if str(source) == STANDARD_INPUT else Path(source).stem
    written = write_files(
        records, path, extension, stem, check=lambda file: check_replaceable(file, [str(source)])
    )
    if not written.games:
        reason = written.problems[0].message
        raise FileError("error.file.write", file=shown(out), reason=reason)
    problems = games.problems + [_renumbered(problem, games.unread) for problem in written.problems]
    return Conversion(
        len(games.records),
        written.games,
        tuple(str(path) for path in written.paths),
        tuple(sorted(problems, key=lambda problem: problem.game)),
        not any(_is_missed(problem, target) for problem in problems),
        not_kept(records, Path(written.paths[0]).suffix.lower()),
    )


def _read(source: str | Path, size: str | None, encoding: str | None) -> ReadResult:
    """Read the games of a file or of standard input."""
    if str(source) == STANDARD_INPUT:
        if size is not None:
            raise FileError("error.convert.size", file=Message("cli.standard_input"))
        return read_standard_input(encoding=encoding)
    known = FORMATS.get(Path(source).suffix.lower())
    if size is not None and (known is None or known.sized):
        raise FileError("error.convert.size", file=shown(source))
    return read_file(source, None if size is None else board_size(size), encoding, by_content=True)


def _for_output(records: list[Record], games: ReadResult, target: Format, extension: str) -> Conversion:
    """Return the conversion of games for standard output."""
    if len(records) > 1 and not target.many:
        raise CliError("error.convert.stdout.one", format=extension, count=len(records))
    return Conversion(
        len(games.records),
        len(records),
        (),
        tuple(games.problems),
        not any(_is_missed(problem, target) for problem in games.problems),
        not_kept(records, f".{extension.lower().removeprefix('.')}"),
        target.write(records),
    )


def board_size(text: str) -> tuple[int, int]:
    """Parse a board size such as ``15`` or ``15x12`` into width and height.

    Raises:
        RulesError: the size is invalid.
    """
    rules = Rules.parse("freestyle", parse_size(text))
    return rules.width, rules.height


def _is_missed(problem: FileProblem, target: Format) -> bool:
    """Return whether a problem lost data that the output format could hold."""
    return problem.lost and (target.variations or problem.missing != "variation")


def _renumbered(problem: FileProblem, unread: list[FileProblem]) -> FileProblem:
    """Renumber a game that could not be written.

    Its number among the games read becomes its number in the file.
    """
    number = problem.game
    for other in sorted(unread, key=lambda other: other.game):
        if other.game <= number:
            number += 1
    return FileProblem(number, problem.message)
