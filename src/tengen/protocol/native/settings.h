/* The values of INFO lines, and the limit of a move that follows from them.

   As `tengen.gomocup.info_values` and `tengen.protocol.game_settings`. */

#ifndef TENGEN_SETTINGS_H
#define TENGEN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"
#include "text.h"

enum { KEYS = 11 };

typedef struct {
    int64_t max_memory, timeout_match, timeout_turn, time_increment, max_depth, max_node, rule, thread_num,
        time_left;
    bool has_timeout_turn, has_thread_num, has_time_left;
    bool yixin;                      /* the manager is Yixin-Board, whose rule 2 is renju */
    char complaints[KEYS][SENTENCE]; /* about the last value of each key, which was ignored; or empty */
} Settings;

/* What an INFO line has done, as flags: a limit has changed, or the rules; the time left was there. */
enum { LIMIT_CHANGED = 1, RULE_CHANGED = 2, TIME_LEFT_TOLD = 4 };

/* Take the value of a line; an invalid one changes nothing, and leaves a complaint. Return what it has done. */
int settings_update(Settings *settings, const char *text);

/* Return the place of the rules that are played among those that are known. */
int settings_rule(const Settings *settings);

/* Write a remark if the rules that are played are not those received; return whether there is one. */
bool settings_rule_remark(const Settings *settings, char out[SENTENCE]);

int settings_threads(const Settings *settings);

/* Return the megabytes of the transposition table that keep the process within `max_memory`. */
int64_t settings_megabytes(const Settings *settings);

/* Return the limit of the next move.

   `elapsed` are the seconds since the move was requested, `used` those of all moves of this game so far. */
Limit settings_limit(const Settings *settings, double elapsed, double used);

/* Return the limit of an immediate move. */
Limit at_once(int64_t nodes, int64_t depth);

/* Return the most seconds that a move may take within a limit; infinite for no bound. */
double seconds_of(const Limit *limit);

bool equal_limits(const Limit *one, const Limit *other);

#endif
