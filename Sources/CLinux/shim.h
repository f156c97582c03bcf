// SPDX-License-Identifier: MIT
// System calls that the toolchain's Glibc module leaves out.

#ifndef SENTINEL_CLINUX_SHIM_H
#define SENTINEL_CLINUX_SHIM_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// GNU extensions, which the headers hide from an importer without _GNU_SOURCE.
extern int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *sigmask);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pipe2(int fds[2], int flags);
extern ssize_t getdents64(int fd, void *buffer, size_t length);

enum {
    CLINUX_O_PATH = 010000000,
    CLINUX_INOTIFY_FLAGS = IN_CLOEXEC | IN_NONBLOCK,
    CLINUX_EVENTFD_FLAGS = EFD_CLOEXEC | EFD_NONBLOCK,
    CLINUX_SIGNALFD_FLAGS = SFD_CLOEXEC | SFD_NONBLOCK,
    CLINUX_TIMERFD_FLAGS = TFD_CLOEXEC | TFD_NONBLOCK,
    CLINUX_TIMERFD_ABSOLUTE = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
};

// pidfd_open(2): syscall(2) is variadic, which Swift does not import.
static inline int clinux_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

// Whether a descriptor is on a proc(5) file system: PROC_SUPER_MAGIC of <linux/magic.h>.
static inline bool clinux_is_proc(int fd) {
    struct statfs status;
    return fstatfs(fd, &status) == 0 && status.f_type == 0x9fa0;
}

// The clock of a process's processor time, as clock_getcpuclockid(3) makes it but without its system call.
static inline clockid_t clinux_process_clock(pid_t pid) {
    return (clockid_t)((~(unsigned int)pid << 3) | 2);
}

#endif
