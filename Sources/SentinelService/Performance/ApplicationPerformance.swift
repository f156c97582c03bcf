// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// `org.sentinel.Performance1` of one application.
///
/// Confined to the loop's thread.
final class ApplicationPerformance: Performance1Handler {
    /// The seconds that may lie between the samples of a watch.
    private static let intervals = 0.1...60
    private static let defaultInterval = 1.0

    private let application: KnownApplication
    private let path: ObjectPath
    private let directory: PerformanceDirectory

    init(_ application: KnownApplication, path: ObjectPath, directory: PerformanceDirectory) {
        self.application = application
        self.path = path
        self.directory = directory
    }

    private var monitor: ApplicationMonitor { directory.monitor(of: application, at: path) }

    func sample(reply: Reply<[Key: Value]>) {
        monitor.sample { result in
            reply.attempt {
                do throws(FactError) {
                    reply(try result.get().options)
                } catch {
                    throw SentinelError(.unavailable, error.message, underlying: error)
                }
            }
        }
    }

    func content(reply: Reply<[Section]>) {
        monitor.sample { result in
            switch result {
            case .success(let sample): reply(PerformanceScreen.sections(sample))
            case .failure(let error): reply(PerformanceScreen.sections(because: error.description))
            }
        }
    }

    func watch(options: [Key: Value], reply: Reply<UInt32>) {
        reply.attempt {
            let seconds = try options.option("interval", as: Double.self) ?? Self.defaultInterval
            guard Self.intervals.contains(seconds) else {
                throw DBusError(.invalidArgs, "option interval: expected 0.1 to 60 seconds")
            }
            guard let client = reply.call.sender else {
                throw DBusError(.accessDenied, "the caller has no name on the bus")
            }
            reply(try directory.watch(application, at: path, for: client, interval: .seconds(seconds)))
        }
    }

    func unwatch(watch: UInt32, reply: Reply<>) {
        reply.attempt {
            guard let client = reply.call.sender else {
                throw DBusError(.accessDenied, "the caller has no name on the bus")
            }
            try directory.unwatch(watch, of: client, on: application)
            reply()
        }
    }

    func history(limit: UInt32, reply: Reply<[PerformancePoint]>) {
        reply.attempt {
            reply(monitor.points(limit: try PageLimit(limit).count))
        }
    }
}
