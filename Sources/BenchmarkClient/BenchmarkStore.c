// SPDX-License-Identifier: MIT

#include "BenchmarkStore.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The statements with which Sources/SentinelPersistence records an event that is new.
enum statement {
    statement_begin,
    statement_commit,
    statement_insert_event,
    statement_add_types,
    statement_select_runs,
    statement_add_sources,
    statement_add_pairs,
    statement_use_type,
    statement_use_source,
    statement_last_commit,
    statement_count
};

#define ADD " ON CONFLICT DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum," \
            " whole = whole + excluded.whole"

static const char *const statement_texts[statement_count] = {
    [statement_begin] = "BEGIN IMMEDIATE",
    [statement_commit] = "COMMIT",
    [statement_insert_event] = "INSERT INTO events (key, type, source, duration, crossing_end, marks, given_id, data)"
                               " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [statement_add_types] = "INSERT INTO type_rollups (tier, start, type, count, sum, whole)"
                            " VALUES (?, ?, ?, ?, ?, ?)" ADD,
    [statement_select_runs] = "SELECT runs FROM source_rollups WHERE tier = ? AND start = ? AND source = ?",
    [statement_add_sources] = "INSERT INTO source_rollups (tier, start, source, count, sum, whole, runs)"
                              " VALUES (?, ?, ?, ?, ?, ?, ?)" ADD ", runs = excluded.runs",
    [statement_add_pairs] = "INSERT INTO pair_rollups (tier, start, type, source, count, sum, whole)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?)" ADD,
    [statement_use_type] = "UPDATE event_types SET uses = uses + ? WHERE id = ?",
    [statement_use_source] = "UPDATE event_sources SET uses = uses + ? WHERE id = ?",
    [statement_last_commit] = "INSERT INTO settings (name, value) VALUES ('last_event_commit', ?)"
                              " ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
};

struct benchmark_store {
    sqlite3 *database;
    sqlite3_stmt *statements[statement_count];
    benchmark_store_extent extent;
    char error[512];
};

static bool fail(benchmark_store *store, const char *what)
{
    snprintf(store->error, sizeof store->error, "%s: %s", what, sqlite3_errmsg(store->database));
    return false;
}

// MARK: Opening

benchmark_store *benchmark_store_create(void)
{
    return calloc(1, sizeof(benchmark_store));
}

void benchmark_store_destroy(benchmark_store *store)
{
    for (int index = 0; index < statement_count; index += 1)
        sqlite3_finalize(store->statements[index]);
    sqlite3_close(store->database);
    free(store);
}

const char *benchmark_store_error(const benchmark_store *store)
{
    return store->error;
}

static bool execute(benchmark_store *store, const char *text)
{
    return sqlite3_exec(store->database, text, NULL, NULL, NULL) == SQLITE_OK ? true : fail(store, text);
}

