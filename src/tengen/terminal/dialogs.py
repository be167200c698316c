"""The dialogs of the full-screen game: yes or no, file name, seats, new game, and text pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from tengen.game.errors import TengenError
from tengen.game.opening_rules import NAMES as OPENINGS
from tengen.game.rules import NAMES as RULES
from tengen.game.session_state import HUMAN
from tengen.players.levels import LEVELS
from tengen.players.registry import ENTRIES
from tengen.words import Message, say

_LEVEL = "level"

_PAGE_SHARE, _PAGE_EDGES = 95, 6
"""The width of a page in percent of the window, and the columns of its border, padding and scroll bar."""

_NARROWEST = 20


class Question(ModalScreen[bool]):
    """A yes-or-no question.

    Args:
        question: the question.
        lang: the language of the dialog.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n,escape", "answer(False)", show=False),
        Binding("left,right", "turn", show=False),
    ]

    def __init__(self, question: Message, lang: str) -> None:
        super().__init__()
        self._question = question
        self._lang = lang

    def compose(self) -> ComposeResult:
        """Yield the question and two buttons."""
        with Vertical(classes="dialog"):
            yield Label(say(self._question, self._lang))
            with Horizontal(classes="buttons"):
                yield Button(say("app.yes", self._lang), id="yes", variant="primary")
                yield Button(say("app.no", self._lang), id="no")

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        """Answer with the pressed button."""
        self.dismiss(event.button.id == "yes")

    def action_turn(self) -> None:
        """Move the focus to the other button."""
        self.focus_next()

    def action_answer(self, yes: bool) -> None:
        """Answer with a key."""
        self.dismiss(yes)


class FilePrompt(ModalScreen[str | None]):
    """A prompt for the name of a file; the result is None if cancelled.

    Args:
        question: the question.
        lang: the language of the dialog.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: Message, lang: str) -> None:
        super().__init__()
        self._question = question
        self._lang = lang

    def compose(self) -> ComposeResult:
        """Yield the question and an input line."""
        with Vertical(classes="dialog"):
            yield Label(say(self._question, self._lang))
            yield Input(placeholder="game.json")

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Answer with the input; an empty line means no file."""
        self.dismiss(event.value.strip() or None)


class TextPage(ModalScreen[None]):
    """A scrollable page of text.

    Args:
        text: returns the text for a page with this number of columns.
        lang: the language of the button.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss(None)", show=False),
    ]

    def __init__(self, text: Callable[[int], str], lang: str) -> None:
        super().__init__()
        self._make_text = text
        self._text = ""
        self._lang = lang

    def compose(self) -> ComposeResult:
        """Yield the text, and a note on how to close it."""
        with Vertical(classes="page"):
            with ScrollableContainer():
                self._fit()
                yield Static(self._text, markup=False, id="text")
            yield Label(say("app.page.close", self._lang), classes="note")

    def on_resize(self) -> None:
        """Wrap the text again for the new width."""
        self._fit()
        self.query_one("#text", Static).update(self._text)

    def _fit(self) -> None:
        width = self.app.size.width * _PAGE_SHARE // 100 - _PAGE_EDGES
        self._text = self._make_text(max(width, _NARROWEST))


class Seats(ModalScreen[tuple[str, str] | None]):
    """A prompt for the players of Black and White; the result is two specs.

    Args:
        black: Black's current player: ``"human"`` or a player's spec.
        white: White's current player: ``"human"`` or a player's spec.
        lang: the language of the dialog.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, black: str, white: str, lang: str) -> None:
        super().__init__()
        self._seats = black, white
        self._lang = lang

    def compose(self) -> ComposeResult:
        """Yield two lists and two buttons."""
        with Vertical(classes="form"):
            for name, spec in zip(("black", "white"), self._seats, strict=True):
                yield from _labelled(name, _players(spec, self._lang, name), self._lang)
            yield from _buttons("app.seats.go", self._lang)

    @on(Button.Pressed, "#go")
    def go(self) -> None:
        """Answer with the selection."""
        self.dismiss((_chosen(self, "black"), _chosen(self, "white")))

    @on(Button.Pressed, "#leave")
    def leave(self) -> None:
        """Close without changes."""
        self.dismiss(None)


