// SPDX-License-Identifier: MIT

import Glibc

/// What the running kernel says of itself (`uname(2)`).
public struct KernelIdentity: Hashable, Sendable {
    /// The release, such as `6.1.0-18-amd64`.
    public let release: String
    /// The build: its number, options and date.
    public let version: String
    /// The architecture, such as `x86_64`.
    public let machine: String

    public init(release: String, version: String, machine: String) {
        self.release = release
        self.version = version
        self.machine = machine
    }

    /// The kernel that runs; its fields are empty if it does not tell.
    public static var running: KernelIdentity {
        var names = utsname()
        guard uname(&names) == 0 else { return KernelIdentity(release: "", version: "", machine: "") }
        return KernelIdentity(
            release: text(&names.release), version: text(&names.version), machine: text(&names.machine))
    }

    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
