/* The engine: the records that kernels work on, and searches within a limit, as `tengen.engine.engine` does them. */

#ifndef TENGEN_ENGINE_H
#define TENGEN_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "generated.h"

/* The limit of a search. */
typedef struct {
    double seconds; /* infinite for no limit */
    int64_t nodes;  /* 0 for no limit */
    int64_t depth;  /* 0 for no limit */
    bool has_clock; /* then seconds are only a proposal */
    double left, increment, turn;
} Limit;

/* The result of an iteration for one of the lines. */
typedef struct {
    int number; /* of the line, from 0 */
    int point;
    int64_t score, depth, nodes;
    double seconds; /* since the beginning */
    int length;
    int16_t line[PLIES]; /* the principal variation, points */
} Result;

enum { MOST_LINES = COMMANDS_MOST_LINES };

/* The best moves, the best first. */
typedef struct {
    int lines, count;
    Result results[MOST_LINES];
} Ranking;

typedef void Report(void *argument, const Result *result);

/* Set the number of threads, and the megabytes of the transposition table. */
void engine_configure(int threads, int64_t megabytes);

/* Fill the records for some rules and a size, before any clock runs. */
void engine_prepare(int rule, int size);

/* Forget the tables of former moves. */
void engine_forget(void);

/* Write the points where a black stone would be a foul, whatever the rest of the rules says. */
int find_fouls(const Board *board, int *points);

/* Prepare a search, so that it can be stopped from now on. */
void engine_begin(const Board *board, const Limit *limit, int lines, bool playing);

/* Search within the limit; report each result, and collect the best moves, one at least. */
void engine_run(Ranking *ranking, Report *report, void *argument);

/* End the search at once; any thread may call it. */
void engine_stop(void);

#endif
