// SPDX-License-Identifier: MIT

#include "BenchmarkTriggers.h"

#include "Client.h"

#include <errno.h>
#include <string.h>

static const char *const sentinel_name = "org.sentinel";
static const char *const sentinel_path = "/org/sentinel";
static const char *const sentinel_interface = "org.sentinel.Sentinel1";

// MARK: Flood

static void sleep_until(int64_t moment)
{
    struct timespec time = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

// Calls a method without arguments and returns the reply, NULL on failure.
static DBusMessage *call_plainly(
    benchmark_client *client, const char *destination, const char *path, const char *interface, const char *member,
    DBusError *error)
{
    DBusMessage *message = dbus_message_new_method_call(destination, path, interface, member);
    if (message == NULL) {
        dbus_set_error_const(error, DBUS_ERROR_NO_MEMORY, "out of memory");
        return NULL;
    }
    dbus_message_set_auto_start(message, FALSE);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(
        client->connection, message, reply_timeout_milliseconds, error);
    dbus_message_unref(message);
    return reply;
}

static bool await_service(benchmark_client *client)
{
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = call_plainly(client, sentinel_name, sentinel_path, DBUS_INTERFACE_PEER, "Ping", &error);
    if (reply == NULL)
        return fail_with(client, "the server does not answer after the signals", &error);
    dbus_message_unref(reply);
    return true;
}

bool benchmark_client_flood(
    benchmark_client *client, const char *application, int64_t count, int64_t interval, int64_t *duration)
{
    DBusMessage *pattern = dbus_message_new_signal("/benchmark", "org.sentinel.Notification", "Trigger");
    if (pattern == NULL || !dbus_message_append_args(pattern, DBUS_TYPE_STRING, &application, DBUS_TYPE_INVALID)) {
        if (pattern != NULL)
            dbus_message_unref(pattern);
        return fail(client, "cannot make the signal", NULL);
    }
    bool sent = true;
    int64_t start = now_nanoseconds();
    for (int64_t index = 0; sent && index < count; index += 1) {
        if (interval > 0)
            sleep_until(start + index * interval);
        DBusMessage *message = dbus_message_copy(pattern);
        sent = message != NULL && dbus_connection_send(client->connection, message, NULL);
        if (message != NULL)
            dbus_message_unref(message);
    }
    dbus_message_unref(pattern);
    if (!sent)
        return fail(client, "cannot send the signal", NULL);
    dbus_connection_flush(client->connection);
    bool answered = await_service(client);
    *duration = now_nanoseconds() - start;
    return answered;
}

// MARK: Counts

bool benchmark_client_follow_triggers(benchmark_client *client)
{
    DBusError error = DBUS_ERROR_INIT;
    dbus_bus_add_match(
        client->connection,
        "type='signal',sender='org.sentinel',interface='org.sentinel.Sentinel1',member='Triggered'", &error);
    return dbus_error_is_set(&error) ? fail_with(client, "cannot follow triggers", &error) : true;
}

bool benchmark_client_count_triggered(benchmark_client *client, const char *application, int64_t *count)
{
    // What the bus had for this client before it was asked has arrived when it answers.
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *message
        = call_plainly(client, DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetId", &error);
    if (message == NULL)
        return fail_with(client, "the bus does not answer", &error);
    dbus_message_unref(message);
    *count = 0;
    while ((message = dbus_connection_pop_message(client->connection)) != NULL) {
        const char *fired = NULL;
        if (dbus_message_is_signal(message, sentinel_interface, "Triggered")
            && dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &fired, DBUS_TYPE_INVALID)
            && strcmp(fired, application) == 0)
            *count += 1;
        dbus_message_unref(message);
    }
    return true;
}

// The number of a key `fired` in the attributes of a trigger, -1 if there is none.
static int64_t read_fired(DBusMessageIter *attributes)
{
    for (; dbus_message_iter_get_arg_type(attributes) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(attributes)) {
        DBusMessageIter entry;
        DBusMessageIter value;
        const char *key = NULL;
        dbus_message_iter_recurse(attributes, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &value);
        if (strcmp(key, "fired") == 0 && dbus_message_iter_get_arg_type(&value) == DBUS_TYPE_UINT64) {
            dbus_uint64_t number = 0;
            dbus_message_iter_get_basic(&value, &number);
            return (int64_t)number;
        }
    }
    return -1;
}

// The number of the trigger with that id in a list of `(sssa{sv})`, -1 if it is not told.
static int64_t find_fired(DBusMessage *list, const char *trigger)
{
    DBusMessageIter arguments;
    DBusMessageIter entries;
    dbus_message_iter_init(list, &arguments);
    dbus_message_iter_recurse(&arguments, &entries);
    for (; dbus_message_iter_get_arg_type(&entries) == DBUS_TYPE_STRUCT; dbus_message_iter_next(&entries)) {
        DBusMessageIter fields;
        DBusMessageIter attributes;
        const char *id = NULL;
        dbus_message_iter_recurse(&entries, &fields);
        dbus_message_iter_get_basic(&fields, &id);
        if (strcmp(id, trigger) != 0)
            continue;
        // The application and the kind come between.
        for (int index = 0; index < 3; index += 1)
            dbus_message_iter_next(&fields);
        dbus_message_iter_recurse(&fields, &attributes);
        return read_fired(&attributes);
    }
    return -1;
}

bool benchmark_client_count_causes(benchmark_client *client, const char *trigger, int64_t *count)
{
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply
        = call_plainly(client, sentinel_name, sentinel_path, sentinel_interface, "ListTriggers", &error);
    *count = -1;
    if (reply == NULL) {
        // A version without triggers is measured all the same.
        if (dbus_error_has_name(&error, DBUS_ERROR_NOT_SUPPORTED)) {
            dbus_error_free(&error);
            return true;
        }
        return fail_with(client, "cannot list the triggers", &error);
    }
    if (dbus_message_has_signature(reply, "a(sssa{sv})"))
        *count = find_fired(reply, trigger);
    dbus_message_unref(reply);
    return true;
}
