// SPDX-License-Identifier: MIT

/// How the session speaks and tells the time.
extension DeviceFiles {
    private static let zoneLink = "/etc/localtime"
    private static let zoneDirectory = "/usr/share/zoneinfo"

    /// The locale for messages: the first of the variables of `locale(7)` that is set.
    func locale() -> DeviceFact<String> {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = environment(name), !value.isEmpty {
                return FactText.fact(value, from: name)
            }
        }
        return .unknown("none of LC_ALL, LC_MESSAGES and LANG is set: programs use the locale C")
    }

    /// Name of the session's time zone; nil where it cannot be told. Reads a link.
    public var timeZoneName: String? { timeZone().value }

    /// The time zone that the C library uses: `TZ` where it names a zone, else `localtime(5)`.
    func timeZone() -> DeviceFact<String> {
        guard let value = environment("TZ") else { return systemTimeZone() }
        // tzset(3): empty means UTC, and a colon may stand before a name.
        guard !value.isEmpty else { return .known("UTC", from: "TZ") }
        let text = value.utf8.first == UInt8(ascii: ":") ? String(value.dropFirst()) : value
        let name = text.utf8.first == UInt8(ascii: "/") ? Self.zoneName(in: text) : text
        return FactText.fact(name ?? "", from: "TZ")
            .map({ isZone($0) ? $0 : nil }, otherwise: "it names no zone of the time zone database")
            .orElse(systemTimeZone())
    }

    private func systemTimeZone() -> DeviceFact<String> {
        do throws(SystemRoot.Problem) {
            let target = try root.target(ofLink: Self.zoneLink)
            return FactText.fact(Self.zoneName(in: target) ?? "", from: Self.zoneLink)
                .map({ Self.isZoneName($0) ? $0 : nil }, otherwise: "it leads to no zone")
                .orElse(writtenTimeZone())
        } catch {
            // localtime(5): without the link the zone is UTC.
            if error.isMissing {
                return .known("UTC", from: "\(Self.zoneLink), which is missing")
            }
            return DeviceFact<String>.unknown(error.text).orElse(writtenTimeZone())
        }
    }

    /// The zone's name as Debian writes it down, for a `/etc/localtime` that is a file.
    private func writtenTimeZone() -> DeviceFact<String> {
        root.line("/etc/timezone").map({ Self.isZoneName($0) ? $0 : nil }, otherwise: "it names no zone")
    }

    /// Whether the time zone database has a zone. Where there is no database, what looks like a name of two parts is
    /// believed; `CET-1CEST` is a rule, not a name.
    private func isZone(_ name: String) -> Bool {
        guard Self.isZoneName(name) else { return false }
        return root.exists(Self.zoneDirectory)
            ? root.exists("\(Self.zoneDirectory)/\(name)") : name == "UTC" || name.utf8.contains(UInt8(ascii: "/"))
    }

    /// The zone in a path into the time zone database.
    private static func zoneName(in path: String) -> String? {
        let elements = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let database = elements.lastIndex(of: "zoneinfo") else { return nil }
        let name = elements.dropFirst(database + 1).drop { $0 == "posix" || $0 == "right" }
        return name.joined(separator: "/")
    }

    private static func isZoneName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !parts.isEmpty
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                            UInt8(ascii: "+"):
                            true
                        default: false
                        }
                    }
            }
    }
}
