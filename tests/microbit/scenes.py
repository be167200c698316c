"""What happens at the micro:bit, for the tests and for the pictures; runs on CPython and on MicroPython."""

from .fake import Air, Device

WORKED = 4, 2, 1, 7, 0, 8, 5, 6
"""The moves of the worked example of origin O1: the cells at 2,2 4,0 2,0 2,4 0,0 4,4 4,2 0,4."""

DRAWN = 4, 0, 2, 6, 3, 5, 1, 7, 8
A_WINS = 0, 3, 1, 4, 2


def taps(moves, cursor=0):
    """The buttons for these moves."""
    names = []
    for cell in moves:
        names += ["A"] * ((cell - cursor) % 9) + ["B"]
        cursor = cell
    return " ".join(names)


def two_people(moves, then="", longer=3000):
    """A game of two people, from the menu on, and what they press after it."""
    device = Device()
    device.tap("B " + taps(moves))
    device.tap(then)
    return device.run(longer)


def against(way, moves, seed=1, longer=3000):
    """A game against the micro:bit; it gets time to answer. The moves are those of the person."""
    device = Device(seed=seed)
    device.tap("A B" if way == "A" else "A A B")
    cursor = 0
    for cell in moves:
        device.tap("-", 1500)
        device.tap(taps([cell], cursor))
        cursor = cell
    return device.run(longer)


class Pair:
    """Two micro:bits that play by radio, or as many as there are ways."""

    def __init__(self, air=None, ways=("R3", "R3"), seed=1):
        self.air = air or Air()
        self.devices = []
        self.matches = []
        for number, way in enumerate(ways):
            serial = bytes([seed * 7 % 251, 9 - number, seed % 256, number, 0, 0, 0, 0])
            self.devices.append(Device(self.air, serial, seed + number, start=1000 * number))
            self.matches.append(self.devices[-1].seat(way))

    def go(self, time, until=None):
        """Go on for a time, or until something is true; whether it is."""
        for _ in range(0, time, 20):
            if until and until():
                return True
            for device, match in zip(self.devices, self.matches):
                device.step(match)
        return bool(until and until())

    def met(self):
        """Whether all have met."""
        return all(match.link.met for match in self.matches)

    def agree(self):
        """Whether all know the same game."""
        return len({(match.link.number, match.moves) for match in self.matches}) == 1

    def turn(self):
        """Who is to move, by number."""
        return [match.my_turn() for match in self.matches].index(True)

    def tap(self, number, names):
        """Press buttons now, and wait until that is done."""
        device = self.devices[number]
        device.planned = device.now
        device.tap(names)
        self.go(device.planned - device.now)

    def play(self, *cells):
        """Play these cells, each on the micro:bit whose turn it is, waiting for the other to know it."""
        for cell in cells:
            number = self.turn()
            self.tap(number, taps([cell], self.matches[number].cursor))
            if not self.go(10000, self.agree):
                raise AssertionError("a move was not heard for ten seconds")


def by_radio(air=None):
    """A game by radio in which B wins: the worked example."""
    pair = Pair(air)
    pair.go(10000, pair.met)
    pair.go(1500)
    pair.play(*WORKED)
    pair.go(2500)
    return pair
