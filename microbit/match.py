# A game on the display and the buttons.

from game import result
from microbit import Image, button_a, button_b, display, running_time
from random import randrange

LIGHT = 9, 3  # of the stones of A and of B
held = [0]


# What was pressed, once all is let go: 0 nothing, 1 button A, 2 button B, 3 both.
def buttons():
    held[0] |= button_a.was_pressed() + 2 * button_b.was_pressed()
    if button_a.is_pressed() or button_b.is_pressed():
        return 0
    pressed, held[0] = held[0], 0
    return pressed


# `mine` are the colours played here, 0 for A and 1 for B; `player` plays the other, if there is one.
class Match:
    def __init__(self, mine, player=None):
        self.mine = mine
        self.player = player
        self.begin()

    # Begin, or begin again.
    def begin(self):
        self.moves = b""
        self.result = ""
        self.cursor = 0
        self.hold = 0  # the display is left as it is until then
        self.touched = running_time()

    # Show a sign instead of the board, for some milliseconds.
    def show(self, sign, time):
        display.show(sign)
        self.hold = running_time() + time

    # Whether the buttons play the next stone.
    def my_turn(self):
        return len(self.moves) % 2 in self.mine and not self.result

    # Play a cell; an X where there is a stone already.
    def drop(self, cell):
        self.touched = running_time()
        if cell in self.moves:
            self.show(Image.NO, 500)
        else:
            self.moves += bytes([cell])
            self.result = result(self.moves)

    # The cells that were played elsewhere; None as long as there is nobody to play with.
    def others(self):
        return []

    # To be called all the time. Calls within calls need memory, too: the first micro:bit bears six.
    def step(self):
        played = self.others()
        if self.player and not self.result and not self.my_turn() and running_time() > self.touched + 800:
            played = [self.player(self.moves, randrange(4))]
        pressed = buttons()
        for cell in played or []:
            self.drop(cell)
        if pressed == 3:
            self.begin()
        elif pressed and played is not None and self.my_turn():
            self.touched = running_time()
            self.hold = 0
            if pressed == 2:
                self.drop(self.cursor)
            else:
                self.cursor = (self.cursor + 1) % 9
        if played is not None and running_time() >= self.hold:
            self.draw(running_time() - self.touched)

    # Show the board or, when it has been seen for a while, the result.
    def draw(self, time):
        if self.result and time > 1500:
            display.scroll(self.result, wait=False, loop=True)
            self.hold = 1 << 30
            return
        board = bytearray(25)
        colour = 0
        for cell in self.moves:
            board[cell // 3 * 10 + cell % 3 * 2] = LIGHT[colour]
            colour = 1 - colour
        if self.my_turn():
            spot = self.cursor // 3 * 10 + self.cursor % 3 * 2
            quarter = time // 250 % 4
            if not board[spot]:
                board[spot] = 0 if quarter % 2 else LIGHT[colour]
            elif quarter == 3:  # over a stone the cursor only winks
                board[spot] = 0
        display.show(Image(5, 5, board))
