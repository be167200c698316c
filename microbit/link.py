# Who plays with whom by radio, and what the packets say.
#
# Each says all it knows, several times a second: who it is, whom it plays with, which game this is, and
# all its moves. So the next packet makes good for a lost one, and one that comes twice or late says
# nothing new.

NOBODY = bytes(4)


class Link:
    def __init__(self, me):
        self.me = me
        self.mate = NOBODY
        self.met = False  # once the mate has named me, nobody else is heard
        self.number = 0  # of the game

    def packet(self, moves):
        return b"T5" + self.me + self.mate + bytes([self.number]) + moves

    # Learn from a packet. The moves in it that are news; None where it was not from the mate to me.
    def hear(self, packet, known):
        if packet[:2] != b"T5" or len(packet) < 11:
            return None
        sender, named, number, moves = packet[2:6], packet[6:10], packet[10], packet[11:]
        if not self.met:
            if self.mate == NOBODY and named in (NOBODY, self.me):
                self.mate = sender
            elif sender == self.mate and named not in (NOBODY, self.me):
                self.mate = NOBODY  # it has found somebody else
        if sender != self.mate or named != self.me:
            return None
        if not self.met or 0 < (number - self.number) % 256 < 128:
            self.met = True
            self.number = number
            return moves
        return moves[len(known) :] if number == self.number and moves[: len(known)] == known else b""
