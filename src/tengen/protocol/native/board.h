/* A position with its history, as `tengen.game.board` has it: legal moves, moves played, and the end of the game. */

#ifndef TENGEN_BOARD_H
#define TENGEN_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "generated.h"

enum { EMPTY, BLACK, WHITE };
enum { MOST_POINTS = PLAYABLE_LARGEST * PLAYABLE_LARGEST };

/* The end of a game: none yet, five in a row, or no legal point. */
typedef enum { ONGOING, WON, DRAWN } Ending;

typedef struct {
    int rule; /* its place among the rules that are played, see `RULE_NUMBERS` */
    int size;
    int turn;
    int ply; /* moves played since the empty board or the set-up position */
    int setup_turn;
    Ending ending;
    bool has_setup;
    uint8_t cells[MOST_POINTS]; /* by point, y * size + x, y from the bottom */
    uint8_t setup[MOST_POINTS];
    int16_t moves[MOST_POINTS];
} Board;

/* Stones in the order sent; `own` are those of the side that moves next. */
typedef struct {
    int count;
    int points[MOST_POINTS];
    bool own[MOST_POINTS];
} Stones;

static inline int opponent(int colour) { return BLACK + WHITE - colour; }

/* Return the number of stones of a colour, or of empty points. */
int count_of(const Board *board, int colour);

/* Make an empty board. */
void board_clear(Board *board, int rule, int size);

/* Set up stones, by point; a row of five ends the game, that of the side that is not to move first. */
void board_set_up(Board *board, int rule, int size, const uint8_t *cells, int turn);

/* Make the board after some moves, or with the stones set up if the rules forbid the moves. */
void board_after(Board *board, int rule, int size, const int *points, int count);

/* Make the board of a list of stones: its moves if they come in turn, else a set-up position. */
void board_of_stones(Board *board, int rule, int size, const Stones *stones);

/* Change the rules of a board. */
void board_under(Board *board, int rule);

/* Play a move of the side to move; false if it is not legal. */
bool board_push(Board *board, int point);

/* Put a stone of the side to move on an empty point; a foul is accepted. */
void board_put(Board *board, int point);

/* Take the last move back. */
void board_pop(Board *board);

/* Write the points where a black stone would be a foul, and return their number. */
int fouls_of(const Board *board, int *points);

/* Return the number of legal points of the side to move in a game that is not over. */
int count_legal(const Board *board);

#endif
