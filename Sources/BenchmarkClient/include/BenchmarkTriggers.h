// SPDX-License-Identifier: MIT
// Signals that fire triggers, and what came of them.

#ifndef SENTINEL_BENCHMARK_TRIGGERS_H
#define SENTINEL_BENCHMARK_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_client benchmark_client;

// Sends `count` signals `org.sentinel.Notification.Trigger` for an application, one every `interval` nanoseconds, or as
// fast as possible where that is 0. Then it calls the service, whose answer comes after all of them were taken;
// `duration` has the nanoseconds from the first signal to that answer.
bool benchmark_client_flood(
    benchmark_client *client, const char *application, int64_t count, int64_t interval, int64_t *duration);

// Subscribes to what has fired, for `benchmark_client_count_triggered`.
bool benchmark_client_follow_triggers(benchmark_client *client);

// How many triggers the bus has told to have fired for an application since this was last asked.
bool benchmark_client_count_triggered(benchmark_client *client, const char *application, int64_t *count);

// How often the cause of a trigger has come, as `ListTriggers` tells; -1 where it does not tell.
bool benchmark_client_count_causes(benchmark_client *client, const char *trigger, int64_t *count);

#endif
