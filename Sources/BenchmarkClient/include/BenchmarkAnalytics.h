// SPDX-License-Identifier: MIT
// Calls of `org.sentinel.Analytics1`.

#ifndef SENTINEL_BENCHMARK_ANALYTICS_H
#define SENTINEL_BENCHMARK_ANALYTICS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_client benchmark_client;

// A window in microseconds since the epoch, with its start and without its end.
typedef struct {
    int64_t start;
    int64_t end;
} benchmark_window;

// What can be asked about a window, on the calendar of UTC.
typedef enum {
    benchmark_top_types,
    benchmark_top_sources,
    benchmark_series_by_hour,
    benchmark_heatmap,
    benchmark_sessions,
    // `Query` for the number of events of each type.
    benchmark_query,
    // `RunMetric` of a metric that is named `benchmark` and has the parameters `start` and `end`.
    benchmark_metric,
    // `Report` as HTML, into an unlinked file.
    benchmark_report
} benchmark_question;

// Asks a question, one time after the other; each round trip in nanoseconds is in `durations`.
bool benchmark_client_ask_serially(
    benchmark_client *client, benchmark_question question, benchmark_window window, int64_t count,
    int64_t *durations);

#endif
