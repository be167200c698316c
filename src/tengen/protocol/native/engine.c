#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

typedef struct {
    int64_t *entries;
    int64_t count;
} Table;

static const int64_t MEGABYTE = 1 << 20;

enum { ENTRY_NUMBERS = 2 };

static const Kernels *kernels; /* the fastest that this processor runs */

/* What depends on the rules and the size. */
static struct {
    int rule, size; /* a size of 0: nothing is filled */
    struct state *empty;
    struct tables *tables;
    struct networks *networks;
} prepared;

/* The tables of former moves, and whose they are. */
static struct {
    int rule, size; /* a size of 0: they are empty */
    Table main, pn;
    int64_t megabytes;
} kept;

static struct {
    int threads;
    int64_t megabytes;
} settings = {1, 64};

/* The search that is under way. */
static struct {
    struct state *position;
    struct state *states[GAME_SETTINGS_MOST_THREADS]; /* of the threads */
    struct scratch *scratches[GAME_SETTINGS_MOST_THREADS];
    struct deepening *deepening;
    Table main, pn;
    bool has_own_tables;
    int threads;
    int lines; /* asked for; a position may have fewer moves */
    int size;
    int centre; /* the move on an empty board, else -1 */
    double began, hard; /* seconds at which it begins, and for which it may last */
    bool is_over;
    Monitor *monitor; /* of `is_over` */
} task;

void engine_configure(int threads, int64_t megabytes) {
    if (megabytes != settings.megabytes || threads != settings.threads) {
        engine_forget();
    }
    settings.threads = threads;
    settings.megabytes = megabytes;
}

void engine_prepare(int rule, int size) {
    if (kernels == NULL) {
        kernels = &KERNELS[has_x86_64_v3() ? KERNEL_LEVELS - 1 : 0];
    }
    if (prepared.size == size && prepared.rule == rule) {
        return;
    }
    if (prepared.empty == NULL) {
        prepared.empty = allocate(sizeof *prepared.empty);
        prepared.tables = allocate(sizeof *prepared.tables);
        prepared.networks = allocate(sizeof *prepared.networks);
    }
    memset(prepared.empty, 0, sizeof *prepared.empty);
    memset(prepared.tables, 0, sizeof *prepared.tables);
    memset(prepared.networks, 0, sizeof *prepared.networks);
    struct line_scratch *scratch = allocate(sizeof *scratch);
    kernels->set_up((void *)&tengen_parameters[rule], size, prepared.empty, prepared.tables, prepared.networks,
                    scratch);
    release(scratch);
    prepared.rule = rule;
    prepared.size = size;
}

/* -- positions */

static int64_t cell_of(int point, int size) { return (point / size + FRAME) * ROW + point % size + FRAME; }

static int point_of(int64_t cell, int size) {
    return (int)((cell / ROW - FRAME) * size + cell % ROW - FRAME);
}

/* Fill a state with a board, its moves made in the order in which they were played. */
static void fill_position(const Board *board, struct state *state) {
    engine_prepare(board->rule, board->size);
    *state = *prepared.empty;
    if (board->has_setup) {
        for (int colour = BLACK; colour <= WHITE; colour++) {
            for (int point = 0; point < board->size * board->size; point++) {
                if (board->setup[point] == colour) {
                    state->turn = colour - 1;
                    kernels->make(state, prepared.tables, cell_of(point, board->size));
                }
            }
        }
        state->turn = board->setup_turn - 1;
    }
    for (int ply = 0; ply < board->ply; ply++) {
        kernels->make(state, prepared.tables, cell_of(board->moves[ply], board->size));
    }
    state->changed = 0; /* they are not taken back */
}

int find_fouls(const Board *board, int *points) {
    static struct state *state;
    if (state == NULL) {
        state = allocate(sizeof *state);
    }
    fill_position(board, state);
    int64_t cells[MOST_POINTS];
    int count = (int)kernels->forbidden_cells(state, prepared.tables, cells, MOST_POINTS);
    for (int place = 0; place < count; place++) {
        points[place] = point_of(cells[place], board->size);
    }
    return count;
}

/* -- transposition tables */

static Table new_table(int64_t megabytes) {
    int64_t entry = ENTRY_NUMBERS * (int64_t)sizeof(int64_t), count = 1;
    while (count * 2 * entry <= megabytes * MEGABYTE) {
        count *= 2;
    }
    Table table = {allocate((size_t)(count * entry)), count};
    return table;
}

static int64_t pn_megabytes(int64_t megabytes) {
    int64_t part = megabytes / ENGINE_PN_TABLE_DIVISOR;
    return part > 1 ? part : 1;
}

void engine_forget(void) {
    release(kept.main.entries);
    release(kept.pn.entries);
    memset(&kept, 0, sizeof kept);
}

