// SPDX-License-Identifier: MIT

public import DBus
import Dispatch

/// Keeps the facts of the machine and the session: from the system services where they answer, else from files.
///
/// It connects to the system bus in the background, asks `systemd-hostnamed`, UPower, `systemd-logind` and
/// iio-sensor-proxy, and follows what they make known. Nothing is asked again and again: a bus that is not there is
/// tried again when somebody asks, a service that has not answered in time too, and a service that comes to the bus is
/// asked when it comes. One that does not answer in time, or tells what cannot be, counts as absent for that fact, and
/// the fact's reason says so.
///
/// Confined to the loop's thread.
public final class DeviceMonitor: @unchecked Sendable {
    /// What a refresh may take beyond the services' deadline, so that their answers in the last moment still count.
    private static let grace = Duration.milliseconds(100)

    private struct Refresh {
        let number: UInt64
        let timer: LoopTimer
        var unanswered: Int
        var completions: [@Sendable (DeviceFacts) -> Void]
    }

    /// Called on the loop's thread with the kinds of fact whose values have changed.
    public var onChange: (@Sendable (Set<DeviceFacts.Kind>) -> Void)?

    /// Called on the loop's thread when ``missingServices`` are others.
    public var onMissingServicesChange: (@Sendable () -> Void)?

    /// The system services that have been asked in vain, each with what is unavailable without it, and why.
    public private(set) var missingServices: [String] = []

    private let loop: EventLoop
    private let files: DeviceFiles
    private let deadline: Duration
    private let retryInterval: Duration
    private let link: SystemBusLink
    private let services: DeviceServices
    private let queue = DispatchQueue(label: "org.sentinel.device-files")

    private var isRunning = false
    private var fromFiles: DeviceFacts?
    private var current: DeviceFacts?
    private var refresh: Refresh?
    private var refreshCount: UInt64 = 0

    /// Names the sources; nothing is read or asked yet.
    ///
    /// - Parameters:
    ///   - loop: the loop that the monitor lives on.
    ///   - systemBus: where the system bus listens; nil if that is not known.
    ///   - files: what stands in for the services, and tells what they do not.
    ///   - deadline: how long a service's answer is waited for.
    ///   - retryInterval: reading ``facts`` tries the bus again, and services that have not answered in time, if the last
    ///     attempt is longer ago.
    ///   - sensorHoldTime: how long the proximity sensor stays on after it was last asked.
    public init(
        on loop: EventLoop, systemBus: BusAddress?, files: DeviceFiles = DeviceFiles(),
        deadline: Duration = .seconds(2), retryInterval: Duration = .seconds(10), sensorHoldTime: Duration = .seconds(5)
    ) {
        self.loop = loop
        self.files = files
        self.deadline = deadline
        self.retryInterval = retryInterval
        link = SystemBusLink(systemBus, on: loop)
        services = DeviceServices(on: loop, deadline: deadline, sensorHoldTime: sensorHoldTime)
        link.onChange = { [weak self] in self?.linkChanged() }
        services.onChange = { [weak self] in self?.servicesChanged() }
    }

    /// Reads the files, connects and asks the services, all in the background. It may follow ``stop()``.
    public func start() {
        loop.preconditionIsCurrent()
        guard !isRunning else { return }
        isRunning = true
        readFiles {}
        link.connect {}
    }

    /// Lets go of the bus and ends a refresh with what is known.
    public func stop() {
        loop.preconditionIsCurrent()
        guard isRunning else { return }
        isRunning = false
        services.detach("it is not asked any more")
        link.close()
        if let refresh {
            finish(refresh.number)
        }
    }

    /// What is known, at once: the services' last answers, and what the files told when they were last read, which the
    /// first time is now.
    public var facts: DeviceFacts {
        loop.preconditionIsCurrent()
        if isRunning {
            tryAgain()
        }
        if let current { return current }
        let read = fromFiles ?? files.facts()
        let facts = merged(with: read)
        fromFiles = read
        current = facts
        return facts
    }

    /// Reads the files and asks all services at the same time, a bus that was not there included.
    ///
    /// - Parameter completion: called once on the loop's thread when all have answered or their deadline has passed,
    ///   at once if the monitor does not run.
    public func refresh(completion: @escaping @Sendable (DeviceFacts) -> Void) {
        loop.preconditionIsCurrent()
        guard isRunning else { return completion(facts) }
        guard refresh == nil else {
            refresh?.completions.append(completion)
            return
        }
        refreshCount &+= 1
        let number = refreshCount
        // What is unanswered keeps the monitor; a timer that is cancelled must not be the last to hold it, since the
        // loop lets go of it while it looks at its timers, and the end of the monitor's subscriptions needs new ones.
        let timer = loop.schedule(after: deadline + Self.grace) { [weak self] in self?.finish(number) }
        refresh = Refresh(number: number, timer: timer, unanswered: 2, completions: [completion])
        readFiles { self.noteAnswer(number) }
        link.connect { self.ask(number) }
    }
}

extension DeviceMonitor {
    /// Tries the bus again, or the services that have not answered in time, in the background.
    private func tryAgain() {
        if link.connection != nil {
            services.askSilent(since: .now - retryInterval)
        } else if let last = link.lastAttempt, .now - last > retryInterval {
            link.connect {}
        }
    }

    private func ask(_ number: UInt64) {
        guard refresh?.number == number else { return }
        if link.connection != nil {
            let questions = services.questions
            refresh?.unanswered += questions.count
            for ask in questions {
                ask { self.noteAnswer(number) }
            }
        }
        noteAnswer(number)
    }

    private func noteAnswer(_ number: UInt64) {
        guard refresh?.number == number else { return }
        refresh?.unanswered -= 1
        if refresh?.unanswered == 0 {
            finish(number)
        }
    }

    private func finish(_ number: UInt64) {
        guard let ended = refresh, ended.number == number else { return }
        refresh = nil
        ended.timer.cancel()
        update()
        let facts = facts
        for completion in ended.completions {
            completion(facts)
        }
    }

    /// Reads the files off the loop's thread: firmware can take its time.
    private func readFiles(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [weak self, files, loop] in
            let facts = files.facts()
            loop.enqueue { [weak self] in
                self?.fromFiles = facts
                self?.update()
                completion()
            }
        }
    }

    private func linkChanged() {
        if let connection = link.connection {
            services.attach(to: connection)
        } else {
            services.detach(link.reason)
            servicesChanged()
        }
    }

    private func servicesChanged() {
        update()
        let missing = link.connection == nil ? ["\(link.reason): \(DeviceServices.purpose)"] : services.missing
        guard missing != missingServices else { return }
        missingServices = missing
        onMissingServicesChange?()
    }

    /// Puts together what is known, and makes known what has changed since that was last done.
    private func update() {
        guard let fromFiles else { return }
        let earlier = current
        let facts = merged(with: fromFiles)
        current = facts
        guard let earlier else { return }
        let changes = facts.changes(since: earlier)
        if !changes.isEmpty {
            onChange?(changes)
        }
    }

    private func merged(with fromFiles: DeviceFacts) -> DeviceFacts {
        var facts = fromFiles
        services.apply(to: &facts)
        return facts
    }
}
