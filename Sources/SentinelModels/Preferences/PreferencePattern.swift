// SPDX-License-Identifier: MIT

import Glibc

/// A POSIX extended regular expression (`regex(7)`) over a whole text, in UTF-8.
///
/// It is compiled for each use: what libc gathers while it matches would else stay in memory for good.
struct PreferencePattern: Sendable {
    /// The most that repetitions may multiply an expression to, in characters, so that time and memory have a bound.
    private static let largestExpansion = 1000

    /// The expression itself.
    let text: String

    /// Takes an expression.
    ///
    /// - Throws: `invalidArgs` for one that is malformed, has a back-reference or is too large.
    init(_ text: String) throws(SentinelError) {
        self.text = text
        guard !text.utf8.contains(0) else { throw SentinelError(.invalidArgs, "the pattern holds a NUL character") }
        try PatternSize.check(text, limit: Self.largestExpansion)
        var expression = try compile()
        regfree(&expression)
    }

    /// Whether the whole of a text matches.
    func matches(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        do throws(SentinelError) {
            var expression = try compile()
            defer { regfree(&expression) }
            return Self.inUTF8 {
                var match = regmatch_t()
                // The leftmost match is the longest one there: it is the whole text if that matches at all.
                guard regexec(&expression, text, 1, &match, 0) == 0 else { return false }
                return match.rm_so == 0 && Int(match.rm_eo) == text.utf8.count
            }
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

/// How large a regular expression becomes when its repetitions are written out, which is what libc does with them.
private struct PatternSize {
    /// The sizes of the groups that are open, the innermost last.
    private var groups = [0]
    /// The size of what a repetition would apply to.
    private var last = 0
    private let limit: Int

    /// Checks an expression that is not known to be well-formed.
    static func check(_ pattern: String, limit: Int) throws(SentinelError) {
        var size = PatternSize(limit: limit)
        var bytes = Array(pattern.utf8)[...]
        while let byte = bytes.popFirst() {
            try size.take(byte, &bytes)
        }
    }

    private init(limit: Int) {
        self.limit = limit
    }

    private mutating func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) throws(SentinelError) {
        switch byte {
        case UInt8(ascii: "\\"):
            guard let escaped = rest.popFirst() else { return }
            guard !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains(escaped) else {
                throw SentinelError(.invalidArgs, "the pattern has a back-reference, which is not allowed")
            }
            try add(1)
        case UInt8(ascii: "["):
            Self.skipBracket(&rest)
            try add(1)
        case UInt8(ascii: "("):
            groups.append(0)
            last = 0
        case UInt8(ascii: ")") where groups.count > 1:
            try add(1 + groups.removeLast())
        case UInt8(ascii: "*"), UInt8(ascii: "?"):
            // A repetition that follows applies to what stands before, with this.
            try grow(by: 1)
            last += 1
        case UInt8(ascii: "+"):
            // One and then any number.
            try multiply(by: 2)
        case UInt8(ascii: "{"):
            try multiply(by: Self.largestNumber(&rest) + 1)
        default:
            try add(1)
        }
    }

    private mutating func add(_ size: Int) throws(SentinelError) {
        last = size
        try grow(by: size)
    }

    private mutating func multiply(by count: Int) throws(SentinelError) {
        let (product, isTooLarge) = last.multipliedReportingOverflow(by: count)
        guard !isTooLarge else { throw tooLarge }
        try grow(by: max(product - last, 0))
        last = product
    }

    private mutating func grow(by size: Int) throws(SentinelError) {
        let innermost = groups.count - 1
        groups[innermost] += size
        guard size <= limit, groups[innermost] <= limit else { throw tooLarge }
    }

    private var tooLarge: SentinelError {
        SentinelError(
            .limitsExceeded,
            "the pattern is too large: with its repetitions written out it has at most \(limit) characters")
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

    /// The largest number of an interval such as `{2,5}` whose beginning was taken.
    private static func largestNumber(_ rest: inout ArraySlice<UInt8>) -> Int {
        var largest = 0
        var number = 0
        while let byte = rest.popFirst(), byte != UInt8(ascii: "}") {
            // libc allows no more than 32 767 repetitions and says so.
            number = byte.isASCIIDigit ? min(number * 10 + Int(byte - UInt8(ascii: "0")), 100_000) : 0
            largest = max(largest, number)
        }
        return largest
    }
}
