# A game of two micro:bits by radio.

import radio
from match import Match
from microbit import running_time
from random import randrange


# One of the two. People choose the same channel on both, away from where other programs are.
class Duo(Match):
    def __init__(self, link, channel):
        radio.config(channel=20 + 5 * channel)
        radio.on()
        self.link = link
        self.player = None
        self.moves = b""
        self.hold = self.beat = 0
        self.number = -1  # of the game on the display

    # Ask for the next game; the mate follows when it hears the number.
    def begin(self):
        if self.link.met:
            self.link.number = (self.link.number + 1) % 256

    # Show the game that was asked for. Who plays A changes every time.
    def open(self):
        self.number = self.link.number
        colour = ((self.link.me < self.link.mate) + self.number) % 2
        self.mine = (colour,)
        Match.begin(self)
        self.show("AB"[colour], 1000)

    # Listen and speak; a question mark when the mate was not heard for three seconds.
    def others(self):
        now = running_time()
        news = None
        packet = radio.receive_bytes()
        if packet:
            news = self.link.hear(packet, self.moves)
        if news is not None:
            self.heard = now
        if self.link.met and self.number != self.link.number:
            self.open()
        if now >= self.beat:
            radio.send_bytes(self.link.packet(self.moves))
            self.beat = now + 80 + randrange(80)  # two that always spoke at once would never hear
        if not self.link.met:
            return None
        if now > self.heard + 3000:
            self.show("?", 100)
            return None
        return news or []
