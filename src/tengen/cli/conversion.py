"""Conversion of games between file formats."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tengen.cli.positions import STANDARD_INPUT, standard_input
from tengen.formats.common import MAX_BYTES, FileProblem
from tengen.formats.files import FORMATS, FileError, Format, format_of, read_file, shown, write_files
from tengen.formats.not_kept import not_kept
from tengen.formats.record_builder import under
from tengen.formats.rules_text import parse_rules
from tengen.game.notation import shorten
from tengen.game.rules import Rules, parse_size
from tengen.words import Message


@dataclass(frozen=True, slots=True)
class Conversion:
    """The result of a conversion.

    Attributes:
        read: the number of games read.
        written: the number of games written.
        files: the output files.
        problems: problems with games, by their number in the file.
        not_kept: a message about data that the output format does not keep; None if it keeps everything.
        complete: whether the conversion is complete: nothing is missing except variations in a format
            without them.
    """

    read: int
    written: int
    files: tuple[str, ...]
    problems: tuple[FileProblem, ...]
    complete: bool
    not_kept: Message | None = None

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
        source: the file to read; its format is given by its extension. ``-`` is standard input, whose
            format is detected.
        out: the file or folder to write; see `tengen.formats.files.write_files`.
        extension: the format to write, if `out` is a folder.
        rules: the rules of the games, overriding those in the file; the board size is kept.
        size: the board size, if the file format does not store it.
        encoding: the text encoding of the source, overriding that declared in the file.

    Raises:
        FileError: a file cannot be read or written, or its extension is unknown.
        FormatError: no game can be read, or the encoding does not exist.
        RulesError: the rules do not exist.
    """
    chosen = None if rules is None else parse_rules(rules)
    path = Path(out).expanduser()
    if extension is None and path.is_dir():
        raise FileError("error.convert.folder", file=shown(out))
    if extension is None:
        target = format_of(path)
    elif (suffix := f".{extension.lower().removeprefix('.')}") in FORMATS:
        target = FORMATS[suffix]
    else:
        formats = [name.removeprefix(".") for name in FORMATS]
        raise FileError("error.convert.to", text=shorten(extension), formats=formats)
    piped = str(source) == STANDARD_INPUT
    if size is not None and (piped or format_of(source).sized):
        raise FileError("error.convert.size", file=shown(source))
    if piped:
        games = FORMATS[".txt"].read(standard_input(MAX_BYTES + 1), encoding=encoding)
    else:
        games = read_file(source, None if size is None else board_size(size), encoding)
    records = games.records if chosen is None else [under(record, chosen) for record in games.records]
    if path.exists() and path.resolve() == Path(source).expanduser().resolve():
        raise FileError("error.convert.same", file=shown(out))
    written = write_files(records, path, extension, "game" if piped else Path(source).stem)
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
