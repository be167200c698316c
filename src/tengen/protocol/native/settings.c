#include "settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXACTLY_FIVE = 1, CONTINUOUS = 2, RENJU = 4, CARO = 8 };

static const char *const KEY_NAMES[KEYS] = {
    "max_memory", "timeout_match", "timeout_turn", "time_increment", "max_depth", "max_node",
    "game_type",  "rule",          "thread_num",   "time_left",      "folder",
};

enum { KEY_GAME_TYPE = 6, KEY_RULE = 7, KEY_TIME_LEFT = 9, KEY_FOLDER = 10 };

static const char *const YIXIN_ONLY[] = {
    "caution_factor", "checkmate",          "hash_size",   "nbestsym", "show_detail",
    "start_depth",    "thread_split_depth", "usedatabase", "vcthread", NULL,
};

static int key_of(const char *name) {
    for (int key = 0; key < KEYS; key++) {
        if (strcmp(KEY_NAMES[key], name) == 0) {
            return key;
        }
    }
    return -1;
}

static bool is_clock(int key) { return (key >= 1 && key <= 3) || key == KEY_TIME_LEFT; }

static bool is_bound(int key) { return key == 4 || key == 5; }

/* Return the number of the rules without the flags that are not supported, or -1 if the rest makes no sense. */
static int64_t nearest(int64_t rule) {
    int64_t known = rule & (EXACTLY_FIVE | RENJU | CARO);
    return rule < 0 || (known & RENJU && known & CARO) ? -1 : known;
}

static void complain(char out[SENTENCE], const char *key, const char *value) {
    char shown[SENTENCE];
    shorten(value, NOTATION_SHOWN, shown);
    fill(out, TEXT_ERROR_GOMOCUP_INFO, "key", key, "value", shown, NULL);
}

static int put(Settings *settings, int key, int64_t number) {
    int64_t *const values[KEYS] = {
        &settings->max_memory, &settings->timeout_match, &settings->timeout_turn, &settings->time_increment,
        &settings->max_depth,  &settings->max_node,      NULL,                    &settings->rule,
        &settings->thread_num, &settings->time_left,     NULL,
    };
    bool *const flags[KEYS] = {[2] = &settings->has_timeout_turn,
                               [8] = &settings->has_thread_num,
                               [9] = &settings->has_time_left};
    bool is_new = flags[key] != NULL && !*flags[key];
    if (flags[key] != NULL) {
        *flags[key] = true;
    }
    int done = key == KEY_TIME_LEFT ? TIME_LEFT_TOLD : 0;
    if (values[key] == NULL || (*values[key] == number && !is_new)) {
        return done;
    }
    *values[key] = number;
    if (is_clock(key) || is_bound(key)) {
        done |= LIMIT_CHANGED;
    }
    return key == KEY_RULE ? done | RULE_CHANGED : done;
}

int settings_update(Settings *settings, const char *text) {
    char name[WORD];
    const char *value = split_word(text, name);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    for (int place = 0; YIXIN_ONLY[place] != NULL; place++) {
        if (strcmp(name, YIXIN_ONLY[place]) == 0) {
            settings->yixin = true;
            return 0;
        }
    }
    int key = key_of(name);
    if (key < 0 || key == KEY_FOLDER) {
        return 0;
    }
    char *complaint = settings->complaints[key];
    int64_t number;
    bool exact;
    bool is_kind = key == KEY_RULE || key == KEY_GAME_TYPE;
    if (!parse_value(value, &number, &exact) || (is_kind && !exact)) {
        complain(complaint, name, value);
        return 0;
    }
    if (is_clock(key) && number > INFO_VALUES_UNLIMITED) {
        number = INFO_VALUES_UNLIMITED; /* weeks */
    }
    bool is_negative = number < 0 && key <= 3; /* an amount of time or memory */
    if (!is_kind && key != KEY_TIME_LEFT && number < 0) {
        number = 0; /* a negative bound on nodes or plies means none to some managers */
    }
    if (key == KEY_RULE && nearest(number) < 0) {
        char shown[WORD];
        snprintf(shown, sizeof shown, "%" PRId64, number);
        fill(complaint, TEXT_ERROR_GOMOCUP_RULE, "rule", shown, NULL);
        return 0;
    }
    complaint[0] = '\0';
    if (is_negative) {
        char shown[SENTENCE];
        shorten(value, NOTATION_SHOWN, shown);
        fill(complaint, TEXT_ERROR_GOMOCUP_NEGATIVE, "key", name, "value", shown, NULL);
    }
    return put(settings, key, number);
}

static bool is_yixin_renju(const Settings *settings) {
    return settings->yixin && settings->rule == CONTINUOUS;
}

static int64_t played(const Settings *settings) {
    return is_yixin_renju(settings) ? RENJU : nearest(settings->rule);
}

