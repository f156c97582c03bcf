// SPDX-License-Identifier: MIT
// An application on sd-bus: it registers, declares a preference and a tool with an action, reads, and listens.
// cc sd_bus.c $(pkg-config --cflags --libs libsystemd)

#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

#define SENTINEL "org.sentinel"
#define APP "/org/sentinel/apps/com_2eexample_2eC"
#define PROVIDER "/com/example/C"

static int invoke(sd_bus_message *call, void *data, sd_bus_error *error) {
    const char *tool, *action, *key, *who;
    (void)data, (void)error;
    sd_bus_message_read(call, "ss", &tool, &action);
    if (sd_bus_message_read(call, "a{sv}", 1, &key, "s", &who) < 0)
        return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_INVALID_ARGS, "who is to be greeted?");
    printf("%s %s\n", action, who);
    return sd_bus_reply_method_return(call, "a{sv}", 1, "greeted", "s", who);
}

static int changed(sd_bus_message *signal, void *data, sd_bus_error *error) {
    const char *key;
    int verbose;
    (void)data, (void)error;
    sd_bus_message_skip(signal, "as");
    if (sd_bus_message_read(signal, "a{sv}", 1, &key, "b", &verbose) >= 0)
        printf("%s is %s\n", key, verbose ? "true" : "false");
    return 0;
}

static const sd_bus_vtable provider[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Invoke", "ssa{sv}", "a{sv}", invoke, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static void check(int result, sd_bus_error *error) {
    if (result >= 0) return;
    fprintf(stderr, "%s\n", error && error->message ? error->message : "it failed");
    exit(1);
}

int main(void) {
    sd_bus *bus;
    sd_bus_message *reply;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int verbose;
    setlinebuf(stdout);
    check(sd_bus_open_user(&bus), NULL);
    check(sd_bus_add_object_vtable(bus, NULL, PROVIDER, "org.sentinel.Provider1", provider, NULL), NULL);
    check(sd_bus_match_signal(bus, NULL, SENTINEL, APP, "org.sentinel.Preferences1", "Changed", changed, NULL), NULL);
    check(sd_bus_call_method(bus, SENTINEL, "/org/sentinel", "org.sentinel.Sentinel1", "Register", &error, NULL,
                             "sa{sv}", "com.example.C", 1, "provider", "o", PROVIDER), &error);
    check(sd_bus_call_method(bus, SENTINEL, APP, "org.sentinel.Preferences1", "Declare", &error, NULL,
                             "a(ssva{sv})", 1, "verbose", "Verbose", "b", 0, 0), &error);
    check(sd_bus_call_method(bus, SENTINEL, APP, "org.sentinel.Tools1", "Declare", &error, NULL,
                             "a(sssa(ssa(sssva{sv})a{sv})a{sv})", 1, "demo", "Demo", "table", 1, "main", "Main", 1,
                             "greet", "action", "Greet", "s", "", 1, "parameters", "a(sssa{sv})", 1, "who", "text",
                             "Who", 0, 0, 0), &error);
    check(sd_bus_call_method(bus, SENTINEL, APP, "org.sentinel.Preferences1", "Get", &error, &reply, "s", "verbose"),
          &error);
    check(sd_bus_message_read(reply, "v", "b", &verbose), NULL);
    printf("verbose is %s\n", verbose ? "true" : "false");
    sd_bus_message_unref(reply);
    for (;;) {
        check(sd_bus_process(bus, NULL), NULL);
        check(sd_bus_wait(bus, UINT64_MAX), NULL);
    }
}
