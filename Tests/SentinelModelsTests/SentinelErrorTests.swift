// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("An error")
struct SentinelErrorTests {
    /// The contract's list, by hand, so that a name that changes is noticed.
    static let rows: [(code: SentinelError.Code, busName: String, exitCode: Int32)] = [
        (.failed, "org.freedesktop.DBus.Error.Failed", 70),
        (.invalidArgs, "org.freedesktop.DBus.Error.InvalidArgs", 64),
        (.unknownMethod, "org.freedesktop.DBus.Error.UnknownMethod", 76),
        (.unknownObject, "org.freedesktop.DBus.Error.UnknownObject", 76),
        (.unknownInterface, "org.freedesktop.DBus.Error.UnknownInterface", 76),
        (.unknownProperty, "org.freedesktop.DBus.Error.UnknownProperty", 76),
        (.propertyReadOnly, "org.freedesktop.DBus.Error.PropertyReadOnly", 77),
        (.accessDenied, "org.freedesktop.DBus.Error.AccessDenied", 77),
        (.limitsExceeded, "org.freedesktop.DBus.Error.LimitsExceeded", 75),
        (.notSupported, "org.freedesktop.DBus.Error.NotSupported", 69),
        (.timeout, "org.freedesktop.DBus.Error.Timeout", 75),
        (.unixProcessIDUnknown, "org.freedesktop.DBus.Error.UnixProcessIdUnknown", 66),
        (.unknownApplication, "org.sentinel.Error.UnknownApplication", 66),
        (.unknownTool, "org.sentinel.Error.UnknownTool", 66),
        (.unknownItem, "org.sentinel.Error.UnknownItem", 66),
        (.unknownAction, "org.sentinel.Error.UnknownAction", 66),
        (.unknownPreference, "org.sentinel.Error.UnknownPreference", 66),
        (.unknownProfile, "org.sentinel.Error.UnknownProfile", 66),
        (.unknownChange, "org.sentinel.Error.UnknownChange", 66),
        (.unknownTrigger, "org.sentinel.Error.UnknownTrigger", 66),
        (.unknownWatch, "org.sentinel.Error.UnknownWatch", 66),
        (.unknownSubscription, "org.sentinel.Error.UnknownSubscription", 66),
        (.unknownMetric, "org.sentinel.Error.UnknownMetric", 66),
        (.invalidValue, "org.sentinel.Error.InvalidValue", 65),
        (.readOnly, "org.sentinel.Error.ReadOnly", 77),
        (.conflict, "org.sentinel.Error.Conflict", 75),
        (.denied, "org.sentinel.Error.Denied", 77),
        (.unavailable, "org.sentinel.Error.Unavailable", 69),
        (.storageFull, "org.sentinel.Error.StorageFull", 74),
        (.storageDamaged, "org.sentinel.Error.StorageDamaged", 74),
        (.paused, "org.sentinel.Error.Paused", 75),
        (.providerTimeout, "org.sentinel.Error.ProviderTimeout", 75),
        (.providerGone, "org.sentinel.Error.ProviderGone", 69),
    ]

    @Test("has the contract's bus name and an exit code", arguments: rows)
    func row(row: (code: SentinelError.Code, busName: String, exitCode: Int32)) {
        #expect(row.code.busName == row.busName)
        #expect(row.code.exitCode == row.exitCode)
        #expect(SentinelError.Code(busName: row.busName) == row.code)
    }

    @Test("of every kind is in the table once")
    func complete() {
        #expect(SentinelError.Code.all.map(\.code) == Self.rows.map(\.code))
        #expect(Set(SentinelError.Code.all.map(\.code.busName)).count == Self.rows.count)
    }

    @Test("of a foreign name keeps it and ends a command like a defect")
    func foreign() {
        let code = SentinelError.Code(busName: "com.example.Error.Odd")
        #expect(code.busName == "com.example.Error.Odd")
        #expect(code.exitCode == 70)
        #expect(code != .failed)
    }

    @Test("keeps what led to it")
    func underlying() {
        let error = SentinelError(.unavailable, "no", underlying: SentinelError(.timeout, "late"))
        #expect((error.underlying as? SentinelError)?.code == .timeout)
    }
}
