/* Answers and MESSAGE lines, each sent at once. */

#ifndef TENGEN_OUTPUT_H
#define TENGEN_OUTPUT_H

#include <stdbool.h>

#include "board.h"
#include "engine.h"

/* Send the answer to a command. */
void answer(const char *text);

/* Send some points as an answer. */
void answer_points(const int *points, int count, int size);

/* Send the error of a failed command, or of an unknown one. */
void answer_error(const char *sentence);
void answer_unknown(const char *line);

/* Send a message for people. */
void note(const char *sentence);

/* Return the time of the last answer. */
double last_answer(void);

/* Write a point as the protocol does: x,y, y from the top. */
void point_text(int point, int size, char out[16]);

/* Start the reports of a search on a board for a number of lines. */
void begin_reports(int size, int lines);

/* Report a result of a search, at once or with the next report if the last one was recent. */
void report_result(const Result *result);

/* Report the results that have not been reported yet. */
void finish_reports(const Ranking *ranking);

#endif
