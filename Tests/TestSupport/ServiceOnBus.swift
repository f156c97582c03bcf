// SPDX-License-Identifier: MIT

/// The real service on a bus of its own, for programs that call it.
public final class ServiceOnBus: @unchecked Sendable {
    /// The bus, where nobody else is.
    public let bus: PrivateBus
    /// The service that runs now; confined to the test that owns this.
    public private(set) var service: SentinelProcess

    private init(bus: PrivateBus, service: SentinelProcess) {
        self.bus = bus
        self.service = service
    }

    /// Starts a bus and the service on it, and waits until it answers.
    ///
    /// - Throws: ``TestSupportError`` if it does not come to that in time.
    public static func started(on bus: PrivateBus? = nil) async throws -> ServiceOnBus {
        let bus = try bus ?? PrivateBus()
        return ServiceOnBus(bus: bus, service: try await SentinelProcess.started(on: bus))
    }

    /// Ends the service and starts it again with the data that it has stored.
    ///
    /// - Throws: ``TestSupportError`` if it does not come to that in time.
    public func restart() async throws {
        let ending = try service.stop()
        guard ending == .exited(0) else {
            throw TestSupportError("sentineld ended with \(ending): \(service.process.errors)")
        }
        let old = service
        service = try await SentinelProcess.started(on: bus, dataDirectory: old.dataDirectory)
        retired.append(old)
    }

    /// Services that have ended; the data directory goes with the first.
    private var retired: [SentinelProcess] = []

    /// Runs a line of shell, as a person types it, that finds the bus.
    ///
    /// - Throws: ``TestSupportError`` if it does not end in time.
    public func run(_ line: String, timeout: Duration = patience) async throws -> Command.Result {
        try await Command.run(["sh", "-c", line], environment: environment, timeout: timeout)
    }

    /// Runs a line of shell that is to succeed without complaint.
    ///
    /// - Returns: its standard output without the last line's end.
    /// - Throws: ``TestSupportError`` if it fails or writes to standard error.
    public func output(of line: String) async throws -> String {
        let result = try await run(line)
        guard result.status == 0, result.errors.isEmpty else {
            throw TestSupportError("\(line) ended with \(result.status): \(result.errors)")
        }
        return Self.withoutLastLineEnd(result.output)
    }

    /// Runs a line of shell that is to fail.
    ///
    /// - Returns: its standard error without the last line's end.
    /// - Throws: ``TestSupportError`` if it succeeds or writes to standard output.
    public func complaint(of line: String) async throws -> String {
        let result = try await run(line)
        guard result.status != 0, result.output.isEmpty else {
            throw TestSupportError("\(line) ended with \(result.status): \(result.output)")
        }
        return Self.withoutLastLineEnd(result.errors)
    }

    /// Starts a program that finds the bus and goes on.
    ///
    /// - Throws: ``TestSupportError`` if it cannot be started.
    public func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(arguments, environment: environment)
    }

    /// Where the bus is, and a language, so that programs say the same on every machine.
    public var environment: [String: String] {
        ["LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0"].merging(bus.environment) { $1 }
    }

    private static func withoutLastLineEnd(_ text: String) -> String {
        text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

extension ChildProcess {
    /// Waits until the standard output has a line, which may be unfinished at its end.
    ///
    /// - Throws: ``TestSupportError`` that tells what the process wrote instead.
    public func waitForOutput(
        _ text: String, within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        do {
            try await waitUntil("output \(text)", within: limit) { output.contains(text) }
        } catch {
            throw TestSupportError("\(error); it wrote: \(output)\n\(errors)")
        }
    }
}
