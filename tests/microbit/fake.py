"""Micro:bits without hardware, in a time of their own: `sleep` moves it on, and nothing else does.

This runs on CPython and, unchanged, on MicroPython. What it knows of the real ones, such as their letters,
was asked of MicroPython 1.0.1 for the micro:bit.
"""

import sys

FOLDER = __file__.replace("\\", "/").rsplit("/", 3)[0] + "/microbit"
SCRIPTS = "game", "player", "match", "link", "duo", "main"
HARDWARE = "microbit", "radio", "machine", "random"

LETTERS = {
    "0": "09900 90090 90090 90090 09900",
    "1": "00900 09900 00900 00900 09990",
    "2": "99900 00090 09900 90000 99990",
    "3": "99990 00090 00900 90090 09900",
    "4": "00990 09090 90090 99999 00090",
    "5": "99999 90000 99990 00009 99990",
    "6": "00090 00900 09990 90009 09990",
    "7": "99999 00090 00900 09000 90000",
    "8": "09990 90009 09990 90009 09990",
    "9": "09990 90009 09990 00900 09000",
    "A": "09900 90090 99990 90090 90090",
    "B": "99900 90090 99900 90090 99900",
    "R": "99900 90090 99900 90090 90009",
    "?": "09990 90009 00990 00000 00900",
}
X = "90009 09090 00900 09090 90009"


class Over(Exception):
    """The time of a device is up."""


class Namespace:
    """A module."""

    def __init__(self, **names):
        for name, value in names.items():
            setattr(self, name, value)


class Image:
    """A picture of 5x5 lights, from 0 to 9 bright."""

    def __init__(self, width, height, lights):
        if (width, height, len(lights)) != (5, 5, 25) or not all(0 <= light <= 9 for light in lights):
            raise ValueError("image data is incorrect size")
        text = "".join(str(light) for light in lights)
        self.rows = " ".join(text[at : at + 5] for at in range(0, 25, 5))


setattr(Image, "NO", Image(5, 5, [int(light) for light in X if light != " "]))  # noqa: B010 - for mypy


class Display:
    """What is to be seen: five rows of lights as text, or a text in quotes that is scrolled."""

    def __init__(self):
        self.seen = "00000 00000 00000 00000 00000"

    def show(self, image):
        self.seen = image.rows if isinstance(image, Image) else LETTERS[image]

    def scroll(self, text, wait=True, loop=False):
        if wait or not loop:
            raise ValueError("the game has to go on while a text is scrolled")
        self.seen = repr(text)


class Button:
    """A button that is pressed according to plan: `taps` are pairs of times, down and up."""

    def __init__(self, device):
        self.device = device
        self.taps = []
        self.asked = 0

    def is_pressed(self):
        return any(down <= self.device.now < up for down, up in self.taps)

    def was_pressed(self):
        since, self.asked = self.asked, self.device.now
        return any(since < down <= self.device.now for down, up in self.taps)


class Chance:
    """As random as needed, and the same on every Python."""

    def __init__(self, seed):
        self.seed = seed

    def randrange(self, stop):
        self.seed = (self.seed * 1103515245 + 12345) % (1 << 31)
        return (self.seed >> 16) % stop


class Air:
    """What carries packets. It loses, doubles and delays them as often as it is told to, in percent.

    Packets with different delays come in another order.
    """

    def __init__(self, lost=0, doubled=0, delayed=0, longest=0, seed=0):
        self.lost, self.doubled, self.delayed, self.longest = lost, doubled, delayed, longest
        self.chance = Chance(seed)
        self.radios = []
        self.sent = 0

    def carry(self, sender, packet):
        self.sent += 1
        for radio in self.radios:
            if radio is sender or not radio.is_on or radio.channel != sender.channel:
                continue
            for _ in range(2 if self.percent(self.doubled) else 1):
                if not self.percent(self.lost):
                    late = self.chance.randrange(self.longest) if self.percent(self.delayed) else 0
                    radio.coming.append((radio.device.now + late, packet))

    def percent(self, share):
        return self.chance.randrange(100) < share


