// A disk that fails, for a whole process: SQLite and Node alike. Loaded by LD_PRELOAD, it counts the calls that change
// something below a folder, and lets one of them fail, or all from it on. What fails is said by the file FAULT_CONTROL,
// which may be written again while the process runs. FAULT_LOG gets a line for each counted call; a failed one begins with
// an exclamation mark.
// A full disk (ENOSPC) takes half of what is written before it fails, and refuses nothing that needs no space. Lost
// permissions (EACCES) and a file system that is mounted read-only (EROFS) leave open files alone, as the kernel does. Too
// many open files (EMFILE) let nothing be opened, to read neither. KILLED is no error: the process is killed at that call,
// in the middle of it where it writes: as the kernel does, which looks for a signal between two pages of a file.
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define KILLED 0

enum need { SPACE = 1, RIGHTS = 2, ANY = 4, HANDLE = 8 };

// As failing-disk.ts writes it. Shared by a process and those that it starts.
struct control {
  atomic_int calls;
  int fail_at, fail_errno, lasting;
  char root[4080];
};
static struct control *control;
static int log_fd = -1;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULT_CONTROL"), *log = getenv("FAULT_LOG");
  if (!path || !log) return;
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
  log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
}

static int fails(const char *name, const char *path, int needs) {
  if (!control || !control->root[0] || strncmp(path, control->root, strlen(control->root)) != 0) return 0;
  int fail_at = control->fail_at, fail_errno = control->fail_errno;
  if (fail_errno == ENOSPC && !(needs & SPACE)) return 0;
  if ((fail_errno == EACCES || fail_errno == EROFS) && !(needs & RIGHTS)) return 0;
  if (fail_errno == EMFILE ? !(needs & HANDLE) : needs == HANDLE) return 0;
  int number = ++control->calls;
  int failing = fail_at > 0 && (number == fail_at || (control->lasting && number > fail_at));
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s%s %s\n", failing ? "!" : "", name, path + strlen(control->root));
  if (log_fd >= 0) syscall(SYS_write, log_fd, line, length);
  if (failing && fail_errno == KILLED && needs != SPACE) kill(getpid(), SIGKILL);
  if (failing) errno = fail_errno;
  return failing;
}

#define PAGE 4096

// How much of what is written at a place of a file is there in the end.
static size_t written(size_t count, off_t at) {
  if (control->fail_errno == ENOSPC) return count / 2;
  size_t room = PAGE - at % PAGE;
  return control->fail_errno == KILLED && count > room ? room : 0;
}

static off_t place(int fd) {
  struct stat file;
  if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &file) == 0) return file.st_size;
  off_t at = lseek(fd, 0, SEEK_CUR);
  return at < 0 ? 0 : at;
}

static ssize_t failed(ssize_t result) {
  if (control->fail_errno == KILLED) kill(getpid(), SIGKILL);
  return result;
}

static int fd_fails(const char *name, int fd, int needs) {
  if (!control) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(name, path, needs);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int open_needs(const char *path, int flags) {
  int creates = (flags & O_CREAT) && access(path, F_OK) != 0;
  return HANDLE | (creates ? SPACE | RIGHTS : 0) | ((flags & O_ACCMODE) != O_RDONLY ? RIGHTS : 0);
}

#define OPEN(name)                                                        \
  int name(const char *path, int flags, ...) {                            \
    va_list more;                                                         \
    va_start(more, flags);                                                \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                         \
    int saved = errno, needs = open_needs(path, flags);                   \
    errno = saved;                                                        \
    if (fails("open", path, needs)) return -1;                   \
    REAL(name);                                                           \
    return real(path, flags, mode);                                       \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  if (!fd_fails("write", fd, SPACE)) return real(fd, bytes, count);
  size_t part = written(count, place(fd));
  return failed(part > 0 ? real(fd, bytes, part) : -1);
}

#define PWRITE(name, offset_type)                                                          \
  ssize_t name(int fd, const void *bytes, size_t count, offset_type at) {                  \
    REAL(name);                                                                            \
    if (!fd_fails("pwrite", fd, SPACE)) return real(fd, bytes, count, at);                 \
    size_t part = written(count, at);                                                      \
    return failed(part > 0 ? real(fd, bytes, part, at) : -1);                              \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  return fd_fails("writev", fd, SPACE) ? failed(-1) : real(fd, parts, count);
}

#define ON_FD(name, needs)                             \
  int name(int fd) {                                   \
    REAL(name);                                        \
    return fd_fails(#name, fd, needs) ? -1 : real(fd); \
  }
ON_FD(fsync, ANY)
ON_FD(fdatasync, ANY)

#define TRUNCATE(name, offset_type)                                      \
  int name(int fd, offset_type length) {                                 \
    REAL(name);                                                          \
    return fd_fails("ftruncate", fd, ANY) ? -1 : real(fd, length);       \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
  REAL(rename);
  return fails("rename", to, SPACE | RIGHTS) ? -1 : real(from, to);
}

int unlink(const char *path) {
  REAL(unlink);
  return access(path, F_OK) == 0 && fails("unlink", path, RIGHTS) ? -1 : real(path);
}

int rmdir(const char *path) {
  REAL(rmdir);
  return access(path, F_OK) == 0 && fails("rmdir", path, RIGHTS) ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return access(path, F_OK) != 0 && fails("mkdir", path, SPACE | RIGHTS) ? -1 : real(path, mode);
}
