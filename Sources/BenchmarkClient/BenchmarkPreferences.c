// SPDX-License-Identifier: MIT

#include "BenchmarkPreferences.h"

#include "Client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const sentinel_name = "org.sentinel";
static const char *const preferences_interface = "org.sentinel.Preferences1";

// MARK: Messages

static DBusMessage *create_call(
    const char *path, const char *interface, const char *member, DBusMessageIter *arguments)
{
    DBusMessage *message = dbus_message_new_method_call(sentinel_name, path, interface, member);
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

static bool append_number(DBusMessageIter *parent, int64_t number)
{
    dbus_int64_t value = number;
    DBusMessageIter variant;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_VARIANT, "x", &variant)
        && dbus_message_iter_append_basic(&variant, DBUS_TYPE_INT64, &value)
        && dbus_message_iter_close_container(parent, &variant);
}

static bool append_declaration(DBusMessageIter *parent, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "k%" PRId64, number);
    const char *key = text;
    DBusMessageIter fields;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_STRUCT, NULL, &fields)
        && dbus_message_iter_append_basic(&fields, DBUS_TYPE_STRING, &key)
        && dbus_message_iter_append_basic(&fields, DBUS_TYPE_STRING, &key)
        && append_number(&fields, -1)
        && append_empty_options(&fields)
        && dbus_message_iter_close_container(parent, &fields);
}

static DBusMessage *create_declaration(const char *path, int64_t count)
{
    DBusMessageIter arguments;
    DBusMessageIter list;
    DBusMessage *message = create_call(path, preferences_interface, "Declare", &arguments);
    bool has_memory = message != NULL
        && dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(ssva{sv})", &list);
    for (int64_t number = 0; has_memory && number < count; number += 1)
        has_memory = append_declaration(&list, number);
    if (has_memory && dbus_message_iter_close_container(&arguments, &list))
        return message;
    if (message != NULL)
        dbus_message_unref(message);
    return NULL;
}

static DBusMessage *create_setting(const char *path, int64_t number)
{
    const char *key = "k0";
    DBusMessageIter arguments;
    DBusMessage *message = create_call(path, preferences_interface, "Set", &arguments);
    if (message != NULL && dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &key)
        && append_number(&arguments, number))
        return message;
    if (message != NULL)
        dbus_message_unref(message);
    return NULL;
}

// MARK: Calls

// Makes one call, and takes the message over, which is NULL where there was no memory for it.
static bool call_once(benchmark_client *client, DBusMessage *message, const char *reply)
{
    if (message == NULL)
        return fail(client, "cannot make the call", NULL);
    int64_t duration;
    benchmark_messages messages = {.items = &message, .count = 1, .reply = reply};
    bool succeeded = benchmark_client_send_serially(client, messages, 1, &duration);
    dbus_message_unref(message);
    return succeeded;
}

bool benchmark_client_register(benchmark_client *client, const char *id)
{
    DBusMessageIter arguments;
    DBusMessage *message = create_call("/org/sentinel", "org.sentinel.Sentinel1", "Register", &arguments);
    if (message != NULL
        && !(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &id) && append_empty_options(&arguments))) {
        dbus_message_unref(message);
        message = NULL;
    }
    return call_once(client, message, "o");
}

bool benchmark_client_declare(benchmark_client *client, const char *path, int64_t count)
{
    return call_once(client, create_declaration(path, count), "");
}

static void free_messages(benchmark_messages messages)
{
    for (int64_t index = 0; index < messages.count; index += 1) {
        if (messages.items[index] != NULL)
            dbus_message_unref(messages.items[index]);
    }
    free(messages.items);
}

// Each sets another number: one that is there already would neither be stored nor told.
static bool create_settings(
    benchmark_client *client, const char *path, int64_t first, int64_t count, benchmark_messages *settings)
{
    *settings = (benchmark_messages){.items = calloc((size_t)count, sizeof(DBusMessage *)), .reply = "v"};
    if (settings->items == NULL)
        return fail(client, "cannot make the calls", NULL);
    settings->count = count;
    for (int64_t index = 0; index < count; index += 1) {
        settings->items[index] = create_setting(path, first + index);
        if (settings->items[index] == NULL) {
            free_messages(*settings);
            return fail(client, "cannot make the calls", NULL);
        }
    }
    return true;
}

