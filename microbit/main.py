# Tengen on the micro:bit: tic-tac-toe on the 5x5 display, with two buttons.
#
# At the start A shows the next way to play, B takes it: 2 people on this micro:bit, you as A or as B
# against it, or R: two micro:bits by radio. In the game A moves the cursor to the next cell, B drops a
# stone, A and B together begin again. Stones of A are bright, those of B dim.

from machine import unique_id
from match import Match, buttons
from microbit import display, sleep


# Let A go through the options and B take one.
def choose(options):
    at = 0
    while True:
        display.show(options[at])
        pressed = buttons()
        if pressed == 1:
            at = (at + 1) % len(options)
        elif pressed == 2:
            return options[at]
        sleep(20)


# The match that was chosen. What it needs is loaded only now: there is little memory.
def seat(way):
    if way == "2":
        return Match((0, 1))
    if way == "R":
        from link import Link
        from duo import Duo  # what it needs comes first: loading within loading takes more

        return Duo(Link(unique_id()[:4]), int(choose("0123456789")))
    from player import reply

    return Match(("AB".index(way),), reply)


if __name__ == "__main__":
    match = seat(choose("2ABR"))
    while True:
        match.step()
        sleep(20)
