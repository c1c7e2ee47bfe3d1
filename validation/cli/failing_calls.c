/* Lets system calls fail, for files in one folder. Loaded with LD_PRELOAD; see failing_writes.py.

     FAILING_FOLDER   files in this folder are affected, and the folder itself
     FAILING_LOG      a file outside of it: one line per call, "KIND NUMBER PATH"; 0 is the first of its kind; at the
                      end "allocations COUNT"
     FAILING_CALL     the kind that fails: write, sync, rename, open (to write), look (open to read), map, truncate, read, or
                      memory: an allocation, which counts from the start of main(); none if it is not set
     FAILING_AT       its number
     FAILING_ERROR    a number of errno; "short": a write or read transfers half of its bytes and succeeds; "stop": the
                      process stops itself before the call, which then succeeds
     FAILING_ONWARDS  if set, all later calls of the kind fail too

   Folders that are opened do not count. Linux only: the name of an open file comes from /proc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern int __libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

enum kind { WRITE, SYNC, RENAME, OPEN, LOOK, MAP, TRUNCATE, READ, KINDS };
static const char *const names[KINDS] = {"write", "sync", "rename", "open", "look", "map", "truncate", "read"};
static atomic_long counts[KINDS];

static void *next(const char *name) {
    void *const found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

static int is_inside(const char *path) {
    const char *const folder = getenv("FAILING_FOLDER");
    if (folder == NULL) return 0;
    const size_t length = strlen(folder);
    char absolute[PATH_MAX];
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (getcwd(here, sizeof here) == NULL) return 0;
        if (snprintf(absolute, sizeof absolute, "%s/%s", here, path) >= (int)sizeof absolute) return 0;
        path = absolute;
    }
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void log_line(const char *one, const char *other) {
    typedef ssize_t (*write_call)(int, const void *, size_t);
    typedef int (*open_call)(const char *, int, ...);
    const char *const log = getenv("FAILING_LOG");
    if (log == NULL) return;
    char line[PATH_MAX + 64];
    const int length = snprintf(line, sizeof line, "%s %s\n", one, other);
    const int file = ((open_call)next("open"))(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return;
    if (((write_call)next("write"))(file, line, (size_t)length) != length) abort();
    close(file);
}

static void log_call(enum kind kind, long number, const char *path) {
    char call[64];
    snprintf(call, sizeof call, "%s %ld", names[kind], number);
    log_line(call, path);
}

/* Whether this call fails: 0 no, -1 it is cut short, otherwise an errno. */
static int fails(enum kind kind, const char *path) {
    if (!is_inside(path)) return 0;
    const int before = errno;
    const long number = atomic_fetch_add(&counts[kind], 1);
    log_call(kind, number, path);
    errno = before;
    const char *const call = getenv("FAILING_CALL");
    const char *const at = getenv("FAILING_AT");
    const char *const error = getenv("FAILING_ERROR");
    if (call == NULL || at == NULL || error == NULL || strcmp(call, names[kind]) != 0) return 0;
    const long wanted = atol(at);
    if (number < wanted || (number > wanted && getenv("FAILING_ONWARDS") == NULL)) return 0;
    if (strcmp(error, "stop") == 0) {
        raise(SIGSTOP);
        return 0;
    }
    return strcmp(error, "short") == 0 ? -1 : atoi(error);
}

static int descriptor_fails(enum kind kind, int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || path[0] != '/') return 0; /* a pipe */
    path[length] = '\0';
    return fails(kind, path);
}