// Makes the tables of another database.
static bool copy_schema(benchmark_store *store, const char *model)
{
    sqlite3 *source = NULL;
    sqlite3_stmt *rows = NULL;
    bool succeeded
        = sqlite3_open_v2(model, &source, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(
               source,
               // SQLite makes its own tables itself.
               "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid", -1,
               &rows, NULL)
            == SQLITE_OK;
    int result = SQLITE_DONE;
    while (succeeded && (result = sqlite3_step(rows)) == SQLITE_ROW)
        succeeded = execute(store, (const char *)sqlite3_column_text(rows, 0));
    if (store->error[0] == '\0' && (!succeeded || result != SQLITE_DONE)) {
        snprintf(store->error, sizeof store->error, "cannot read the tables of %s: %s", model, sqlite3_errmsg(source));
        succeeded = false;
    }
    sqlite3_finalize(rows);
    sqlite3_close(source);
    return succeeded;
}

static bool insert_names(benchmark_store *store)
{
    char text[256];
    bool succeeded = execute(store, "BEGIN");
    for (int number = 1; succeeded && number <= benchmark_type_count; number += 1) {
        snprintf(text, sizeof text, "INSERT INTO event_types VALUES (%d, 'benchmark.type%d', 0)", number, number);
        succeeded = execute(store, text);
    }
    for (int number = 1; succeeded && number <= benchmark_source_count; number += 1) {
        snprintf(
            text, sizeof text, "INSERT INTO event_sources VALUES (%d, 'com.example.Benchmark%d', 0)", number, number);
        succeeded = execute(store, text);
    }
    return succeeded && execute(store, "COMMIT");
}

bool benchmark_store_open(
    benchmark_store *store, const char *path, const char *model, benchmark_store_extent extent)
{
    store->extent = extent;
    // Sentinel has one thread that writes, too: no lock is taken where it takes none.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->database, flags, NULL) != SQLITE_OK)
        return fail(store, "cannot open the database");
    // The log is copied into the database when it has 1000 pages, as SQLite does where nobody says otherwise.
    if (!execute(store, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = wal;"
                        "PRAGMA synchronous = full; PRAGMA foreign_keys = 1; PRAGMA secure_delete = 1;"
                        "PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0; PRAGMA temp_store = memory;")
        || !copy_schema(store, model) || !insert_names(store))
        return false;
    for (int index = 0; index < statement_count; index += 1) {
        if (sqlite3_prepare_v3(
                store->database, statement_texts[index], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[index], NULL)
            != SQLITE_OK)
            return fail(store, "cannot prepare a statement");
    }
    return true;
}

// MARK: What is written

// A row of a projection, or a part of it that one event adds.
typedef struct {
    int64_t tier;
    int64_t start;
    int64_t type;
    int64_t source;
    int64_t count;
    int64_t sum;
} rollup_row;

typedef struct {
    rollup_row *items;
    int64_t count;
} rollup_rows;

// What a transaction writes.
typedef struct {
    benchmark_event *events;
    int64_t event_count;
    rollup_rows types;
    rollup_rows sources;
    rollup_rows pairs;
    int64_t type_uses[benchmark_type_count + 1];
    int64_t source_uses[benchmark_source_count + 1];
    int64_t written;
} transaction;

static const int64_t quarter_length = INT64_C(900) * 1000000;
static const int64_t tier_quarters[] = {1, 4, 96};
enum { tier_count = 3 };

static int compare_numbers(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

static int compare_rows(const void *left, const void *right)
{
    const rollup_row *one = left;
    const rollup_row *other = right;
    int result = compare_numbers(one->tier, other->tier);
    if (result == 0)
        result = compare_numbers(one->start, other->start);
    if (result == 0)
        result = compare_numbers(one->type, other->type);
    return result != 0 ? result : compare_numbers(one->source, other->source);
}

static void add_row(rollup_rows *rows, rollup_row row)
{
    rows->items[rows->count] = row;
    rows->count += 1;
}

// Puts the rows in the order of their table and makes one of those that are one.
static void settle_rows(rollup_rows *rows)
{
    qsort(rows->items, (size_t)rows->count, sizeof(rollup_row), compare_rows);
    int64_t kept = 0;
    for (int64_t index = 0; index < rows->count; index += 1) {
        if (kept > 0 && compare_rows(&rows->items[kept - 1], &rows->items[index]) == 0) {
            rows->items[kept - 1].count += rows->items[index].count;
            rows->items[kept - 1].sum += rows->items[index].sum;
        } else {
            rows->items[kept] = rows->items[index];
            kept += 1;
        }
    }
    rows->count = kept;
}

// Adds what an event contributes to a unit that starts at a time. No event is as long as a quarter.
static void add_share(
    transaction *transaction, benchmark_event event, int64_t tier, int64_t unit, int64_t count, int64_t sum)
{
    rollup_row row = {.tier = tier, .start = unit / quarter_length, .count = count, .sum = sum};
    row.type = event.type;
    add_row(&transaction->types, row);
    if (tier == 0) {
        row.source = event.source;
        add_row(&transaction->pairs, row);
    }
    row.type = 0;
    row.source = event.source;
    add_row(&transaction->sources, row);
}

static void add_event(transaction *transaction, benchmark_event event)
{
    int64_t end = event.timestamp + event.duration;
    for (int64_t tier = 0; tier < tier_count; tier += 1) {
        int64_t length = tier_quarters[tier] * quarter_length;
        int64_t unit = event.timestamp - event.timestamp % length;
        int64_t unit_end = unit + length;
        add_share(transaction, event, tier, unit, 1, (end < unit_end ? end : unit_end) - event.timestamp);
        if (end > unit_end)
            add_share(transaction, event, tier, unit_end, 0, end - unit_end);
    }
    transaction->type_uses[event.type] += 1;
    transaction->source_uses[event.source] += 1;
}

static void free_transaction(transaction *transaction)
{
    free(transaction->events);
    free(transaction->types.items);
    free(transaction->sources.items);
    free(transaction->pairs.items);
}

static bool prepare_transaction(
    transaction *transaction, benchmark_event_set set, int64_t first, int64_t size)
{
    size_t rows = (size_t)size * tier_count * 2;
    transaction->events = calloc((size_t)size, sizeof(benchmark_event));
    transaction->types.items = calloc(rows, sizeof(rollup_row));
    transaction->sources.items = calloc(rows, sizeof(rollup_row));
    transaction->pairs.items = calloc(rows, sizeof(rollup_row));
    if (transaction->events == NULL || transaction->types.items == NULL || transaction->sources.items == NULL
        || transaction->pairs.items == NULL)
        return false;
    for (int64_t index = 0; index < size; index += 1) {
        benchmark_event event = benchmark_event_at(set, first + index);
        transaction->events[index] = event;
        transaction->written = event.timestamp;
        add_event(transaction, event);
    }
    transaction->event_count = size;
    settle_rows(&transaction->types);
    settle_rows(&transaction->sources);
    settle_rows(&transaction->pairs);
    return true;
}

// MARK: Writing

static bool run(benchmark_store *store, enum statement statement)
{
    sqlite3_stmt *handle = store->statements[statement];
    int result = sqlite3_step(handle);
    sqlite3_reset(handle);
    return result == SQLITE_DONE || result == SQLITE_ROW ? true : fail(store, statement_texts[statement]);
}

// The key of a row: a UUID of version 7 with the microseconds in the 12 bits after the version.
static void make_key(benchmark_event event, unsigned char key[16])
{
    uint64_t time = (uint64_t)event.timestamp;
    uint64_t words[2] = {((time / 1000) << 16) | 0x7000 | (time % 1000), 0};
    sqlite3_randomness(sizeof words[1], &words[1]);
    words[1] = (words[1] >> 2) | (UINT64_C(1) << 63);
    for (int index = 0; index < 16; index += 1)
        key[index] = (unsigned char)(words[index / 8] >> (56 - 8 * (index % 8)));
}

static bool insert_event(benchmark_store *store, benchmark_event event)
{
    sqlite3_stmt *statement = store->statements[statement_insert_event];
    unsigned char key[16];
    make_key(event, key);
    int64_t end = event.timestamp + event.duration;
    sqlite3_bind_blob(statement, 1, key, sizeof key, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, event.type);
    sqlite3_bind_int64(statement, 3, event.source);
    sqlite3_bind_int64(statement, 4, event.duration);
    if (event.duration > 0 && event.timestamp / quarter_length != (end - 1) / quarter_length)
        sqlite3_bind_int64(statement, 5, end);
    else
        sqlite3_bind_null(statement, 5);
    sqlite3_bind_int64(statement, 6, 0);
    return run(store, statement_insert_event);
}

// Binds the columns that all projections have, the last three from a parameter on.
static void bind_row(sqlite3_stmt *statement, rollup_row row, int amount)
{
    sqlite3_bind_int64(statement, 1, row.tier);
    sqlite3_bind_int64(statement, 2, row.start);
    sqlite3_bind_int64(statement, amount, row.count);
    sqlite3_bind_int64(statement, amount + 1, row.sum);
    sqlite3_bind_int64(statement, amount + 2, 0);
}

static bool add_types(benchmark_store *store, rollup_rows rows)
{
    sqlite3_stmt *statement = store->statements[statement_add_types];
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < rows.count; index += 1) {
        bind_row(statement, rows.items[index], 4);
        sqlite3_bind_int64(statement, 3, rows.items[index].type);
        succeeded = run(store, statement_add_types);
    }
    return succeeded;
}

static bool add_sources(benchmark_store *store, rollup_rows rows)
{
    // As long as runs of a source most often are: one of them.
    static const unsigned char runs[9] = {0};
    sqlite3_stmt *selection = store->statements[statement_select_runs];
    sqlite3_stmt *statement = store->statements[statement_add_sources];
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < rows.count; index += 1) {
        rollup_row row = rows.items[index];
        // A unit in which events only end keeps its runs.
        if (row.count > 0) {
            sqlite3_bind_int64(selection, 1, row.tier);
            sqlite3_bind_int64(selection, 2, row.start);
            sqlite3_bind_int64(selection, 3, row.source);
            succeeded = run(store, statement_select_runs);
        }
        bind_row(statement, row, 4);
        sqlite3_bind_int64(statement, 3, row.source);
        sqlite3_bind_blob(statement, 7, runs, sizeof runs, SQLITE_STATIC);
        succeeded = succeeded && run(store, statement_add_sources);
    }
    return succeeded;
}

