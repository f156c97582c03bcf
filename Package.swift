// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// Warnings stop a build where `SENTINEL_WARNINGS_AS_ERRORS` is set, as `Tests/run` does; a newer compiler's new
/// warning does not stop the people who only want to run Sentinel.
let strict = Context.environment["SENTINEL_WARNINGS_AS_ERRORS"] != nil

let package = Package(
    name: "Sentinel",
    targets: [
        // System libraries.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // What the Glibc module leaves out.
        .systemLibrary(name: "CLinux"),

        // Libraries.
        .target(name: "DBus", dependencies: ["CDBus", "CLinux"]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "SentinelModels"),
        .target(name: "SentinelPersistence", dependencies: ["SQLite", "SentinelModels"]),

        // Tests.
        .testTarget(name: "DBusTests", dependencies: ["DBus"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
        .testTarget(name: "SentinelModelsTests", dependencies: ["SentinelModels"]),
        .testTarget(
            name: "SentinelPersistenceTests", dependencies: ["SentinelPersistence", "SQLite", "SentinelModels"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if strict {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
