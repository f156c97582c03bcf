// SPDX-License-Identifier: MIT

import SentinelModels

/// One preference with what its layers hold that is valid.
struct PreferenceEntry: Sendable {
    /// Who declares.
    enum Source: String {
        /// The application itself.
        case application
        /// A file about it.
        case manifest
    }

    /// A declaration with what is known of it, shared by the states before and after something.
    final class Declared: Sendable {
        let declaration: PreferenceDeclaration
        let position: Int64
        let source: Source
        let origin: String
        let time: Timestamp

        init(
            _ declaration: PreferenceDeclaration, position: Int64, source: Source, origin: String, time: Timestamp
        ) {
            self.declaration = declaration
            self.position = position
            self.source = source
            self.origin = origin
            self.time = time
        }
    }

    var declared: Declared
    var launch: PreferenceLayerValue?
    var temporary: PreferenceLayerValue?
    var profile: PreferenceLayerValue?
    var stored: PreferenceLayerValue?
    /// What the provider last told of a live preference.
    var known: PreferenceValue?
    /// Whether what it told may no longer hold.
    var isStale = true

    init(_ declared: Declared) {
        self.declared = declared
    }

    var declaration: PreferenceDeclaration { declared.declaration }
    var isLive: Bool { declaration.isMarked(.live) }

    /// The value in force; nil for a live one that is not known.
    var value: PreferenceValue? {
        isLive ? known : (launch ?? temporary ?? profile ?? stored)?.value ?? declaration.defaultValue
    }

    /// The layer that the value comes from.
    var layer: PreferenceLayer {
        guard !isLive else { return .provider }
        if launch != nil { return .launch }
        if temporary != nil { return .temporary }
        if profile != nil { return .profile }
        return stored != nil ? .stored : .default
    }

    /// What each layer holds, the strongest first.
    var layers: [(layer: PreferenceLayer, value: PreferenceLayerValue)] {
        guard !isLive else {
            return [
                (.provider, PreferenceLayerValue(known ?? declaration.defaultValue, origin: "", time: nil))
            ]
        }
        let set: [(PreferenceLayer, PreferenceLayerValue?)] = [
            (.launch, launch), (.temporary, temporary), (.profile, profile), (.stored, stored),
            (
                .default,
                PreferenceLayerValue(declaration.defaultValue, origin: declared.origin, time: declared.time)
            ),
        ]
        return set.compactMap { layer, value in value.map { (layer, $0) } }
    }

    /// As it is listed.
    var listing: PreferenceListing {
        PreferenceListing(
            declaration: declaration, value: value ?? declaration.defaultValue,
            isStale: isLive && (isStale || known == nil), layer: layer)
    }
}
