"""Players: the catalogue of a game, and the list of all players with their settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from pydantic import Field

from tengen.players.registry import ENTRIES, Entry
from tengen.players.settings import Setting
from tengen.schemas.base import Schema
from tengen.schemas.rules import WithRules
from tengen.schemas.sentence import Sentence
from tengen.words import Message, say

Value: TypeAlias = str | bool | int | float

ExplanationPart: TypeAlias = Literal["weights", "parts", "lines", "tree"]


class PlayerParameter(Schema):
    """A setting of a player, as a field of a form."""

    name: str
    default: Value | None
    """Null without such a value."""
    kind: Literal["int", "float", "bool", "text"]
    least: int | float | None = Field(default=None, exclude_if=lambda bound: bound is None)
    """The least number; left out for texts, as `most` is."""
    most: int | float | None = Field(default=None, exclude_if=lambda bound: bound is None)
    choices: tuple[str, ...] = Field(default=(), exclude_if=lambda choices: not choices)
    """All texts that can be chosen; left out where any text can be written."""


class CataloguePlayer(Schema):
    """A player of the catalogue."""

    name: str
    presets: tuple[str, ...]
    summary: Sentence
    parameters: tuple[PlayerParameter, ...]
    """The settings of the first preset."""
    presets_parameters: dict[str, tuple[PlayerParameter, ...]]
    """The settings of other presets, where they differ."""
    explains: tuple[ExplanationPart, ...]
    """The parts of its explanations besides the summary."""


class Catalogue(WithRules):
    """The players, levels and opening rules for some rules."""

    players: tuple[CataloguePlayer, ...]
    levels: tuple[str, ...]
    openings: tuple[str, ...]
    largest: int
    """The longest side of a board."""


class ListedPlayer(Schema):
    """A player in the list of all players."""

    name: str
    presets: tuple[str, ...]
    summary: str

    @classmethod
    def of(cls, entry: Entry, language: str) -> ListedPlayer:
        """Return a player of the registry as data."""
        return cls(name=entry.name, presets=entry.presets, summary=say(entry.summary, language))


class PlayerList(Schema):
    """All players."""

    players: tuple[ListedPlayer, ...]

    @classmethod
    def of(cls, language: str) -> PlayerList:
        """Return all players of the registry as data."""
        return cls(players=tuple(ListedPlayer.of(entry, language) for entry in ENTRIES.values()))


class SettingData(Schema):
    """A key of a player's spec."""

    name: str
    default: Value | None
    """Null without such a value."""
    required: bool


class PlayerSettings(Schema):
    """A player, with the keys of its spec."""

    player: str
    """The spec."""
    presets: tuple[str, ...]
    summary: str
    settings: tuple[SettingData, ...]

    @classmethod
    def of(
        cls, spec: str, entry: Entry | None, about: Message | None, found: Iterable[Setting], language: str
    ) -> PlayerSettings:
        """Return a player as data.

        Args:
            spec: its spec.
            entry: its entry in the registry; None without one.
            about: what is known of it.
            found: the keys of its spec.
            language: the language of texts.
        """
        return cls(
            player=spec,
            presets=() if entry is None else entry.presets,
            summary="" if about is None else say(about, language),
            settings=tuple(SettingData(**setting.to_dict()) for setting in found),
        )
