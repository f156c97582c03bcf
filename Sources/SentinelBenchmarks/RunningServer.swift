// SPDX-License-Identifier: MIT

/// A server that owns its name.
struct RunningServer {
    /// What was started.
    let server: Server

    /// How long it took from just before the process was made until the first call was answered.
    let timeToFirstReply: Duration

    /// The process that owns the name.
    let process: ObservedProcess

    private let child: Child
    private let client: BusClient

    /// Starts a server and makes the first call as soon as it owns its name.
    ///
    /// - Parameter client: A client that watches the server's name; it makes the call.
    /// - Throws: ``BenchmarkError`` with what the server wrote.
    init(
        _ server: Server, on bus: PrivateBus, dataDirectory: TemporaryDirectory, client: BusClient, cleanup: Cleanup
    ) throws {
        self.server = server
        self.client = client
        child = try server.start(on: bus, dataDirectory: dataDirectory, cleanup: cleanup)
        do {
            try Self.awaitName(of: server, child: child, client: client)
            _ = try client.callSerially(server.versionCall, count: 1)
            timeToFirstReply = .now - child.spawned
            process = ObservedProcess(identifier: try client.ownerProcess(of: server.busName))
        } catch let error as BenchmarkError {
            let output = child.output
            child.end()
            throw BenchmarkError(code: error.code, message: "\(server.title): \(error.message)", output: output)
        }
    }

    /// Does something with the server; a failure tells what the server wrote.
    func measure<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BenchmarkError {
            throw BenchmarkError(code: error.code, message: "\(server.title): \(error.message)", output: child.output)
        }
    }

    /// Ends the server. Does nothing the second time.
    func end() {
        child.end()
    }

    /// Ends the server and waits until the bus knows, so that another can own the name.
    ///
    /// - Throws: ``BenchmarkError`` if the name stays owned, or the bus has gone.
    func endAndReleaseName() throws {
        end()
        guard try client.awaitName(server.busName, owned: false, timeout: .seconds(10)) else {
            throw BenchmarkError(code: .failed, message: "\(server.busName) is still owned by another process")
        }
    }

    /// Waits asleep, and looks now and then whether there is still someone to wait for.
    private static func awaitName(of server: Server, child: Child, client: BusClient) throws {
        let deadline = child.spawned + .seconds(20)
        while try !client.awaitName(server.busName, owned: true, timeout: .milliseconds(500)) {
            guard child.isRunning else {
                throw BenchmarkError(code: .failed, message: "it ended before it owned \(server.busName)")
            }
            guard ContinuousClock.now < deadline else {
                throw BenchmarkError(code: .failed, message: "it did not own \(server.busName) within 20 seconds")
            }
        }
    }
}
