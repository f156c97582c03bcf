// SPDX-License-Identifier: MIT

import Testing

/// Tests with threads, descriptors and buses, one after the other: some count what the whole process holds.
@Suite("Live", .serialized)
enum LiveTests {}
