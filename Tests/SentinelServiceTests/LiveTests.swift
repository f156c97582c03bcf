// SPDX-License-Identifier: MIT

import Testing

/// Tests with the real service on private buses, one after the other: they count what processes hold, and time them.
@Suite("Live", .serialized)
enum LiveTests {}
