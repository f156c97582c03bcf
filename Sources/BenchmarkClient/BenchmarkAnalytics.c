// SPDX-License-Identifier: MIT

#include "BenchmarkAnalytics.h"

#include "Client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const events_by_type
    = "SELECT type, count(*) AS count FROM events WHERE timestamp >= ? AND timestamp < ? GROUP BY type";

// What each question calls, and the signature of its answer.
static const struct {
    const char *member;
    const char *reply;
} questions[] = {
    [benchmark_top_types] = {"Top", "a(std)"},
    [benchmark_top_sources] = {"Top", "a(std)"},
    [benchmark_series_by_hour] = {"Series", "a(xstd)"},
    [benchmark_heatmap] = {"Heatmap", "at"},
    [benchmark_sessions] = {"Sessions", "a(sxxtd)s"},
    [benchmark_query] = {"Query", "asaa{sv}"},
    [benchmark_metric] = {"RunMetric", "asaa{sv}"},
    [benchmark_report] = {"Report", ""},
};

// MARK: Messages

static bool append_text(DBusMessageIter *parent, const char *text)
{
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_STRING, &text);
}

static bool append_time(DBusMessageIter *parent, int64_t time)
{
    dbus_int64_t value = time;
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_INT64, &value);
}

static bool append_window(DBusMessageIter *parent, benchmark_window window)
{
    return append_time(parent, window.start) && append_time(parent, window.end);
}

// As many as the service gives without being told.
static bool append_default_limit(DBusMessageIter *parent)
{
    dbus_uint32_t limit = 0;
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_UINT32, &limit);
}

static bool append_gap(DBusMessageIter *parent)
{
    double seconds = 300;
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_DOUBLE, &seconds);
}

static bool append_time_variant(DBusMessageIter *parent, int64_t time)
{
    DBusMessageIter variant;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_VARIANT, "x", &variant)
        && append_time(&variant, time)
        && dbus_message_iter_close_container(parent, &variant);
}

static bool append_time_entry(DBusMessageIter *parent, const char *key, int64_t time)
{
    DBusMessageIter entry;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_DICT_ENTRY, NULL, &entry)
        && append_text(&entry, key)
        && append_time_variant(&entry, time)
        && dbus_message_iter_close_container(parent, &entry);
}

static bool append_query(DBusMessageIter *parent, benchmark_window window)
{
    DBusMessageIter values;
    return append_text(parent, events_by_type)
        && dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "v", &values)
        && append_time_variant(&values, window.start)
        && append_time_variant(&values, window.end)
        && dbus_message_iter_close_container(parent, &values)
        && append_default_limit(parent);
}

static bool append_metric(DBusMessageIter *parent, benchmark_window window)
{
    DBusMessageIter values;
    return append_text(parent, "benchmark")
        && dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sv}", &values)
        && append_time_entry(&values, "start", window.start)
        && append_time_entry(&values, "end", window.end)
        && dbus_message_iter_close_container(parent, &values)
        && append_default_limit(parent);
}

static bool append_zone_option(DBusMessageIter *parent)
{
    DBusMessageIter options;
    DBusMessageIter entry;
    DBusMessageIter variant;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sv}", &options)
        && dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry)
        && append_text(&entry, "time_zone")
        && dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant)
        && append_text(&variant, "UTC")
        && dbus_message_iter_close_container(&entry, &variant)
        && dbus_message_iter_close_container(&options, &entry)
        && dbus_message_iter_close_container(parent, &options);
}

static bool append_report(DBusMessageIter *parent, benchmark_window window, int file)
{
    return dbus_message_iter_append_basic(parent, DBUS_TYPE_UNIX_FD, &file)
        && append_text(parent, "html")
        && append_window(parent, window)
        && append_zone_option(parent);
}

static bool append_arguments(
    DBusMessageIter *parent, benchmark_question question, benchmark_window window, int file)
{
    switch (question) {
    case benchmark_top_types:
        return append_text(parent, "type") && append_window(parent, window) && append_default_limit(parent);
    case benchmark_top_sources:
        return append_text(parent, "source") && append_window(parent, window) && append_default_limit(parent);
    case benchmark_series_by_hour:
        return append_window(parent, window) && append_text(parent, "hour") && append_text(parent, "UTC")
            && append_text(parent, "");
    case benchmark_heatmap:
        return append_window(parent, window) && append_text(parent, "UTC");
    case benchmark_sessions:
        return append_window(parent, window) && append_gap(parent) && append_default_limit(parent)
            && append_text(parent, "");
    case benchmark_query:
        return append_query(parent, window);
    case benchmark_metric:
        return append_metric(parent, window);
    case benchmark_report:
        return append_report(parent, window, file);
    }
    return false;
}

static DBusMessage *create_call(benchmark_question question, benchmark_window window, int file)
{
    DBusMessageIter arguments;
    DBusMessage *message = dbus_message_new_method_call(
        "org.sentinel", "/org/sentinel", "org.sentinel.Analytics1", questions[question].member);
    if (message == NULL)
        return NULL;
    dbus_message_set_auto_start(message, FALSE);
    dbus_message_iter_init_append(message, &arguments);
    if (append_arguments(&arguments, question, window, file))
        return message;
    dbus_message_unref(message);
    return NULL;
}

// MARK: Calls

static bool ask_serially(
    benchmark_client *client, benchmark_question question, benchmark_window window, int file, int64_t count,
    int64_t *durations)
{
    DBusMessage *message = create_call(question, window, file);
    if (message == NULL)
        return fail(client, "cannot make the call", NULL);
    benchmark_messages messages = {.items = &message, .count = 1, .reply = questions[question].reply};
    bool succeeded = benchmark_client_send_serially(client, messages, count, durations);
    dbus_message_unref(message);
    return succeeded;
}

bool benchmark_client_ask_serially(
    benchmark_client *client, benchmark_question question, benchmark_window window, int64_t count,
    int64_t *durations)
{
    if (question != benchmark_report)
        return ask_serially(client, question, window, -1, count, durations);
    FILE *file = tmpfile();
    if (file == NULL)
        return fail(client, "cannot make a file for reports", strerror(errno));
    bool succeeded = ask_serially(client, question, window, fileno(file), count, durations);
    fclose(file);
    return succeeded;
}
