/*
 * A disk that fails as it is told to, below a process whose ledger is a file: what SQLite asks of the operating system for
 * the ledger's files passes through here.
 *
 * It is in C because the dynamic linker puts it before the C library (LD_PRELOAD), and no Rust of this workspace is unsafe.
 *
 * DISK_LEDGER   the ledger's file; what stands beside it and begins with its name is watched too
 * DISK_SYNCED   a folder with what would still be there after a power cut. A write arrives there when the file is synced;
 *               some arrive earlier, and some of those torn, as a disk does it
 * DISK_TROUBLE  a file with a word: `full`, `broken`, `unsynced`, `slow`, `hangs` or `lies`; any other word is no trouble
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define SECTOR 512
#define SLOW_US 20000
#define LOOK_AGAIN_US 10000

/* A write, or a new length, that was not synced yet. */
struct change {
    struct change *next;
    char path[512];
    int is_length;
    off_t at;
    size_t length;
    char bytes[];
};

static struct change *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t dice = 88172645463325252u;

static void give_up(const char *what) {
    dprintf(2, "the disk of the test: %s: %s\n", what, strerror(errno));
    abort();
}

static const char *setting(const char *name) {
    const char *value = getenv(name);
    if (value == NULL) give_up(name);
    return value;
}

/* Whether that is the word that the disk was told. */
static int is(const char *word) {
    char told[32] = {0};
    int file = open(setting("DISK_TROUBLE"), O_RDONLY | O_CLOEXEC);
    if (file < 0) give_up("what it is told");
    ssize_t length = read(file, told, sizeof told - 1);
    close(file);
    return length > 0 && strcmp(told, word) == 0;
}

static int is_of_ledger(const char *path) {
    const char *ledger = setting("DISK_LEDGER");
    return strncmp(path, ledger, strlen(ledger)) == 0;
}

/* The file's path, where it is one of the ledger's. */
static int of_ledger(int file, char *path, size_t room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, room - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_of_ledger(path);
}

/* The index of what is in the log, which lies in memory and is made anew after a power cut. */
static int is_index(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

static void place_of(const char *path, char *place, size_t room) {
    const char *name = strrchr(path, '/');
    snprintf(place, room, "%s/%s", setting("DISK_SYNCED"), name == NULL ? path : name + 1);
}

/* Puts `length` bytes of a change, from `from` on, where they outlive the power. */
static void keep(const struct change *change, size_t from, size_t length) {
    char place[1024];
    place_of(change->path, place, sizeof place);
    int file = open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) give_up(place);
    if (change->is_length) {
        if (syscall(SYS_ftruncate, file, change->at) != 0) give_up(place);
    } else if (syscall(SYS_pwrite64, file, change->bytes + from, length, change->at + (off_t)from) != (long)length) {
        give_up(place);
    }
    close(file);
}

static uint64_t roll(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    return dice ^= dice << 17;
}

static void remember(const char *path, int is_length, off_t at, const void *bytes, size_t length) {
    struct change *change = malloc(sizeof *change + length);
    if (change == NULL) give_up("memory");
    *change = (struct change){.is_length = is_length, .at = at, .length = length};
    snprintf(change->path, sizeof change->path, "%s", path);
    if (length > 0) memcpy(change->bytes, bytes, length);
    pthread_mutex_lock(&lock);
    *last = change;
    last = &change->next;
    if (!is_length && roll() % 4 == 0) {
        size_t from = roll() % (length / SECTOR + 1) * SECTOR;
        size_t most = length - from, some = (roll() % (most / SECTOR + 1) + 1) * SECTOR;
        keep(change, from, some < most ? some : most);
    }
    pthread_mutex_unlock(&lock);
}

/* What was written to a file before it was synced outlives the power. */
static void keep_all(const char *path) {
    pthread_mutex_lock(&lock);
    struct change **place = &first;
    while (*place != NULL) {
        struct change *change = *place;
        if (strcmp(change->path, path) != 0) {
            place = &change->next;
            continue;
        }
        keep(change, 0, change->length);
        *place = change->next;
        free(change);
    }
    last = place;
    pthread_mutex_unlock(&lock);
}

static int fails(int number) {
    errno = number;
    return -1;
}

static ssize_t write_at(int file, const void *bytes, size_t length, off_t at) {
    char path[512];
    if (!of_ledger(file, path, sizeof path)) return syscall(SYS_pwrite64, file, bytes, length, at);
    if (is("full")) return fails(ENOSPC);
    if (is("broken")) return fails(EIO);
    ssize_t written = syscall(SYS_pwrite64, file, bytes, length, at);
    if (written > 0 && !is_index(path)) remember(path, 0, at, bytes, (size_t)written);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) { return write_at(file, bytes, length, at); }
ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at) { return write_at(file, bytes, length, at); }

static int cut(int file, off_t length) {
    char path[512];
    int cut = (int)syscall(SYS_ftruncate, file, length);
    if (cut == 0 && of_ledger(file, path, sizeof path) && !is_index(path)) remember(path, 1, length, NULL, 0);
    return cut;
}

int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off_t length) { return cut(file, length); }

static int sync_by(long number, int file) {
    char path[512];
    if (!of_ledger(file, path, sizeof path)) return (int)syscall(number, file);
    if (is("unsynced")) return fails(EIO);
    if (is("slow")) usleep(SLOW_US);
    while (is("hangs")) usleep(LOOK_AGAIN_US);
    int synced = (int)syscall(number, file);
    if (synced == 0 && !is("lies")) keep_all(path);
    return synced;
}

int fsync(int file) { return sync_by(SYS_fsync, file); }
int fdatasync(int file) { return sync_by(SYS_fdatasync, file); }

int unlink(const char *path) {
    int gone = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (gone == 0 && is_of_ledger(path) && !is_index(path)) {
        char place[1024];
        keep_all(path);
        place_of(path, place, sizeof place);
        syscall(SYS_unlinkat, AT_FDCWD, place, 0);
    }
    return gone;
}
