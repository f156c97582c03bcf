// SPDX-License-Identifier: MIT

/// Both servers, running on one private bus, and the client that calls them.
struct ServerPair {
    /// The plain C service.
    let baseline: RunningServer

    /// The service in question.
    let sentinel: RunningServer

    /// The client for both.
    let client: BusClient

    /// Starts a bus and both servers, hands them to `body`, and ends all of it.
    ///
    /// - Throws: What `body` throws, or ``BenchmarkError`` if one does not start.
    static func run<Result>(
        in context: BenchmarkContext, _ body: (ServerPair) throws -> Result
    ) throws -> Result {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let client = try BusClient(address: bus.address)

        let start = { (server: Server, directory: TemporaryDirectory) in
            try client.watchName(server.busName)
            return try RunningServer(
                server, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        }
        let baselineDirectory = try TemporaryDirectory(cleanup: context.cleanup)
        defer { baselineDirectory.remove() }
        let sentinelDirectory = try TemporaryDirectory(cleanup: context.cleanup)
        defer { sentinelDirectory.remove() }
        let baseline = try start(context.baseline, baselineDirectory)
        defer { baseline.end() }
        let sentinel = try start(context.sentinel, sentinelDirectory)
        defer { sentinel.end() }
        return try body(ServerPair(baseline: baseline, sentinel: sentinel, client: client))
    }
}
