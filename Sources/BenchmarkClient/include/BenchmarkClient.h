// SPDX-License-Identifier: MIT
// The client that measures. It is C on libdbus, so that its own cost is small and the same whichever server answers.
// Every function returns false on failure; `benchmark_client_error` then says why. A client belongs to one thread.

#ifndef SENTINEL_BENCHMARK_CLIENT_H
#define SENTINEL_BENCHMARK_CLIENT_H

#include "BenchmarkAnalytics.h"
#include "BenchmarkEvents.h"
#include "BenchmarkPreferences.h"
#include "BenchmarkReads.h"
#include "BenchmarkStore.h"
#include "BenchmarkTriggers.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_client benchmark_client;

// A method of one object, with at most two texts as arguments, the first NULL ending them.
typedef struct {
    const char *destination;
    const char *path;
    const char *interface;
    const char *member;
    const char *arguments[2];
    // The signature that the reply must have.
    const char *reply;
} benchmark_call;

// A client that is not connected yet, or NULL where there is no memory.
benchmark_client *benchmark_client_create(void);

// Closes the connection and frees the client.
void benchmark_client_destroy(benchmark_client *client);

// Connects to the bus at `address` and takes a unique name.
bool benchmark_client_connect(benchmark_client *client, const char *address);

// Why the last function returned false; empty if none did.
const char *benchmark_client_error(const benchmark_client *client);

// Subscribes to changes of the owner of `name`, for `benchmark_client_await_name`.
bool benchmark_client_watch_name(benchmark_client *client, const char *name);

// Waits asleep until `name`, which is watched, has an owner (`owned`) or has none. `*reached` is false after
// `timeout_milliseconds` without that.
bool benchmark_client_await_name(
    benchmark_client *client, const char *name, bool owned, int timeout_milliseconds, bool *reached);

// Asks the bus which process owns `name`.
bool benchmark_client_get_owner_process(benchmark_client *client, const char *name, int32_t *process);

// Makes `count` calls one after the other and stores each round trip in nanoseconds in `durations`.
bool benchmark_client_call_serially(
    benchmark_client *client, benchmark_call call, int64_t count, int64_t *durations);

// Makes `count` calls, keeping `outstanding` of them unanswered, and stores the time from the first call to the last
// reply in nanoseconds in `duration`.
bool benchmark_client_call_pipelined(
    benchmark_client *client, benchmark_call call, int64_t count, int64_t outstanding, int64_t *duration);

// Begins a watch of `org.sentinel.Performance1` on an object, at the interval that is the default.
bool benchmark_client_watch(benchmark_client *client, const char *destination, const char *path, uint32_t *watch);

// Ends a watch.
bool benchmark_client_unwatch(benchmark_client *client, const char *destination, const char *path, uint32_t watch);

// Takes what arrives for `duration_milliseconds`, asleep meanwhile, and counts the samples of watches.
bool benchmark_client_count_samples(benchmark_client *client, int duration_milliseconds, int64_t *count);

#endif