int settings_rule(const Settings *settings) {
    int64_t number = played(settings);
    if (number & RENJU) {
        number = RENJU; /* White's overlines win all the same */
    }
    for (int place = 0; place < RULES; place++) {
        if (RULE_NUMBERS[place] == number) {
            return place;
        }
    }
    return 0;
}

bool settings_rule_remark(const Settings *settings, char out[SENTENCE]) {
    if (played(settings) == settings->rule || is_yixin_renju(settings)) {
        return false;
    }
    char rule[WORD];
    snprintf(rule, sizeof rule, "%" PRId64, settings->rule);
    fill(out, TEXT_GOMOCUP_RULE, "rule", rule, "rules", RULE_NAMES[settings_rule(settings)], NULL);
    return true;
}

int settings_threads(const Settings *settings) {
    int64_t threads = settings->has_thread_num ? settings->thread_num : DEFAULTS_THREADS;
    threads = threads < 1 ? 1 : threads;
    return threads > GAME_SETTINGS_MOST_THREADS ? GAME_SETTINGS_MOST_THREADS : (int)threads;
}

int64_t settings_megabytes(const Settings *settings) {
    if (settings->max_memory == 0) {
        return DEFAULTS_MEMORY;
    }
    /* The program and its libraries, and the records beside the tables, some of them twice. */
    const int64_t program = 10 << 20;
    int64_t thread = sizeof(struct state) + sizeof(struct scratch);
    int64_t process = program + (int64_t)(sizeof(struct networks) + sizeof(struct tables) +
                                          sizeof(struct deepening) + 3 * sizeof(struct state));
    process += thread * settings_threads(settings);
    int64_t left = (settings->max_memory - process) >> 20;
    left = left * ENGINE_PN_TABLE_DIVISOR / (ENGINE_PN_TABLE_DIVISOR + 1);
    left = left < 1 ? 1 : left;
    return left > GAME_SETTINGS_MOST_MEMORY ? GAME_SETTINGS_MOST_MEMORY : left;
}

/* Return the reserve of a move's time for the manager's overhead; at most half of it. */
static double reserve(double turn) {
    return fmin(fmax(GAME_SETTINGS_LEAST, GAME_SETTINGS_SHARE * turn), turn / 2);
}

Limit at_once(int64_t nodes, int64_t depth) {
    int64_t quick = GAME_SETTINGS_QUICK;
    return (Limit){.seconds = INFINITY, .nodes = nodes != 0 && nodes < quick ? nodes : quick, .depth = depth};
}

static double seconds_in(int64_t milliseconds) { return fmin((double)milliseconds / 1000, ARGUMENTS_MOST_SECONDS); }

Limit settings_limit(const Settings *settings, double elapsed, double used) {
    int64_t nodes = settings->max_node, depth = settings->max_depth;
    double turn = settings->has_timeout_turn ? seconds_in(settings->timeout_turn) : INFINITY;
    double left = INFINITY;
    if (settings->has_time_left) {
        left = settings->time_left >= INFO_VALUES_UNLIMITED ? INFINITY : seconds_in(settings->time_left);
    } else if (settings->timeout_match != 0) {
        left = seconds_in(settings->timeout_match) - used;
    }
    if (isinf(left)) {
        if (isinf(turn) && (nodes != 0 || depth != 0)) {
            return (Limit){.seconds = INFINITY, .nodes = nodes, .depth = depth};
        }
        turn = isinf(turn) ? GAME_SETTINGS_DEFAULT_SECONDS : turn;
        double seconds = turn - reserve(turn) - elapsed;
        if (seconds < GAME_SETTINGS_TOO_SHORT) {
            return at_once(nodes, depth);
        }
        return (Limit){.seconds = seconds, .nodes = nodes, .depth = depth};
    }
    turn = isinf(turn) ? left : turn;
    double shortest = fmin(turn, left);
    double spared = fmax(reserve(shortest), GAME_SETTINGS_CLOCK_KEEPS);
    if (shortest - spared - elapsed < GAME_SETTINGS_TOO_SHORT) {
        return at_once(nodes, depth);
    }
    double gone = elapsed + spared - GAME_SETTINGS_CLOCK_KEEPS;
    return (Limit){
        .seconds = fmin(turn - spared - elapsed, left / 20),
        .nodes = nodes,
        .depth = depth,
        .has_clock = true,
        .left = left - gone,
        .increment = seconds_in(settings->time_increment),
        .turn = turn - gone,
    };
}

double seconds_of(const Limit *limit) {
    return limit->has_clock ? fmin(limit->turn, limit->left) - GAME_SETTINGS_CLOCK_KEEPS : limit->seconds;
}

bool equal_limits(const Limit *one, const Limit *other) {
    return one->seconds == other->seconds && one->nodes == other->nodes && one->depth == other->depth &&
           one->has_clock == other->has_clock && one->left == other->left &&
           one->increment == other->increment && one->turn == other->turn;
}
