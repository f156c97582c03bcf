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
    private var openEvents = OpenEvents()

    init(recorder: EventRecorder, settings: EventSettings, clock: WallClock, log: Log) {
        self.recorder = recorder
        self.settings = settings
        self.clock = clock
        self.log = log
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
        for key in openEvents.keys(of: client, source: source) {
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

    /// Something has happened that has no partner: a trigger has fired, a preference has changed.
    func note(_ type: Name, of application: ApplicationID, _ data: [DataKey: DataValue] = [:]) {
        let now = clock.now()
        let event = Event(id: .make(at: now), timestamp: now, type: type, source: Name(application), data: data)
        guard settings.isCapturing, let admitted = recorder.admitted(event) else { return }
        recorder.store([admitted], completion: reporting(type))
    }

    // MARK: What callers record

    /// Stores an event that a caller has handed in, and that rules have let pass, with its partner if it has one.
    ///
    /// - Parameter client: the caller, if it is an instance of the event's source.
    func record(_ event: Event, of client: BusName?, completion: @escaping Completion) {
        openEvents.drop(event.id)
        guard event.duration == nil, let (key, isOpening) = pairKey(of: event, client) else {
            return recorder.store([event], completion: completion)
        }
        if isOpening {
            var event = event
            event.marks.insert(.open)
            open(key, event, completion: completion)
        } else {
            close(key, at: event.timestamp, with: event, completion: completion)
        }
    }

    /// Stores the events of a batch, which rules have let pass, as they are.
    func record(_ events: [Event], completion: @escaping Completion) {
        for event in events {
            openEvents.drop(event.id)
        }
        recorder.store(events, completion: completion)
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
    var openIDs: [EventID] { openEvents.all }

    /// Lets go of open events that have been removed from the store.
    func forget(_ ids: [EventID]) {
        for id in ids {
            openEvents.drop(id)
        }
    }

    // MARK: Pairs

    private func captureOpening(_ key: PairKey, at time: Timestamp, _ data: [DataKey: DataValue] = [:]) {
        let event = Event(
            id: .make(at: time), timestamp: time, type: key.pair.opening, source: key.source, marks: .open, data: data)
        guard settings.isCapturing, let admitted = recorder.admitted(event) else { return }
        open(key, admitted, completion: reporting(event.type))
    }

    private func captureClosing(_ key: PairKey, at time: Timestamp, _ data: [DataKey: DataValue] = [:]) {
        guard settings.isCapturing else {
            // What happens during a pause leaves no trace but that it is over.
            guard let id = openEvents.close(key) else { return }
            let end = min(settings.pausedSince ?? time, time)
            return recorder.close(id, at: end, with: nil, completion: reporting(key.pair.closing))
        }
        let event = Event(
            id: .make(at: time), timestamp: time, type: key.pair.closing, source: key.source, data: data)
        close(key, at: time, with: recorder.admitted(event), completion: reporting(event.type))
    }

    private func open(_ key: PairKey, _ event: Event, completion: @escaping Completion) {
        let earlier = openEvents.open(key, event.id)
        let settled: Completion = { [self] result in
            if case .failure = result {
                openEvents.drop(event.id)
            }
            completion(result)
        }
        if let earlier {
            recorder.close(earlier, at: event.timestamp, with: event, completion: settled)
        } else {
            recorder.store([event], completion: settled)
        }
    }

    private func close(_ key: PairKey, at time: Timestamp, with event: Event?, completion: @escaping Completion) {
        if let id = openEvents.close(key) {
            recorder.close(id, at: time, with: event, completion: completion)
        } else if let event {
            recorder.store([event], completion: completion)
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