#define FAIL_IF(failure)         \
    do {                         \
        const int failed = failure; \
        if (failed > 0) {           \
            errno = failed;         \
            return -1;           \
        }                        \
    } while (0)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    typedef ssize_t (*call)(int, const void *, size_t);
    const int why = descriptor_fails(WRITE, descriptor);
    FAIL_IF(why);
    return ((call)next("write"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    typedef ssize_t (*call)(int, const struct iovec *, int);
    const int why = descriptor_fails(WRITE, descriptor);
    FAIL_IF(why);
    return ((call)next("writev"))(descriptor, pieces, why < 0 ? (count + 1) / 2 : count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    typedef ssize_t (*call)(int, const void *, size_t, off_t);
    const int why = descriptor_fails(WRITE, descriptor);
    FAIL_IF(why);
    return ((call)next("pwrite"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count, at);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    typedef ssize_t (*call)(int, const void *, size_t, off64_t);
    const int why = descriptor_fails(WRITE, descriptor);
    FAIL_IF(why);
    return ((call)next("pwrite64"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count, at);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    typedef ssize_t (*call)(int, void *, size_t);
    const int why = descriptor_fails(READ, descriptor);
    FAIL_IF(why);
    return ((call)next("read"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t at) {
    typedef ssize_t (*call)(int, void *, size_t, off_t);
    const int why = descriptor_fails(READ, descriptor);
    FAIL_IF(why);
    return ((call)next("pread"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count, at);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t at) {
    typedef ssize_t (*call)(int, void *, size_t, off64_t);
    const int why = descriptor_fails(READ, descriptor);
    FAIL_IF(why);
    return ((call)next("pread64"))(descriptor, bytes, why < 0 ? (count + 1) / 2 : count, at);
}

int fsync(int descriptor) {
    typedef int (*call)(int);
    FAIL_IF(descriptor_fails(SYNC, descriptor));
    return ((call)next("fsync"))(descriptor);
}

int fdatasync(int descriptor) {
    typedef int (*call)(int);
    FAIL_IF(descriptor_fails(SYNC, descriptor));
    return ((call)next("fdatasync"))(descriptor);
}

int ftruncate(int descriptor, off_t bytes) {
    typedef int (*call)(int, off_t);
    FAIL_IF(descriptor_fails(TRUNCATE, descriptor));
    return ((call)next("ftruncate"))(descriptor, bytes);
}

int ftruncate64(int descriptor, off64_t bytes) {
    typedef int (*call)(int, off64_t);
    FAIL_IF(descriptor_fails(TRUNCATE, descriptor));
    return ((call)next("ftruncate64"))(descriptor, bytes);
}

int rename(const char *from, const char *to) {
    typedef int (*call)(const char *, const char *);
    FAIL_IF(fails(RENAME, to));
    return ((call)next("rename"))(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    typedef int (*call)(int, const char *, int, const char *, unsigned);
    FAIL_IF(fails(RENAME, to));
    return ((call)next("renameat2"))(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    typedef int (*call)(const char *, const char *);
    FAIL_IF(fails(RENAME, to));
    return ((call)next("link"))(from, to);
}

static int opening_fails(const char *path, int flags) {
    if ((flags & O_ACCMODE) != O_RDONLY) return fails(OPEN, path);
    const char *const folder = getenv("FAILING_FOLDER");
    const int is_folder = (flags & O_DIRECTORY) != 0 || strcmp(path, ".") == 0 || (folder != NULL && strcmp(path, folder) == 0);
    return is_folder ? 0 : fails(LOOK, path);
}

/* stdio and the streams of C++ open by this call. */
#define STREAM_AS(name)                                                       \
    FILE *name(const char *path, const char *mode) {                          \
        typedef FILE *(*call)(const char *, const char *);                    \
        const int why = opening_fails(path, strpbrk(mode, "wa+") != NULL ? O_WRONLY : O_RDONLY); \
        if (why > 0) {                                                        \
            errno = why;                                                      \
            return NULL;                                                      \
        }                                                                     \
        return ((call)next(#name))(path, mode);                               \
    }

STREAM_AS(fopen)
STREAM_AS(fopen64)

#define MAP_AS(name)                                                          \
    void *name(void *at, size_t bytes, int protection, int flags, int descriptor, off_t offset) { \
        typedef void *(*call)(void *, size_t, int, int, int, off_t);          \
        const int why = descriptor >= 0 ? descriptor_fails(MAP, descriptor) : 0; \
        if (why > 0) {                                                        \
            errno = why;                                                      \
            return MAP_FAILED;                                                \
        }                                                                     \
        return ((call)next(#name))(at, bytes, protection, flags, descriptor, offset); \
    }

MAP_AS(mmap)
MAP_AS(mmap64)

#define OPEN_AS(name)                                                         \
    int name(const char *path, int flags, ...) {                              \
        typedef int (*call)(const char *, int, ...);                          \
        va_list more;                                                         \
        va_start(more, flags);                                                \
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                         \
        FAIL_IF(opening_fails(path, flags));                                  \
        return ((call)next(#name))(path, flags, mode);                        \
    }

OPEN_AS(open)
OPEN_AS(open64)

#define OPEN_AT_AS(name)                                                      \
    int name(int folder, const char *path, int flags, ...) {                  \
        typedef int (*call)(int, const char *, int, ...);                     \
        va_list more;                                                         \
        va_start(more, flags);                                                \
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                         \
        FAIL_IF(opening_fails(path, flags));                                  \
        return ((call)next(#name))(folder, path, flags, mode);                \
    }

OPEN_AT_AS(openat)
OPEN_AT_AS(openat64)

static atomic_long allocations = -1; /* before main() */
static long failing_allocation = -1;
static int all_later_ones;

static int no_memory(void) {
    if (atomic_load_explicit(&allocations, memory_order_relaxed) < 0) return 0;
    const long number = atomic_fetch_add(&allocations, 1);
    if (failing_allocation < 0 || number < failing_allocation || (number > failing_allocation && !all_later_ones)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return no_memory() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return no_memory() ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return bytes > 0 && no_memory() ? NULL : __libc_realloc(old, bytes); }
void *memalign(size_t alignment, size_t bytes) { return no_memory() ? NULL : __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return no_memory() ? NULL : __libc_memalign(alignment, bytes); }
int posix_memalign(void **into, size_t alignment, size_t bytes) {
    void *const found = no_memory() ? NULL : __libc_memalign(alignment, bytes);
    if (found == NULL) return ENOMEM;
    *into = found;
    return 0;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment) {
    const char *const call = getenv("FAILING_CALL");
    const char *const at = getenv("FAILING_AT");
    if (call != NULL && at != NULL && strcmp(call, "memory") == 0) failing_allocation = atol(at);
    all_later_ones = getenv("FAILING_ONWARDS") != NULL;
    atomic_store(&allocations, 0);
    const int status = real_main(argc, argv, environment);
    failing_allocation = -1;
    char count[32];
    snprintf(count, sizeof count, "%ld", atomic_load(&allocations));
    if (getenv("FAILING_FOLDER") != NULL) log_line("allocations", count);
    return status;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*start)(void), void (*end)(void),
                      void (*loader_end)(void), void *stack) {
    typedef int (*call)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    real_main = main;
    return ((call)next("__libc_start_main"))(counted_main, argc, argv, start, end, loader_end, stack);
}
