/* Records all calls that change files in one folder, or kills the process at one of them. Loaded with LD_PRELOAD; see
   power_cuts.py and kill_chains.py.

     RECORDED_FOLDER  files in this folder count, and the folder itself; not the folders in it
     RECORDED_LOG     a file outside of it, to which each call is appended once it has succeeded
     RECORDED_DATA    if set, the log also has the written bytes
     RECORDED_KILL    a number: the process kills itself in place of this call; 0 is the first
     RECORDED_TORN    if set, half of the write at which it kills itself is done before

   An entry is one line, "KIND INODE OFFSET BYTES NAME OTHER-NAME", and BYTES bytes with RECORDED_DATA. Names have no folder. The
   kinds: create, write, size (a truncation or a reservation, to BYTES), sync, folder (the folder is synced), rename, link,
   unlink. Linux only: the name of an open file comes from /proc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static long calls;

static void *next(const char *name) {
    void *const found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

/* The name of a file in the folder, "" for the folder itself, NULL for all else. */
static const char *inside(const char *path, char *buffer) {
    const char *const folder = getenv("RECORDED_FOLDER");
    if (folder == NULL) return NULL;
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (getcwd(here, sizeof here) == NULL) return NULL;
        if (strcmp(path, ".") == 0) path = "";
        if (snprintf(buffer, PATH_MAX, "%s%s%s", here, *path ? "/" : "", path) >= PATH_MAX) return NULL;
    } else if (snprintf(buffer, PATH_MAX, "%s", path) >= PATH_MAX) {
        return NULL;
    }
    const size_t length = strlen(folder);
    if (strncmp(buffer, folder, length) != 0) return NULL;
    const char *name = buffer + length;
    if (*name == '\0') return name;
    if (*name != '/') return NULL;
    while (*name == '/' || (name[0] == '.' && name[1] == '/')) ++name;
    return strchr(name, '/') == NULL ? name : NULL;
}

static const char *of_descriptor(int descriptor, char *buffer) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || path[0] != '/') return NULL; /* a pipe */
    path[length] = '\0';
    return inside(path, buffer);
}

static void put(const char *bytes, size_t count) {
    static int log = -1;
    if (log < 0) log = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORDED_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    for (size_t done = 0; done < count;) {
        const ssize_t now = syscall(SYS_write, log, bytes + done, count - done);
        if (now <= 0) abort();
        done += (size_t)now;
    }
}

static void record(const char *kind, unsigned long inode, long offset, long bytes, const char *name, const char *other,
                   const void *data) {
    if (getenv("RECORDED_LOG") == NULL) return;
    char line[3 * PATH_MAX];
    const int length = snprintf(line, sizeof line, "%s %lu %ld %ld %s %s\n", kind, inode, offset, bytes, *name ? name : ".",
                                *other ? other : ".");
    put(line, (size_t)length);
    if (data != NULL && getenv("RECORDED_DATA") != NULL) put(data, (size_t)bytes);
}

static unsigned long inode_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static void maybe_die(void) {
    const char *const at = getenv("RECORDED_KILL");
    if (at != NULL && atol(at) == calls) kill(getpid(), SIGKILL);
    ++calls;
}

static int tears(void) {
    const char *const at = getenv("RECORDED_KILL");
    return at != NULL && atol(at) == calls && getenv("RECORDED_TORN") != NULL;
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t at) {
    typedef ssize_t (*call)(int, const void *, size_t, off_t);
    const call real = (call)next("pwrite");
    char buffer[PATH_MAX];
    const char *const name = of_descriptor(descriptor, buffer);
    if (name == NULL) return real(descriptor, bytes, count, at);
    pthread_mutex_lock(&lock);
    if (tears()) (void)!real(descriptor, bytes, count / 2, at);
    maybe_die();
    const ssize_t done = real(descriptor, bytes, count, at);
    if (done > 0) record("write", inode_of(descriptor), at, done, name, "", bytes);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    return write_at(descriptor, bytes, count, at);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    return write_at(descriptor, bytes, count, at);
}

static off_t place(int descriptor) {
    if ((fcntl(descriptor, F_GETFL) & O_APPEND) == 0) return lseek(descriptor, 0, SEEK_CUR);
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    typedef ssize_t (*call)(int, const void *, size_t);
    const call real = (call)next("write");
    char buffer[PATH_MAX];
    const char *const name = of_descriptor(descriptor, buffer);
    if (name == NULL) return real(descriptor, bytes, count);
    pthread_mutex_lock(&lock);
    const off_t at = place(descriptor);
    if (tears()) (void)!real(descriptor, bytes, count / 2);
    maybe_die();
    const ssize_t done = real(descriptor, bytes, count);
    if (done > 0) record("write", inode_of(descriptor), at, done, name, "", bytes);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    typedef ssize_t (*call)(int, const struct iovec *, int);
    char buffer[PATH_MAX];
    if (of_descriptor(descriptor, buffer) == NULL) return ((call)next("writev"))(descriptor, pieces, count);
    for (int i = 0; i < count; ++i) { /* a short write: the caller goes on */
        if (pieces[i].iov_len > 0) return write(descriptor, pieces[i].iov_base, pieces[i].iov_len);
    }
    return 0;
}

