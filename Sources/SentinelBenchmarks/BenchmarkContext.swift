// SPDX-License-Identifier: MIT

import Foundation

/// What every benchmark gets: whom to measure, how often, and who cleans up.
struct BenchmarkContext {
    /// The plain C service.
    let baseline: Server

    /// The service in question.
    let sentinel: Server

    /// How often each server is measured.
    let rounds: Int

    /// How many events the largest store of events has.
    let events: Int

    /// The owner of every child process and temporary directory.
    let cleanup: Cleanup

    /// Checks that both services can be started at all.
    ///
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    init(options: BenchmarkOptions, cleanup: Cleanup) throws {
        baseline = .baseline(executable: BenchmarkOptions.executableBesideThis(named: "BenchmarkBaseline"))
        sentinel = .sentinel(executable: options.sentineld)
        rounds = options.rounds
        events = options.events
        self.cleanup = cleanup
        for server in [baseline, sentinel] where !FileManager.default.isExecutableFile(atPath: server.executable) {
            throw BenchmarkError(
                code: .unavailable,
                message: "there is no executable \(server.executable): build the whole package with "
                    + "'swift build -c release', or name another with --sentineld"
            )
        }
    }

    /// Tells on standard error how far the measurement is.
    func report(progress: String) {
        StandardError.print(progress)
    }
}
