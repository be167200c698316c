#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "text.h"

enum { UNKNOWN_SHOWN = 60, LONGEST_REPORT = 4096 };

static double answered;

static void send_line(const char *kind, const char *text) {
    if (printf("%s%s\n", kind, text) < 0 || fflush(stdout) != 0) {
        leave(0); /* the reader has gone */
    }
}

void answer(const char *text) {
    send_line("", text);
    answered = now();
}

void answer_error(const char *sentence) {
    send_line("ERROR ", sentence);
    answered = now();
}

void answer_unknown(const char *line) {
    char shown[SENTENCE];
    shorten(line, UNKNOWN_SHOWN, shown);
    send_line("UNKNOWN ", shown);
    answered = now();
}

void note(const char *sentence) { send_line("MESSAGE ", sentence); }

double last_answer(void) { return answered; }

void point_text(int point, int size, char out[16]) {
    snprintf(out, 16, "%d,%d", point % size, size - 1 - point / size);
}

void answer_points(const int *points, int count, int size) {
    char text[SENTENCE] = "", each[16];
    for (int place = 0; place < count; place++) {
        point_text(points[place], size, each);
        strcat(strcat(text, place == 0 ? "" : " "), each);
    }
    answer(text);
}

/* -- reports; see `tengen.protocol.output` and `tengen.gomocup.search_reports` */

static struct {
    int size, lines;
    double last;
    bool is_new[MOST_LINES], was_sent[MOST_LINES];
    Result fresh[MOST_LINES], sent[MOST_LINES];
} reports;

static void write_score(int64_t score, char out[32]) {
    if (score > MATE) {
        snprintf(out, 32, "+M%" PRId64, WIN - score);
    } else if (score < -MATE) {
        snprintf(out, 32, "-M%" PRId64, WIN + score);
    } else {
        snprintf(out, 32, "%" PRId64, score);
    }
}

static void send_report(const Result *result) {
    char text[LONGEST_REPORT], score[32];
    write_score(result->score, score);
    int64_t nps = result->seconds > 0 ? (int64_t)((double)result->nodes / result->seconds) : 0;
    int length = 0;
    if (reports.lines > 1) {
        length += snprintf(text, sizeof text, "(%d) ", result->number + 1);
    }
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "depth %" PRId64 " ev %s n %" PRId64 " nps %" PRId64 " tm %.0f pv", result->depth,
                       score, result->nodes, nps, result->seconds * 1000);
    for (int ply = 0; ply < result->length && length < LONGEST_REPORT - 8; ply++) {
        int point = result->line[ply];
        length += snprintf(text + length, sizeof text - (size_t)length, " %c%d", 'a' + point % reports.size,
                           point / reports.size + 1);
    }
    note(text);
}

void begin_reports(int size, int lines) {
    reports.size = size;
    reports.lines = lines;
    memset(reports.is_new, 0, sizeof reports.is_new);
    memset(reports.was_sent, 0, sizeof reports.was_sent);
}

static void send_reports(void) {
    for (int number = 0; number < MOST_LINES; number++) {
        if (reports.is_new[number]) {
            send_report(&reports.fresh[number]);
            reports.is_new[number] = false;
            reports.was_sent[number] = true;
            reports.sent[number] = reports.fresh[number];
            reports.last = now();
        }
    }
}

void report_result(const Result *result) {
    if (result->depth > 0) {
        reports.is_new[result->number] = true;
        reports.fresh[result->number] = *result;
    }
    if (now() - reports.last >= OUTPUT_PAUSE) {
        send_reports();
    }
}

static bool is_same(const Result *one, const Result *other) {
    return one->point == other->point && one->depth == other->depth && one->nodes == other->nodes &&
           one->seconds == other->seconds;
}

void finish_reports(const Ranking *ranking) {
    memset(reports.is_new, 0, sizeof reports.is_new);
    for (int place = 0; place < ranking->count; place++) {
        const Result *result = &ranking->results[place];
        int number = result->number;
        if (!reports.was_sent[number] || !is_same(&reports.sent[number], result)) {
            reports.is_new[number] = true;
            reports.fresh[number] = *result;
        }
    }
    send_reports();
}
