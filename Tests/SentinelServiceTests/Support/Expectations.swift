// SPDX-License-Identifier: MIT

import DBus
import Testing

/// Expects a call to fail with a code, and a message that mentions something.
func expectError(
    _ code: ErrorName, mentioning texts: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: DBusError.self, sourceLocation: sourceLocation) { try await body() }
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for text in texts {
        #expect(error.message.contains(text), "\(error)", sourceLocation: sourceLocation)
    }
}

extension Result where Failure == DBusError {
    /// The code of the failure; nil for a success.
    var errorCode: ErrorName? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}

/// What a signal `PropertiesChanged` says.
struct PropertyChange {
    let path: ObjectPath?
    let interface: String
    let changed: [Key: Value]
    let invalidated: [String]

    init(_ signal: Message) throws {
        var body = signal.body
        path = signal.path
        interface = try body.read()
        changed = try body.read()
        invalidated = try body.read()
    }

    /// Whether it tells facts of a process or of files alone, which are read in the background and come when they have
    /// been.
    var isOfReadFacts: Bool {
        interface == "org.sentinel.Application1"
            && Set(changed.keys).isSubset(of: ["DesktopEntry", "Localizations", "Locale", "Sandbox", "Unit"])
    }
}