static void take_kept_tables(const Board *board) {
    if (kept.size != board->size || kept.rule != board->rule || kept.megabytes != settings.megabytes) {
        engine_forget();
        kept.main = new_table(settings.megabytes);
        kept.pn = new_table(pn_megabytes(settings.megabytes));
        kept.rule = board->rule;
        kept.size = board->size;
        kept.megabytes = settings.megabytes;
    }
    task.main = kept.main;
    task.pn = kept.pn;
    task.has_own_tables = false;
}

/* Provide the tables: those of former moves within a limit of time, else empty ones, so that answers repeat. */
static void take_tables(const Board *board, const Limit *limit) {
    if (limit->has_clock || !isinf(limit->seconds)) {
        take_kept_tables(board);
        return;
    }
    int64_t megabytes = settings.megabytes;
    if (limit->nodes != 0) {
        int64_t most = megabytes * MEGABYTE / (ENGINE_ENTRIES_PER_NODE * ENGINE_ENTRY_BYTES);
        int64_t nodes = limit->nodes < most ? limit->nodes : most;
        megabytes = nodes * ENGINE_ENTRIES_PER_NODE * ENGINE_ENTRY_BYTES / MEGABYTE;
        megabytes = megabytes > 1 ? megabytes : 1;
    }
    if (megabytes == settings.megabytes) { /* there is no memory for two of this size */
        engine_forget();
        take_kept_tables(board);
        return;
    }
    task.main = new_table(megabytes);
    task.pn = new_table(pn_megabytes(megabytes));
    task.has_own_tables = true;
}

/* -- time; see `tengen.engine.search.timing` */

typedef struct {
    double soft, hard;
} TimeBudget;

static TimeBudget time_budget(const Board *board, const Limit *limit, bool playing) {
    if (!limit->has_clock || !playing) {
        double hard = limit->seconds;
        if (limit->has_clock) {
            hard = fmin(hard, fmin(limit->turn, limit->left));
        }
        return (TimeBudget){INFINITY, isinf(hard) ? hard : fmax(hard, 0.0)};
    }
    int moves = (board->size * board->size - board->ply) / TIMING_POINTS_A_MOVE;
    moves = moves > TIMING_MOVES_LEFT ? moves : TIMING_MOVES_LEFT;
    double overhead = fmax(TIMING_OVERHEAD - limit->increment, 0.0) * moves;
    double left = fmax(limit->left - TIMING_RESERVE - overhead, 0.0);
    double share = left / moves + TIMING_INCREMENT_PART * limit->increment;
    double most = fmax(limit->turn - TIMING_RESERVE, 0.0);
    return (TimeBudget){
        fmin(share * TIMING_SOFT_SHARE, most),
        fmin(fmin(share * TIMING_HARD_SHARES, left * TIMING_LARGEST_PART), most),
    };
}

/* -- searches */

static void begin_thread(int number, int64_t most_nodes) {
    if (task.states[number] == NULL) {
        task.states[number] = allocate(sizeof *task.states[number]);
        task.scratches[number] = allocate(sizeof *task.scratches[number]);
    }
    *task.states[number] = *task.position;
    task.states[number]->most_nodes = most_nodes;
    memset(task.scratches[number], 0, sizeof *task.scratches[number]);
}

void engine_begin(const Board *board, const Limit *limit, int lines, bool playing) {
    task.began = now();
    task.centre = -1;
    task.size = board->size;
    task.threads = 0;
    if (count_of(board, EMPTY) == board->size * board->size) {
        task.centre = (board->size - 1) / 2 * (board->size + 1);
        return;
    }
    if (task.position == NULL) {
        task.monitor = monitor_new();
        task.position = allocate(sizeof *task.position);
        task.deepening = allocate(sizeof *task.deepening);
    }
    take_tables(board, limit);
    fill_position(board, task.position);
    TimeBudget time = time_budget(board, limit, playing);
    task.hard = time.hard;
    int legal = count_legal(board);
    task.lines = lines;
    struct deepening *deepening = task.deepening;
    memset(deepening, 0, sizeof *deepening);
    deepening->lines = lines < legal ? lines : legal;
    deepening->most_depth = limit->depth != 0 && limit->depth < UNBOUNDED ? limit->depth : UNBOUNDED;
    deepening->threat_nodes = THREAT_NODES;
    if (!isinf(time.hard)) {
        deepening->threat_nodes = (int64_t)(THREAT_NODES * fmin(time.hard, ENGINE_THREAT_SECONDS));
    }
    deepening->soft_seconds = time.soft;
    deepening->line_state[0] = *task.position;
    int64_t most = limit->nodes != 0 && limit->nodes < UNBOUNDED ? limit->nodes : UNBOUNDED;
    task.threads = settings.threads < most ? settings.threads : (int)most;
    for (int number = 0; number < task.threads; number++) {
        begin_thread(number, most / task.threads);
    }
}

void engine_stop(void) {
    for (int number = 0; number < task.threads; number++) {
        *(volatile int64_t *)&task.states[number]->stop = 1;
    }
}

