// SPDX-License-Identifier: MIT

/// A kind of ARM core, as `/proc/cpuinfo` tells it: 64-bit kernels give no name (Arm Architecture Reference Manual,
/// `MIDR_EL1`).
struct ProcessorPart: Hashable {
    let implementer: Substring
    let part: Substring

    /// The names of the parts, the first in the file first; unknown unless all are known.
    static func fact(_ parts: [ProcessorPart], from source: String) -> DeviceFact<String> {
        guard !parts.isEmpty else { return .unknown("\(source): it names no processor") }
        var names: [String] = []
        for part in parts {
            guard let name = part.name else {
                return .unknown("\(source): a part whose name is not known here")
            }
            names.append(name)
        }
        return FactText.fact(names.joined(separator: " + "), from: source)
    }

    private var name: String? {
        guard let implementer = Self.number(implementer), let part = Self.number(part) else { return nil }
        switch implementer {
        case 0x41: return Self.armParts[part].map { "ARM \($0)" }
        case 0x61: return Self.appleParts[part].map { "Apple \($0)" }
        case 0xc0: return part == 0xac3 ? "Ampere-1" : nil
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> UInt16? {
        guard text.utf8.starts(with: "0x".utf8) else { return nil }
        return UInt16(text.dropFirst(2), radix: 16)
    }

    private static let armParts: [UInt16: String] = [
        0xb36: "ARM1136", 0xb56: "ARM1156", 0xb76: "ARM1176", 0xc05: "Cortex-A5", 0xc07: "Cortex-A7",
        0xc08: "Cortex-A8", 0xc09: "Cortex-A9", 0xc0d: "Cortex-A12", 0xc0e: "Cortex-A17", 0xc0f: "Cortex-A15",
        0xd01: "Cortex-A32", 0xd02: "Cortex-A34", 0xd03: "Cortex-A53", 0xd04: "Cortex-A35", 0xd05: "Cortex-A55",
        0xd06: "Cortex-A65", 0xd07: "Cortex-A57", 0xd08: "Cortex-A72", 0xd09: "Cortex-A73", 0xd0a: "Cortex-A75",
        0xd0b: "Cortex-A76", 0xd0c: "Neoverse-N1", 0xd0d: "Cortex-A77", 0xd40: "Neoverse-V1", 0xd41: "Cortex-A78",
        0xd44: "Cortex-X1", 0xd46: "Cortex-A510", 0xd47: "Cortex-A710", 0xd48: "Cortex-X2", 0xd49: "Neoverse-N2",
        0xd4b: "Cortex-A78C", 0xd4d: "Cortex-A715", 0xd4e: "Cortex-X3", 0xd4f: "Neoverse-V2", 0xd80: "Cortex-A520",
        0xd81: "Cortex-A720", 0xd82: "Cortex-X4",
    ]

    private static let appleParts: [UInt16: String] = [
        0x022: "Icestorm", 0x023: "Firestorm", 0x032: "Blizzard", 0x033: "Avalanche",
    ]
}
