/* The Gomocup protocol without Python: the session reads commands until the end, and answers them.

   As `tengen.protocol.conversation`: commands are executed in the order of arrival; during a search they are queued,
   but STOP ends it, INFO changes its limit, and END ends the program. */

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "platform.h"
#include "text.h"
#include "thinking.h"

enum { LONGEST_LINE = 65536 };

typedef struct {
    Event *first, *last;
} Queue;

static Monitor *monitor; /* of the queue of events */
static Queue events;

static void put_last(Queue *queue, Event *event) {
    event->next = NULL;
    if (queue->first == NULL) {
        queue->first = event;
    } else {
        queue->last->next = event;
    }
    queue->last = event;
}

static Event *take_first(Queue *queue) {
    Event *event = queue->first;
    if (event != NULL) {
        queue->first = event->next;
    }
    return event;
}

Event *event_new(EventKind kind, size_t length) {
    Event *event = calloc(1, sizeof *event + length + 1);
    if (event == NULL) {
        leave(1);
    }
    event->kind = kind;
    event->at = now();
    return event;
}

void post(Event *event) {
    monitor_enter(monitor);
    put_last(&events, event);
    monitor_notify(monitor);
    monitor_leave(monitor);
}

/* -- reading */

static bool is_end(const char *line) {
    char word[WORD];
    split_word(line, word);
    return strcmp(word, "END") == 0;
}

static struct {
    char text[LONGEST_LINE + 1];
    int length;
    bool is_first;
} line;

/* Post a line that has been read; return whether it is END. */
static bool post_one(char *raw) {
    const char *text = trimmed(raw);
    if (*text == '\0') {
        return false;
    }
    Event *event = event_new(LINE, strlen(text));
    strcpy(event->text, text);
    event->is_first = line.is_first;
    line.is_first = false;
    bool ends = is_end(text);
    post(event);
    return ends;
}

/* Post what has been read, which may be several lines for who counts all line breaks; return whether END is there. */
static bool post_line(void) {
    line.text[line.length] = '\0';
    line.length = 0;
    clean(line.text);
    char *next = line.text;
    while (next != NULL) {
        char *text = next;
        next = strchr(text, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (post_one(text)) {
            return true;
        }
    }
    return false;
}

/* Read lines and queue them; runs in its own thread. */
static void read_lines(void *unused) {
    (void)unused;
    static char chunk[LONGEST_LINE];
    size_t count;
    line.is_first = true;
    while ((count = read_input(chunk, sizeof chunk)) > 0) {
        for (size_t place = 0; place < count; place++) {
            char c = chunk[place];
            bool ends = c == '\n' || c == '\r';
            if (!ends) {
                line.text[line.length++] = c == '\0' ? ' ' : c;
            }
            if ((ends || line.length == LONGEST_LINE) && post_line()) {
                return;
            }
        }
        line.is_first = line.is_first || line.length == 0;
    }
    post_line();
    post(event_new(END_OF_INPUT, 0));
}

/* -- the session */

static Queue waiting; /* commands that have arrived */
static bool is_over;

/* Handle a line, a report of a search, the end of a search, or the end of the input. */
static void handle(Event *event) {
    if (event->kind == REPORT) {
        thinking_reported(&event->result);
    } else if (event->kind == DONE) {
        thinking_done();
    } else if (event->kind == END_OF_INPUT || is_end(event->text)) {
        is_over = is_over || (event->kind == LINE && event->is_first);
        hurry();
        event->kind = END_OF_INPUT;
        put_last(&waiting, event);
        return;
    } else if (is_stop(event->text) && is_searching()) {
        stop_thinking(false);
    } else {
        put_last(&waiting, event);
        return;
    }
    free(event);
}

/* Wait for the next event or the end of a search's time, and handle it. */
static void handle_next(void) {
    monitor_enter(monitor);
    Event *event = take_first(&events);
    if (event == NULL) {
        monitor_wait(monitor, patience());
        event = take_first(&events);
    }
    monitor_leave(monitor);
    if (event != NULL) {
        handle(event);
    } else if (patience() == 0.0) {
        stop_thinking(true);
    }
}

/* Execute the first command that waits, unless it must wait on; return whether it has been executed. */
static bool execute_first(void) {
    Event *event = waiting.first;
    if (event == NULL) {
        return false;
    }
    if (event->kind == END_OF_INPUT) {
        is_over = !is_busy();
        return is_over;
    }
    if (is_busy() && !is_prompt(event->text)) {
        return false;
    }
    take_first(&waiting);
    obey(event->text, event->at);
    free(event);
    return true;
}

int main(void) {
    prepare_streams();
    monitor = monitor_new();
    thread_start(read_lines, NULL);
    while (!is_over) {
        if (!execute_first()) {
            handle_next();
        }
    }
    leave(0); /* what still runs has nothing to say */
}
