"""Games from one file to another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.cli.positions import STANDARD_INPUT, standard_input
from tengen.formats.common import MAX_BYTES, FileProblem
from tengen.formats.files import FORMATS, FileError, Format, format_of, read_file, shown, write_files
from tengen.formats.not_kept import not_kept
from tengen.formats.record_builder import under
from tengen.formats.rules_text import parse_rules
from tengen.game.notation import shorten
from tengen.game.rules import Rules, parse_size
from tengen.words import Message, say


@dataclass(frozen=True, slots=True)
class Conversion:
    """What has become of a file.

    Attributes:
        read: how many games could be read.
        written: how many have been written.
        files: where to.
        problems: what is wrong with games, by their number in the file.
        not_kept: what the format that is written does not keep, in a sentence.
        complete: whether all is there that was asked for: nothing is missing but variations, where the
            format that is written holds none.
    """

    read: int
    written: int
    files: tuple[str, ...]
    problems: tuple[FileProblem, ...]
    complete: bool
    not_kept: Message | None = None

    def data(self, language: str) -> dict[str, Any]:
        """All of it, ready for JSON."""
        problems = [
            {
                "game": problem.game,
                "problem": say(problem.message, language),
                "missing": problem.missing,
                "lost": problem.lost,
            }
            for problem in self.problems
        ]
        return {
            "read": self.read,
            "written": self.written,
            "files": list(self.files),
            "problems": problems,
            "not_kept": None if self.not_kept is None else say(self.not_kept, language),
        }

    def summary(self) -> Message:
        """What has been written, in a sentence."""
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
        source: the file to read; its extension says what it is. ``-`` is standard input, whose text does.
        out: where to write; see `tengen.formats.files.write_files`.
        extension: the format to write, where `out` is a folder.
        rules: what the games are taken to be played by, whatever the file says; the board keeps its size.
        size: of the board, where the file is of a format that does not say it.
        encoding: of the text in the file that is read, whatever it says.

    Raises:
        FileError: a file that cannot be read or written, or of no known extension.
        FormatError: no game can be read, or there is no such encoding.
        RulesError: there are no such rules.
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
    """The width and the height of ``15`` or ``15x12``.

    Raises:
        RulesError: it is no size of a board.
    """
    rules = Rules.parse("freestyle", parse_size(text))
    return rules.width, rules.height


def _is_missed(problem: FileProblem, target: Format) -> bool:
    """Whether something is missing that a format would have held."""
    return problem.lost and (target.variations or problem.missing != "variation")


def _renumbered(problem: FileProblem, unread: list[FileProblem]) -> FileProblem:
    """A game that could not be written, by its number in the file instead of among those read."""
    number = problem.game
    for other in sorted(unread, key=lambda other: other.game):
        if other.game <= number:
            number += 1
    return FileProblem(number, problem.message)
