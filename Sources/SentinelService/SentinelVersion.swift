// SPDX-License-Identifier: MIT

/// The version of the service.
public let sentinelVersion = "0.1.0"
