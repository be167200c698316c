"""A tournament on the terminal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tengen import Rules
from tengen.arena.contestants import Contestant
from tengen.arena.rating import Estimate
from tengen.arena.report.page import html
from tengen.arena.tournament import KINDS, Table, Tournament
from tengen.cli.output import tournament_tables
from tests.arena.games import played


def table(kind="round-robin"):
    seats = Contestant("lines"), Contestant("random")
    found = Table(Tournament(seats, kind=kind, rules=Rules.named("freestyle")))
    for number, names in enumerate((("lines", "random"), ("random", "lines"))):
        found.add(played(number, *names, 0.5, "full"))
    return found


def test_nothing_is_worth_less_than_nothing_when_it_is_rounded(monkeypatch):
    standing = table()
    even = replace(
        standing.ratings(),
        players=tuple(replace(player, elo=-0.2) for player in standing.ratings().players),
        advantage=Estimate(-0.2, 80.0),
    )
    monkeypatch.setattr(Table, "ratings", lambda _: even)
    text = tournament_tables.table(standing, "en")
    assert "Playing Black is worth +0 ± 80 Elo" in text
    assert "-0" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_begins_with_a_title(kind):
    page = html(tournament_tables.report(table(kind), "en"))
    title = re.findall("<h1>(.*?)</h1>", page)[0]
    assert re.fullmatch(r"(Round robin|Gauntlet|Swiss tournament), freestyle gomoku 15x15", title)
