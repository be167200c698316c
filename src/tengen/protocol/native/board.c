#include "board.h"

#include <string.h>

#include "engine.h"

enum { IN_A_ROW = 5 };

int count_of(const Board *board, int colour) {
    int count = 0;
    for (int point = 0; point < board->size * board->size; point++) {
        count += board->cells[point] == colour;
    }
    return count;
}

static bool has_fouls(int rule) {
    const struct parameters *rules = &tengen_parameters[rule];
    return rules->overlines || rules->double_fours || rules->double_threes;
}

/* Count the stones of a colour from a point on, without it; `enemy` receives whether the other colour is next. */
static int run(const Board *board, int x, int y, int dx, int dy, int colour, bool *enemy) {
    int length = 0, size = board->size;
    for (x += dx, y += dy; x >= 0 && x < size && y >= 0 && y < size; x += dx, y += dy) {
        int cell = board->cells[y * size + x];
        if (cell != colour) {
            *enemy = cell != EMPTY;
            return length;
        }
        length++;
    }
    *enemy = false; /* the edge is no enemy */
    return length;
}

/* Return whether a row through a stone of a colour wins. */
static bool wins_through(const Board *board, int point, int colour) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const struct parameters *rules = &tengen_parameters[board->rule];
    int x = point % board->size, y = point / board->size;
    for (int direction = 0; direction < 4; direction++) {
        int dx = steps[direction][0], dy = steps[direction][1];
        bool ahead, behind;
        int length = 1 + run(board, x, y, dx, dy, colour, &ahead);
        length += run(board, x, y, -dx, -dy, colour, &behind);
        if (length > IN_A_ROW && (rules->overline_wins || (rules->overlines && colour == WHITE))) {
            return true;
        }
        if (length == IN_A_ROW && !(rules->closed && ahead && behind)) {
            return true;
        }
    }
    return false;
}

static bool has_five(const Board *board, int colour) {
    for (int point = 0; point < board->size * board->size; point++) {
        if (board->cells[point] == colour && wins_through(board, point, colour)) {
            return true;
        }
    }
    return false;
}

int fouls_of(const Board *board, int *points) {
    if (!has_fouls(board->rule) || board->ending == WON) {
        return 0;
    }
    return find_fouls(board, points);
}

int count_legal(const Board *board) {
    int points[MOST_POINTS], count = count_of(board, EMPTY);
    bool barred = board->turn == BLACK && tengen_parameters[board->rule].barred;
    return barred ? count - fouls_of(board, points) : count;
}

static void end_if_stuck(Board *board) {
    if (board->ending == ONGOING && count_legal(board) == 0) {
        board->ending = DRAWN;
    }
}

void board_clear(Board *board, int rule, int size) {
    memset(board, 0, sizeof *board);
    board->rule = rule;
    board->size = size;
    board->turn = BLACK;
}

void board_set_up(Board *board, int rule, int size, const uint8_t *cells, int turn) {
    uint8_t copy[MOST_POINTS] = {0}; /* the cells may be those of this board */
    memcpy(copy, cells, (size_t)(size * size));
    board_clear(board, rule, size);
    memcpy(board->cells, copy, sizeof copy);
    memcpy(board->setup, copy, sizeof copy);
    board->has_setup = true;
    board->turn = board->setup_turn = turn;
    if (has_five(board, opponent(turn)) || has_five(board, turn)) {
        board->ending = WON;
    }
    end_if_stuck(board);
}

static bool is_forbidden_to_black(const Board *board, int point) {
    int points[MOST_POINTS], count = fouls_of(board, points);
    for (int place = 0; place < count; place++) {
        if (points[place] == point) {
            return true;
        }
    }
    return false;
}

bool board_push(Board *board, int point) {
    if (board->ending != ONGOING || board->cells[point] != EMPTY) {
        return false;
    }
    bool barred = board->turn == BLACK && tengen_parameters[board->rule].barred;
    if (barred && is_forbidden_to_black(board, point)) {
        return false;
    }
    int colour = board->turn;
    board->cells[point] = (uint8_t)colour;
    board->moves[board->ply++] = (int16_t)point;
    board->turn = opponent(colour);
    board->ending = wins_through(board, point, colour) ? WON : ONGOING;
    end_if_stuck(board);
    return true;
}

void board_put(Board *board, int point) {
    if (!board_push(board, point)) {
        uint8_t cells[MOST_POINTS];
        memcpy(cells, board->cells, sizeof cells);
        cells[point] = BLACK;
        board_set_up(board, board->rule, board->size, cells, opponent(board->turn));
    }
}

void board_pop(Board *board) {
    board->cells[board->moves[--board->ply]] = EMPTY;
    board->turn = opponent(board->turn);
    board->ending = ONGOING;
}

void board_after(Board *board, int rule, int size, const int *points, int count) {
    board_clear(board, rule, size);
    for (int ply = 0; ply < count; ply++) {
        if (!board_push(board, points[ply])) {
            uint8_t cells[MOST_POINTS] = {0};
            for (int each = 0; each < count; each++) {
                cells[points[each]] = each % 2 ? WHITE : BLACK;
            }
            board_set_up(board, rule, size, cells, count % 2 ? WHITE : BLACK);
            return;
        }
    }
}

void board_of_stones(Board *board, int rule, int size, const Stones *stones) {
    int own = 0;
    for (int place = 0; place < stones->count; place++) {
        own += stones->own[place];
    }
    bool is_black = own >= stones->count - own;
    bool in_turn = (stones->count % 2 == 0) == is_black;
    for (int place = 0; place < stones->count; place++) {
        in_turn = in_turn && stones->own[place] == (is_black == (place % 2 == 0));
    }
    if (in_turn) {
        board_after(board, rule, size, stones->points, stones->count);
        return;
    }
    uint8_t cells[MOST_POINTS] = {0};
    for (int place = 0; place < stones->count; place++) {
        cells[stones->points[place]] = stones->own[place] == is_black ? BLACK : WHITE;
    }
    board_set_up(board, rule, size, cells, is_black ? BLACK : WHITE);
}

void board_under(Board *board, int rule) {
    if (board->rule == rule) {
        return;
    }
    if (board->has_setup) {
        board_set_up(board, rule, board->size, board->cells, board->turn);
        return;
    }
    int points[MOST_POINTS], count = board->ply;
    for (int ply = 0; ply < count; ply++) {
        points[ply] = board->moves[ply];
    }
    board_after(board, rule, board->size, points, count);
}
