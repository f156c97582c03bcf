// SPDX-License-Identifier: MIT

import DBus

/// Why the service could not run.
enum ServiceFailure: Error {
    /// Another process owns the name and was not to be replaced.
    case alreadyRunning
    /// The bus cannot be reached or refuses.
    case bus(DBusError)
    /// Something else, as a message for a person.
    case other(String)

    /// The exit status of `sysexits(3)`.
    var exitStatus: Int32 {
        switch self {
        case .alreadyRunning: 75
        case .bus: 69
        case .other: 70
        }
    }

    /// The one line that a person reads.
    var message: String {
        switch self {
        case .alreadyRunning:
            "org.sentinel is running already on this bus; use --replace to take over from it"
        case .bus(let error):
            error.message
        case .other(let message):
            message
        }
    }
}
