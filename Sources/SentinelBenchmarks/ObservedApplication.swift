// SPDX-License-Identifier: MIT

/// A process that the service knows as an application, with the service, on one private bus.
struct ObservedApplication {
    private static let id = "com.example.Benchmark"

    /// The service.
    let sentinel: RunningServer

    /// The client that asks about the application.
    let client: BusClient

    /// The application's process, which does nothing of its own accord.
    let process: ObservedProcess

    /// The application's object.
    let path = "/org/sentinel/apps/com_2eexample_2eBenchmark"

    /// The call that measures the application: `Performance1.Sample`.
    var sampleCall: BusClient.Call {
        BusClient.Call(
            destination: sentinel.server.busName, path: path, interface: "org.sentinel.Performance1",
            member: "Sample", reply: "a{sv}")
    }

    /// Starts a bus, the service and then the application, hands them to `body`, and ends all of it.
    ///
    /// - Throws: What `body` throws, or ``BenchmarkError`` if one does not start.
    static func run<Result>(
        in context: BenchmarkContext, _ body: (ObservedApplication) throws -> Result
    ) throws -> Result {
        let bus = try PrivateBus(cleanup: context.cleanup)
        defer { bus.end() }
        let client = try BusClient(address: bus.address)
        let directories = try (0..<2).map { _ in try TemporaryDirectory(cleanup: context.cleanup) }
        defer { directories.forEach { $0.remove() } }

        let start = { (server: Server, directory: TemporaryDirectory) in
            try client.watchName(server.busName)
            return try RunningServer(
                server, on: bus, dataDirectory: directory, client: client, cleanup: context.cleanup)
        }
        let sentinel = try start(context.sentinel, directories[0])
        defer { sentinel.end() }
        let application = try start(
            .application(id, executable: context.baseline.executable), directories[1])
        defer { application.end() }
        return try body(ObservedApplication(sentinel: sentinel, client: client, process: application.process))
    }
}
