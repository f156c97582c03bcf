// SPDX-License-Identifier: MIT

import DBus

extension [Key: Value] {
    /// Reads an option; nil if it is missing.
    ///
    /// - Throws: `DBusError` with code `invalidArgs` that names the option and the type wanted.
    func option<Wanted: WireCodable>(
        _ key: Key, as type: Wanted.Type = Wanted.self
    ) throws(DBusError) -> Wanted? {
        guard let value = self[key] else { return nil }
        do throws(DBusError) {
            return try Wanted(value)
        } catch {
            throw DBusError(error.code, "option \(key): \(error.message)", underlying: error)
        }
    }
}