static bool add_pairs(benchmark_store *store, rollup_rows rows)
{
    sqlite3_stmt *statement = store->statements[statement_add_pairs];
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < rows.count; index += 1) {
        bind_row(statement, rows.items[index], 5);
        sqlite3_bind_int64(statement, 3, rows.items[index].type);
        sqlite3_bind_int64(statement, 4, rows.items[index].source);
        succeeded = run(store, statement_add_pairs);
    }
    return succeeded;
}

static bool use_names(benchmark_store *store, const transaction *transaction)
{
    bool succeeded = true;
    for (int number = 1; succeeded && number <= benchmark_type_count; number += 1) {
        if (transaction->type_uses[number] == 0)
            continue;
        sqlite3_stmt *statement = store->statements[statement_use_type];
        sqlite3_bind_int64(statement, 1, transaction->type_uses[number]);
        sqlite3_bind_int64(statement, 2, number);
        succeeded = run(store, statement_use_type);
    }
    for (int number = 1; succeeded && number <= benchmark_source_count; number += 1) {
        if (transaction->source_uses[number] == 0)
            continue;
        sqlite3_stmt *statement = store->statements[statement_use_source];
        sqlite3_bind_int64(statement, 1, transaction->source_uses[number]);
        sqlite3_bind_int64(statement, 2, number);
        succeeded = run(store, statement_use_source);
    }
    if (!succeeded)
        return false;
    char written[24];
    int length = snprintf(written, sizeof written, "%lld", (long long)transaction->written);
    sqlite3_bind_text(store->statements[statement_last_commit], 1, written, length, SQLITE_TRANSIENT);
    return run(store, statement_last_commit);
}

