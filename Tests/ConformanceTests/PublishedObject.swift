// SPDX-License-Identifier: MIT

/// An object of the service and the interfaces that the contract gives it.
struct PublishedObject: Sendable, CustomStringConvertible {
    let path: String
    /// Those that are documented in `Introspection`.
    let interfaces: Set<String>
    /// Those of the D-Bus specification.
    let standardInterfaces: Set<String>

    var description: String { path }

    private init(_ path: String, _ interfaces: [String], managesObjects: Bool = false) {
        self.path = path
        self.interfaces = Set(interfaces)
        standardInterfaces = Set(
            (["Introspectable", "Peer", "Properties"] + (managesObjects ? ["ObjectManager"] : []))
                .map { "org.freedesktop.DBus.\($0)" })
    }

    /// The application that the tests register.
    static let applicationID = "com.example.Conformance"

    static let service = PublishedObject(
        "/org/sentinel",
        ["Sentinel1", "Device1", "Events1", "Analytics1", "Application1", "Tools1", "Preferences1", "Performance1"]
            .map { "org.sentinel.\($0)" },
        managesObjects: true)
    static let application = PublishedObject(
        "/org/sentinel/apps/com_2eexample_2eConformance",
        ["Application1", "Tools1", "Preferences1", "Performance1"].map { "org.sentinel.\($0)" })
    static let logControl = PublishedObject("/org/freedesktop/LogControl1", ["org.freedesktop.LogControl1"])

    /// All objects while one application is known.
    static let all = [service, application, logControl]

    /// Interfaces that others implement or send: they are documented, but on no object of the service.
    static let elsewhere: Set<String> = ["org.sentinel.Provider1", "org.sentinel.Notification"]
}
