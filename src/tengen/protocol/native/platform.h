/* Time, threads, memory and standard input, for POSIX systems and Windows. */

#ifndef TENGEN_PLATFORM_H
#define TENGEN_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* Return seconds since some moment, by a clock that is never set. */
double now(void);

/* A lock with a condition to wait for. */
typedef struct Monitor Monitor;

Monitor *monitor_new(void);
void monitor_enter(Monitor *monitor);
void monitor_leave(Monitor *monitor);
void monitor_notify(Monitor *monitor);

/* Wait for `monitor_notify`, so many seconds at most, or for ever if they are negative. */
void monitor_wait(Monitor *monitor, double seconds);

typedef struct Thread Thread;
typedef void ThreadBody(void *argument);

Thread *thread_start(ThreadBody *body, void *argument);
void thread_join(Thread *thread);

/* Return zeroed memory that begins at a cache line. The program ends if there is none. */
void *allocate(size_t bytes);
void release(void *memory);

/* Prepare the standard streams: bytes as they are, and no signal when the reader has gone. */
void prepare_streams(void);

/* Read from standard input what is there, up to `most` bytes; 0 at its end. */
size_t read_input(char *out, size_t most);

/* Return whether the processor has what level 3 of x86-64 demands. */
bool has_x86_64_v3(void);

/* End the program at once. */
_Noreturn void leave(int status);

#endif
