// SPDX-License-Identifier: MIT

import BenchmarkClient
import Glibc

/// The connection that measures; all of its work is done in C.
///
/// It must stay on one thread.
final class BusClient {
    /// A call of a method, with at most two texts as arguments.
    struct Call {
        /// The bus name that is asked.
        let destination: String
        /// The object.
        let path: String
        /// The interface of the method.
        let interface: String
        /// The method.
        let member: String
        /// What the method is given.
        var arguments: [String] = []
        /// The signature of the answer.
        let reply: String
    }

    /// The client in C.
    let client: OpaquePointer

    /// Connects to a bus.
    ///
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    init(address: String) throws {
        guard let client = benchmark_client_create() else {
            throw BenchmarkError(code: .unavailable, message: "no memory for a client")
        }
        self.client = client
        guard benchmark_client_connect(client, address) else {
            throw failure(.unavailable)
        }
    }

    deinit {
        benchmark_client_destroy(client)
    }

    /// Subscribes to the changes of a name's owner, for ``awaitName(_:owned:timeout:)``.
    func watchName(_ name: String) throws {
        guard benchmark_client_watch_name(client, name) else {
            throw failure(.failed)
        }
    }

    /// Waits asleep until a watched name has an owner or has none; returns `false` when time is up.
    func awaitName(_ name: String, owned: Bool, timeout: Duration) throws -> Bool {
        var reached = false
        let milliseconds = Int32(timeout / .milliseconds(1))
        guard benchmark_client_await_name(client, name, owned, milliseconds, &reached) else {
            throw failure(.failed)
        }
        return reached
    }

    /// Returns the process that owns a name.
    func ownerProcess(of name: String) throws -> Int32 {
        var process: Int32 = 0
        guard benchmark_client_get_owner_process(client, name, &process) else {
            throw failure(.failed)
        }
        return process
    }

    /// Makes calls one after the other and returns each round trip in microseconds.
    func callSerially(_ call: Call, count: Int) throws -> [Double] {
        try timing(count) { durations in
            withCall(call) { benchmark_client_call_serially(client, $0, Int64(count), durations) }
        }
    }

    /// Makes calls, as many of them unanswered at any time as `outstanding` says, and returns the seconds from the
    /// first call to the last reply.
    func callPipelined(_ call: Call, count: Int, outstanding: Int) throws -> Double {
        try timing { duration in
            withCall(call) {
                benchmark_client_call_pipelined(client, $0, Int64(count), Int64(outstanding), duration)
            }
        }
    }

    /// Begins a watch of an application's performance at the default interval, and returns its number.
    func watch(_ path: String, of destination: String) throws -> UInt32 {
        var watch: UInt32 = 0
        guard benchmark_client_watch(client, destination, path, &watch) else {
            throw failure(.failed)
        }
        return watch
    }

    /// Ends a watch.
    func unwatch(_ watch: UInt32, on path: String, of destination: String) throws {
        guard benchmark_client_unwatch(client, destination, path, watch) else {
            throw failure(.failed)
        }
    }

    /// Takes what arrives meanwhile, and returns how many samples of watches that were.
    func countSamples(during duration: Duration) throws -> Int {
        var count: Int64 = 0
        guard benchmark_client_count_samples(client, Int32(duration / .milliseconds(1)), &count) else {
            throw failure(.failed)
        }
        return Int(count)
    }

    private func withCall<Result>(_ call: Call, _ body: (benchmark_call) -> Result) -> Result {
        let texts = [call.destination, call.path, call.interface, call.member, call.reply] + call.arguments
        let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        // Arguments that are not there are NULL.
        let pointers = copies.map { UnsafePointer($0) } + [nil, nil]
        return body(
            benchmark_call(
                destination: pointers[0], path: pointers[1], interface: pointers[2], member: pointers[3],
                arguments: (pointers[5], pointers[6]), reply: pointers[4]))
    }

    /// Returns the microseconds of each of `count` calls that `body` makes; it stores their nanoseconds.
    func timing(_ count: Int, _ body: (UnsafeMutablePointer<Int64>?) -> Bool) throws -> [Double] {
        let nanoseconds = try [Int64](unsafeUninitializedCapacity: count) { durations, initializedCount in
            durations.initialize(repeating: 0)
            initializedCount = count
            guard body(durations.baseAddress) else {
                throw failure(.failed)
            }
        }
        return nanoseconds.map { Double($0) / 1_000 }
    }

    /// Returns the seconds that all calls of `body` take together; it stores their nanoseconds.
    func timing(_ body: (UnsafeMutablePointer<Int64>) -> Bool) throws -> Double {
        var nanoseconds: Int64 = 0
        guard body(&nanoseconds) else {
            throw failure(.failed)
        }
        return Double(nanoseconds) / 1_000_000_000
    }

    /// Why the last function of the client failed.
    func failure(_ code: BenchmarkError.Code) -> BenchmarkError {
        BenchmarkError(code: code, message: String(cString: benchmark_client_error(client)))
    }
}
