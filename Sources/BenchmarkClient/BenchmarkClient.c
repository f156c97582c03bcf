// SPDX-License-Identifier: MIT

#include "Client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fail(benchmark_client *client, const char *what, const char *detail)
{
    snprintf(client->error, sizeof client->error, "%s: %s", what, detail != NULL ? detail : "out of memory");
    return false;
}

bool fail_with(benchmark_client *client, const char *what, DBusError *error)
{
    fail(client, what, error->message);
    dbus_error_free(error);
    return false;
}

benchmark_client *benchmark_client_create(void)
{
    return calloc(1, sizeof(benchmark_client));
}

void benchmark_client_destroy(benchmark_client *client)
{
    if (client->export != NULL) {
        dbus_pending_call_cancel(client->export);
        dbus_pending_call_unref(client->export);
    }
    if (client->connection != NULL) {
        dbus_connection_close(client->connection);
        dbus_connection_unref(client->connection);
    }
    free(client);
}

const char *benchmark_client_error(const benchmark_client *client)
{
    return client->error;
}

bool benchmark_client_connect(benchmark_client *client, const char *address)
{
    DBusError error = DBUS_ERROR_INIT;
    client->connection = dbus_connection_open_private(address, &error);
    if (client->connection == NULL)
        return fail_with(client, "cannot connect", &error);
    dbus_connection_set_exit_on_disconnect(client->connection, FALSE);
    if (!dbus_bus_register(client->connection, &error))
        return fail_with(client, "the bus refuses the connection", &error);
    return true;
}

// MARK: Names

bool benchmark_client_watch_name(benchmark_client *client, const char *name)
{
    char rule[512];
    int length = snprintf(
        rule, sizeof rule,
        "type='signal',sender='" DBUS_SERVICE_DBUS "',interface='" DBUS_INTERFACE_DBUS
        "',member='NameOwnerChanged',arg0='%s'",
        name);
    if (length < 0 || (size_t)length >= sizeof rule)
        return fail(client, "cannot watch the name", "it is too long");

    DBusError error = DBUS_ERROR_INIT;
    dbus_bus_add_match(client->connection, rule, &error);
    return dbus_error_is_set(&error) ? fail_with(client, "cannot watch the name", &error) : true;
}

// Whether `message` says that `name` now has an owner (`owned`) or has none.
static bool announces(DBusMessage *message, const char *name, bool owned)
{
    const char *changed = NULL;
    const char *old_owner = NULL;
    const char *new_owner = NULL;
    return dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
        && dbus_message_get_args(
            message, NULL, DBUS_TYPE_STRING, &changed, DBUS_TYPE_STRING, &old_owner, DBUS_TYPE_STRING, &new_owner,
            DBUS_TYPE_INVALID)
        && strcmp(changed, name) == 0 && (new_owner[0] != '\0') == owned;
}

bool benchmark_client_await_name(
    benchmark_client *client, const char *name, bool owned, int timeout_milliseconds, bool *reached)
{
    DBusMessage *message;
    *reached = false;

    // What happened earlier is no news: forget the signals so far, then ask.
    while ((message = dbus_connection_pop_message(client->connection)) != NULL)
        dbus_message_unref(message);
    DBusError error = DBUS_ERROR_INIT;
    bool is_owned = dbus_bus_name_has_owner(client->connection, name, &error);
    if (dbus_error_is_set(&error))
        return fail_with(client, "cannot ask for the name's owner", &error);
    if (is_owned == owned) {
        *reached = true;
        return true;
    }

    int64_t deadline = now_nanoseconds() + (int64_t)timeout_milliseconds * 1000000;
    for (;;) {
        while ((message = dbus_connection_pop_message(client->connection)) != NULL) {
            bool announced = announces(message, name, owned);
            dbus_message_unref(message);
            if (announced) {
                *reached = true;
                return true;
            }
        }
        int64_t remaining = (deadline - now_nanoseconds()) / 1000000;
        if (remaining <= 0)
            return true;
        if (!dbus_connection_read_write(client->connection, (int)remaining))
            return fail(client, "cannot wait for the name", "the bus closed the connection");
    }
}

