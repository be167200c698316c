"""The full-screen game in the terminal: a board with a cursor, and a panel with the state of the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message as Happening
from textual.widgets import Footer, OptionList

from tengen.formats import describe, explanation_text
from tengen.formats.files import shown
from tengen.formats.pictures.svg import shows_signs
from tengen.formats.pictures.svg_themes import THEMES
from tengen.game.errors import Forbidden, NotAllowed, TengenError
from tengen.game.notation import PASS_TEXT
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import Choice, Explanation, Player
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules, parse_size
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Occupant
from tengen.plaintext.wrapping import wrapped
from tengen.players.calls import explained
from tengen.players.names import player_name
from tengen.players.suitable import check_suitable
from tengen.terminal import game_view, saved_games, sentences
from tengen.terminal.asking import adviser, checked, to_explain
from tengen.terminal.board_view import BoardView
from tengen.terminal.dialogs import FilePrompt, GameChoice, NewGame, Question, Seats, TextPage
from tengen.terminal.game_panel import GamePanel, chosen_option
from tengen.terminal.game_view import Looks
from tengen.terminal.thinking import PlayerCall, PlayerCalls
from tengen.words import Message, say

_TICK = 0.25
"""Seconds between two updates of the clocks."""

WATCHED = 0.6
"""The least seconds per move in a game between two computers, so that it can be followed."""

_KEYS = (
    ("u", "take_back", True),
    ("h", "hint", True),
    ("w", "why", True),
    ("m", "move_now", False),
    ("r", "resign", False),
    ("d", "draw", False),
    ("c", "claim", False),
    ("p", "pass", False),
    ("n", "new", True),
    ("l", "seats", False),
    ("s", "save", False),
    ("o", "load", False),
    ("i", "numbers", False),
    ("x", "letters", False),
    ("t", "theme", False),
    ("question_mark", "help", True),
    ("q", "leave", True),
)
"""The keys with their actions, and whether the footer shows them."""


class GameApp(App[int]):
    """The full-screen application, which plays a session until the user leaves.

    Args:
        session: the session.
        named: the player that gives hints; if None the computer at the table, or else `ADVISER`.
        lang: the language of the interface.
        watched: the least seconds per move in a game between two computers.
    """

    CSS_PATH = "game_app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (66, "-wide")]  # noqa: RUF012 - as App has it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (26, "-tall")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        # A priority binding: screens would otherwise use Ctrl-C to copy text. Pressed twice, it always
        # leaves.
        Binding("ctrl+c", "leave", show=False, priority=True),
    ]

    class Answered(Happening):
        """A notice that a player's call has finished."""

        def __init__(self, asked: PlayerCall) -> None:
            super().__init__()
            self.asked = asked

    def __init__(self, session: Session, named: Player | None, lang: str, watched: float = WATCHED) -> None:
        super().__init__()
        self.session = session
        self._named = named
        self._lang = lang
        self._watched = watched
        self._thinking = PlayerCalls(lambda asked: self.post_message(self.Answered(asked)))
        self._looks = Looks(letters=shows_signs(session.rules))
        self._theme_of_board = next(iter(THEMES))
        self._board = BoardView(game_view.picture(session, self._looks, None), self._theme_of_board)
        self._panel = GamePanel(lang)
        for keys, action, told in _KEYS:
            label = say(f"app.key.{action}", lang)
            self.bind(keys, action, description=label, show=told, key_display=_key_name(keys))

    def compose(self) -> ComposeResult:
        """Yield the board, and the panel beside or below it."""
        with Horizontal(id="table"):
            yield self._board
            yield self._panel
        yield Footer(show_command_palette=False)

    def on_ready(self) -> None:
        """Start the game once the screen is complete."""
        self.set_interval(_TICK, self._tick)
        self._start(self.session)

    # Display

    def _say(self, message: Message | str, **values: object) -> None:
        if isinstance(message, str):
            message = Message(message, values)
        self._panel.write(say(message, self._lang))

    def _refuse(self, reason: Message) -> None:
        """Show the reason why an action is impossible, and ring the bell."""
        self._say(reason)
        self.bell()

    def _show(self) -> None:
        """Update the screen after a change of the game."""
        self._looks = replace(self._looks, fouls=game_view.fouls_now(self.session))
        self._draw_board()
        self._panel.show(self.session, self._status(), letters=self._looks.letters)
        (self._panel.options if self._panel.options.display else self._board).focus()

    def _draw_board(self) -> None:
        picture = game_view.picture(self.session, self._looks, self._board.cursor)
        self._board.show(picture, self._theme_of_board)

    def _status(self) -> str:
        thinking = self._thinking.status
        return game_view.status(self.session, self._looks, self._board.cursor, thinking, self._lang)

    def _tick(self) -> None:
        """Update the clocks, and end the game if time has run out."""
        was_over = self.session.result is not None
        if self.session.check_time() is not None and not was_over:
            self._go_on()
        else:
            self._panel.tick(self.session, self._status(), letters=self._looks.letters)

    @on(BoardView.Moved)
    def cursor_moved(self) -> None:
        """Describe the point under the cursor, and highlight the lines of a foul."""
        if self._looks.fouls:
            self._draw_board()
        self._panel.tick(self.session, self._status(), letters=self._looks.letters)

    # Playing

    def _start(self, session: Session) -> None:
        """Play a session."""
        self.session = session
        self._looks = replace(self._looks, letters=shows_signs(session.rules), hint=None)
        self._panel.clear()
        for term in sentences.terms(session):
            self._say(term)
        self._say("app.greeting")
        self._go_on()

    def _go_on(self) -> None:
        """Show a changed game, and ask the side to act."""
        session = self.session
        self._thinking.forget()
        if session.request is not None:
            self._ask_about_request()
        elif sentences.computer_to_act(session):
            self._ask_computer()
        self._show()

    def _changed(self, change: Callable[[], object]) -> None:
        """Apply a change to the game, or show the error."""
        was_over = self.session.result is not None
        try:
            change()
        except TengenError as error:
            self._refuse(error.message)
            if was_over or self.session.result is None:  # unless the time has run out
                return
        self._looks = replace(self._looks, hint=None)
        self._go_on()

    def _check_turn(self) -> None:
        """Raise `NotAllowed` while a computer is to act, or is being prepared."""
        if self._thinking.holds:
            raise NotAllowed("error.app.wait")
        if sentences.computer_to_act(self.session):
            raise NotAllowed("error.app.turn")

    @on(BoardView.Chosen)
    def point_chosen(self, event: BoardView.Chosen) -> None:
        """Play the chosen point."""

        def play() -> None:
            self._check_turn()
            try:
                self.session.play(event.point)
            except Forbidden:
                found = self._looks.fouls[event.point]
                said = describe.foul(self.session.board, event.point, found, "describe.forbidden")
                raise Forbidden(said.key, **said.values) from None

        self._changed(play)

    @on(OptionList.OptionSelected)
    def option_chosen(self, event: OptionList.OptionSelected) -> None:
        """Choose an option of an opening rule."""
        option = chosen_option(event.option_id)

        def choose() -> None:
            self.session.choose(option)
            self._say_swap(option)

        self._changed(choose)

    def _say_swap(self, answer: Choice | str) -> None:
        """Show the seats after a choice of colours."""
        if answer in ("black", "white"):
            self._say(sentences.seats(self.session))

    def _ask_about_request(self) -> None:
        """Ask the other side to answer a request."""
        request = self.session.request
        if request is None:
            return

        def answer(accept: bool | None) -> None:
            if not accept:
                self._say("terminal.refused")
            self._changed(lambda: self.session.answer(accept=bool(accept)))

        asker = describe.colour(self.session.colour_of(request.by))
        self.push_screen(
            Question(Message(f"app.request.{request.kind}", {"colour": asker}), self._lang), answer
        )

    # Computers

    @on(Answered)
    def answered(self, event: Answered) -> None:
        """Handle the result of a player's call."""
        self._thinking.finish(event.asked)

    def _ask_computer(self) -> None:
        session, actor = self.session, self.session.actor or FIRST
        decision = session.decision
        least = 0.0 if sentences.humans(session) else self._watched

        def work(stop: threading.Event) -> Choice | str:
            self._thinking.prepare(spec, session.rules)
            began = time.monotonic()
            answer = checked(session.think(stop=stop), decision)
            stop.wait(max(0.0, least - (time.monotonic() - began)))
            return answer

        spec = session.seats[actor].name
        self._thinking.ask(work, self._computer_answered, self._computer_failed)

    def _computer_answered(self, answer: Choice | str) -> None:
        session = self.session
        try:
            if session.check_time() is None:
                said = sentences.answer(session, answer)
                session.apply(answer)
                self._say(said)
                self._say_swap(answer)
        except TengenError as error:  # the answer was illegal
            self._computer_failed(error)
        else:
            self._looks = replace(self._looks, hint=None)
            self._go_on()

    @property
    def traces(self) -> list[str]:
        """The tracebacks of errors in players' own code."""
        return self._thinking.traces

    def _computer_failed(self, error: TengenError) -> None:
        """Replace a failed computer by a human."""
        session, actor = self.session, self.session.actor or FIRST
        colour = describe.colour(session.colour_of(actor))
        self._say("terminal.player_failed", colour=colour, reason=error.message)
        session.hand_over(actor, HUMAN)
        self._say("terminal.handed_over", colour=colour)
        self._go_on()

    def _failed(self, error: TengenError) -> None:
        """Show the error of a call other than a move."""
        self._refuse(error.message)
        self._go_on()

    def action_hint(self) -> None:
        """Ask for a hint."""
        session = self.session
        who, decision = adviser(session, self._named), session.decision

        def then(answer: Choice | str) -> None:
            self._say(sentences.hint(session, answer))
            if isinstance(answer, Choice):
                self._looks = replace(self._looks, hint=session.board.point(answer.point))
            self._show()

        def work(stop: threading.Event) -> Choice | str:
            self._thinking.prepare(who.name, session.rules)
            return checked(session.hint(who, stop=stop), decision)

        try:
            self._check_turn()
        except NotAllowed as error:
            self._refuse(error.message)
        else:
            self._thinking.ask(work, then, self._failed)
            self._show()

    def action_why(self) -> None:
        """Explain the computer's last move, or else the adviser's choice in the current position."""
        who, board = to_explain(self.session, self._named)

        def then(answer: tuple[Choice, Explanation]) -> None:
            choice, why = answer
            title = say("app.why", self._lang, who=player_name(who.name))

            def page(width: int) -> str:
                told = explanation_text.text(board, choice, why, self._lang, width)
                return "\n".join([*wrapped(title, width), "", told])

            self._read(page)
            self._go_on()

        def work(stop: threading.Event) -> tuple[Choice, Explanation]:
            self._thinking.prepare(who.name, board.rules)
            return explained(who, board, stop=stop)

        self._thinking.ask(work, then, self._failed)
        self._show()

    def action_move_now(self) -> None:
        """Request an immediate answer."""
        self._thinking.hurry()

    # Other keys

    def action_take_back(self) -> None:
        """Take back a move or a round."""

        def take_back() -> None:
            before = len(self.session.events)
            self.session.take_back()
            for sentence in sentences.taken_back(self.session, self.session.events[before:]):
                self._say(sentence)

        self._changed(take_back)

    def action_resign(self) -> None:
        """Resign, after confirmation."""
        if self.session.result is None:
            self._if_sure("app.sure.resign", lambda: self._changed(self.session.resign))
        else:
            self._changed(self.session.resign)

    def action_draw(self) -> None:
        """Offer a draw."""

        def offer() -> None:
            self.session.offer_draw()
            if self.session.result is None and self.session.request is None:
                self._say("terminal.declined")

        self._changed(offer)

    def action_claim(self) -> None:
        """Claim Black's foul."""
        people = sentences.humans(self.session)
        self._changed(lambda: self.session.claim(people[0] if len(people) == 1 else None))

    def action_pass(self) -> None:
        """Pass, if the rules allow it."""

        def play() -> None:
            self._check_turn()
            self.session.play(PASS_TEXT)

        self._changed(play)

    def action_new(self) -> None:
        """Open the form for a new game."""
        session = self.session
        choice = GameChoice(
            rules=session.rules.name,
            size="" if session.rules == _usual(session.rules) else session.rules.size_text,
            black=session.seats[FIRST].name,
            white=session.seats[SECOND].name,
            opening=session.opening_name,
            clock="" if session.control is None else str(session.control),
        )
        self.push_screen(NewGame(choice, self._begin, self._lang, unfinished=self._unfinished()))

    def _begin(self, choice: GameChoice) -> None:
        """Start the chosen game, once its players have been created.

        Raises:
            TengenError: the settings are invalid.
        """
        rules = Rules.parse(choice.rules, parse_size(choice.size) if choice.size else None)
        for spec in {choice.black, choice.white} - {HUMAN}:
            check_suitable(spec, rules)
        opening, clock, take_backs = choice.opening, choice.clock or None, self.session.take_backs
        Session(rules, HUMAN, HUMAN, opening, clock, take_backs)  # validates the settings

        def then(seats: tuple[Occupant, Occupant]) -> None:
            self._start(Session(rules, *seats, opening, clock, take_backs, take_back_unit=None))

        self._with_players((choice.black, choice.white), rules, then)

    def _with_players(
        self, specs: tuple[str, str], rules: Rules, then: Callable[[tuple[Occupant, Occupant]], None]
    ) -> None:
        """Create the players, then call `then` with them; players already at the table are reused."""
        session = self.session

        def occupant(spec: str) -> Occupant:
            known = {seat.name: seat.occupant for seat in session.seats.values()}
            return (
                known[spec]
                if spec in known
                else HUMAN
                if spec == HUMAN
                else self._thinking.made(spec, rules)
            )

        def work(_: threading.Event) -> tuple[Occupant, Occupant]:
            first, second = specs
            return occupant(first), occupant(second)

        self._thinking.ask(work, then, self._failed, holds=True)

    def action_seats(self) -> None:
        """Open the dialog to change the players."""
        session = self.session
        first, second = (session.player_of(colour) for colour in (BLACK, WHITE))

        def seat(occupants: tuple[Occupant, Occupant]) -> None:
            for who, occupant in zip((first, second), occupants, strict=True):
                if occupant is not session.seats[who].occupant:
                    session.hand_over(who, occupant)
            self._say(sentences.seats(session))
            self._go_on()

        def chosen(specs: tuple[str, str] | None) -> None:
            if specs is not None:
                self._with_players(specs, session.rules, seat)

        black, white = session.seats[first].name, session.seats[second].name
        self.push_screen(Seats(black, white, self._lang), chosen)

    def action_save(self) -> None:
        """Ask for a file name and save the game."""

        def save(name: str | None) -> None:
            if name is None:
                return
            try:
                told = saved_games.save(name, self.session)
            except TengenError as error:
                self._refuse(error.message)
            else:
                self._say("terminal.saved", file=shown(name))
                if told is not None:
                    self._say(told)

        self.push_screen(FilePrompt(Message("app.save"), self._lang), save)

    def action_load(self) -> None:
        """Ask for a file name and load a saved game."""

        def load(name: str | None) -> None:
            if name is None:
                return

            def work(_: threading.Event) -> Session:
                return saved_games.load(name, lambda spec: self._thinking.made(spec, None))

            def then(session: Session) -> None:
                self._start(session)
                self._say("terminal.loaded", file=shown(name))

            self._thinking.ask(work, then, self._failed, holds=True)

        self.push_screen(FilePrompt(Message("app.load"), self._lang), load)

    def action_numbers(self) -> None:
        """Toggle the move numbers."""
        self._looks = replace(self._looks, numbers=not self._looks.numbers)
        self._draw_board()

    def action_letters(self) -> None:
        """Toggle between letters and discs as stones."""
        self._looks = replace(self._looks, letters=not self._looks.letters)
        self._draw_board()

    def action_theme(self) -> None:
        """Switch to the next theme."""
        names = list(THEMES)
        self._theme_of_board = names[(names.index(self._theme_of_board) + 1) % len(names)]
        self._draw_board()

    def action_help(self) -> None:
        """Show the help page with all keys."""
        lines = say("app.help", self._lang).split("\n")
        lines += (f"{_key_name(keys):>8}  {say(f'app.key.{does}', self._lang)}" for keys, does, _ in _KEYS)
        self._read(lambda width: "\n".join(part for line in lines for part in wrapped(line, width)))

    def action_leave(self) -> None:
        """Leave, after confirmation if a game is unfinished; a second request leaves at once."""
        if self._unfinished() and not isinstance(self.screen, Question):
            self._if_sure("app.sure.leave", self._leave)
        else:
            self._leave()

    def _leave(self) -> None:
        self._thinking.forget()
        self.exit(0)

    def _unfinished(self) -> bool:
        """Return whether leaving would abandon a game with a human player."""
        session = self.session
        return session.result is None and bool(session.actions) and bool(sentences.humans(session))

    def _if_sure(self, question: str, act: Callable[[], object]) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                act()

        self.push_screen(Question(Message(question), self._lang), answered)

    def _read(self, text: Callable[[int], str]) -> None:
        self.push_screen(TextPage(text, self._lang))


def _usual(rules: Rules) -> Rules:
    """Return the default rules of the same name."""
    return Rules.parse(rules.name)


def _key_name(keys: str) -> str:
    """Return the label of a key."""
    first = keys.partition(",")[0]
    return "?" if first == "question_mark" else first
