// SPDX-License-Identifier: MIT

/// A place in bytes that moves forward only and never past their end.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>
    private let start: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        start = Array(bytes)[...]
        rest = start
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The byte here; nil at the end.
    var next: UInt8? { rest.first }

    /// The line here, from 1.
    var line: Int {
        start.prefix(start.count - rest.count).count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Takes the byte here.
    mutating func take() -> UInt8? {
        rest.popFirst()
    }

    /// Takes the byte here if it is that one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes a text if it stands here.
    mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes the bytes up to the first that does not fit.
    mutating func take(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: fits)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    /// Takes the bytes before a text, and the text; nil, moving nowhere, where it does not come.
    mutating func take(upTo text: String) -> ArraySlice<UInt8>? {
        guard let first = text.utf8.first else { return [] }
        var tail = rest
        while let place = tail.firstIndex(of: first) {
            tail = tail[place...]
            if tail.starts(with: text.utf8) {
                let taken = rest[..<place]
                rest = tail.dropFirst(text.utf8.count)
                return taken
            }
            tail = tail.dropFirst()
        }
        return nil
    }

    mutating func skipWhitespace() {
        _ = take { $0.isASCIIWhitespace }
    }
}

extension UInt8 {
    /// Space, tab, line feed, carriage return.
    var isASCIIWhitespace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }

    var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
