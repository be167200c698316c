"""The commands ``tengen tournament`` and ``tengen ladder``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tengen.cli.arena_options import ContestOptions, OpeningOrder, Seed, WorkerOptions
from tengen.cli.arena_runs import check_records, leave, play_contest, write_records
from tengen.cli.compile_notice import ready_for
from tengen.cli.declaration import Options, argument, command, option, refuse_besides, refuse_without
from tengen.cli.option_values import file_path, output_file, played_file, positive, results_file
from tengen.cli.options import Json, RulesOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line

if TYPE_CHECKING:
    from tengen.arena.tournament import Table, Tournament


@dataclass(frozen=True, kw_only=True)
class FileOptions(Options):
    """The files of a tournament: its store and its report page."""

    store: Annotated[Path | None, option("cli.tournament.store", results_file)] = None
    resume: Annotated[Path | None, option("cli.tournament.resume", file_path)] = None
    report: Annotated[Path | None, option("cli.tournament.report", output_file, "FILE.html")] = None

    @property
    def kept(self) -> Path | None:
        """The file that stores the tournament; None if there is none."""
        return self.resume or self.store

    def check(self) -> None:
        """Check, before any game is played, that the page can be written."""
        if self.report is not None:
            from tengen.arena.report.page import check_report

            check_report(self.report)

    def write_report(self, table: Table) -> None:
        """Write the page, if requested."""
        if self.report is not None:
            from tengen.arena.report.page import write_report
            from tengen.cli.output import tournament_tables

            write_report(tournament_tables.report(table, LANGUAGE.get()), self.report, LANGUAGE.get())


@command
def tournament(
    *players: Annotated[str, argument("cli.tournament.players", "SPEC")],
    kind: Annotated[
        str, option("cli.tournament.kind", metavar="round-robin|gauntlet|swiss")
    ] = "round-robin",
    rounds: Annotated[int, option("cli.tournament.rounds", positive)] = 1,
    games: Annotated[int, option("cli.tournament.games", positive)] = 2,
    champions: Annotated[int, option("cli.tournament.champions", positive)] = 1,
    contest_options: ContestOptions = ContestOptions(),
    worker_options: WorkerOptions = WorkerOptions(),
    files: FileOptions = FileOptions(),
    out: Annotated[list[Path] | None, option("cli.tournament.out", played_file)] = None,
    as_json: Json = False,
) -> None:
    from tengen.arena.tournament import Tournament
    from tengen.cli.output import tournament_tables

    files.check()
    new_tournament = None
    if files.resume is not None:
        refuse_besides("resume", "concurrency", "workers", "out", "report")
    else:
        if kind != "gauntlet":
            refuse_without("--kind=gauntlet", "champions")
        ready_for(players, contest_options.rules.chosen())
        meetings: dict[str, Any] = {"kind": kind, "rounds": rounds, "games": games, "champions": champions}
        new_tournament = contest_options.with_openings(
            Tournament(**contest_options.contest(players), **meetings), rounds * -(-games // 2)
        )
    table, status = _play(new_tournament, files.kept, worker_options, out or (), as_json=as_json)
    if as_json:
        from tengen.schemas.arena import TableData

        print_json(TableData.of(table).to_dict())
    else:
        print_line(tournament_tables.table(table, LANGUAGE.get()))
    write_records((game for _, game in sorted(table.games.items())), out or ())
    files.write_report(table)
    done = "cli.interrupted.games", len(table.games), table.tournament.total
    leave(status, "tournament.resume", files.kept, done)


@command
def ladder(
    *players: Annotated[str, argument("cli.ladder.players", "SPEC")],
    games: Annotated[int, option("cli.ladder.games", positive)] = 10,
    rules: RulesOptions = RulesOptions(),
    seed: Seed = 1,
    worker_options: WorkerOptions = WorkerOptions(),
    files: FileOptions = FileOptions(),
    write: Annotated[list[Path] | None, option("cli.ladder.write", file_path, "FILE.md")] = None,
    as_json: Json = False,
) -> None:
    from tengen.arena import ladder as rating
    from tengen.cli.output import tournament_tables

    files.check()
    for page in write or ():
        rating.check_page(page)
    new_tournament = None
    if files.resume is not None:
        refuse_besides("resume", "concurrency", "workers", "report", "write")
    else:
        new_tournament = _round_robin(rules, players, games, seed)
    table, status = _play(new_tournament, files.kept, worker_options, as_json=as_json)
    rungs = rating.ladder(table.games.values())
    if as_json:
        from tengen.schemas.arena import LadderData

        print_json(LadderData.of(rungs).to_dict())
    else:
        print_line(tournament_tables.ladder(rungs, LANGUAGE.get()))
    files.write_report(table)
    for page in write or ():
        rating.write_table(page, rating.table(rungs, LANGUAGE.get()))
    done = "cli.interrupted.games", len(table.games), table.tournament.total
    leave(status, "ladder.resume", files.kept, done)


def _round_robin(rules: RulesOptions, more: tuple[str, ...], games: int, seed: int) -> Tournament:
    """Return the tournament of a ladder: its standard field and further players."""
    from tengen.arena.contestants import Contestant
    from tengen.arena.ladder import field
    from tengen.arena.tournament import Tournament

    chosen = rules.chosen()
    specs = (*field(chosen), *more)
    ready_for(specs, chosen)
    # Each round has two games per pairing, so that a ladder that is stopped early is balanced.
    rounds = -(-games // 2)
    return Tournament(
        tuple(map(Contestant, specs)),
        kind="round-robin",
        rules=chosen,
        rounds=rounds,
        games=2,
        openings=OpeningOrder().openings(chosen, rounds, seed),
        seed=seed,
    )


def _play(
    new_tournament: Tournament | None,
    path: Path | None,
    worker_options: WorkerOptions,
    out: Iterable[Path] = (),
    *,
    as_json: bool,
) -> tuple[Table, int]:
    """Play a tournament whose games are to be written to `out`, or the rest of the tournament at `path`.

    Returns:
        The table, and the exit status.
    """
    from tengen.arena.tournament import Table, Tournament
    from tengen.arena.tournament_store import TournamentStore
    from tengen.cli.output.tournament_tables import TournamentProgress

    with ExitStack() as stack:
        settings = None
        if new_tournament is not None:
            check_records(out, new_tournament.rules)
            settings = new_tournament.to_dict()
        file = None if path is None else stack.enter_context(TournamentStore(path, settings))
        if new_tournament is None:
            assert file is not None  # a resumed tournament has a file
            table = Table(Tournament.from_dict(file.settings()))
            check_records(out, table.tournament.rules)
            for game in file.games():
                table.add(game)
        else:
            table = Table(new_tournament)
        line = TournamentProgress(table, LANGUAGE.get())
        keep = file.add if file is not None else lambda _: None
        return table, play_contest(table, line, keep, worker_options, as_json=as_json)
