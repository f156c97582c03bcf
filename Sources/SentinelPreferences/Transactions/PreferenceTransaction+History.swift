// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension PreferenceTransaction {
    /// Puts the value of a layer back to what it was before a change.
    mutating func undo(_ change: StoredChange, origin: String) throws(SentinelError) {
        let entry = try state.entry(change.key)
        try refuseLive(entry, "put back")
        try refuseReadOnly(entry)
        try refuseLaunch(entry)
        guard let layer = PreferenceLayer(rawValue: change.layer) else {
            throw SentinelError(.conflict, "change \(change.number) is of a layer that this version does not know")
        }
        guard layer != .profile || change.profile == state.appliedProfile, layer != .profile || change.profile != nil
        else {
            throw SentinelError(.conflict, "the profile of change \(change.number) is not applied any more")
        }
        let present = entry[layer]
        guard present?.value == change.new.flatMap(PreferenceValue.init(document:)) else {
            throw SentinelError(
                .conflict, "the layer \(change.layer) of \(change.key) has changed since; undo the later change first")
        }
        guard let document = change.old else {
            return self.change(layer, change.key, to: nil, origin: origin)
        }
        let value = try entry.declaration.validated(PreferenceValue(document: document), limits: limits)
        var end: Timestamp?
        if layer == .temporary {
            end = present?.end ?? change.end
            guard let end, end > now else {
                throw SentinelError(.conflict, "the time of that override of \(change.key) is over")
            }
        }
        try assign(
            [(layer, change.key, PreferenceLayerValue(value, origin: origin, time: now, end: end))], origin: origin)
    }
}
