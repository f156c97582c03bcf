// SPDX-License-Identifier: MIT

import SystemFacts
import Testing

/// Expects what holds whatever the sources say: ranges, fit texts, and a source or a reason for everything.
func expectSound(_ facts: DeviceFacts, sourceLocation: SourceLocation = #_sourceLocation) {
    let texts: [KeyPath<DeviceFacts, DeviceFact<String>>] = [
        \.name, \.model, \.vendor, \.chassis, \.systemVersion, \.kernel, \.architecture, \.identifier, \.processor,
        \.locale, \.timeZone, \.sessionType, \.desktop, \.kernelBuild, \.virtualization, \.firmware, \.sessionState,
    ]
    for fact in texts {
        expectExplained(facts[keyPath: fact], sourceLocation)
        guard let text = facts[keyPath: fact].value else { continue }
        #expect(!text.isEmpty && text.utf8.count <= 1024, sourceLocation: sourceLocation)
        #expect(
            text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, sourceLocation: sourceLocation
        )
    }
    expectExplained(facts.processorCount, sourceLocation)
    expectExplained(facts.memoryTotal, sourceLocation)
    expectExplained(facts.batteryState, sourceLocation)
    expectExplained(facts.batteryLevel, sourceLocation)
    expectExplained(facts.proximity, sourceLocation)
    expectExplained(facts.bootTime, sourceLocation)
    expectExplained(facts.memoryAvailable, sourceLocation)
    expectExplained(facts.displays, sourceLocation)
    expectExplained(facts.sessionIsLocked, sourceLocation)
    #expect(facts.processorCount.value != 0, sourceLocation: sourceLocation)
    #expect(facts.memoryTotal.value != 0, sourceLocation: sourceLocation)
    if let level = facts.batteryLevel.value {
        #expect((0...100).contains(level), sourceLocation: sourceLocation)
    }
    if facts.batteryState.value == .absent {
        #expect(facts.batteryLevel.value == nil, sourceLocation: sourceLocation)
    }
}

private func expectExplained(_ fact: DeviceFact<some Any>, _ sourceLocation: SourceLocation) {
    #expect((fact.value == nil) == (fact.source == nil), sourceLocation: sourceLocation)
    #expect(fact.value != nil || fact.reason?.isEmpty == false, sourceLocation: sourceLocation)
}
