// SPDX-License-Identifier: MIT

/// Names of snaps: lower-case letters, digits and `-`, with an instance's key after `_` where there are several of one.
enum SnapName {
    /// Whether a text is a name, and thus one element of a path.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 51
            && text.utf8.allSatisfy { byte in
                (byte.isASCIIAlphanumeric && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte))
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// Whether an executable lies in a snap's own directory.
    static func isExecutable(_ executable: String, of name: String, directories: [String]) -> Bool {
        isValid(name) && directories.contains { executable.utf8.starts(with: "\($0)/\(name)/".utf8) }
    }
}
