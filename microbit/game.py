# The rules. Cells are 0, 1, 2 in the top row to 6, 7, 8 in the bottom row.
#
# A game is the cells of its moves, as bytes; A made the first. All else can be worked out from that.


# The lines through each cell: columns are 0, 1, 2, rows 3, 4, 5, the diagonals 6 and 7.
LINES = (
    (0, 3, 6), (1, 3), (2, 3, 7),
    (0, 4), (1, 4, 6, 7), (2, 4),
    (0, 5, 7), (1, 5), (2, 5, 6),
)  # fmt: skip


# The eight line counters: a stone of A adds 1 to each line through its cell, one of B takes 1 away.
def count(moves):
    counters = [0] * 8
    value = 1
    for cell in moves:
        for line in LINES[cell]:
            counters[line] += value
        value = -value
    return counters


# What is announced at the end of a game; nothing before.
def result(moves):
    counters = count(moves)
    if 3 in counters:
        return "A Win"
    if -3 in counters:
        return "B Win"
    return "Draw Game" if len(moves) == 9 else ""