bool benchmark_client_get_owner_process(benchmark_client *client, const char *name, int32_t *process)
{
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *message = dbus_message_new_method_call(
        DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetConnectionUnixProcessID");
    if (message == NULL || !dbus_message_append_args(message, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID)) {
        if (message != NULL)
            dbus_message_unref(message);
        return fail(client, "cannot ask for the name's process", NULL);
    }
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(
        client->connection, message, reply_timeout_milliseconds, &error);
    dbus_message_unref(message);
    if (reply == NULL)
        return fail_with(client, "cannot ask for the name's process", &error);

    dbus_uint32_t identifier = 0;
    bool understood = dbus_message_get_args(reply, &error, DBUS_TYPE_UINT32, &identifier, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    if (!understood)
        return fail_with(client, "cannot ask for the name's process", &error);
    *process = (int32_t)identifier;
    return true;
}

// MARK: Calls

static DBusMessage *create_call(benchmark_call call)
{
    DBusMessage *message
        = dbus_message_new_method_call(call.destination, call.path, call.interface, call.member);
    if (message == NULL)
        return NULL;
    // A server that has died must be an error, never another server that the bus starts.
    dbus_message_set_auto_start(message, FALSE);
    bool has_memory = true;
    for (int index = 0; has_memory && index < 2 && call.arguments[index] != NULL; index += 1)
        has_memory = dbus_message_append_args(message, DBUS_TYPE_STRING, &call.arguments[index], DBUS_TYPE_INVALID);
    if (has_memory)
        return message;
    dbus_message_unref(message);
    return NULL;
}

// Whether `message` is an answer of that type.
static bool accept_reply(benchmark_client *client, const char *signature, DBusMessage *message)
{
    DBusError error = DBUS_ERROR_INIT;
    if (dbus_set_error_from_message(&error, message))
        return fail_with(client, "the server answered with an error", &error);
    if (!dbus_message_has_signature(message, signature))
        return fail(client, "the server's answer is of another type", dbus_message_get_signature(message));
    return true;
}

bool benchmark_client_send_serially(
    benchmark_client *client, benchmark_messages messages, int64_t count, int64_t *durations)
{
    bool succeeded = true;
    for (int64_t index = 0; succeeded && index < count; index += 1) {
        DBusError error = DBUS_ERROR_INIT;
        DBusMessage *message = dbus_message_copy(messages.items[index % messages.count]);
        if (message == NULL)
            return fail(client, "cannot make the call", NULL);
        int64_t start = now_nanoseconds();
        DBusMessage *reply = dbus_connection_send_with_reply_and_block(
            client->connection, message, reply_timeout_milliseconds, &error);
        durations[index] = now_nanoseconds() - start;
        dbus_message_unref(message);
        if (reply == NULL)
            return fail_with(client, "the server answered with an error", &error);
        succeeded = accept_reply(client, messages.reply, reply);
        dbus_message_unref(reply);
    }
    return succeeded;
}

static bool send_copy(benchmark_client *client, DBusMessage *pattern)
{
    DBusMessage *message = dbus_message_copy(pattern);
    if (message == NULL)
        return fail(client, "cannot make the call", NULL);
    bool sent = dbus_connection_send(client->connection, message, NULL);
    dbus_message_unref(message);
    return sent ? true : fail(client, "cannot send the call", NULL);
}

// Takes what has arrived; each reply makes room for the next call.
static bool take_replies(
    benchmark_client *client, benchmark_messages messages, int64_t count, int64_t *sent, int64_t *received)
{
    DBusMessage *message;
    bool succeeded = true;
    while (succeeded && (message = dbus_connection_pop_message(client->connection)) != NULL) {
        // Signals are not counted: the bus may announce a name meanwhile.
        int type = dbus_message_get_type(message);
        if (type == DBUS_MESSAGE_TYPE_METHOD_RETURN || type == DBUS_MESSAGE_TYPE_ERROR) {
            succeeded = accept_reply(client, messages.reply, message);
            *received += 1;
            if (succeeded && *sent < count) {
                succeeded = send_copy(client, messages.items[*sent % messages.count]);
                *sent += 1;
            }
        }
        dbus_message_unref(message);
    }
    return succeeded;
}

bool benchmark_client_send_pipelined(
    benchmark_client *client, benchmark_messages messages, int64_t count, int64_t outstanding, int64_t *duration)
{
    bool succeeded = true;
    int64_t sent = 0;
    int64_t received = 0;
    int64_t start = now_nanoseconds();
    int64_t progressed = start;
    while (succeeded && sent < count && sent < outstanding) {
        succeeded = send_copy(client, messages.items[sent % messages.count]);
        sent += 1;
    }
    while (succeeded) {
        int64_t before = received;
        succeeded = take_replies(client, messages, count, &sent, &received);
        if (!succeeded || received >= count)
            break;
        int64_t now = now_nanoseconds();
        if (received > before)
            progressed = now;
        else if (now - progressed > (int64_t)reply_timeout_milliseconds * 1000000)
            succeeded = fail(client, "replies stopped coming", "the server lost a call");
        if (succeeded && !dbus_connection_read_write(client->connection, reply_timeout_milliseconds))
            succeeded = fail(client, "replies stopped coming", "the bus closed the connection");
    }
    *duration = now_nanoseconds() - start;
    return succeeded;
}

bool benchmark_client_call_serially(
    benchmark_client *client, benchmark_call call, int64_t count, int64_t *durations)
{
    DBusMessage *pattern = create_call(call);
    if (pattern == NULL)
        return fail(client, "cannot make the call", NULL);
    benchmark_messages messages = {.items = &pattern, .count = 1, .reply = call.reply};
    bool succeeded = benchmark_client_send_serially(client, messages, count, durations);
    dbus_message_unref(pattern);
    return succeeded;
}

bool benchmark_client_call_pipelined(
    benchmark_client *client, benchmark_call call, int64_t count, int64_t outstanding, int64_t *duration)
{
    DBusMessage *pattern = create_call(call);
    if (pattern == NULL)
        return fail(client, "cannot make the call", NULL);
    benchmark_messages messages = {.items = &pattern, .count = 1, .reply = call.reply};
    bool succeeded = benchmark_client_send_pipelined(client, messages, count, outstanding, duration);
    dbus_message_unref(pattern);
    return succeeded;
}

// MARK: Watches

static const char *const performance_interface = "org.sentinel.Performance1";

// Sends a call of `Performance1` and returns the reply, NULL on failure. It takes the message over.
static DBusMessage *call_performance(benchmark_client *client, DBusMessage *message)
{
    DBusError error = DBUS_ERROR_INIT;
    dbus_message_set_auto_start(message, FALSE);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(
        client->connection, message, reply_timeout_milliseconds, &error);
    dbus_message_unref(message);
    if (reply == NULL)
        fail_with(client, "the server answered with an error", &error);
    return reply;
}

bool benchmark_client_watch(benchmark_client *client, const char *destination, const char *path, uint32_t *watch)
{
    DBusMessage *message = dbus_message_new_method_call(destination, path, performance_interface, "Watch");
    if (message == NULL)
        return fail(client, "cannot make the call", NULL);
    DBusMessageIter arguments;
    DBusMessageIter options;
    dbus_message_iter_init_append(message, &arguments);
    if (!dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options)
        || !dbus_message_iter_close_container(&arguments, &options)) {
        dbus_message_unref(message);
        return fail(client, "cannot make the call", NULL);
    }
    DBusMessage *reply = call_performance(client, message);
    if (reply == NULL)
        return false;

    DBusError error = DBUS_ERROR_INIT;
    dbus_uint32_t number = 0;
    bool understood = dbus_message_get_args(reply, &error, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    *watch = number;
    return understood ? true : fail_with(client, "the server's answer is no watch", &error);
}

bool benchmark_client_unwatch(benchmark_client *client, const char *destination, const char *path, uint32_t watch)
{
    dbus_uint32_t number = watch;
    DBusMessage *message = dbus_message_new_method_call(destination, path, performance_interface, "Unwatch");
    if (message == NULL)
        return fail(client, "cannot make the call", NULL);
    if (!dbus_message_append_args(message, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID)) {
        dbus_message_unref(message);
        return fail(client, "cannot make the call", NULL);
    }
    DBusMessage *reply = call_performance(client, message);
    if (reply == NULL)
        return false;
    dbus_message_unref(reply);
    return true;
}

bool benchmark_client_count_samples(benchmark_client *client, int duration_milliseconds, int64_t *count)
{
    *count = 0;
    int64_t deadline = now_nanoseconds() + (int64_t)duration_milliseconds * 1000000;
    for (;;) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(client->connection)) != NULL) {
            if (dbus_message_is_signal(message, performance_interface, "Sampled"))
                *count += 1;
            dbus_message_unref(message);
        }
        // Rounded up, so that the last millisecond is not spent awake.
        int64_t remaining = (deadline - now_nanoseconds() + 999999) / 1000000;
        if (remaining <= 0)
            return true;
        if (!dbus_connection_read_write(client->connection, (int)remaining))
            return fail(client, "samples stopped coming", "the bus closed the connection");
    }
}
