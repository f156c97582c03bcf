// SPDX-License-Identifier: MIT
// What the files of the client share.

#ifndef SENTINEL_BENCHMARK_CLIENT_INTERNAL_H
#define SENTINEL_BENCHMARK_CLIENT_INTERNAL_H

#include "BenchmarkClient.h"

#include <dbus/dbus.h>
#include <time.h>

// The library's own symbols stay its own.
#define fail benchmark_client_fail
#define fail_with benchmark_client_fail_with

// A call that takes this long is not slow, it is lost.
enum { reply_timeout_milliseconds = 10000 };

struct benchmark_client {
    DBusConnection *connection;
    // The call of an export that is not answered yet, or NULL.
    DBusPendingCall *export;
    char error[512];
};

// Calls to make in turn, and the signature that each reply must have.
typedef struct {
    DBusMessage **items;
    int64_t count;
    const char *reply;
} benchmark_messages;

// Remembers why something failed, and returns false.
bool fail(benchmark_client *client, const char *what, const char *detail);

// The same, with what libdbus says, which is freed.
bool fail_with(benchmark_client *client, const char *what, DBusError *error);

// Makes `count` calls one after the other and stores each round trip in nanoseconds in `durations`.
bool benchmark_client_send_serially(
    benchmark_client *client, benchmark_messages messages, int64_t count, int64_t *durations);

// Makes `count` calls, keeping `outstanding` of them unanswered, and stores the time from the first call to the last
// reply in nanoseconds in `duration`.
bool benchmark_client_send_pipelined(
    benchmark_client *client, benchmark_messages messages, int64_t count, int64_t outstanding, int64_t *duration);

static inline int64_t now_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
