// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// Shows the facts and figures of any process of the user, registered or not.
///
/// Confined to the loop's thread.
final class ProcessInspector: @unchecked Sendable {
    private let registry: ApplicationRegistry
    private let reader: FactsReader
    private let loop: EventLoop

    init(registry: ApplicationRegistry, reader: FactsReader, loop: EventLoop) {
        self.registry = registry
        self.reader = reader
        self.loop = loop
    }

    /// Answers with the screens Application and Performance of a process.
    func inspect(_ processID: UInt32, reply: Reply<[Section]>) {
        // An instance whose process the bus does not know is no process 0.
        let application = processID == 0 ? nil : registry.application(ofProcess: processID)
        nonisolated(unsafe) let known = application
        let show: @Sendable (ProcessProfile) -> Void = { [self] profile in
            reply.attempt {
                try Self.check(profile, processID)
                let facts =
                    known.map { ApplicationScreen.sections($0, profile) } ?? ApplicationScreen.sections(profile)
                measure(processID) { reply(facts + $0) }
            }
        }
        if let application {
            reader.profile(of: application.id, processID: processID, completion: show)
        } else {
            reader.profile(ofProcess: processID, completion: show)
        }
    }

    private func measure(_ processID: UInt32, completion: @escaping @Sendable ([Section]) -> Void) {
        let sampler = ProcessSampler(processID: processID, loop: loop, reader: reader)
        sampler.sample { result in
            switch result {
            case .success(let sample): completion(PerformanceScreen.sections(sample))
            case .failure(let error): completion(PerformanceScreen.sections(because: error.description))
            }
        }
    }

    /// Sees to it that there is such a process and that it is the user's own.
    private static func check(_ profile: ProcessProfile, _ processID: UInt32) throws(SentinelError) {
        let users: (real: UInt32, effective: UInt32)
        do throws(FactError) {
            guard let process = try profile.status?.get() else {
                throw FactError(.processGone, "there is no process \(processID)")
            }
            users = (try process.userID.get(), try process.effectiveUserID.get())
        } catch {
            throw SentinelError(
                error.code == .denied ? .accessDenied : .unixProcessIDUnknown, error.message, underlying: error)
        }
        // One that runs with another user's rights shows what that user may see.
        guard users == (getuid(), getuid()) else {
            throw SentinelError(.accessDenied, "process \(processID) belongs to another user")
        }
    }
}
