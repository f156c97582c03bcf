// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence
import SystemFacts

/// Records by itself what applications, the session and the machine do, as pairs of an opening and a closing event.
///
/// An opening event is stored at once as open; when its partner comes, both are stored in one transaction. While
/// recording is paused nothing is captured; what ends meanwhile is closed at the time at which the pause began.
///
/// Confined to the loop's thread.
final class EventCapture: @unchecked Sendable {
    typealias Completion = EventRecorder.Completion

    private let recorder: EventRecorder
    private let settings: EventSettings
    private let clock: WallClock
    private let log: Log
    private let line: CaptureLine
    private var openPairs = OpenPairs()

    init(recorder: EventRecorder, settings: EventSettings, loop: EventLoop, clock: WallClock, log: Log) {
        self.recorder = recorder
        self.settings = settings
        self.clock = clock
        self.log = log
        line = CaptureLine { [loop] delay, action in loop.schedule(after: delay, action) }
    }

    // MARK: What is captured

    /// An instance of an application has registered.
    func instanceBegan(_ id: ApplicationID, _ client: BusName, processID: UInt32, at time: Timestamp) {
        captureOpening(
            PairKey(pair: .run, source: Name(id), client: client), at: time,
            ["process_id": .integer(Int64(processID))])
    }

    /// An instance of an application has ended, and with it what it has reported and not ended.
    func instanceEnded(_ id: ApplicationID, _ client: BusName, processID: UInt32, at time: Timestamp) {
        let source = Name(id)
        for key in openPairs.keys(of: client, source: source) {
            captureClosing(key, at: time)
        }
        captureClosing(
            PairKey(pair: .run, source: source, client: client), at: time,
            ["process_id": .integer(Int64(processID))])
    }

    /// The session or the machine has changed its state.
    func note(_ event: SessionEvent) {
        let now = clock.now()
        let source = Name(.sentinel)
        switch event {
        case .unlock: captureOpening(PairKey(pair: .session, source: source), at: now)
        case .lock: captureClosing(PairKey(pair: .session, source: source), at: now)
        case .wake:
            // A pause may have ended while the machine slept.
            settings.endPauseIfOver()
            captureOpening(PairKey(pair: .system, source: source), at: now)
        case .sleep: captureClosing(PairKey(pair: .system, source: source), at: now)
        }
    }

    /// Something has happened that has no partner, once with each of these data: preferences have changed.
    func note(_ type: Name, of application: ApplicationID, _ data: [[DataKey: DataValue]]) {
        let now = clock.now()
        guard settings.isCapturing else { return }
        let admitted = data.compactMap { data in
            recorder.admitted(
                Event(id: .make(at: now), timestamp: now, type: type, source: Name(application), data: data))
        }
        guard !admitted.isEmpty else { return }
        line.add({ [recorder] in recorder.store(admitted, .anything, completion: $0) }, completion: reporting(type))
    }

    // MARK: What callers record

    /// Stores an event that a caller has handed in, and that rules have let pass, with its partner if it has one.
    ///
    /// - Parameter client: the caller, if it is an instance of the event's source.
    func record(
        _ event: Event, of client: BusName?, _ replacement: EventReplacement, completion: @escaping Completion
    ) {
        let completion = dropping([event], completion)
        guard event.duration == nil, let (key, isOpening) = pairKey(of: event, client) else {
            return recorder.store([event], replacement, completion: completion)
        }
        if isOpening {
            var event = event
            event.marks.insert(.open)
            open(key, event, replacement, { $0($1) }, completion: completion)
        } else {
            close(key, at: event.timestamp, with: event, replacement, { $0($1) }, completion: completion)
        }
    }

    /// Stores the events of a batch, which rules have let pass, as they are.
    func record(_ events: [Event], _ replacement: EventReplacement, completion: @escaping Completion) {
        recorder.store(events, replacement, completion: dropping(events, completion))
    }

