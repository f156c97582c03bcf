// SPDX-License-Identifier: MIT
// The baseline: the least that a D-Bus service in C on libdbus can be. It answers the one call that the benchmarks
// make, `Properties.Get("org.sentinel.Sentinel1", "Version")` at /org/sentinel, so that Sentinel's figures stand
// beside what wire, bus and libdbus cost anyone. libdbus itself answers `org.freedesktop.DBus.Peer`.
//
// With --register it is an application that Sentinel knows, for benchmarks of what Sentinel tells about one.

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const object_path = "/org/sentinel";
static const char *const property_interface = "org.sentinel.Sentinel1";
static const char *const property_name = "Version";
static const char *const property_value = "0.1.0";

static bool append_version(DBusMessageIter *parent)
{
    DBusMessageIter variant;
    return dbus_message_iter_open_container(parent, DBUS_TYPE_VARIANT, DBUS_TYPE_STRING_AS_STRING, &variant)
        && dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &property_value)
        && dbus_message_iter_close_container(parent, &variant);
}

static DBusMessage *reply_to_get(DBusMessage *call)
{
    const char *interface = NULL;
    const char *name = NULL;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID))
        return dbus_message_new_error(call, DBUS_ERROR_INVALID_ARGS, "Get takes an interface and a property");
    if (strcmp(interface, property_interface) != 0)
        return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_INTERFACE, "no such interface");
    if (strcmp(name, property_name) != 0)
        return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_PROPERTY, "no such property");

    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter arguments;
    if (reply == NULL)
        return NULL;
    dbus_message_iter_init_append(reply, &arguments);
    if (append_version(&arguments))
        return reply;
    dbus_message_unref(reply);
    return NULL;
}

static DBusMessage *reply_to_get_all(DBusMessage *call)
{
    const char *interface = NULL;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID))
        return dbus_message_new_error(call, DBUS_ERROR_INVALID_ARGS, "GetAll takes an interface");
    if (strcmp(interface, property_interface) != 0)
        return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_INTERFACE, "no such interface");

    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter arguments;
    DBusMessageIter properties;
    DBusMessageIter entry;
    if (reply == NULL)
        return NULL;
    dbus_message_iter_init_append(reply, &arguments);
    if (dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &properties)
        && dbus_message_iter_open_container(&properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry)
        && dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &property_name)
        && append_version(&entry)
        && dbus_message_iter_close_container(&properties, &entry)
        && dbus_message_iter_close_container(&arguments, &properties))
        return reply;
    dbus_message_unref(reply);
    return NULL;
}

static DBusHandlerResult handle_message(DBusConnection *connection, DBusMessage *message, void *context)
{
    (void)context;
    DBusMessage *reply;
    if (dbus_message_is_method_call(message, DBUS_INTERFACE_PROPERTIES, "Get"))
        reply = reply_to_get(message);
    else if (dbus_message_is_method_call(message, DBUS_INTERFACE_PROPERTIES, "GetAll"))
        reply = reply_to_get_all(message);
    else
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;

    if (reply == NULL)
        return DBUS_HANDLER_RESULT_NEED_MEMORY;
    bool sent = dbus_connection_send(connection, reply, NULL);
    dbus_message_unref(reply);
    return sent ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NEED_MEMORY;
}

static int fail(const char *what, const DBusError *error)
{
    fprintf(stderr, "BenchmarkBaseline: %s: %s\n", what, error->message != NULL ? error->message : "out of memory");
    return 1;
}

// Registers with Sentinel as an instance of an application.
static bool register_application(DBusConnection *connection, const char *application, DBusError *error)
{
    DBusMessage *call = dbus_message_new_method_call("org.sentinel", object_path, property_interface, "Register");
    DBusMessageIter arguments;
    DBusMessageIter options;
    if (call == NULL)
        return false;
    dbus_message_iter_init_append(call, &arguments);
    DBusMessage *reply = NULL;
    if (dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &application)
        && dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options)
        && dbus_message_iter_close_container(&arguments, &options))
        reply = dbus_connection_send_with_reply_and_block(connection, call, -1, error);
    dbus_message_unref(call);
    if (reply == NULL)
        return false;
    dbus_message_unref(reply);
    return true;
}

int main(int argument_count, char **arguments)
{
    const char *address = NULL;
    const char *name = "org.sentinel.Baseline";
    const char *application = NULL;
    for (int index = 1; index + 1 < argument_count; index += 2) {
        if (strcmp(arguments[index], "--address") == 0)
            address = arguments[index + 1];
        else if (strcmp(arguments[index], "--name") == 0)
            name = arguments[index + 1];
        else if (strcmp(arguments[index], "--register") == 0)
            application = arguments[index + 1];
    }
    if (address == NULL || argument_count % 2 == 0) {
        fprintf(stderr, "usage: BenchmarkBaseline --address ADDRESS [--name NAME] [--register APPLICATION]\n");
        return 2;
    }

    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *connection = dbus_connection_open_private(address, &error);
    if (connection == NULL)
        return fail("cannot connect", &error);
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    if (!dbus_bus_register(connection, &error))
        return fail("the bus refuses the connection", &error);

    if (application != NULL && !register_application(connection, application, &error))
        return fail("cannot register with Sentinel", &error);

    // The object comes before the name: who sees the name may call at once.
    static const DBusObjectPathVTable object = {.message_function = handle_message};
    if (!dbus_connection_try_register_object_path(connection, object_path, &object, NULL, &error))
        return fail("cannot register the object", &error);
    if (dbus_bus_request_name(connection, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error)
        != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
        return fail("cannot own the name", &error);

    while (dbus_connection_read_write_dispatch(connection, -1)) {
    }
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
    return 0;
}