bool benchmark_client_set_serially(
    benchmark_client *client, const char *path, int64_t first, int64_t count, int64_t *durations)
{
    benchmark_messages settings;
    if (!create_settings(client, path, first, count, &settings))
        return false;
    bool succeeded = benchmark_client_send_serially(client, settings, count, durations);
    free_messages(settings);
    return succeeded;
}

bool benchmark_client_set_pipelined(
    benchmark_client *client, const char *path, int64_t first, int64_t count, int64_t outstanding, int64_t *duration)
{
    benchmark_messages settings;
    if (!create_settings(client, path, first, count, &settings))
        return false;
    bool succeeded = benchmark_client_send_pipelined(client, settings, count, outstanding, duration);
    free_messages(settings);
    return succeeded;
}

// MARK: Signals

bool benchmark_client_follow_preferences(benchmark_client *client)
{
    DBusError error = DBUS_ERROR_INIT;
    dbus_bus_add_match(
        client->connection, "type='signal',sender='org.sentinel',interface='org.sentinel.Preferences1',member='Changed'",
        &error);
    return dbus_error_is_set(&error) ? fail_with(client, "cannot follow preferences", &error) : true;
}

// Whether a signal says that a preference is now that number. Earlier changes may still be on their way.
static bool tells(DBusMessage *message, int64_t number)
{
    DBusMessageIter fields;
    DBusMessageIter values;
    DBusMessageIter entry;
    DBusMessageIter value;
    if (!dbus_message_is_signal(message, preferences_interface, "Changed")
        || !dbus_message_has_signature(message, "asa{sv}"))
        return false;
    dbus_message_iter_init(message, &fields);
    dbus_message_iter_next(&fields);
    dbus_message_iter_recurse(&fields, &values);
    if (dbus_message_iter_get_arg_type(&values) != DBUS_TYPE_DICT_ENTRY)
        return false;
    dbus_message_iter_recurse(&values, &entry);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &value);
    if (dbus_message_iter_get_arg_type(&value) != DBUS_TYPE_INT64)
        return false;
    dbus_int64_t told;
    dbus_message_iter_get_basic(&value, &told);
    return told == number;
}

// Waits asleep for the signal that tells of a number, and stores when it was there.
static bool hear(benchmark_client *listener, int64_t number, int64_t *arrival)
{
    int64_t start = now_nanoseconds();
    for (;;) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(listener->connection)) != NULL) {
            bool is_told = tells(message, number);
            *arrival = now_nanoseconds();
            dbus_message_unref(message);
            if (is_told)
                return true;
        }
        if (now_nanoseconds() - start > (int64_t)reply_timeout_milliseconds * 1000000)
            return fail(listener, "changes stopped coming", "the server lost one");
        if (!dbus_connection_read_write(listener->connection, reply_timeout_milliseconds))
            return fail(listener, "changes stopped coming", "the bus closed the connection");
    }
}

bool benchmark_client_set_and_hear(
    benchmark_client *client, benchmark_client *listener, const char *path, int64_t first, int64_t count,
    int64_t *durations)
{
    for (int64_t index = 0; index < count; index += 1) {
        DBusMessage *message = create_setting(path, first + index);
        if (message == NULL)
            return fail(client, "cannot make the call", NULL);
        DBusPendingCall *pending = NULL;
        int64_t start = now_nanoseconds();
        int64_t arrival = start;
        bool sent = dbus_connection_send_with_reply(
            client->connection, message, &pending, reply_timeout_milliseconds);
        dbus_message_unref(message);
        if (!sent || pending == NULL)
            return fail(client, "cannot send the call", NULL);
        dbus_connection_flush(client->connection);
        bool heard = hear(listener, first + index, &arrival);
        durations[index] = arrival - start;
        if (heard)
            dbus_pending_call_block(pending);
        dbus_pending_call_cancel(pending);
        dbus_pending_call_unref(pending);
        if (!heard)
            return fail(client, "the change was not heard of", listener->error);
    }
    return true;
}
