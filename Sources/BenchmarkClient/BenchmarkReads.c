// SPDX-License-Identifier: MIT

#include "BenchmarkReads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// More than any of the files has on machines with up to some hundred processors.
enum { capacity = 64 << 10 };

// Reads a whole file as a text. The kernel gives each of these in one piece.
static bool read_text(const char *path, char *text)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    ssize_t length = read(descriptor, text, capacity - 1);
    int failure = errno;
    close(descriptor);
    errno = failure;
    if (length < 0)
        return false;
    text[length] = '\0';
    return true;
}

static bool read_process_text(int32_t process, const char *name, char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    return read_text(path, text);
}

// The number after a label, which begins a line.
static bool find_number(const char *text, const char *label, uint64_t *number)
{
    const char *line = strstr(text, label);
    if (line == NULL) {
        errno = EBADMSG;
        return false;
    }
    *number = strtoull(line + strlen(label), NULL, 10);
    return true;
}

// Passes over the numbers before the `count`th of those that follow, and returns where that begins.
static const char *skip_numbers(const char *text, int count)
{
    for (int index = 0; index < count; index += 1) {
        text += strspn(text, " ");
        text += strcspn(text, " \n");
    }
    return text;
}

static bool read_stat(int32_t process, char *text, benchmark_reads *reads)
{
    if (!read_process_text(process, "stat", text))
        return false;
    // The name is in parentheses, and may have some of its own.
    const char *fields = strrchr(text, ')');
    if (fields == NULL) {
        errno = EBADMSG;
        return false;
    }
    // Field 3 follows; utime and stime are 14 and 15, num_threads is 20, starttime 22.
    char *next = NULL;
    reads->processor_ticks = strtoull(skip_numbers(fields + 1, 11), &next, 10);
    reads->processor_ticks += strtoull(next, &next, 10);
    reads->threads = strtoull(skip_numbers(next, 4), &next, 10);
    reads->start_ticks = strtoull(skip_numbers(next, 1), NULL, 10);
    return true;
}

static bool read_files_of_process(int32_t process, char *text, benchmark_reads *reads)
{
    uint64_t voluntary = 0;
    uint64_t involuntary = 0;
    if (!read_process_text(process, "status", text)
        || !find_number(text, "\nVmHWM:", &reads->resident_peak_kilobytes)
        || !find_number(text, "\nvoluntary_ctxt_switches:", &voluntary)
        || !find_number(text, "\nnonvoluntary_ctxt_switches:", &involuntary))
        return false;
    reads->context_switches = voluntary + involuntary;
    return read_process_text(process, "smaps_rollup", text)
        && find_number(text, "\nPss:", &reads->proportional_kilobytes)
        && read_process_text(process, "io", text)
        && find_number(text, "\nread_bytes:", &reads->read_bytes)
        && find_number(text, "\nwrite_bytes:", &reads->written_bytes);
}

static bool count_descriptors(int32_t process, benchmark_reads *reads)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return false;
    reads->file_descriptors = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.')
            reads->file_descriptors += 1;
    }
    closedir(directory);
    return true;
}

static bool read_files_of_machine(char *text, benchmark_reads *reads)
{
    if (!read_text("/proc/stat", text))
        return false;
    char *next = text + strlen("cpu ");
    reads->machine_ticks = 0;
    for (int field = 0; field < 8; field += 1) {
        uint64_t ticks = strtoull(next, &next, 10);
        reads->machine_ticks += ticks;
        if (field == 3)
            reads->machine_idle_ticks = ticks;
        if (field == 4)
            reads->machine_idle_ticks += ticks;
    }
    reads->processors = 0;
    for (const char *line = strstr(next, "\ncpu"); line != NULL; line = strstr(line + 1, "\ncpu"))
        reads->processors += 1;

    if (!read_text("/proc/meminfo", text) || !find_number(text, "MemTotal:", &reads->memory_total_kilobytes)
        || !read_text("/proc/uptime", text))
        return false;
    reads->uptime_seconds = strtod(text, NULL);

    static const char *const paths[] = {"/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io"};
    for (int index = 0; index < 3; index += 1) {
        const char *figure = read_text(paths[index], text) ? strstr(text, "some avg10=") : NULL;
        reads->pressures[index] = figure != NULL ? strtod(figure + strlen("some avg10="), NULL) : -1;
    }
    return true;
}

bool benchmark_read(int32_t process, benchmark_reads *reads)
{
    static char text[capacity];
    return read_stat(process, text, reads) && read_files_of_process(process, text, reads)
        && count_descriptors(process, reads) && read_files_of_machine(text, reads);
}

bool benchmark_time_reads(int32_t process, int64_t count, int64_t *durations)
{
    for (int64_t index = 0; index < count; index += 1) {
        benchmark_reads reads;
        struct timespec start;
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (!benchmark_read(process, &reads))
            return false;
        clock_gettime(CLOCK_MONOTONIC, &end);
        durations[index] = (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec);
    }
    return true;
}
