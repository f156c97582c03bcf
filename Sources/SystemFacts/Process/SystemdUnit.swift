// SPDX-License-Identifier: MIT

/// A unit of systemd (systemd.unit(5)) that processes run in.
public struct SystemdUnit: Hashable, Sendable {
    /// What a unit is, by the end of its name.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Processes that systemd has started.
        case service
        /// Processes that others have started.
        case scope
        /// A group of units.
        case slice
    }

    /// The longest name of a unit in bytes (systemd.unit(5)).
    private static let longestName = 255

    /// The unit's name as systemctl(1) takes it, with its escapes: `app-gnome-org.example.App\x2dBeta-4242.scope`.
    public let name: String

    /// What the unit is.
    public let kind: Kind

    /// Whether it is one of the user's own manager (`systemctl --user`).
    public let isUserUnit: Bool

    /// A unit by its name; nil if that is no valid one of a kind that processes run in.
    public init?(name: String, isUserUnit: Bool) {
        guard name.utf8.count <= Self.longestName, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let kind = Kind(rawValue: String(name[name.utf8.index(after: dot)...]))
        else { return nil }
        let stem = name.utf8[..<dot]
        guard let first = stem.first, first != UInt8(ascii: "@"), stem.last != UInt8(ascii: "@"),
            stem.allSatisfy(Self.isValid)
        else { return nil }
        self.name = name
        self.kind = kind
        self.isUserUnit = isUserUnit
    }

    /// The id of the application that a desktop has started the unit for; nil if the name is not of that form.
    ///
    /// The forms are `app[-LAUNCHER]-ID-RANDOM.scope` and `app[-LAUNCHER]-ID[@RANDOM].service`, with `-` inside of the
    /// parts written as `\x2d` (systemd's "Desktop Environment Integration"). Flatpak's are
    /// `app-flatpak-ID-RANDOM.scope`.
    public var applicationID: String? {
        var stem = name.dropLast(kind.rawValue.count + 1)
        if let at = stem.firstIndex(of: "@") {
            stem = stem[..<at]
        } else if kind == .scope {
            guard let dash = stem.lastIndex(of: "-") else { return nil }
            stem = stem[..<dash]
        }
        let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard kind != .slice, parts.count == 2 || parts.count == 3, parts.first == "app", let id = parts.last,
            !id.isEmpty
        else { return nil }
        return Self.unescaped(id)
    }

    /// Takes the first unit that is no slice, or else the innermost slice, off the front of a control group's path.
    static func first(in parts: inout ArraySlice<Substring>, isUserUnit: Bool) -> SystemdUnit? {
        var slice: SystemdUnit?
        while let part = parts.first {
            // systemd puts "_" before a name that the kernel could take for a file of its own.
            let name = part.utf8.first == UInt8(ascii: "_") ? part.dropFirst() : part
            guard let unit = SystemdUnit(name: String(name), isUserUnit: isUserUnit) else { break }
            parts.removeFirst()
            guard unit.kind == .slice else { return unit }
            slice = unit
        }
        return slice
    }

    private static func isValid(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            #":-_.\@"#.utf8.contains(byte)
        }
    }

    /// The text with `\xHH` replaced by the byte that it stands for (systemd-escape(1)).
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.first {
            let escape = rest.prefix(4)
            if byte == UInt8(ascii: "\\"), escape.count == 4, escape.dropFirst().first == UInt8(ascii: "x"),
                escape.dropFirst(2).first != UInt8(ascii: "+"),
                let value = UInt8(Substring(escape.dropFirst(2)), radix: 16), value != 0
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
