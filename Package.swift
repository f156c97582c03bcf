// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// Warnings stop a build where `SENTINEL_WARNINGS_AS_ERRORS` is set, as `Tests/run` does; a newer compiler's new
/// warning does not stop the people who only want to run Sentinel.
let strict = Context.environment["SENTINEL_WARNINGS_AS_ERRORS"] != nil

/// The settings of targets in C, which the loop below leaves alone.
let cSettings: [CSetting] =
    [.enableWarning("all"), .enableWarning("extra")] + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "Sentinel",
    products: [
        // What a client in Swift imports: typed proxies, and the connection below them.
        .library(name: "SentinelInterfaces", targets: ["SentinelInterfaces", "DBus"])
    ],
    targets: [
        // System libraries, and what the Glibc module leaves out.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CLinux"),

        // What makes Swift of Introspection/*.xml.
        .executableTarget(name: "InterfaceGenerator"),
        .plugin(
            name: "GenerateInterfaces", capability: .buildTool(), dependencies: ["InterfaceGenerator"],
            path: "Sources/GenerateInterfaces"),

        // Libraries, from the bottom up.
        .target(name: "Locking"),
        .target(name: "DBus", dependencies: ["CDBus", "CLinux", "Locking"]),
        .target(name: "SQLite", dependencies: ["CSQLite", "Locking"]),
        .target(name: "SentinelModels", dependencies: ["CLinux"]),
        .target(
            name: "SentinelInterfaces", dependencies: ["DBus"], exclude: ["Introspection"],
            plugins: ["GenerateInterfaces"]),
        .target(name: "SentinelPersistence", dependencies: ["Locking", "SQLite", "SentinelModels"]),
        .target(name: "SentinelPreferences", dependencies: ["SentinelPersistence", "SentinelModels"]),
        .target(name: "SentinelAnalytics", dependencies: ["Locking", "SentinelPersistence", "SentinelModels"]),
        .target(name: "SystemFacts", dependencies: ["CLinux", "DBus", "SentinelModels"]),
        .target(
            name: "SentinelService",
            dependencies: [
                "CLinux", "DBus", "Locking", "SentinelAnalytics", "SentinelInterfaces", "SentinelModels",
                "SentinelPersistence", "SentinelPreferences", "SystemFacts",
            ]),

        // Executables.
        .executableTarget(name: "sentineld", dependencies: ["SentinelService"]),

        // Benchmarks; the C targets are the service to compare with and the client that measures both.
        .executableTarget(name: "SentinelBenchmarks", dependencies: ["BenchmarkClient"]),
        .target(name: "BenchmarkClient", dependencies: ["CDBus", "CSQLite"], cSettings: cSettings),
        .executableTarget(name: "BenchmarkBaseline", dependencies: ["CDBus"], cSettings: cSettings),

        // Tests.
        .target(name: "TestSupport", dependencies: ["DBus"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "StoreChild", dependencies: ["Locking", "SentinelPersistence", "SentinelModels"],
            path: "Tests/StoreChild"),
        .testTarget(name: "DBusTests", dependencies: ["CDBus", "DBus", "TestSupport"]),
        .testTarget(
            name: "InterfaceGeneratorTests", dependencies: ["InterfaceGenerator", "TestSupport"],
            exclude: ["Sample"]),
        .testTarget(name: "SentinelInterfacesTests", dependencies: ["DBus", "SentinelInterfaces", "TestSupport"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"]),
        .testTarget(name: "SentinelModelsTests", dependencies: ["SentinelModels"]),
        .testTarget(
            name: "SentinelPersistenceTests",
            dependencies: ["Locking", "SentinelPersistence", "SQLite", "SentinelModels", "StoreChild", "TestSupport"],
            exclude: ["Schemas"]),
        .testTarget(
            name: "SentinelPreferencesTests",
            dependencies: ["SentinelPersistence", "SentinelPreferences", "SentinelModels", "SQLite", "TestSupport"]),
        .testTarget(
            name: "SentinelAnalyticsTests",
            dependencies: ["SentinelAnalytics", "SentinelPersistence", "SentinelModels", "SQLite", "TestSupport"]),
        .testTarget(
            name: "SentinelServiceTests",
            dependencies: [
                "DBus", "SentinelInterfaces", "SentinelModels", "SentinelPersistence", "SentinelPreferences",
                "SentinelService", "SQLite", "SystemFacts", "TestSupport", "sentineld",
            ]),
        .testTarget(
            name: "SystemFactsTests",
            dependencies: ["CLinux", "DBus", "SentinelModels", "SystemFacts", "TestSupport"]),
        .testTarget(name: "ClientTests", dependencies: ["DBus", "TestSupport"], exclude: ["Clients"]),
        .testTarget(
            name: "ConformanceTests", dependencies: ["DBus", "SentinelModels", "SentinelService", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin && target.cSettings == nil {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if strict {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
