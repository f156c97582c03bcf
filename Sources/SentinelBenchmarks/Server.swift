// SPDX-License-Identifier: MIT

/// A program that answers the measured call on a bus.
struct Server {
    /// What messages call it.
    let title: String

    /// The absolute path of the program.
    let executable: String

    /// The name that it owns when it is ready.
    let busName: String

    private let storesData: Bool

    /// Arguments besides the bus.
    private var arguments: [String] = []

    /// The plain C service.
    static func baseline(executable: String) -> Server {
        Server(title: "C libdbus", executable: executable, busName: "org.sentinel.Baseline", storesData: false)
    }

    /// The service in question.
    static func sentinel(executable: String) -> Server {
        Server(title: "Sentinel", executable: executable, busName: "org.sentinel", storesData: true)
    }

    /// An application in C that Sentinel, which must be running, knows by `id`; that is its name on the bus as well.
    static func application(_ id: String, executable: String) -> Server {
        Server(
            title: "the application", executable: executable, busName: id, storesData: false,
            arguments: ["--name", id, "--register", id])
    }

    /// The call that all answer: `Properties.Get("org.sentinel.Sentinel1", "Version")` at `/org/sentinel`.
    var versionCall: BusClient.Call {
        BusClient.Call(
            destination: busName, path: "/org/sentinel", interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: ["org.sentinel.Sentinel1", "Version"], reply: "v")
    }

    /// Starts the program; everything that it keeps goes below `dataDirectory`.
    ///
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    func start(on bus: PrivateBus, dataDirectory: TemporaryDirectory, cleanup: Cleanup) throws -> Child {
        var command = [executable, "--address", bus.address] + arguments
        if storesData {
            command += ["--data-dir", dataDirectory.path(of: "data")]
        }
        // Nothing of the user's own session is touched, even by a service that ignores its arguments.
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "XDG_CACHE_HOME": dataDirectory.path(of: "cache"),
            "XDG_CONFIG_HOME": dataDirectory.path(of: "config"),
            "XDG_DATA_HOME": dataDirectory.path(of: "share"),
            "XDG_STATE_HOME": dataDirectory.path(of: "state"),
        ]
        return try Child(
            command, environment: environment, logPath: dataDirectory.path(of: "output.log"), cleanup: cleanup)
    }
}
