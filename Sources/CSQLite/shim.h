// SPDX-License-Identifier: MIT
// What sqlite3.h offers only through variadic functions or cast macros, in a form that Swift imports.

#ifndef SENTINEL_CSQLITE_SHIM_H
#define SENTINEL_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config(): the options that take an int and give back the setting in force. A negative value only asks.
static inline int csqlite_db_config_flag(sqlite3 *database, int option, int value, int *setting) {
    return sqlite3_db_config(database, option, value, setting);
}

// Has SQLite keep no record of its use of memory, which costs a lock for each piece; has no effect once it is in use.
static inline int csqlite_stop_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// The functions with which SQLite allocates memory; before it is first used.
static inline int csqlite_get_memory_methods(sqlite3_mem_methods *methods) {
    return sqlite3_config(SQLITE_CONFIG_GETMALLOC, methods);
}

static inline int csqlite_set_memory_methods(const sqlite3_mem_methods *methods) {
    return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}

// The extended result codes that are told apart: the header's are expressions.
enum {
    CSQLITE_IOERR_CORRUPTFS = SQLITE_IOERR_CORRUPTFS,
    CSQLITE_CANTOPEN_SYMLINK = SQLITE_CANTOPEN_SYMLINK,
    CSQLITE_CONSTRAINT_FOREIGNKEY = SQLITE_CONSTRAINT_FOREIGNKEY,
    CSQLITE_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY,
    CSQLITE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE
};

#endif
