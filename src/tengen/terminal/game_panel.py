"""The panel of the full-screen game: players, clocks, status, options, moves and messages."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from tengen.formats import describe
from tengen.game.board import Board
from tengen.game.diagram import STONES
from tengen.game.opening_rules import option_message
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.terminal import sentences
from tengen.words import Message, say

_DISCS = " ●○"
"""The characters for an empty point, a black and a white stone, if stones are not shown as letters."""

_KEPT = 500
"""The number of message lines kept for scrolling."""

_TOGETHER = "\N{NO-BREAK SPACE}"


class GamePanel(Vertical):
    """The panel beside the board.

    Args:
        lang: the language of the interface.
    """

    def __init__(self, lang: str) -> None:
        super().__init__(id="panel")
        self._lang = lang
        self._title = Static(id="title", markup=False)
        self._seats = {
            BLACK: Static(id="black", classes="seat", markup=False),
            WHITE: Static(id="white", classes="seat", markup=False),
        }
        self._status = Static(id="status", markup=False)
        self.options = OptionList(id="options", compact=True)
        """The list of options to choose from; shown if there are any."""
        self._moves_text = Static(id="movetext", markup=False)
        self._moves = VerticalScroll(self._moves_text, id="moves", can_focus=False)
        self._messages = RichLog(id="messages", wrap=True, max_lines=_KEPT, min_width=0)
        self._messages.can_focus = False

    def compose(self) -> ComposeResult:
        """Yield the parts of the panel from top to bottom."""
        yield self._title
        yield from self._seats.values()
        yield self._status
        yield self.options
        yield self._moves
        yield self._messages

    def write(self, text: str) -> None:
        """Add a message."""
        self._messages.write(text)

    def clear(self) -> None:
        """Clear all messages."""
        self._messages.clear()

    def show(self, session: Session, status: str, *, letters: bool) -> None:
        """Update the whole panel after a change of the game."""
        self._title.update(say(sentences.title(session), self._lang))
        self._moves_text.update(moves_text(session.board))
        self._moves.scroll_end(animate=False)
        decision = session.decision
        given = () if decision is None or sentences.computer_to_act(session) else decision.options
        self.options.display = bool(given)
        if [option.id for option in self.options.options] != [_option_id(name) for name in given]:
            self.options.clear_options()
            self.options.add_options(
                Option(say(option_message(name), self._lang), id=_option_id(name)) for name in given
            )
            self.options.highlighted = 0 if given else None
        self.tick(session, status, letters=letters)

    def tick(self, session: Session, status: str, *, letters: bool) -> None:
        """Update the parts that change with time: the clocks and the thinking time."""
        signs = STONES if letters else _DISCS
        for colour, seat in self._seats.items():
            seat.update(self._seat(session, colour, signs))
            seat.set_class(session.actor == session.player_of(colour), "-acting")
        self._status.update(status)

    def _seat(self, session: Session, colour: Colour, signs: str) -> str:
        """Return the line of a side: its stone, its player, its clock, and its remaining take-backs."""
        participant = session.player_of(colour)
        seat, name = session.seats[participant], sentences.who(session, participant)
        values = {"sign": signs[colour], "colour": describe.colour(colour), "who": name}
        parts = [say("app.seat", self._lang, **values)]
        clock = sentences.clock(session, participant)
        if isinstance(clock, Message):
            parts.append(" " + say(clock, self._lang).strip())
        if seat.occupant == HUMAN and seat.take_backs is not None:
            parts.append(" " + say("app.take_backs", self._lang, left=seat.take_backs))
        return " ".join(parts)


def moves_text(board: Board) -> str:
    """Return the moves of a board, numbered in pairs that are never split across lines."""
    names = [board.name(point) for point in board.moves]
    pairs = (names[at : at + 2] for at in range(0, len(names), 2))
    return "  ".join(_TOGETHER.join((f"{2 * number + 1}.", *pair)) for number, pair in enumerate(pairs))


def chosen_option(option_id: str | None) -> str:
    """Return the option of an opening rule for the id of a list entry."""
    return (option_id or "").removeprefix(_option_id(""))


def _option_id(name: str) -> str:
    return f"option-{name}"