static bool write_transaction(benchmark_store *store, const transaction *transaction)
{
    bool succeeded = run(store, statement_begin);
    for (int64_t index = 0; succeeded && index < transaction->event_count; index += 1)
        succeeded = insert_event(store, transaction->events[index]);
    if (store->extent == benchmark_store_whole)
        succeeded = succeeded && add_types(store, transaction->types) && add_sources(store, transaction->sources)
            && add_pairs(store, transaction->pairs) && use_names(store, transaction);
    return succeeded && run(store, statement_commit);
}

static int64_t now_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool benchmark_store_record(
    benchmark_store *store, benchmark_event_set set, int64_t first, int64_t size, int64_t count,
    int64_t *durations)
{
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < count; index += 1) {
        transaction transaction = {0};
        succeeded = prepare_transaction(&transaction, set, first + index * size, size);
        if (!succeeded) {
            snprintf(store->error, sizeof store->error, "cannot prepare the events: out of memory");
        } else {
            int64_t start = now_nanoseconds();
            succeeded = write_transaction(store, &transaction);
            durations[index] = now_nanoseconds() - start;
        }
        free_transaction(&transaction);
    }
    return succeeded;
}

int64_t benchmark_store_count(const char *path)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *rows = NULL;
    int64_t count = -1;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(database, "SELECT count(*) FROM events", -1, &rows, NULL) == SQLITE_OK
        && sqlite3_step(rows) == SQLITE_ROW)
        count = sqlite3_column_int64(rows, 0);
    sqlite3_finalize(rows);
    sqlite3_close(database);
    return count;
}
