#include "thinking.h"

#include <math.h>

#include "output.h"
#include "platform.h"

Settings settings;

/* The pending answer. */
static struct {
    Thread *thread; /* NULL: none is pending */
    Board board;
    Limit limit;
    double asked, deadline; /* infinite for no deadline */
    int lines;
    bool playing;
    bool again;      /* it is to be started again with other limits */
    bool is_opening; /* an opening is chosen, whose limit does not change */
    volatile bool stopped;
    int64_t nodes, depth; /* so far */
    Finish *finish;
    Opened *opened;
    Ranking ranking;
    int opening[SWAP2_STONES];
} job;

static double used;               /* seconds for moves of this game so far */
static bool left_told;            /* since the last move */
static double last_moment = -1.0; /* when the program ends; negative if the end has not come */

bool is_busy(void) { return job.thread != NULL; }

bool is_searching(void) { return job.thread != NULL && !job.is_opening; }

double patience(void) {
    if (job.thread == NULL || isinf(job.deadline)) {
        return -1.0;
    }
    return fmax(job.deadline - now(), 0.0);
}

/* Return the limit of a move requested at a time; shortly before the end only a moment. */
static Limit limit_now(double asked) {
    double time = now();
    Limit limit = settings_limit(&settings, time - fmax(asked, last_answer()), used);
    if (last_moment < 0) {
        return limit;
    }
    double left = (last_moment - time) / 2;
    if (left < THINKING_TOO_SHORT) {
        return at_once(limit.nodes, limit.depth);
    }
    return (Limit){.seconds = fmin(limit.seconds, left), .nodes = limit.nodes, .depth = limit.depth};
}

static void report(void *unused, const Result *result) {
    (void)unused;
    Event *event = event_new(REPORT, 0);
    event->result = *result;
    post(event);
}

static void ignore(void *unused, const Result *result) {
    (void)unused;
    (void)result;
}

/* Search for the best lines, and to some depth even if it is stopped at once. */
static void search(void *unused) {
    (void)unused;
    engine_run(&job.ranking, report, NULL);
    if (job.ranking.results[0].depth == 0) {
        Limit quick = at_once(0, 0);
        engine_begin(&job.board, &quick, job.lines, job.playing);
        engine_run(&job.ranking, report, NULL);
    }
    post(event_new(DONE, 0));
}

static void start(ThreadBody *body) {
    engine_configure(settings_threads(&settings), settings_megabytes(&settings));
    job.stopped = false;
    job.again = false;
    job.nodes = job.depth = 0;
    double seconds = seconds_of(&job.limit);
    job.deadline = now() + seconds;
    if (body == search) {
        engine_begin(&job.board, &job.limit, job.lines, job.playing);
    }
    job.thread = thread_start(body, NULL);
}

void think(const Board *board, double asked, int lines, bool playing, Finish *finish) {
    job.board = *board;
    job.asked = asked;
    job.lines = lines;
    job.playing = playing;
    job.finish = finish;
    job.is_opening = false;
    engine_prepare(board->rule, board->size);
    job.limit = limit_now(asked);
    begin_reports(board->size, lines);
    start(search);
}

/* Choose the opening whose evaluation is closest to even, of some that are drawn. */
static void choose_opening(void *unused) {
    (void)unused;
    const int16_t(*openings)[SWAP2_STONES] = OPENINGS[job.board.rule][job.board.size - PLAYABLE_SMALLEST];
    Limit share = at_once(job.limit.nodes, job.limit.depth);
    if (!isinf(job.limit.seconds)) {
        double seconds = fmin(job.limit.seconds, SWAP2_LONGEST) / SWAP2_CANDIDATES;
        share = (Limit){.seconds = seconds, .nodes = job.limit.nodes, .depth = job.limit.depth};
    }
    int first = (int)((uint64_t)(now() * 1e6) % OPENING_CHOICES), best = first;
    int64_t least = INT64_MAX;
    for (int tried = 0; tried < SWAP2_CANDIDATES && !job.stopped; tried++) {
        int drawn = (first + tried) % OPENING_CHOICES, points[SWAP2_STONES];
        for (int ply = 0; ply < SWAP2_STONES; ply++) {
            points[ply] = openings[drawn][ply];
        }
        Board board;
        board_after(&board, job.board.rule, job.board.size, points, SWAP2_STONES);
        engine_begin(&board, &share, 1, false);
        engine_run(&job.ranking, ignore, NULL);
        const Result *result = &job.ranking.results[0];
        int64_t away = result->score < 0 ? -result->score : result->score;
        if (result->depth > 0 && away < least) {
            least = away;
            best = drawn;
        }
    }
    for (int ply = 0; ply < SWAP2_STONES; ply++) {
        job.opening[ply] = openings[best][ply];
    }
    post(event_new(DONE, 0));
}

void open_swap2(const Board *board, double asked, Opened *opened) {
    job.board = *board;
    job.opened = opened;
    job.is_opening = true;
    engine_prepare(board->rule, board->size);
    job.limit = limit_now(asked);
    start(choose_opening);
}

void stop_thinking(bool late) {
    if (job.thread == NULL) {
        return;
    }
    if (!late) {
        job.again = false;
    }
    job.deadline = INFINITY;
    job.stopped = true;
    engine_stop();
}

void thinking_reported(const Result *result) {
    if (is_searching() && !job.again) {
        job.nodes = result->nodes;
        job.depth = result->depth;
        report_result(result);
    }
}

void thinking_done(void) {
    thread_join(job.thread);
    job.thread = NULL;
    if (job.is_opening) {
        job.opened(&job.board, job.opening);
    } else if (job.again) {
        think(&job.board, job.asked, job.lines, job.playing, job.finish);
    } else {
        finish_reports(&job.ranking);
        job.finish(&job.board, &job.ranking, job.asked);
    }
}

void relimit(void) {
    if (!is_searching() || job.again) {
        return;
    }
    Limit new = limit_now(job.asked), quick = at_once(settings.max_node, settings.max_depth);
    bool enough = (new.nodes != 0 && job.nodes >= new.nodes) || (new.depth != 0 && job.depth >= new.depth);
    if (equal_limits(&new, &quick) || enough) {
        stop_thinking(false);
        return;
    }
    double deadline = now() + seconds_of(&new);
    Limit moved = job.limit;
    moved.seconds = new.seconds;
    if (!isinf(deadline) && deadline <= job.deadline && equal_limits(&moved, &new)) {
        job.deadline = deadline;
        job.limit = new;
        return;
    }
    /* The results stay in the transposition table, so that starting again costs little. */
    stop_thinking(false);
    job.again = true;
}

void new_game(void) {
    used = 0.0;
    if (settings.has_time_left && settings.time_left < INFO_VALUES_UNLIMITED && !left_told) {
        settings.has_time_left = false;
    }
    engine_forget();
}

void charge_move(double asked) {
    double spent = now() - fmax(asked, last_answer());
    used += spent;
    if (settings.has_time_left && settings.time_left < INFO_VALUES_UNLIMITED) {
        settings.time_left += settings.time_increment - (int64_t)llround(spent * 1000);
    }
    left_told = false;
}

void time_left_told(void) { left_told = true; }

void hurry(void) {
    if (last_moment < 0) {
        last_moment = now() + THINKING_LAST_SECONDS;
    }
    if (is_searching()) {
        job.deadline = fmin(job.deadline, last_moment);
    }
}
