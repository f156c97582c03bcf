// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Locking
import Synchronization

/// A thread that waits for file descriptors, timers and work from other threads, and does one thing after the other.
///
/// It owns the connections that are attached to it and the state of everything that hangs on them. At rest it sleeps
/// in one `ppoll` without a timeout.
public final class EventLoop: @unchecked Sendable {
    /// Something with a descriptor that the loop serves.
    protocol Source: AnyObject {
        /// The descriptor to wait for.
        var descriptor: Int32 { get }
        /// The events to wait for, of `poll(2)`.
        var events: Int16 { get }
        /// Takes the events that have come.
        func handle(events: Int16)
        /// Whether there is work to do that needs no event.
        var hasWork: Bool { get }
        /// Does work that needs no event; returns whether there is more to do at once.
        func process() -> Bool
        /// Learns that the loop serves it no more.
        func loopEnded()
    }

    /// So many turns a timer waits for what is still to be read: who sends without end holds up no timer for ever.
    private static let mostTurnsBehind = 128

    private struct Inbox {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let inbox = Guarded(Inbox())
    private let wakeUp: WakeUp
    /// The thread that runs the loop; 0 before and after.
    private let thread = Atomic<UInt>(0)

    // Confined to the loop's thread from here on.
    private var sources: [any Source] = []
    private var timers = TimerQueue()
    /// All that had come by then has been taken note of. A timer waits until that is so of the time at which it is due,
    /// however late the thread gets its turn: no wait for a reply ends that came in time.
    private var caughtUpTime = ContinuousClock.now
    /// How many turns there has been something to read since.
    private var turnsBehind = 0
    /// Whether a source has more to do at once.
    private var hasMore = false

    /// Makes a loop that does not run yet; what is enqueued waits.
    ///
    /// - Throws: ``DBusError`` with code `failed` if no descriptor can be had.
    public init() throws(DBusError) {
        wakeUp = try WakeUp()
        sources.append(wakeUp)
    }

    /// Makes a loop that runs on a thread of its own until ``stop()``.
    ///
    /// - Throws: ``DBusError`` with code `failed` if no descriptor or thread can be had.
    public static func startThread(named name: String = "dbus") throws(DBusError) -> EventLoop {
        let loop = try EventLoop()
        try startDetachedThread(named: name) { loop.run() }
        return loop
    }

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// Stops the process if the caller is not on the loop's thread.
    public func preconditionIsCurrent() {
        precondition(isCurrent, "called off the event loop's thread")
    }

    /// Has `job` done on the loop's thread, after what was enqueued before; callable on every thread.
    ///
    /// - Returns: false if the loop has been stopped and `job` is dropped.
    @discardableResult
    public func enqueue(_ job: @escaping @Sendable () -> Void) -> Bool {
        let waiting: Int? = inbox.withLock { inbox in
            guard !inbox.isStopped else { return nil }
            inbox.jobs.append(job)
            return inbox.jobs.count
        }
        guard let waiting else { return false }
        if waiting == 1, !isCurrent {
            wakeUp.signal()
        }
        return true
    }

    /// Does `action` after a delay on the loop's thread, unless the timer is cancelled before; callable on every
    /// thread.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline: .now + delay, action: action)
        if isCurrent {
            timers.insert(timer)
        } else {
            enqueue { self.timers.insert(timer) }
        }
        return timer
    }

    /// Calls `handler` on the loop's thread whenever a descriptor can be read, until the watch is cancelled.
    ///
    /// The descriptor stays its owner's, who closes it after cancelling on the loop's thread.
    public func watch(readable descriptor: Int32, _ handler: @escaping @Sendable () -> Void) -> DescriptorWatch {
        let watch = DescriptorWatch(descriptor: descriptor, loop: self, handler: handler)
        if !enqueue({ self.add(watch) }) {
            watch.loopEnded()
        }
        return watch
    }

    /// Runs the loop on this thread until ``stop()``. A loop runs once.
    public func run() {
        let (claimed, _) = thread.compareExchange(
            expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
        precondition(claimed, "a loop runs on one thread")
        while doJobs() {
            processSources()
            fireTimers()
            wait()
        }
        let ended = sources
        let left = timers
        sources = []
        timers = TimerQueue()
        // What the timers hold goes here: it can hold the last reference to something whose end sets a timer.
        withExtendedLifetime(left) {}
        for source in ended {
            source.loopEnded()
        }
        thread.store(0, ordering: .releasing)
    }

    /// Ends ``run()`` after what is under way; what is enqueued later is dropped. Callable on every thread.
    public func stop() {
        inbox.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// Adds a source, on the loop's thread.
    func add(_ source: any Source) {
        sources.append(source)
    }

    /// Removes a source, on the loop's thread.
    func remove(_ source: any Source) {
        sources.removeAll { $0 === source }
    }

    /// The work enqueued so far; nil once the loop is stopped and all has been done.
    private func takeJobs() -> [@Sendable () -> Void]? {
        inbox.withLock { inbox in
            guard !inbox.jobs.isEmpty else { return inbox.isStopped ? nil : [] }
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
    }

    /// Does the work enqueued so far; returns false once the loop is stopped and all has been done.
    ///
    /// What the jobs hold goes with this call, not when the loop wakes next. The same is true of timers.
    private func doJobs() -> Bool {
        guard let jobs = takeJobs() else { return false }
        for job in jobs {
            job()
        }
        return true
    }

    private func fireTimers() {
        for timer in timers.takeDue(at: caughtUpTime) {
            timer.fire()
        }
    }

    private func processSources() {
        hasMore = false
        for source in sources where source.process() {
            hasMore = true
        }
    }

    /// Whether there is something to do at once.
    private var isBusy: Bool {
        // What came for one connection, or a timer, can have made another send that had its turn before.
        if hasMore || sources.contains(where: { $0.hasWork }) { return true }
        // One wake-up can have stood for the last jobs and for the stop.
        return inbox.withLock { !$0.jobs.isEmpty || $0.isStopped }
    }

    private func wait() {
        let watched = sources
        var descriptors = watched.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        let time = ContinuousClock.now
        let limit: Duration? = isBusy ? .zero : timers.timeToNext
        let count = withOptionalTimespec(limit) { timespec in
            ppoll(&descriptors, nfds_t(descriptors.count), timespec, nil)
        }
        let isBehind = count > 0 || hasMore
        turnsBehind = isBehind && turnsBehind < Self.mostTurnsBehind ? turnsBehind + 1 : 0
        if turnsBehind == 0 {
            caughtUpTime = time
        }
        guard count > 0 else { return }
        for (source, descriptor) in zip(watched, descriptors) where descriptor.revents != 0 {
            // One that was removed meanwhile may have lost its descriptor to another.
            guard sources.contains(where: { $0 === source }) else { continue }
            source.handle(events: descriptor.revents)
        }
    }
}

/// Calls `body` with a relative time for `ppoll(2)`, nil for no limit.
private func withOptionalTimespec<Result>(
    _ duration: Duration?, _ body: (UnsafePointer<timespec>?) -> Result
) -> Result {
    guard let duration else { return body(nil) }
    let (seconds, attoseconds) = max(duration, .zero).components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    return body(&time)
}
