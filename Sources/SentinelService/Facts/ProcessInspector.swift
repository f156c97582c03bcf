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
        reader.profile(ofProcess: processID) { [self] profile in
            reply.attempt {
                try Self.check(profile, processID)
                let sampler = ProcessSampler(processID: processID, loop: loop, reader: reader)
                sampler.sample { [self] result in
                    let performance =
                        switch result {
                        case .success(let sample): PerformanceScreen.sections(sample)
                        case .failure(let error): PerformanceScreen.sections(because: error.message)
                        }
                    reply(facts(processID, profile) + performance)
                }
            }
        }
    }

    private func facts(_ processID: UInt32, _ profile: ProcessProfile) -> [Section] {
        guard let application = registry.application(ofProcess: processID) else {
            return ApplicationScreen.sections(profile)
        }
        return ApplicationScreen.sections(application, profile)
    }

    /// Sees to it that there is such a process and that it is the user's own.
    private static func check(_ profile: ProcessProfile, _ processID: UInt32) throws(SentinelError) {
        let process: ProcessStatus
        do throws(FactError) {
            guard let status = profile.status else {
                throw FactError(.processGone, "there is no process \(processID)")
            }
            process = try status.get()
        } catch {
            throw SentinelError(
                error.code == .denied ? .accessDenied : .unixProcessIDUnknown, error.message, underlying: error)
        }
        guard process.userID.value == getuid() else {
            throw SentinelError(.accessDenied, "process \(processID) belongs to another user")
        }
    }
}
