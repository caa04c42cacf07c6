/*
 * The time of day as a test sets it, for a process that reads it from the C library. Clocks that measure how long something
 * takes go on as they are.
 *
 * It is in C because the dynamic linker puts it before the C library (LD_PRELOAD), and no Rust of this workspace is unsafe.
 *
 * CLOCK_MS  a file with the unix time in milliseconds, as eight bytes of this machine, twice: who reads while it is written
 *           finds two that differ
 *
 * What waits inside the C library or the kernel until a time of day is not moved.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shown;
static int (*of_system)(clockid_t, struct timespec *);

static void give_up(const char *what) {
    dprintf(2, "the clock of the test: %s\n", what);
    abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_MS");
    if (path == NULL) give_up("CLOCK_MS is not set");
    void *found = dlsym(RTLD_NEXT, "clock_gettime");
    if (found == NULL) give_up("the C library has no clock");
    memcpy(&of_system, &found, sizeof of_system);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) give_up(strerror(errno));
    void *page = mmap(NULL, 2 * sizeof *shown, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) give_up(strerror(errno));
    close(file);
    shown = page;
}

static int64_t now_ms(void) {
    for (;;) {
        int64_t first = shown[0], second = shown[1];
        if (first == second) return first;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (shown == NULL) begin();
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return of_system(clock, time);
    int64_t ms = now_ms();
    *time = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL) *at = now.tv_sec;
    return now.tv_sec;
}
