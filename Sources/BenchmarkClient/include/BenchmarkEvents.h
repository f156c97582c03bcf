// SPDX-License-Identifier: MIT
// The events that are recorded, by Sentinel over the bus, by Zeitgeist, and by a loop in C on sqlite3.

#ifndef SENTINEL_BENCHMARK_EVENTS_H
#define SENTINEL_BENCHMARK_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_client benchmark_client;

// So many events, spread evenly over a time in microseconds from a start in microseconds since the epoch.
typedef struct {
    int64_t start;
    int64_t length;
    int64_t count;
} benchmark_event_set;

enum {
    benchmark_type_count = 8,
    benchmark_source_count = 50,
    // In microseconds: ten minutes.
    benchmark_longest_duration = 600000000
};

// An event of a set.
typedef struct {
    int64_t timestamp;
    int64_t duration;
    // From 1 on.
    int64_t type;
    int64_t source;
} benchmark_event;

// The event of that number, from 0 on: types, sources and durations are mixed as if by chance, the same each time.
benchmark_event benchmark_event_at(benchmark_event_set set, int64_t number);

// Records the events from number `first` on with `RecordBatch`, `size` a call, `outstanding` of `count` calls
// unanswered. The calls are made ready beforehand; `duration` has the nanoseconds from the first to the last reply.
bool benchmark_client_record_batches(
    benchmark_client *client, benchmark_event_set set, int64_t first, int64_t size, int64_t count,
    int64_t outstanding, int64_t *duration);

// Records events of now with `Record`, one after the other; each round trip in nanoseconds is in `durations`.
bool benchmark_client_record_serially(benchmark_client *client, int64_t count, int64_t *durations);

// Records events of now with `Record`, `outstanding` calls unanswered.
bool benchmark_client_record_pipelined(
    benchmark_client *client, int64_t count, int64_t outstanding, int64_t *duration);

// Asks for the newest `limit` events with `Query`, one time after the other.
bool benchmark_client_query_serially(benchmark_client *client, uint32_t limit, int64_t count, int64_t *durations);

// Records events with Zeitgeist's `InsertEvents`, one a call, `outstanding` calls unanswered. No two with the same
// `first` and the same set of numbers from it on may be recorded: Zeitgeist leaves out what it has.
bool benchmark_client_insert_pipelined(
    benchmark_client *client, int64_t first, int64_t count, int64_t outstanding, int64_t *duration);

// Begins an export of all events into an open file.
bool benchmark_client_begin_export(benchmark_client *client, int file);

// Whether the export has ended, and how many events it has written.
bool benchmark_client_poll_export(benchmark_client *client, bool *ended, uint64_t *exported);

#endif
