// SPDX-License-Identifier: MIT

#include "BenchmarkEvents.h"

#include "Client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const sentinel_name = "org.sentinel";
static const char *const sentinel_path = "/org/sentinel";
static const char *const events_interface = "org.sentinel.Events1";

// MARK: The events

// splitmix64: numbers that follow one another become numbers that do not.
static uint64_t mix(uint64_t number)
{
    number += 0x9E3779B97F4A7C15;
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
    return number ^ (number >> 31);
}

benchmark_event benchmark_event_at(benchmark_event_set set, int64_t number)
{
    uint64_t chance = mix((uint64_t)number);
    return (benchmark_event){
        .timestamp = set.start + (int64_t)((double)number / (double)set.count * (double)set.length),
        .duration = (int64_t)((chance >> 16) % (benchmark_longest_duration + 1)),
        .type = (int64_t)(chance % benchmark_type_count) + 1,
        .source = (int64_t)((chance >> 8) % benchmark_source_count) + 1,
    };
}

// MARK: Messages

static DBusMessage *create_call(const char *member, DBusMessageIter *arguments)
{
    DBusMessage *message = dbus_message_new_method_call(sentinel_name, sentinel_path, events_interface, member);
    if (message == NULL)
        return NULL;
    dbus_message_set_auto_start(message, FALSE);
    dbus_message_iter_init_append(message, arguments);
    return message;
}

static bool append_empty_options(DBusMessageIter *parent)
{
    DBusMessageIter options;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sv}", &options)
        && dbus_message_iter_close_container(parent, &options);
}

static bool append_duration_option(DBusMessageIter *parent, double seconds)
{
    const char *key = "duration";
    DBusMessageIter options;
    DBusMessageIter entry;
    DBusMessageIter variant;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sv}", &options)
        && dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry)
        && dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key)
        && dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "d", &variant)
        && dbus_message_iter_append_basic(&variant, DBUS_TYPE_DOUBLE, &seconds)
        && dbus_message_iter_close_container(&entry, &variant)
        && dbus_message_iter_close_container(&options, &entry)
        && dbus_message_iter_close_container(parent, &options);
}

static bool append_names(DBusMessageIter *parent, benchmark_event event)
{
    char type[64];
    char source[64];
    snprintf(type, sizeof type, "benchmark.type%" PRId64, event.type);
    snprintf(source, sizeof source, "com.example.Benchmark%" PRId64, event.source);
    const char *texts[] = {type, source};
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_STRING, &texts[0])
        && dbus_message_iter_append_basic(parent, DBUS_TYPE_STRING, &texts[1]);
}

static bool append_event(DBusMessageIter *parent, benchmark_event event)
{
    DBusMessageIter fields;
    dbus_int64_t timestamp = event.timestamp;
    double seconds = (double)event.duration / 1000000;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_STRUCT, NULL, &fields)
        && append_names(&fields, event)
        && dbus_message_iter_append_basic(&fields, DBUS_TYPE_INT64, &timestamp)
        && dbus_message_iter_append_basic(&fields, DBUS_TYPE_DOUBLE, &seconds)
        && append_empty_options(&fields)
        && dbus_message_iter_close_container(parent, &fields);
}

static DBusMessage *create_batch(benchmark_event_set set, int64_t first, int64_t size)
{
    DBusMessageIter arguments;
    DBusMessageIter events;
    DBusMessage *message = create_call("RecordBatch", &arguments);
    bool has_memory = message != NULL
        && dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(ssxda{sv})", &events);
    for (int64_t number = first; has_memory && number < first + size; number += 1)
        has_memory = append_event(&events, benchmark_event_at(set, number));
    if (has_memory && dbus_message_iter_close_container(&arguments, &events))
        return message;
    if (message != NULL)
        dbus_message_unref(message);
    return NULL;
}

static DBusMessage *create_record(int64_t number)
{
    DBusMessageIter arguments;
    benchmark_event event = benchmark_event_at((benchmark_event_set){.start = 0, .length = 1, .count = 1}, number);
    DBusMessage *message = create_call("Record", &arguments);
    if (message != NULL && append_names(&arguments, event)
        && append_duration_option(&arguments, (double)event.duration / 1000000))
        return message;
    if (message != NULL)
        dbus_message_unref(message);
    return NULL;
}