/* Stop the search when its time is up; runs in a thread of its own. */
static void watch(void *unused) {
    (void)unused;
    monitor_enter(task.monitor);
    while (!task.is_over) {
        double left = task.began + task.hard - now();
        if (left <= 0) {
            engine_stop();
            break;
        }
        monitor_wait(task.monitor, left);
    }
    monitor_leave(task.monitor);
}

static Thread *start_watch(void) {
    task.is_over = false;
    return isinf(task.hard) ? NULL : thread_start(watch, NULL);
}

static void end_watch(Thread *thread) {
    if (thread != NULL) {
        monitor_enter(task.monitor);
        task.is_over = true;
        monitor_notify(task.monitor);
        monitor_leave(task.monitor);
        thread_join(thread);
    }
}

/* Search in a helper thread, for the entries that it leaves in the table. */
static void help(void *argument) {
    int number = (int)(intptr_t)argument;
    kernels->fill_table(task.states[number], prepared.tables, prepared.networks, task.scratches[number],
                        task.main.entries, task.main.count, 1 + number % 2);
}

static int64_t count_nodes(void) {
    int64_t nodes = 0;
    for (int number = 0; number < task.threads; number++) {
        nodes += *(volatile int64_t *)&task.states[number]->nodes;
    }
    return nodes;
}

static void read_result(Result *result) {
    const struct deepening *deepening = task.deepening;
    result->number = (int)deepening->number;
    result->score = deepening->score;
    result->depth = deepening->depth;
    result->nodes = count_nodes();
    result->seconds = now() - task.began;
    result->length = (int)deepening->length;
    for (int ply = 0; ply < result->length; ply++) {
        result->line[ply] = (int16_t)point_of(deepening->line[ply], task.size);
    }
    result->point = result->line[0];
}

/* The results of an iteration so far, and the best moves of the iteration before. */
typedef struct {
    Ranking now, before;
} Collected;

/* Write the best moves so far: those of a complete iteration, or of one under way and of that before. */
static void rank(const Collected *collected, Ranking *ranking) {
    *ranking = collected->now;
    if (ranking->count == ranking->lines) { /* a line may turn out better than the line before it */
        for (int place = 1; place < ranking->count; place++) {
            Result moved = ranking->results[place];
            int at = place;
            for (; at > 0 && ranking->results[at - 1].score < moved.score; at--) {
                ranking->results[at] = ranking->results[at - 1];
            }
            ranking->results[at] = moved;
        }
        return;
    }
    for (int place = 0; place < collected->before.count && ranking->count < ranking->lines; place++) {
        const Result *result = &collected->before.results[place];
        bool is_known = false;
        for (int each = 0; each < collected->now.count; each++) {
            is_known |= collected->now.results[each].point == result->point;
        }
        if (!is_known) {
            ranking->results[ranking->count++] = *result;
        }
    }
}

static void collect(Collected *collected, const Result *result) {
    if (result->number == 0) {
        Ranking best;
        rank(collected, &best);
        collected->before = best;
        collected->now.count = 0;
    }
    if (collected->now.count < collected->now.lines) {
        collected->now.results[collected->now.count++] = *result;
    }
}

static void open_in_the_centre(Ranking *ranking) {
    memset(ranking, 0, sizeof *ranking);
    ranking->lines = ranking->count = 1;
    Result *result = &ranking->results[0];
    result->point = result->line[0] = (int16_t)task.centre;
    result->length = 1;
    result->depth = 1;
}

static void search_by_depths(Collected *collected, Report *report, void *argument) {
    Result result;
    while (kernels->next_result(task.states[0], prepared.tables, prepared.networks, task.scratches[0],
                                task.main.entries, task.main.count, task.pn.entries, task.pn.count,
                                task.deepening)) {
        kernels->correct_result(task.position, prepared.tables, task.deepening);
        read_result(&result);
        collect(collected, &result);
        report(argument, &result);
        task.deepening->seconds = now() - task.began;
    }
    if (task.deepening->length == 0) {
        kernels->fall_back(task.position, prepared.tables, task.deepening);
        read_result(&result);
        collect(collected, &result);
        report(argument, &result);
    }
}

void engine_run(Ranking *ranking, Report *report, void *argument) {
    if (task.centre >= 0) {
        open_in_the_centre(ranking);
        report(argument, &ranking->results[0]);
        return;
    }
    Thread *watcher = start_watch(), *helpers[GAME_SETTINGS_MOST_THREADS];
    for (int number = 1; number < task.threads; number++) {
        helpers[number] = thread_start(help, (void *)(intptr_t)number);
    }
    Collected *collected = allocate(sizeof *collected);
    collected->now.lines = collected->before.lines = task.lines;
    search_by_depths(collected, report, argument);
    end_watch(watcher);
    engine_stop();
    for (int number = 1; number < task.threads; number++) {
        thread_join(helpers[number]);
    }
    rank(collected, ranking);
    release(collected);
    if (task.has_own_tables) {
        release(task.main.entries);
        release(task.pn.entries);
    }
}
