// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A POSIX extended regular expression (`regex(7)`) over a whole text, in UTF-8.
///
/// It is compiled for each use: what libc gathers while it matches would else stay in memory for good.
struct PreferencePattern: Sendable {
    /// The expression itself.
    let text: String

    /// Takes an expression.
    ///
    /// - Throws: `invalidArgs` for one that is malformed or has what takes libc time without bound, `limitsExceeded` for
    ///   one that is too large.
    init(_ text: String) throws(SentinelError) {
        self.text = text
        guard !text.utf8.contains(0) else { throw SentinelError(.invalidArgs, "the pattern holds a NUL character") }
        try PatternSize.check(text)
        var expression = try compile()
        regfree(&expression)
    }

    /// Takes the expression of a declaration, which was checked when it was made.
    init(declared text: String) {
        self.text = text
    }

    /// Whether the whole of a text matches.
    func matches(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        do throws(SentinelError) {
            var expression = try compile()
            defer { regfree(&expression) }
            // The longest match at the beginning: it is the whole text if that matches at all. regexec(3) would look for
            // one from each place on.
            let length = Self.inUTF8 { re_match(&expression, text, regoff_t(clamping: text.utf8.count), 0, nil) }
            return Int(length) == text.utf8.count
        } catch {
            // An expression that was compiled before fails for want of memory alone: nothing is let through then.
            return false
        }
    }

    private func compile() throws(SentinelError) -> regex_t {
        var expression = regex_t()
        let result = Self.inUTF8 { regcomp(&expression, text, REG_EXTENDED) }
        guard result == 0 else {
            var message = [CChar](repeating: 0, count: 128)
            regerror(result, &expression, &message, message.count)
            let reason = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw SentinelError(
                .invalidArgs,
                "the pattern is no POSIX extended regular expression: \(String(decoding: reason, as: UTF8.self))")
        }
        return expression
    }

    /// A locale in which characters are those of UTF-8; the process itself keeps the locale "C".
    private static let locale = Locale()

    private struct Locale: @unchecked Sendable {
        let handle = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    }

    /// Does something while this thread takes bytes for UTF-8.
    private static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let handle = locale.handle else { return body() }
        let previous = uselocale(handle)
        defer { uselocale(previous) }
        return body()
    }
}

/// How large a regular expression becomes when its repetitions are written out, which is what libc does with them, and
/// whether it is one that libc compiles and matches in bounded time.
private struct PatternSize {
    /// A part of an expression.
    private struct Part {
        var size = 0
        /// Whether it matches the empty text too.
        var canBeEmpty = true
        var hasAnchor = false

        mutating func append(_ part: Part) {
            size += part.size
            canBeEmpty = canBeEmpty && part.canBeEmpty
            hasAnchor = hasAnchor || part.hasAnchor
        }
    }

    /// A group that is open.
    private struct Group {
        /// The alternatives before the present one; nil for none.
        var alternatives: Part?
        /// The present alternative but for its last part.
        var beginning = Part()
        /// What a repetition would apply to.
        var last = Part()

        /// The present alternative.
        var alternative: Part {
            var whole = beginning
            whole.append(last)
            return whole
        }

        /// All of it.
        var whole: Part {
            var whole = alternative
            if let alternatives {
                whole.append(alternatives)
                whole.canBeEmpty = alternative.canBeEmpty || alternatives.canBeEmpty
            }
            return whole
        }
    }

    private static let largestSize = 300
    /// What each of `?`, `*` and `+` counts as: they make more for libc to do than a character.
    private static let repetitionSize = 4
    /// The time that libc takes to compile grows with a high power of the number of anchors.
    private static let largestAnchorCount = 4

    /// The groups that are open, the innermost last, all within ``inner``.
    private var outer: [Group] = []
    private var inner = Group()
    private var anchorCount = 0

    /// Checks an expression that is not known to be well-formed.
    static func check(_ pattern: String) throws(SentinelError) {
        var size = PatternSize()
        var bytes = Array(pattern.utf8)[...]
        while let byte = bytes.popFirst() {
            try size.take(byte, &bytes)
        }
    }

