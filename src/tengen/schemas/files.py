"""Files: imports, exports and pictures."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt, StrictStr

from tengen.formats.common import FileProblem, Missing
from tengen.formats.pictures.animation import Animation
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.formats.pictures.svg_themes import THEMES
from tengen.schemas.base import Schema
from tengen.schemas.position import PointText, PositionRequest, SizeRequest
from tengen.schemas.sentence import Sentence
from tengen.words import Message, say
from tengen.words.languages import LANGUAGES

LONGEST_TEXT = 4_000_000
"""The most characters of pasted text."""

MOST_MARKS = 2500
_LONGEST_MARK = 20

Picture: TypeAlias = Literal["svg", "png", "gif"]


class ImportRequest(Schema):
    """A pasted text of games, and the rules for moves without rules."""

    text: Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
    rules: Annotated[StrictStr, Field(max_length=40)] | dict[str, Any] | None = None
    size: SizeRequest | None = None


class ImportProblem(Sentence):
    """A problem or an assumption of an import."""

    lost: bool
    """True if data are lost by it."""

    @classmethod
    def of_message(cls, message: Message, *, lost: bool) -> ImportProblem:
        """Return a problem as data."""
        return cls(**message.to_dict(), lost=lost)


class ImportData(Schema):
    """The games of a file or of a pasted text; of a proof, one for each side that it makes a claim for."""

    records: tuple[dict[str, Any], ...]
    """The games in Tengen's own format; `tengen.formats.jsonformat` describes it."""
    problems: tuple[ImportProblem, ...]
    proven: Sentence | None = Field(default=None, exclude_if=lambda proven: proven is None)
    """The proven claim; left out, as `ply` is, where the file is no proof."""
    ply: int | None = Field(default=None, exclude_if=lambda ply: ply is None)
    """The number of moves before the proof begins."""


class GameRecord(Schema):
    """A game in Tengen's own format; `tengen.formats.jsonformat` describes it."""

    record: dict[str, Any]


class ExportRequest(Schema):
    """A game, as returned by an import, and the format to export it in."""

    record: dict[str, Any]
    format: Annotated[StrictStr, Field(max_length=8)]


class AnimationRequest(PositionRequest):
    """A game, and the options of its animation."""

    numbers: StrictBool | Annotated[StrictInt, Field(ge=0, le=10_000)] = False
    theme: Annotated[StrictStr, Field(max_length=20, json_schema_extra={"enum": list(THEMES)})] = "wood"
    coordinates: StrictBool = True
    coordinate_style: CoordinateStyle = "letters"


class PictureRequest(AnimationRequest):
    """A position, and the options of its picture."""

    format: Picture = "svg"
    marks: Annotated[
        dict[PointText, Annotated[StrictStr, Field(max_length=_LONGEST_MARK)]],
        Field(max_length=MOST_MARKS, default_factory=dict),
    ]
    heat: Annotated[dict[PointText, float], Field(max_length=MOST_MARKS, default_factory=dict)]
    lang: Annotated[StrictStr, Field(max_length=20, json_schema_extra={"enum": list(LANGUAGES)})] = "en"


class PatchData(Schema):
    """A part of a frame that differs from the frame before; lengths in pixels."""

    left: int
    top: int
    width: int
    height: int
    svg: str


class FrameData(Schema):
    """One position of an animation."""

    milliseconds: int
    """The time that it is shown."""
    patches: tuple[PatchData, ...]
    """In the first frame and in the last, one that is all of it."""


class AnimationData(Schema):
    """A game, move by move, for a client that draws it; lengths in pixels."""

    width: int
    height: int
    accents: tuple[str, ...]
    """Colours, as in CSS, that few pixels have and that a palette must not lose."""
    frames: tuple[FrameData, ...]

    @classmethod
    def of(cls, animation: Animation) -> AnimationData:
        """Return an animation as data."""
        return cls.model_validate(animation, from_attributes=True)


class ConversionProblem(Schema):
    """A problem or an assumption of a conversion."""

    game: int
    """The number of the game, from 1; 0 where it concerns the whole file."""
    problem: str
    missing: Missing
    lost: bool

    @classmethod
    def of(cls, problem: FileProblem, language: str) -> ConversionProblem:
        """Return a problem as data."""
        return cls(
            game=problem.game,
            problem=say(problem.message, language),
            missing=problem.missing,
            lost=problem.lost,
        )


class ConversionData(Schema):
    """The result of a conversion."""

    read: int
    """Games."""
    written: int
    """Games."""
    files: tuple[str, ...]
    problems: tuple[ConversionProblem, ...]
    not_kept: str | None
    """The data that the format cannot hold; null if it holds everything."""
