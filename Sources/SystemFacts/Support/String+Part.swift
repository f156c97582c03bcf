// SPDX-License-Identifier: MIT

extension String {
    /// Whether a text stands somewhere in this one, byte for byte.
    ///
    /// `contains` would bring the machinery of regular expressions with it, which is a seventh of a program's size.
    func hasPart(_ part: String) -> Bool {
        var cursor = ByteCursor(utf8)
        return cursor.take(upTo: part) != nil
    }
}