    private mutating func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) throws(SentinelError) {
        switch byte {
        case UInt8(ascii: "\\"):
            guard let escaped = rest.popFirst() else { return }
            guard !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains(escaped) else {
                throw SentinelError(.invalidArgs, "the pattern has a back-reference, which is not allowed")
            }
            // Those that libc adds to POSIX.
            try "bB<>`'".utf8.contains(escaped) ? addAnchor() : add(Part(size: 1, canBeEmpty: false))
        case UInt8(ascii: "^"), UInt8(ascii: "$"):
            try addAnchor()
        case UInt8(ascii: "["):
            Self.skipBracket(&rest)
            try add(Part(size: 1, canBeEmpty: false))
        case UInt8(ascii: "("):
            outer.append(inner)
            inner = Group()
        case UInt8(ascii: ")") where !outer.isEmpty:
            var group = inner.whole
            group.size += 1
            inner = outer.removeLast()
            try add(group)
        case UInt8(ascii: "|"):
            inner.alternatives = inner.whole
            inner.alternatives?.size += 1
            (inner.beginning, inner.last) = (Part(), Part())
        case UInt8(ascii: "*"), UInt8(ascii: "?"):
            try repeatLast(1, canBeEmpty: true)
        case UInt8(ascii: "+"):
            // One and then any number.
            try repeatLast(2, canBeEmpty: false)
        case UInt8(ascii: "{"):
            let (least, most) = Self.numbers(&rest)
            try repeatLast(most + 1, canBeEmpty: least == 0)
        default:
            try add(Part(size: 1, canBeEmpty: false))
        }
    }

    private mutating func add(_ part: Part) throws(SentinelError) {
        inner.beginning.append(inner.last)
        inner.last = part
        try checkSize()
    }

    private mutating func addAnchor() throws(SentinelError) {
        anchorCount += 1
        guard anchorCount <= Self.largestAnchorCount else {
            throw SentinelError(
                .limitsExceeded,
                "the pattern has more than \(Self.largestAnchorCount) anchors; it need have none, since it applies to the "
                    + "whole text")
        }
        try add(Part(size: 1, hasAnchor: true))
    }

    /// Repeats the last part, which is written so many times for that.
    private mutating func repeatLast(_ count: Int, canBeEmpty: Bool) throws(SentinelError) {
        // libc follows each way to repeat nothing, and how many there are grows exponentially.
        guard !inner.last.canBeEmpty, !inner.last.hasAnchor else {
            throw SentinelError(
                .invalidArgs, "the pattern repeats what can be empty or has an anchor, which is not allowed")
        }
        // The limit comes before anything could overflow: neither factor is more than a hundred thousand.
        inner.last.size = inner.last.size * count + Self.repetitionSize
        inner.last.canBeEmpty = canBeEmpty
        try checkSize()
    }

    private func checkSize() throws(SentinelError) {
        guard inner.whole.size <= Self.largestSize else {
            throw SentinelError(
                .limitsExceeded,
                "the pattern is too large: with its repetitions written out it has at most \(Self.largestSize) "
                    + "characters, of which a repetition adds \(Self.repetitionSize)")
        }
    }

    /// Goes past a bracket expression whose beginning was taken.
    private static func skipBracket(_ rest: inout ArraySlice<UInt8>) {
        if rest.first == UInt8(ascii: "^") { rest.removeFirst() }
        // A closing bracket that comes first stands for itself.
        if rest.first == UInt8(ascii: "]") { rest.removeFirst() }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
            // Within, [:name:], [=x=] and [.x.] have an end of their own.
            guard byte == UInt8(ascii: "["), let mark = rest.first, [0x2E, 0x3A, 0x3D].contains(mark) else { continue }
            rest.removeFirst()
            while let inner = rest.popFirst() {
                if inner == mark, rest.first == UInt8(ascii: "]") {
                    rest.removeFirst()
                    break
                }
            }
        }
    }

    /// The smallest and the largest number of an interval such as `{2,5}` whose beginning was taken.
    private static func numbers(_ rest: inout ArraySlice<UInt8>) -> (least: Int, most: Int) {
        var numbers = [0]
        while let byte = rest.popFirst(), byte != UInt8(ascii: "}") {
            if byte.isASCIIDigit {
                // libc allows no more than 32 767 repetitions and says so.
                let last = numbers.removeLast()
                numbers.append(min(last * 10 + Int(byte - UInt8(ascii: "0")), 100_000))
            } else {
                numbers.append(0)
            }
        }
        return (numbers.first ?? 0, numbers.max() ?? 0)
    }
}