    /// Lets go of open events in whose place others come.
    ///
    /// - Returns: a completion that takes that back where they have not come.
    private func dropping(_ events: [Event], _ completion: @escaping Completion) -> Completion {
        let dropped = events.compactMap { event in openPairs.drop(event.id).map { (key: $0, id: event.id) } }
        guard !dropped.isEmpty else { return completion }
        return { [self] result in
            if case .failure = result {
                for (key, id) in dropped {
                    openPairs.reopen(key, id)
                }
            }
            completion(result)
        }
    }

    private func pairKey(of event: Event, _ client: BusName?) -> (key: PairKey, isOpening: Bool)? {
        for pair in EventPair.reported where event.type == pair.opening || event.type == pair.closing {
            var key = PairKey(pair: pair, source: event.source, client: client)
            if pair == .scene, case .text(let scene)? = event.data["scene"] {
                key.scene = DataKey(scene)
            }
            return (key, event.type == pair.opening)
        }
        return nil
    }

    /// The events whose partners are still to come.
    var openIDs: [EventID] { openPairs.all }

    /// Lets go of open events that have been removed from the store.
    func forget(_ ids: [EventID]) {
        for id in ids {
            openPairs.drop(id)
        }
    }

    // MARK: Pairs

    private func captureOpening(_ key: PairKey, at time: Timestamp, _ data: [DataKey: DataValue] = [:]) {
        let event = Event(
            id: .make(at: time), timestamp: time, type: key.pair.opening, source: key.source, marks: .open, data: data)
        guard settings.isCapturing, let admitted = recorder.admitted(event) else { return }
        open(key, admitted, .anything, line.add, completion: reporting(event.type))
    }

    private func captureClosing(_ key: PairKey, at time: Timestamp, _ data: [DataKey: DataValue] = [:]) {
        guard settings.isCapturing else {
            // What happens during a pause leaves no trace but that it is over.
            return close(
                key, at: min(settings.pausedSince ?? time, time), with: nil, .anything, line.add,
                completion: reporting(key.pair.closing))
        }
        let event = Event(
            id: .make(at: time), timestamp: time, type: key.pair.closing, source: key.source, data: data)
        close(
            key, at: time, with: recorder.admitted(event), .anything, line.add, completion: reporting(event.type))
    }

    /// Has something stored: at once, or in the line of what is captured.
    private typealias Submission = (@escaping CaptureLine.Work, @escaping Completion) -> Void

    private func open(
        _ key: PairKey, _ event: Event, _ replacement: EventReplacement, _ submit: Submission,
        completion: @escaping Completion
    ) {
        let (earlier, excess) = openPairs.open(key, event.id)
        for id in excess {
            recorder.close(id, at: clock.now(), with: nil, completion: reporting(key.pair.closing))
        }
        let work: CaptureLine.Work = { [self] done in
            var event = event
            if !openPairs.contains(event.id) {
                // Its partner has come while it had to wait.
                event.marks.remove(.open)
            }
            settle(earlier, at: event.timestamp, with: event, replacement, done)
        }
        submit(work) { [self] result in
            if case .failure = result {
                openPairs.drop(event.id)
                if let earlier {
                    openPairs.reopen(key, earlier)
                }
            }
            completion(result)
        }
    }

    private func close(
        _ key: PairKey, at time: Timestamp, with event: Event?, _ replacement: EventReplacement,
        _ submit: Submission, completion: @escaping Completion
    ) {
        let id = openPairs.close(key)
        guard id != nil || event != nil else { return }
        submit({ [self] in settle(id, at: time, with: event, replacement, $0) }) { [self] result in
            if case .failure = result, let id {
                openPairs.reopen(key, id)
            }
            completion(result)
        }
    }

    /// Closes an open event, if there is one, and stores another.
    private func settle(
        _ id: EventID?, at time: Timestamp, with event: Event?, _ replacement: EventReplacement,
        _ completion: @escaping Completion
    ) {
        if let id {
            recorder.close(id, at: time, with: event, replacement, completion: completion)
        } else if let event {
            recorder.store([event], replacement, completion: completion)
        }
    }

    private func reporting(_ type: Name) -> Completion {
        { [log] result in
            if case .failure(let error) = result {
                log.warning("cannot record \(type): \(error)")
            }
        }
    }
}
