// SPDX-License-Identifier: MIT
// What sqlite3.h offers only through variadic functions or cast macros, in a form that Swift imports.

#ifndef SENTINEL_CSQLITE_SHIM_H
#define SENTINEL_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
