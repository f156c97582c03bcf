// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelModels
import SystemFacts

/// Reads facts of processes and applications beside the loop, which waits for no file.
///
/// Counters are read beside the rest: who watches a process does not wait for files of applications, which may be many
/// and on a slow disk. What it is given to call is called on the loop's thread.
final class FactsReader: Sendable {
    private let profiles: ReadingPool
    private let counters: ReadingPool
    private let places: ApplicationPlaces

    init(loop: EventLoop, places: ApplicationPlaces) {
        profiles = ReadingPool("org.sentinel.profiles", places: 4, loop: loop)
        counters = ReadingPool("org.sentinel.counters", places: 4, loop: loop)
        self.places = places
    }

    /// Lets go of all that is read, at the end of the service.
    func stop() {
        profiles.stop()
        counters.stop()
    }

    /// Gathers the facts of an application and its process; see ``ProcessProfile/gather(_:processID:in:)``.
    func profile(
        of id: ApplicationID, processID: UInt32, completion: @escaping @Sendable (ProcessProfile) -> Void
    ) {
        profiles.read({ [places] in .gather(id, processID: processID, in: places) }, completion)
    }

    /// Gathers the facts of any process; see ``ProcessProfile/gather(processID:in:)``.
    func profile(ofProcess processID: UInt32, completion: @escaping @Sendable (ProcessProfile) -> Void) {
        profiles.read({ [places] in .gather(processID: processID, in: places) }, completion)
    }

    /// Reads the counters of a process, of which nothing is held afterwards.
    func reading(of processID: UInt32, completion: @escaping @Sendable (Fact<PerformanceReading>) -> Void) {
        counters.read(
            {
                Fact { () throws(FactError) in
                    try PerformanceReading.read(try ProcessHandle(reported: processID))
                }
            }, completion)
    }
}
