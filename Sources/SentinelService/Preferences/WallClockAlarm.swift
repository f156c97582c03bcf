// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc
import SentinelModels

/// Rings at a time of the wall clock, also where the machine sleeps or the clock is set meanwhile. There is no timer
/// while nothing is waited for.
///
/// Confined to the loop's thread.
final class WallClockAlarm: @unchecked Sendable {
    private let loop: EventLoop
    private let ring: @Sendable () -> Void
    private var timer: Timer?

    private struct Timer {
        let descriptor: Int32
        let watch: DescriptorWatch
    }

    /// - Parameter ring: called on the loop's thread at the time, and whenever the clock is set.
    init(on loop: EventLoop, ring: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.ring = ring
    }

    deinit {
        cancel()
    }

    /// Sets the time to ring at, in place of the one before; nil for never.
    ///
    /// - Returns: whether it will: no descriptor may be left for a timer.
    @discardableResult
    func set(_ time: Timestamp?) -> Bool {
        guard let time else {
            cancel()
            return true
        }
        guard let timer = timer ?? makeTimer() else { return false }
        self.timer = timer
        var setting = itimerspec()
        // A time that is over rings at once; zero would never.
        setting.it_value.tv_sec = Int(time.microseconds / 1_000_000)
        setting.it_value.tv_nsec = Int(time.microseconds % 1_000_000) * 1000
        return timerfd_settime(timer.descriptor, Int32(CLINUX_TIMERFD_ABSOLUTE), &setting, nil) == 0
    }

    private func cancel() {
        guard let timer else { return }
        timer.watch.cancel()
        close(timer.descriptor)
        self.timer = nil
    }

    private func makeTimer() -> Timer? {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(CLINUX_TIMERFD_FLAGS))
        guard descriptor >= 0 else { return nil }
        let watch = loop.watch(readable: descriptor) { [weak self] in self?.timeHasCome() }
        return Timer(descriptor: descriptor, watch: watch)
    }

    private func timeHasCome() {
        guard let timer else { return }
        // It fails where the clock was set, which is news as well.
        var count: UInt64 = 0
        read(timer.descriptor, &count, MemoryLayout<UInt64>.size)
        ring()
    }
}
