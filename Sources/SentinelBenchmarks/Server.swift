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

    /// Whether it takes the bus's address from its arguments, else from the environment.
    private var takesAddress = true

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

    /// Zeitgeist's engine, which keeps events of a session as well.
    static func zeitgeist(executable: String) -> Server {
        Server(
            title: "Zeitgeist", executable: executable, busName: "org.gnome.zeitgeist.Engine", storesData: false,
            arguments: ["--no-datahub"], takesAddress: false)
    }

    /// The call that all answer: `Properties.Get` of the version, `Version` of `org.sentinel.Sentinel1` at
    /// `/org/sentinel` or its like.
    var versionCall: BusClient.Call {
        let (path, property) =
            takesAddress
            ? ("/org/sentinel", ["org.sentinel.Sentinel1", "Version"])
            : ("/org/gnome/zeitgeist/log/activity", ["org.gnome.zeitgeist.Log", "version"])
        return BusClient.Call(
            destination: busName, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: property, reply: "v")
    }

    /// Where the service in question keeps what it stores, below the directory that it was started with.
    static func dataPath(in directory: TemporaryDirectory) -> String {
        directory.path(of: "data")
    }

    /// Starts the program; everything that it keeps goes below `dataDirectory`.
    ///
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    func start(on bus: PrivateBus, dataDirectory: TemporaryDirectory, cleanup: Cleanup) throws -> Child {
        var command = [executable] + (takesAddress ? ["--address", bus.address] : []) + arguments
        if storesData {
            command += ["--data-dir", Self.dataPath(in: dataDirectory)]
        }
        // Nothing of the user's own session is touched, even by a service that ignores its arguments.
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "XDG_CACHE_HOME": dataDirectory.path(of: "cache"),
            "XDG_CONFIG_HOME": dataDirectory.path(of: "config"),
            "XDG_DATA_HOME": dataDirectory.path(of: "share"),
            "XDG_STATE_HOME": dataDirectory.path(of: "state"),
            "ZEITGEIST_DATA_PATH": dataDirectory.path(of: "zeitgeist"),
        ]
        return try Child(
            command, environment: environment, logPath: dataDirectory.path(of: "output.log"), cleanup: cleanup)
    }
}
