// SPDX-License-Identifier: MIT
// What a program in C does to learn what `org.sentinel.Performance1.Sample` tells, for a measure of what the kernel's
// part of it costs.

#ifndef SENTINEL_BENCHMARK_READS_H
#define SENTINEL_BENCHMARK_READS_H

#include <stdbool.h>
#include <stdint.h>

// Figures of a process and its machine, as proc(5) has them.
typedef struct {
    uint64_t processor_ticks;
    uint64_t threads;
    uint64_t start_ticks;
    uint64_t resident_peak_kilobytes;
    uint64_t context_switches;
    uint64_t proportional_kilobytes;
    uint64_t read_bytes;
    uint64_t written_bytes;
    uint64_t file_descriptors;
    uint64_t machine_ticks;
    uint64_t machine_idle_ticks;
    uint64_t processors;
    uint64_t memory_total_kilobytes;
    double uptime_seconds;
    // Of processor, memory and storage; -1 where the kernel does not tell it.
    double pressures[3];
} benchmark_reads;

// Opens, reads, parses and closes `stat`, `status`, `smaps_rollup`, `io` and `fd` of a process, `stat`, `meminfo` and
// `uptime` of the machine, and its three pressures. Returns false, with `errno` set, if one cannot be read.
bool benchmark_read(int32_t process, benchmark_reads *reads);

// The same, `count` times, with the time of each in nanoseconds in `durations`.
bool benchmark_time_reads(int32_t process, int64_t count, int64_t *durations);

#endif
