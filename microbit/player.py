# The perfect player: it never loses, and wins where a win can be forced.
#
# It needs no more than the line counters. Through an empty cell, a line at 2 lacks just this stone to win,
# and a line at 1 holds one stone alone. Two of those through one cell are a fork: a stone there makes two
# threats at once.

from game import LINES, count

RING = 0, 1, 2, 5, 8, 7, 6, 3  # the cells round the centre; every other one is a corner


# How many lines through a cell stand at this total.
def ways(counters, cell, total):
    found = 0
    for line in LINES[cell]:
        found += counters[line] == total
    return found


# The cell to play; `spin`, 0 to 3, turns the board and so picks among equals.
def reply(moves, spin):
    free = []
    for k in (8, 0, 2, 4, 6, 1, 3, 5, 7):  # the best places first
        cell = 4 if k == 8 else RING[(k + 2 * spin) % 8]
        if cell not in moves:
            free.append(cell)
    me = 1 - len(moves) % 2 * 2
    counters = count(moves)
    for total, needed in (2 * me, 1), (-2 * me, 1), (me, 2):  # win, stop a win, fork
        for cell in free:
            if ways(counters, cell, total) >= needed:
                return cell
    for cell in free:  # the first that leaves no fork to the other, who may have to stop a win instead
        counters = count(moves + bytes([cell]))
        forced = []
        for other in free:
            if other != cell and ways(counters, other, 2 * me):
                forced.append(other)
        fork = False
        for other in forced or free:
            fork = fork or (other != cell and ways(counters, other, -me) > 1)
        if not fork:
            break
    return cell
