// SPDX-License-Identifier: MIT
// Calls of `org.sentinel.Preferences1`.

#ifndef SENTINEL_BENCHMARK_PREFERENCES_H
#define SENTINEL_BENCHMARK_PREFERENCES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_client benchmark_client;

// Registers as an application.
bool benchmark_client_register(benchmark_client *client, const char *id);

// Declares `count` integers, `k0` and so on, of the application whose object is at `path`, in one call.
bool benchmark_client_declare(benchmark_client *client, const char *path, int64_t count);

// Sets `k0` to the numbers from `first` on, one after the other; each round trip in nanoseconds is in `durations`.
bool benchmark_client_set_serially(
    benchmark_client *client, const char *path, int64_t first, int64_t count, int64_t *durations);

// The same with `outstanding` calls unanswered.
bool benchmark_client_set_pipelined(
    benchmark_client *client, const char *path, int64_t first, int64_t count, int64_t outstanding, int64_t *duration);

// Subscribes to the changes of the preferences of all applications, for `benchmark_client_set_and_hear`.
bool benchmark_client_follow_preferences(benchmark_client *client);

// Sets `k0` to the numbers from `first` on, one after the other; the time from each call to the signal at `listener`,
// which follows preferences, is in `durations` in nanoseconds.
bool benchmark_client_set_and_hear(
    benchmark_client *client, benchmark_client *listener, const char *path, int64_t first, int64_t count,
    int64_t *durations);

#endif
