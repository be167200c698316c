/* The searches that run beside the session: one answer at a time, with its limit and its time.

   As `tengen.protocol.thinking`. All functions are called in the session's thread. */

#ifndef TENGEN_THINKING_H
#define TENGEN_THINKING_H

#include <stdbool.h>
#include <stddef.h>

#include "board.h"
#include "engine.h"
#include "settings.h"

/* What the session waits for. */
typedef enum { LINE, REPORT, DONE, END_OF_INPUT } EventKind;

typedef struct Event Event;

struct Event {
    EventKind kind;
    Event *next;
    double at;     /* the time of arrival */
    bool is_first; /* of a line: it, or its beginning, arrived apart from the line before */
    Result result; /* of a report */
    char text[];   /* of a line */
};

/* Called with the best moves when a search has finished. */
typedef void Finish(const Board *board, const Ranking *ranking, double asked);

/* Called with the points of an opening. */
typedef void Opened(const Board *board, const int *points);

extern Settings settings;

/* Make an event with room for so many characters, and queue it; any thread may call them. */
Event *event_new(EventKind kind, size_t length);
void post(Event *event);

/* Return whether an answer is pending, and whether it is that of a search which can be stopped. */
bool is_busy(void);
bool is_searching(void);

/* Return the seconds until the search has to be stopped; negative for never. */
double patience(void);

/* Search for some lines, then call `finish`. */
void think(const Board *board, double asked, int lines, bool playing, Finish *finish);

/* Choose an opening of three stones on a board, then call `opened`. */
void open_swap2(const Board *board, double asked, Opened *opened);

/* End the search at once, with the best result so far; `late` stops it because of the time. */
void stop_thinking(bool late);

/* Handle a report, or the end of a search. */
void thinking_reported(const Result *result);
void thinking_done(void);

/* Apply changed settings to the running search. */
void relimit(void);

/* Reset the clock, and forget former moves. */
void new_game(void);

/* Charge the clock for a move that is about to be sent. */
void charge_move(double asked);

/* Note that the time left in the game has just been set. */
void time_left_told(void);

/* Prepare for the end: running and queued work gets less than a second in all. */
void hurry(void);

#endif