class Radio:
    """A radio with the queue of three packets that it has."""

    def __init__(self, device, air):
        self.device, self.air = device, air
        self.is_on = False
        self.channel = 7
        self.coming = []
        self.queue = []
        air.radios.append(self)

    def on(self):
        self.is_on = True

    def config(self, channel):
        if not 0 <= channel <= 83:
            raise ValueError("value out of range for argument 'channel'")
        self.channel = channel

    def send_bytes(self, packet):
        if not self.is_on:
            raise ValueError("radio is not enabled")
        self.air.carry(self, bytes(packet)[:32])

    def receive_bytes(self):
        """The oldest packet of the queue; what did not fit into it is gone."""
        if not self.is_on:
            raise ValueError("radio is not enabled")
        arrived = [entry for entry in self.coming if entry[0] <= self.device.now]
        self.coming = [entry for entry in self.coming if entry[0] > self.device.now]
        arrived.sort(key=lambda entry: entry[0])
        self.queue = (self.queue + [packet for _, packet in arrived])[:3]
        return self.queue.pop(0) if self.queue else None


class Within:
    """While this lasts, what is imported comes from a device."""

    def __init__(self, device):
        self.device = device

    def __enter__(self):
        self.kept = {name: sys.modules.pop(name) for name in SCRIPTS + HARDWARE if name in sys.modules}
        sys.modules.update(self.device.modules)
        sys.path.insert(0, FOLDER)

    def __exit__(self, kind, error, trace):
        sys.path.remove(FOLDER)
        for name in SCRIPTS + HARDWARE:
            if name in sys.modules:
                self.device.modules[name] = sys.modules.pop(name)
        sys.modules.update(self.kept)


class Device:
    """One micro:bit, with the scripts of the game.

    `frames` are what could be seen, one after another, and `times` since when. `modules` are its
    hardware, and those of the scripts that were loaded so far.
    """

    def __init__(self, air=None, serial=b"\1\2\3\4\5\6\7\x08", seed=1, start=0):
        self.now = self.planned = self.end = start
        self.display = Display()
        self.buttons = {"A": Button(self), "B": Button(self)}
        self.serial = serial
        self.radio = Radio(self, air or Air())
        self.frames = []
        self.times = []
        self.chance = Chance(seed)
        self.modules = {
            "microbit": Namespace(
                Image=Image,
                button_a=self.buttons["A"],
                button_b=self.buttons["B"],
                display=self.display,
                running_time=lambda: self.now,
                sleep=self.sleep,
            ),
            "radio": self.radio,
            "machine": Namespace(unique_id=lambda: serial),
            "random": Namespace(randrange=self.chance.randrange),
        }

    def sleep(self, time):
        """Let it be seen what is on the display, and go on to a later time."""
        if not self.frames or self.frames[-1] != self.display.seen:
            self.frames.append(self.display.seen)
            self.times.append(self.now)
        self.now += time
        if self.now > self.end:
            raise Over

    def step(self, match):
        """A turn of the loop in `main`, for a match."""
        match.step()
        self.end = self.now + 20
        self.sleep(20)

    def tap(self, names, after=200):
        """Plan to press buttons for 100 ms one after another, such as "A B A+B" or, for none, "-"."""
        for name in names.split():
            for button in name.split("+"):
                if button != "-":
                    self.buttons[button].taps.append((self.planned + 50, self.planned + 150))
            self.planned += after

    def load(self, name):
        """One of the scripts, with this hardware under it."""
        with Within(self):
            return __import__(name)

    def seat(self, way):
        """The match that the menu gives for "2", "A" or "B", or for "R" and a digit."""
        with Within(self):
            if way[0] == "R":
                link = __import__("link").Link(self.serial[:4])
                return __import__("duo").Duo(link, int(way[1]))
            return __import__("main").seat(way)

    def run(self, longer=1000):
        """Switch it on, and run it until everything planned is done and some time longer."""
        self.end = self.planned + longer
        with Within(self):
            try:
                with open(FOLDER + "/main.py") as script:
                    exec(script.read(), {"__name__": "__main__"})
            except Over:
                pass
        return self
