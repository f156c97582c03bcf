// SPDX-License-Identifier: MIT

import Foundation

/// Zeitgeist's engine on a private bus, with data of its own.
struct Zeitgeist {
    /// The program that is looked for in `PATH`.
    static let program = "zeitgeist-daemon"

    private let server: RunningServer
    private let directory: TemporaryDirectory

    /// Starts the engine; `nil` where it is not installed.
    ///
    /// - Throws: ``BenchmarkError`` if it does not start.
    static func start(on bus: PrivateBus, client: BusClient, cleanup: Cleanup) throws -> Zeitgeist? {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard
            let executable = places.map({ "\($0)/\(program)" })
                .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else {
            return nil
        }
        let server = Server.zeitgeist(executable: executable)
        let directory = try TemporaryDirectory(cleanup: cleanup)
        try client.watchName(server.busName)
        return Zeitgeist(
            server: try RunningServer(server, on: bus, dataDirectory: directory, client: client, cleanup: cleanup),
            directory: directory)
    }

    /// Does something with the engine; a failure tells what it wrote.
    func measure<Result>(_ body: () throws -> Result) throws -> Result {
        try server.measure(body)
    }

    /// Ends it and removes its data.
    func end() {
        server.end()
        directory.remove()
    }
}
