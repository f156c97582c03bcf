// SPDX-License-Identifier: MIT

import SentinelModels

/// What the data of an event may hold, wherever they come from.
enum DataLimits {
    /// So deep may arrays and dictionaries be nested in data.
    static let depth = 8
    /// So many bytes the data of an event may have.
    static let byteCount = 64 << 10

    static let tooDeep = SentinelError(.invalidArgs, "data are nested more than \(depth) deep")
    static let tooLong = SentinelError(.invalidArgs, "an event may have at most \(byteCount) bytes of data")

    /// Checks data that have not come over the bus, which refuses texts with a NUL by itself.
    ///
    /// - Throws: code `invalidArgs`.
    static func check(_ data: [DataKey: DataValue]) throws(SentinelError) {
        for (key, value) in data {
            try check(key.text)
            try check(value, depth: 0)
        }
        guard data.byteCount <= byteCount else { throw tooLong }
    }

    private static func check(_ value: DataValue, depth: Int) throws(SentinelError) {
        switch value {
        case .boolean, .integer, .double, .bytes: break
        case .text(let text): try check(text)
        case .array(let values):
            try checkDepth(depth)
            for value in values {
                try check(value, depth: depth + 1)
            }
        case .dictionary(let members):
            try checkDepth(depth)
            for (key, value) in members {
                try check(key.text)
                try check(value, depth: depth + 1)
            }
        }
    }

    private static func checkDepth(_ depth: Int) throws(SentinelError) {
        guard depth < Self.depth else { throw tooDeep }
    }

    private static func check(_ text: String) throws(SentinelError) {
        guard !text.utf8.contains(0) else {
            throw SentinelError(.invalidArgs, "a text in data holds a NUL, which cannot travel over the bus")
        }
    }
}