@dataclass(frozen=True, slots=True)
class GameChoice:
    """The settings of a new game, each as written on the command line.

    Attributes:
        rules: the name of rules, or ``mnk:M,N,K``.
        size: the board size; empty for that of the rules.
        black: Black's player: ``"human"`` or a player's spec.
        white: White's player: ``"human"`` or a player's spec.
        opening: the name of an opening rule; None for none.
        clock: the time control; empty for none.
    """

    rules: str
    size: str
    black: str
    white: str
    opening: str | None
    clock: str


class NewGame(ModalScreen[None]):
    """A form for a new game; it stays open until a game has started or it is cancelled.

    Args:
        choice: the initial settings.
        begin: starts the game; an error that it raises is shown, and the settings can be corrected.
        lang: the language of the dialog.
        unfinished: whether an unfinished game will be abandoned.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(
        self, choice: GameChoice, begin: Callable[[GameChoice], None], lang: str, *, unfinished: bool
    ) -> None:
        super().__init__()
        self._choice = choice
        self._begin = begin
        self._lang = lang
        self._unfinished = unfinished

    def compose(self) -> ComposeResult:
        """Yield a list or an input line for each setting, and two buttons."""
        lang, choice = self._lang, self._choice
        rules = [(say(f"rules.{name}", lang), name) for name in RULES]
        if choice.rules not in RULES:
            rules.append((choice.rules, choice.rules))
        openings = [(say("app.new.no_opening", lang), "")]
        openings += [(say(f"opening.{name}", lang), name) for name in OPENINGS]
        size = Input(choice.size, placeholder=say("app.new.size.usual", lang), id="size", compact=True)
        clock = Input(choice.clock, placeholder=say("app.new.clock.none", lang), id="clock", compact=True)
        fields: list[tuple[str, Select[str] | Input]] = [
            ("app.new.rules", _select("rules", rules, choice.rules)),
            ("app.new.size", size),
            ("black", _players(choice.black, lang, "black")),
            ("white", _players(choice.white, lang, "white")),
            ("app.new.opening", _select("opening", openings, choice.opening or "")),
            ("app.new.clock", clock),
        ]
        with VerticalScroll(classes="form") as form:
            form.can_focus = False
            for name, field in fields:
                yield from _labelled(name, field, lang)
            if self._unfinished:
                yield Label(say("app.new.unfinished", lang), classes="note")
            yield Label("", id="error")
            yield from _buttons("app.new.go", lang)

    @on(Button.Pressed, "#go")
    @on(Input.Submitted)
    def go(self) -> None:
        """Start the game, or show the error."""
        choice = GameChoice(
            rules=_chosen(self, "rules"),
            size=self.query_one("#size", Input).value.strip(),
            black=_chosen(self, "black"),
            white=_chosen(self, "white"),
            opening=_chosen(self, "opening") or None,
            clock=self.query_one("#clock", Input).value.strip(),
        )
        try:
            self._begin(choice)
        except TengenError as error:
            self.query_one("#error", Label).update(say(error.message, self._lang))
        else:
            self.dismiss(None)

    @on(Button.Pressed, "#leave")
    def leave(self) -> None:
        """Continue the current game."""
        self.dismiss(None)


def _labelled(name: str, field: Select[str] | Input, lang: str) -> ComposeResult:
    with Horizontal(classes="field"):
        yield Label(say(name, lang))
        yield field


def _buttons(go: str, lang: str) -> ComposeResult:
    with Horizontal(classes="buttons"):
        yield Button(say(go, lang), id="go", variant="primary")
        yield Button(say("app.cancel", lang), id="leave")


def _select(name: str, options: Sequence[tuple[str, str]], value: str) -> Select[str]:
    return Select(options, value=value, allow_blank=False, id=name, compact=True)


def _players(spec: str, lang: str, name: str) -> Select[str]:
    """Return a list of available players, including the current player of the seat."""
    options: list[tuple[str, str]] = [(say("app.human", lang), HUMAN)]
    options += [(say(f"level.{level}", lang), f"{_LEVEL}:{level}") for level in LEVELS]
    options += [(entry, entry) for entry in ENTRIES if entry != _LEVEL]
    if all(spec != value for _, value in options):
        options.append((spec, spec))
    return _select(name, options, spec)


def _chosen(screen: ModalScreen[Any], name: str) -> str:
    return str(screen.query_one(f"#{name}", Select).value)
