// SPDX-License-Identifier: MIT
// What a program in C on sqlite3 does to store events as Sentinel does: the same tables, settings and statements, each
// prepared once, their values made ready beforehand, and no other work.

#ifndef SENTINEL_BENCHMARK_STORE_H
#define SENTINEL_BENCHMARK_STORE_H

#include "BenchmarkEvents.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_store benchmark_store;

// What is written of an event.
typedef enum {
    // Its row, what it adds to the rollups, and the uses of its names.
    benchmark_store_whole,
    // Its row alone.
    benchmark_store_bare
} benchmark_store_extent;

// A store that is not open yet, or NULL where there is no memory.
benchmark_store *benchmark_store_create(void);

// Closes the database and frees the store.
void benchmark_store_destroy(benchmark_store *store);

// Why the last function returned false; empty if none did.
const char *benchmark_store_error(const benchmark_store *store);

// Makes a database at `path` with the tables of the one at `model`, which Sentinel has made, and the names of all
// events.
bool benchmark_store_open(
    benchmark_store *store, const char *path, const char *model, benchmark_store_extent extent);

// Stores the events from number `first` on in `count` transactions of `size` events each, and stores the time of each
// from BEGIN to COMMIT in nanoseconds in `durations`.
bool benchmark_store_record(
    benchmark_store *store, benchmark_event_set set, int64_t first, int64_t size, int64_t count,
    int64_t *durations);

// How many events there are in a database that nobody has open, -1 where it cannot be read.
int64_t benchmark_store_count(const char *path);

#endif