static DBusMessage *create_query(uint32_t limit)
{
    DBusMessageIter arguments;
    const char *cursor = "";
    dbus_uint32_t number = limit;
    DBusMessage *message = create_call("Query", &arguments);
    if (message != NULL && append_empty_options(&arguments)
        && dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &number)
        && dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &cursor))
        return message;
    if (message != NULL)
        dbus_message_unref(message);
    return NULL;
}

static bool append_texts(DBusMessageIter *parent, const char *const *texts, int count)
{
    DBusMessageIter array;
    bool has_memory = dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "s", &array);
    for (int index = 0; has_memory && index < count; index += 1)
        has_memory = dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &texts[index]);
    return has_memory && dbus_message_iter_close_container(parent, &array);
}

// An event as Zeitgeist has it, which says as much as one of Sentinel's: what, of whom, when. It has no durations.
static DBusMessage *create_insertion(int64_t number)
{
    benchmark_event event = benchmark_event_at((benchmark_event_set){.start = 0, .length = 1, .count = 1}, number);
    char timestamp[32];
    char interpretation[64];
    char actor[64];
    char subject[64];
    // Milliseconds since the epoch, another for each event.
    snprintf(timestamp, sizeof timestamp, "%" PRId64, INT64_C(1700000000000) + number);
    snprintf(interpretation, sizeof interpretation, "benchmark:type%" PRId64, event.type);
    snprintf(actor, sizeof actor, "application://com.example.Benchmark%" PRId64 ".desktop", event.source);
    snprintf(subject, sizeof subject, "benchmark:subject%" PRId64, event.source);
    const char *const facts[] = {"", timestamp, interpretation, "benchmark:recorded", actor, ""};
    const char *const subjects[] = {subject, "", "", "", "", "", "", subject};

    DBusMessage *message = dbus_message_new_method_call(
        "org.gnome.zeitgeist.Engine", "/org/gnome/zeitgeist/log/activity", "org.gnome.zeitgeist.Log", "InsertEvents");
    if (message == NULL)
        return NULL;
    dbus_message_set_auto_start(message, FALSE);
    DBusMessageIter arguments;
    DBusMessageIter events;
    DBusMessageIter fields;
    DBusMessageIter list;
    dbus_message_iter_init_append(message, &arguments);
    if (dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(asaasay)", &events)
        && dbus_message_iter_open_container(&events, DBUS_TYPE_STRUCT, NULL, &fields)
        && append_texts(&fields, facts, sizeof facts / sizeof facts[0])
        && dbus_message_iter_open_container(&fields, DBUS_TYPE_ARRAY, "as", &list)
        && append_texts(&list, subjects, sizeof subjects / sizeof subjects[0])
        && dbus_message_iter_close_container(&fields, &list)
        && dbus_message_iter_open_container(&fields, DBUS_TYPE_ARRAY, "y", &list)
        && dbus_message_iter_close_container(&fields, &list)
        && dbus_message_iter_close_container(&events, &fields)
        && dbus_message_iter_close_container(&arguments, &events))
        return message;
    dbus_message_unref(message);
    return NULL;
}

// MARK: Calls

static void free_messages(benchmark_messages messages)
{
    for (int64_t index = 0; index < messages.count; index += 1) {
        if (messages.items[index] != NULL)
            dbus_message_unref(messages.items[index]);
    }
    free(messages.items);
}

// Room for messages; false, with the reason remembered, where there is none.
static bool make_room(benchmark_client *client, int64_t count, const char *reply, benchmark_messages *messages)
{
    *messages = (benchmark_messages){.items = calloc((size_t)count, sizeof(DBusMessage *)), .reply = reply};
    if (messages->items == NULL)
        return fail(client, "cannot make the calls", NULL);
    messages->count = count;
    return true;
}

// At most as many different records as there are pairs of a type and a source, about.
static bool create_records(benchmark_client *client, int64_t count, benchmark_messages *records)
{
    int64_t most = benchmark_type_count * benchmark_source_count;
    if (!make_room(client, count < most ? count : most, "s", records))
        return false;
    for (int64_t index = 0; index < records->count; index += 1) {
        records->items[index] = create_record(index);
        if (records->items[index] == NULL) {
            free_messages(*records);
            return fail(client, "cannot make the calls", NULL);
        }
    }
    return true;
}

