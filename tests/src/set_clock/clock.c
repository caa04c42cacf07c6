/*
 * The time of day as a test sets it, for a process that reads it from the C library. Clocks that measure how long something
 * takes go on as they are.
 *
 * It is in C because the dynamic linker puts it before the C library (LD_PRELOAD), and no Rust of this workspace is unsafe.
 *
 * CLOCK_MS  a file with the unix time in milliseconds, as eight bytes of this machine
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t *shown;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_MS");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *shown, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        dprintf(2, "the clock of the test: %s\n", strerror(errno));
        abort();
    }
    close(file);
    shown = page;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (shown == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
        return (int)syscall(SYS_clock_gettime, clock, time);
    int64_t ms = *shown;
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
