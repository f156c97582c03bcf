// SPDX-License-Identifier: MIT

import SQLite

/// The functions of ad-hoc queries. Nothing ends a query within a function: those of SQLite that may take much longer than
/// their arguments are long are replaced here or are not to be had, and before each of these it is asked whether the query
/// is over, since one row can have thousands of them.
enum QueryFunctions {
    /// What may be called, in lower case.
    static let allowed: Set<String> = [
        "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "ceiling", "char", "coalesce", "cos", "count",
        "cume_dist", "date", "datetime", "degrees", "dense_rank", "exp", "first_value", "floor", "glob", "group_concat",
        "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_extract",
        "json_group_array", "json_group_object", "json_object", "json_quote", "json_type", "json_valid", "julianday",
        "lag", "last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower",
        "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow", "power", "quote",
        "radians", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin", "sqrt", "strftime", "substr",
        "substring", "sum", "tan", "time", "total", "trim", "trunc", "typeof", "unicode", "unixepoch", "unlikely",
        "upper", "zeroblob", "->", "->>",
    ]

    /// Adds those of this program to a connection.
    static func add(to connection: Connection, isOver: @escaping () -> Bool) throws(SQLiteError) {
        func add(
            _ name: String, _ counts: ClosedRange<Int>, _ body: @escaping (FunctionCall) -> Void
        ) throws(SQLiteError) {
            for count in counts {
                try connection.addFunction(name, argumentCount: count) { call in
                    isOver() ? call.fail("the query is over") : body(call)
                }
            }
        }
        try add("like", 2...3) { like($0) }
        try add("glob", 2...2) { call in match(call) { TextPattern.glob($0, $1) } }
        try add("instr", 2...2) { position($0) }
        try add("replace", 3...3) { replace($0) }
        try add("trim", 1...2) { trim($0, start: true, end: true) }
        try add("ltrim", 1...2) { trim($0, start: true, end: false) }
        try add("rtrim", 1...2) { trim($0, start: false, end: true) }
    }

    private static func hasNull(_ call: FunctionCall) -> Bool {
        (0..<call.argumentCount).contains { call.storageClass(at: $0) == .null }
    }

    // MARK: Patterns

    private static func like(_ call: FunctionCall) {
        var escape: [UInt8]?
        if call.argumentCount == 3 {
            guard call.storageClass(at: 2) != .null else { return }
            let bytes = call.withBytes(at: 2) { Array($0.prefix(5)) }
            guard !bytes.isEmpty, bytes.withUnsafeBytes({ TextPattern.character($0, at: 0).length }) == bytes.count
            else {
                return call.fail("ESCAPE expression must be a single character")
            }
            escape = bytes
        }
        match(call) { TextPattern.like($0, $1, escape: escape) }
    }

    private static func match(
        _ call: FunctionCall, _ matches: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) {
        guard call.storageClass(at: 0) != .null, call.storageClass(at: 1) != .null else { return }
        call.withBytes(at: 0) { pattern in
            guard pattern.count <= TextPattern.longest else {
                return call.fail("a pattern of LIKE or GLOB has more than \(TextPattern.longest) bytes")
            }
            call.withBytes(at: 1) { text in
                guard pattern.count * text.count <= TextPattern.mostSteps else {
                    return call.fail("a text that is held against a long pattern of LIKE or GLOB is too long")
                }
                call.give(matches(pattern, text) ? 1 : 0)
            }
        }
    }

    // MARK: Places

    private static func position(_ call: FunctionCall) {
        guard !hasNull(call) else { return }
        let areBytes = call.storageClass(at: 0) == .blob && call.storageClass(at: 1) == .blob
        call.withBytes(at: 0) { whole in
            call.withBytes(at: 1) { part in
                if part.isEmpty { return call.give(1) }
                guard let place = TextSearch(part).first(in: whole) else { return call.give(0) }
                let before = areBytes ? place : whole[..<place].count { $0 & 0xC0 != 0x80 }
                call.give(Int64(before + 1))
            }
        }
    }

    private static func replace(_ call: FunctionCall) {
        guard !hasNull(call) else { return }
        call.withBytes(at: 0) { whole in
            call.withBytes(at: 1) { part in
                call.withBytes(at: 2) { replacement in
                    if part.isEmpty { return call.give(text: whole) }
                    var result: [UInt8] = []
                    let search = TextSearch(part)
                    let longest = call.longestValue
                    var start = 0
                    while let place = search.first(in: whole, from: start) {
                        result += whole[start..<place]
                        result += replacement
                        start = place + part.count
                        guard result.count <= longest else { return call.failTooBig() }
                    }
                    result += whole[start...]
                    result.withUnsafeBytes { call.give(text: $0) }
                }
            }
        }
    }

    // MARK: Ends

    private static func trim(_ call: FunctionCall, start: Bool, end: Bool) {
        guard !hasNull(call) else { return }
        var characters: Set<[UInt8]> = [[0x20]]
        if call.argumentCount == 2 {
            characters = call.withBytes(at: 1) { bytes in
                var found: Set<[UInt8]> = []
                var place = 0
                while place < bytes.count {
                    let length = TextPattern.character(bytes, at: place).length
                    found.insert(Array(bytes[place..<place + length]))
                    place += length
                }
                return found
            }
        }
        call.withBytes(at: 0) { bytes in
            var (first, last) = (0, bytes.count)
            while start, first < last {
                let length = TextPattern.character(bytes, at: first).length
                guard characters.contains(Array(bytes[first..<first + length])) else { break }
                first += length
            }
            while end, first < last {
                var place = last - 1
                while place > first, last - place < 4, bytes[place] & 0xC0 == 0x80 { place -= 1 }
                guard characters.contains(Array(bytes[place..<last])) else { break }
                last = place
            }
            call.give(text: UnsafeRawBufferPointer(rebasing: bytes[first..<last]))
        }
    }
}