bool benchmark_client_record_batches(
    benchmark_client *client, benchmark_event_set set, int64_t first, int64_t size, int64_t count,
    int64_t outstanding, int64_t *duration)
{
    benchmark_messages batches;
    if (!make_room(client, count, "t", &batches))
        return false;
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < count; index += 1) {
        batches.items[index] = create_batch(set, first + index * size, size);
        succeeded = batches.items[index] != NULL ? true : fail(client, "cannot make the calls", NULL);
    }
    succeeded = succeeded && benchmark_client_send_pipelined(client, batches, count, outstanding, duration);
    free_messages(batches);
    return succeeded;
}

bool benchmark_client_record_serially(benchmark_client *client, int64_t count, int64_t *durations)
{
    benchmark_messages records;
    if (!create_records(client, count, &records))
        return false;
    bool succeeded = benchmark_client_send_serially(client, records, count, durations);
    free_messages(records);
    return succeeded;
}

bool benchmark_client_record_pipelined(
    benchmark_client *client, int64_t count, int64_t outstanding, int64_t *duration)
{
    benchmark_messages records;
    if (!create_records(client, count, &records))
        return false;
    bool succeeded = benchmark_client_send_pipelined(client, records, count, outstanding, duration);
    free_messages(records);
    return succeeded;
}

bool benchmark_client_query_serially(benchmark_client *client, uint32_t limit, int64_t count, int64_t *durations)
{
    DBusMessage *query = create_query(limit);
    if (query == NULL)
        return fail(client, "cannot make the call", NULL);
    benchmark_messages queries = {.items = &query, .count = 1, .reply = "a(sxssda{sv})s"};
    bool succeeded = benchmark_client_send_serially(client, queries, count, durations);
    dbus_message_unref(query);
    return succeeded;
}

bool benchmark_client_insert_pipelined(
    benchmark_client *client, int64_t first, int64_t count, int64_t outstanding, int64_t *duration)
{
    benchmark_messages insertions;
    if (!make_room(client, count, "au", &insertions))
        return false;
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < count; index += 1) {
        insertions.items[index] = create_insertion(first + index);
        succeeded = insertions.items[index] != NULL ? true : fail(client, "cannot make the calls", NULL);
    }
    succeeded = succeeded && benchmark_client_send_pipelined(client, insertions, count, outstanding, duration);
    free_messages(insertions);
    return succeeded;
}

// MARK: Export

bool benchmark_client_begin_export(benchmark_client *client, int file)
{
    DBusMessageIter arguments;
    const char *format = "jsonl";
    DBusMessage *message = create_call("Export", &arguments);
    bool sent = message != NULL && client->export == NULL
        && dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UNIX_FD, &file)
        && dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &format)
        && append_empty_options(&arguments)
        && dbus_connection_send_with_reply(
            client->connection, message, &client->export, DBUS_TIMEOUT_INFINITE)
        && client->export != NULL;
    if (message != NULL)
        dbus_message_unref(message);
    if (!sent)
        return fail(client, "cannot begin the export", NULL);
    dbus_connection_flush(client->connection);
    return true;
}

bool benchmark_client_poll_export(benchmark_client *client, bool *ended, uint64_t *exported)
{
    if (client->export == NULL)
        return fail(client, "cannot ask for the export", "there is none");
    if (!dbus_connection_read_write(client->connection, 0))
        return fail(client, "the export was lost", "the bus closed the connection");
    while (dbus_connection_dispatch(client->connection) == DBUS_DISPATCH_DATA_REMAINS) {
    }
    *ended = dbus_pending_call_get_completed(client->export);
    if (!*ended)
        return true;

    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = dbus_pending_call_steal_reply(client->export);
    dbus_pending_call_unref(client->export);
    client->export = NULL;
    dbus_uint64_t count = 0;
    bool understood = reply != NULL && !dbus_set_error_from_message(&error, reply)
        && dbus_message_get_args(reply, &error, DBUS_TYPE_UINT64, &count, DBUS_TYPE_INVALID);
    if (reply != NULL)
        dbus_message_unref(reply);
    *exported = count;
    return understood ? true : fail_with(client, "the export failed", &error);
}
