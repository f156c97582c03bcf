// SPDX-License-Identifier: MIT

extension StringProtocol {
    /// Whether the text begins with these bytes.
    ///
    /// Paths and files are bytes: for `hasPrefix` a sign that combines with the last character of the prefix hides it.
    func begins(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// The text before these bytes; nil where it does not end with them.
    func without(suffix: String) -> String? {
        let bytes = utf8
        let (rest, end) = (bytes.dropLast(suffix.utf8.count), bytes.suffix(suffix.utf8.count))
        return end.elementsEqual(suffix.utf8) ? String(decoding: rest, as: UTF8.self) : nil
    }
}
