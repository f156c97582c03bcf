// SPDX-License-Identifier: MIT

/// What the kernel puts behind the path of a file or control group that is not there any more (proc(5)).
enum DeletedMark {
    private static let mark = " (deleted)"

    /// The path before the mark; nil where there is no mark.
    static func path(in text: String) -> String? {
        text.utf8.count > mark.utf8.count ? text.without(suffix: mark) : nil
    }
}