static int sync_by(const char *by, int descriptor) {
    typedef int (*call)(int);
    char buffer[PATH_MAX];
    const char *const name = of_descriptor(descriptor, buffer);
    if (name == NULL) return ((call)next(by))(descriptor);
    pthread_mutex_lock(&lock);
    maybe_die();
    const int result = ((call)next(by))(descriptor);
    if (result == 0) record(*name ? "sync" : "folder", inode_of(descriptor), 0, 0, name, "", NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int descriptor) { return sync_by("fsync", descriptor); }
int fdatasync(int descriptor) { return sync_by("fdatasync", descriptor); }

static int resize(int descriptor, off_t bytes) {
    typedef int (*call)(int, off_t);
    char buffer[PATH_MAX];
    const char *const name = of_descriptor(descriptor, buffer);
    if (name == NULL) return ((call)next("ftruncate"))(descriptor, bytes);
    pthread_mutex_lock(&lock);
    maybe_die();
    const int result = ((call)next("ftruncate"))(descriptor, bytes);
    if (result == 0) record("size", inode_of(descriptor), 0, bytes, name, "", NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t bytes) { return resize(descriptor, bytes); }
int ftruncate64(int descriptor, off64_t bytes) { return resize(descriptor, bytes); }

static int reserve(int descriptor, int mode, off_t first, off_t bytes) {
    typedef int (*call)(int, int, off_t, off_t);
    char buffer[PATH_MAX];
    const char *const name = of_descriptor(descriptor, buffer);
    if (name == NULL) return ((call)next("fallocate"))(descriptor, mode, first, bytes);
    pthread_mutex_lock(&lock);
    maybe_die();
    const int result = ((call)next("fallocate"))(descriptor, mode, first, bytes);
    struct stat status;
    if (result == 0 && fstat(descriptor, &status) == 0)
        record("size", status.st_ino, 0, status.st_size, name, "", NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

int fallocate(int descriptor, int mode, off_t first, off_t bytes) { return reserve(descriptor, mode, first, bytes); }
int fallocate64(int descriptor, int mode, off64_t first, off64_t bytes) { return reserve(descriptor, mode, first, bytes); }

#define NAMES(KIND, FROM, TO, CALL)                                                    \
    do {                                                                               \
        char one[PATH_MAX], two[PATH_MAX];                                             \
        const char *const from_name = inside(FROM, one), *const to_name = inside(TO, two); \
        if (from_name == NULL || to_name == NULL) return CALL;                         \
        pthread_mutex_lock(&lock);                                                     \
        maybe_die();                                                                   \
        const int result = CALL;                                                       \
        if (result == 0) record(KIND, 0, 0, 0, from_name, to_name, NULL);              \
        pthread_mutex_unlock(&lock);                                                   \
        return result;                                                                 \
    } while (0)

int rename(const char *from, const char *to) {
    typedef int (*call)(const char *, const char *);
    NAMES("rename", from, to, ((call)next("rename"))(from, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    typedef int (*call)(int, const char *, int, const char *, unsigned);
    NAMES("rename", from, to, ((call)next("renameat2"))(from_folder, from, to_folder, to, flags));
}

int link(const char *from, const char *to) {
    typedef int (*call)(const char *, const char *);
    NAMES("link", from, to, ((call)next("link"))(from, to));
}

int unlink(const char *path) {
    typedef int (*call)(const char *);
    NAMES("unlink", path, path, ((call)next("unlink"))(path));
}

int remove(const char *path) {
    typedef int (*call)(const char *);
    NAMES("unlink", path, path, ((call)next("remove"))(path));
}

static int open_by(const char *by, const char *path, int flags, mode_t mode) {
    typedef int (*call)(const char *, int, ...);
    char buffer[PATH_MAX];
    const char *const name = (flags & (O_CREAT | O_TRUNC)) != 0 ? inside(path, buffer) : NULL;
    if (name == NULL) return ((call)next(by))(path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat before;
    const int existed = lstat(path, &before) == 0;
    maybe_die();
    const int descriptor = ((call)next(by))(path, flags, mode);
    if (descriptor >= 0 && !existed) record("create", inode_of(descriptor), 0, 0, name, "", NULL);
    if (descriptor >= 0 && existed && (flags & O_TRUNC) != 0) record("size", inode_of(descriptor), 0, 0, name, "", NULL);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

#define OPEN_AS(name)                                                          \
    int name(const char *path, int flags, ...) {                               \
        va_list more;                                                          \
        va_start(more, flags);                                                 \
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                          \
        return open_by(#name, path, flags, mode);                              \
    }

OPEN_AS(open)
OPEN_AS(open64)
