#if !defined(_WIN32) && !defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include "platform.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE_BYTES = 64 };

static void *checked(void *memory) {
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        leave(1);
    }
    return memory;
}

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <windows.h>

struct Monitor {
    SRWLOCK lock;
    CONDITION_VARIABLE condition;
};

struct Thread {
    HANDLE handle;
    ThreadBody *body;
    void *argument;
};

double now(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

Monitor *monitor_new(void) {
    Monitor *monitor = checked(calloc(1, sizeof *monitor));
    InitializeSRWLock(&monitor->lock);
    InitializeConditionVariable(&monitor->condition);
    return monitor;
}

void monitor_enter(Monitor *monitor) { AcquireSRWLockExclusive(&monitor->lock); }

void monitor_leave(Monitor *monitor) { ReleaseSRWLockExclusive(&monitor->lock); }

void monitor_notify(Monitor *monitor) { WakeAllConditionVariable(&monitor->condition); }

void monitor_wait(Monitor *monitor, double seconds) {
    DWORD milliseconds = seconds < 0 ? INFINITE : seconds > 1e6 ? 1000000000 : (DWORD)(seconds * 1000 + 0.999);
    SleepConditionVariableSRW(&monitor->condition, &monitor->lock, milliseconds, 0);
}

static DWORD WINAPI run_thread(void *thread) {
    ((Thread *)thread)->body(((Thread *)thread)->argument);
    return 0;
}

Thread *thread_start(ThreadBody *body, void *argument) {
    Thread *thread = checked(calloc(1, sizeof *thread));
    thread->body = body;
    thread->argument = argument;
    thread->handle = checked(CreateThread(NULL, 0, run_thread, thread, 0, NULL));
    return thread;
}

void thread_join(Thread *thread) {
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}

void prepare_streams(void) {
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
}

size_t read_input(char *out, size_t most) {
    int count = _read(0, out, (unsigned)most);
    return count > 0 ? (size_t)count : 0;
}

#else

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct Monitor {
    pthread_mutex_t lock;
    pthread_cond_t condition;
};

struct Thread {
    pthread_t handle;
    ThreadBody *body;
    void *argument;
};

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

Monitor *monitor_new(void) {
    Monitor *monitor = checked(calloc(1, sizeof *monitor));
    pthread_mutex_init(&monitor->lock, NULL);
#ifdef __APPLE__
    pthread_cond_init(&monitor->condition, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monitor->condition, &attributes);
#endif
    return monitor;
}

void monitor_enter(Monitor *monitor) { pthread_mutex_lock(&monitor->lock); }

void monitor_leave(Monitor *monitor) { pthread_mutex_unlock(&monitor->lock); }

void monitor_notify(Monitor *monitor) { pthread_cond_broadcast(&monitor->condition); }

static struct timespec timespec_of(double seconds) {
    struct timespec time = {(time_t)seconds, 0};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

void monitor_wait(Monitor *monitor, double seconds) {
    if (seconds < 0) {
        pthread_cond_wait(&monitor->condition, &monitor->lock);
        return;
    }
#ifdef __APPLE__
    struct timespec time = timespec_of(seconds);
    pthread_cond_timedwait_relative_np(&monitor->condition, &monitor->lock, &time);
#else
    struct timespec time = timespec_of(now() + seconds);
    pthread_cond_timedwait(&monitor->condition, &monitor->lock, &time);
#endif
}

static void *run_thread(void *thread) {
    ((Thread *)thread)->body(((Thread *)thread)->argument);
    return NULL;
}

Thread *thread_start(ThreadBody *body, void *argument) {
    Thread *thread = checked(calloc(1, sizeof *thread));
    thread->body = body;
    thread->argument = argument;
    if (pthread_create(&thread->handle, NULL, run_thread, thread) != 0) {
        fputs("no thread can be started\n", stderr);
        leave(1);
    }
    return thread;
}

void thread_join(Thread *thread) {
    pthread_join(thread->handle, NULL);
    free(thread);
}

void prepare_streams(void) { signal(SIGPIPE, SIG_IGN); }

size_t read_input(char *out, size_t most) {
    ssize_t count;
    do {
        count = read(STDIN_FILENO, out, most);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0;
}

#endif

void *allocate(size_t bytes) {
    /* `calloc` gets large blocks from the system as zeros, so that nothing has to be written. */
    char *block = checked(calloc(1, bytes + CACHE_LINE_BYTES + sizeof(void *)));
    uintptr_t first = (uintptr_t)block + sizeof(void *) + CACHE_LINE_BYTES - 1;
    void **memory = (void **)(first & ~(uintptr_t)(CACHE_LINE_BYTES - 1));
    memory[-1] = block;
    return memory;
}

void release(void *memory) {
    if (memory != NULL) {
        free(((void **)memory)[-1]);
    }
}

#if defined(__x86_64__)

#include <cpuid.h>

bool has_x86_64_v3(void) {
    /* Fused multiply-add, MOVBE, OSXSAVE, AVX and F16C; BMI1, AVX2 and BMI2; LZCNT. */
    const unsigned first = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;
    const unsigned seventh = 1u << 3 | 1u << 5 | 1u << 8, extended = 1u << 5;
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first) {
        return false;
    }
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) { /* the system keeps the vector registers */
        return false;
    }
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & seventh) != seventh) {
        return false;
    }
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & extended) == extended;
}

#else

bool has_x86_64_v3(void) { return false; }

#endif

void leave(int status) {
    fflush(stdout);
    _Exit(status);
}
