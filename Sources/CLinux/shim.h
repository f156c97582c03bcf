// SPDX-License-Identifier: MIT
// System calls that the toolchain's Glibc module leaves out.

#ifndef SENTINEL_CLINUX_SHIM_H
#define SENTINEL_CLINUX_SHIM_H

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
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
struct re_registers;
extern regoff_t re_match(struct re_pattern_buffer *expression, const char *text, regoff_t length, regoff_t start,
                         struct re_registers *registers);

enum {
    CLINUX_O_PATH = 010000000,
    CLINUX_O_TMPFILE = 020000000 | O_DIRECTORY,
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

// Starts a program that is killed when the thread that started it ends, in a process group of its own, with the signals
// as they are by default and nothing to read: posix_spawn(3) has no way to say the first. -1 with errno where there can
// be no process; one whose program cannot be executed ends with 127. The two descriptors have to be above 2.
static inline pid_t clinux_spawn_tied(
    const char *path, char *const arguments[], char *const environment[], int output, int errors) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return child;
    }
    // Between here and execve(2) only what is safe in a handler of signals may be called.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    if (getppid() != parent || nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0)
        _exit(127);
    if (nothing > 2)
        close(nothing);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= SIGRTMAX; number++)
        sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    _exit(127);
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
