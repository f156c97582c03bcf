// SPDX-License-Identifier: MIT

import SentinelModels

/// A text of assignments, one a line: an ini file, or variables of an environment, whose quotation marks and backslashes
/// count as they do for a shell and systemd, and comments as they do for a shell. All but one value is kept.
struct LineText {
    /// A value that was found.
    struct Found {
        /// What it is without quotation marks.
        let value: String
        /// The line and the bytes of the value in it.
        let line: Int
        let span: Range<Int>
        /// The quotation mark around it; nil for none.
        let quote: UInt8?
    }

    private let format: ManifestStorage.FileFormat
    /// The lines without their ends.
    private var lines: [[UInt8]]
    private let lineEnd: [UInt8]

    /// Takes in a text.
    ///
    /// - Throws: `unavailable` where it is not UTF-8, or its last value has no end.
    init(_ bytes: [UInt8], _ format: ManifestStorage.FileFormat) throws(SentinelError) {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw SentinelError(.unavailable, "the file is not UTF-8 text")
        }
        self.format = format
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        lineEnd = lines.first?.last == 0x0D ? [0x0D] : []
        if format == .env {
            try checkEnds()
        }
    }

    /// The last assignment of a key; nil for none.
    ///
    /// - Throws: `unavailable` where its value goes over several lines, or has several parts of which some are in
    ///   quotation marks.
    func find(_ key: String) throws(SentinelError) -> Found? {
        let (section, name) = place(of: key)
        var found: (value: ArraySlice<UInt8>, line: Int, isWhole: Bool)?
        var current = ""
        // A key with a colon in it is not ended by one.
        let hasColon = !name.utf8.contains(UInt8(ascii: ":"))
        // The line after the value before: what is inside of that is no assignment.
        var next = 0
        for (number, line) in lines.enumerated() where number >= next {
            if let head = sectionHead(in: line) {
                current = head
                continue
            }
            guard let assigned = assignment(in: line, hasColon: hasColon) else { continue }
            let last = format == .env ? lastLine(of: assigned.value, in: number) : number
            next = last + 1
            guard current.utf8.elementsEqual(section.utf8), assigned.name.utf8.elementsEqual(name.utf8) else {
                continue
            }
            found = (assigned.value, number, last == number)
        }
        guard let found else { return nil }
        guard found.isWhole else {
            throw SentinelError(
                .unavailable, "what the file has as \(key) goes over several lines, which is left to other programs")
        }
        guard let (value, quote) = format == .env ? Self.variable(found.value) : Self.unquoted(found.value) else {
            throw SentinelError(
                .unavailable,
                "what the file has as \(key) has several parts, some in quotation marks, which programs take differently"
            )
        }
        return Found(
            value: value, line: found.line, span: found.value.startIndex..<found.value.endIndex, quote: quote)
    }

    // MARK: Values of several lines

    private func checkEnds() throws(SentinelError) {
        var next = 0
        for (number, line) in lines.enumerated() where number >= next {
            guard let assigned = assignment(in: line) else { continue }
            next = lastLine(of: assigned.value, in: number) + 1
            guard next <= lines.count else {
                throw SentinelError(
                    .unavailable, "the value in line \(number + 1) of the file has no end: a quotation mark is missing")
            }
        }
    }

    /// The line that ends a value of an environment: what is in quotation marks goes over lines, and so does what has a
    /// backslash at a line's end. The number of lines where there is no end.
    private func lastLine(of value: ArraySlice<UInt8>, in first: Int) -> Int {
        let textEnd = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        var (number, rest) = (first, value)
        var walk = VariableWalk()
        while walk.take(rest).goesOn {
            number += 1
            guard number < textEnd else { return lines.count }
            rest = lines[number][...]
            if rest.last == 0x0D { rest.removeLast() }
        }
        return number
    }

    /// The text with another value of a key, in its place or at the end of its section.
    ///
    /// - Throws: `invalidValue` for a text of several lines.
    func replacing(_ key: String, with value: PreferenceValue) throws(SentinelError) -> [UInt8] {
        let found = try find(key)
        let text: String =
            switch value {
            case .boolean(let truth):
                found.flatMap { TruthWord($0.value) }?.word(for: truth) ?? (truth ? "true" : "false")
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            case .text(let text): text
            }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) else {
            throw SentinelError(.invalidValue, "a file of this format cannot hold control characters in a value")
        }
        var lines = lines
        if let found {
            let line = lines[found.line]
            lines[found.line] =
                Array(line[..<found.span.lowerBound]) + quoted(text, found.quote)
                + Array(line[found.span.upperBound...])
        } else {
            insert(text, for: key, into: &lines)
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    private func insert(_ text: String, for key: String, into lines: inout [[UInt8]]) {
        let (section, name) = place(of: key)
        let line = Array("\(name)=".utf8) + quoted(text, nil) + lineEnd
        let isEnded = lines.last?.isEmpty == true
        guard format == .ini else {
            lines.insert(line, at: isEnded ? lines.count - 1 : lines.count)
            if !isEnded { lines.append([]) }
            return
        }
        // After the last assignment or the head of the section.
        var current = ""
        var place = section.isEmpty ? 0 : nil
        for (number, line) in lines.enumerated() {
            let text = Self.trimmed(line[...])
            if let head = sectionHead(in: line) {
                current = head
            }
            if current.utf8.elementsEqual(section.utf8), !text.isEmpty, !section.isEmpty || assignment(in: line) != nil
            {
                place = number + 1
            }
        }
        if let place {
            lines.insert(line, at: place)
        } else {
            let head = Array("[\(section)]".utf8) + lineEnd
            lines.insert(contentsOf: [head, line], at: isEnded ? lines.count - 1 : lines.count)
        }
        if lines.last?.isEmpty != true { lines.append([]) }
    }

    /// The section and the name that a key stands for.
    private func place(of key: String) -> (section: String, name: String) {
        guard format == .ini, let slash = key.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", key) }
        return (String(key[..<slash]), String(key[key.utf8.index(after: slash)...]))
    }

    /// The section that a line begins; nil for another line. A comment may follow.
    private func sectionHead(in line: [UInt8]) -> String? {
        let text = Self.trimmed(line[...])
        guard format == .ini, text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) else {
            return nil
        }
        let rest = Self.trimmed(text[(end + 1)...])
        var name = text[..<end].dropFirst()
        if let first = rest.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") {
            guard text.last == UInt8(ascii: "]") else { return nil }
            name = text.dropFirst().dropLast()
        }
        return String(decoding: Self.trimmed(name), as: UTF8.self)
    }

    /// The name and the value of an assignment.
    ///
    /// - Parameter hasColon: whether a colon before any equals sign stands for one, as Python's `configparser` has it.
    private func assignment(in line: [UInt8], hasColon: Bool = true) -> (name: String, value: ArraySlice<UInt8>)? {
        var rest = Self.trimmed(line[...])
        guard let first = rest.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";"),
            let sign = rest.firstIndex(where: {
                $0 == UInt8(ascii: "=") || format == .ini && hasColon && $0 == UInt8(ascii: ":")
            })
        else { return nil }
        var value = Self.trimmed(rest[(sign + 1)...])
        if format == .env {
            value = Self.trimmed(rest[(sign + 1)..<VariableWalk().end(of: rest[(sign + 1)...])])
            if value.isEmpty {
                // A new one has to stand before the space that makes a comment one.
                value = rest[(sign + 1)..<(sign + 1)]
            }
            if value.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 1,
                let next = line[value.endIndex...].first, next != 0x0D
            {
                // The backslash keeps the space.
                value = line[value.startIndex...value.endIndex]
            }
            if rest.starts(with: "export ".utf8) {
                rest = Self.trimmed(rest.dropFirst(7))
            }
        }
        return (String(decoding: Self.trimmed(rest[..<sign]), as: UTF8.self), value)
    }

    // MARK: Quotation marks

    private func quoted(_ text: String, _ quote: UInt8?) -> [UInt8] {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { byte in
            byte >= 0x80 || byte.isPlainInShell || (format == .ini && byte != UInt8(ascii: "\""))
        }
        let needsQuote = format == .env && !isPlain
        // What would be taken off again when it is read.
        let isCut =
            format == .ini
            && (Self.trimmed(bytes[...]).count < bytes.count || bytes.first == UInt8(ascii: "\"")
                || bytes.first == UInt8(ascii: "'"))
        guard quote != nil || needsQuote || isCut else { return bytes }
        if quote == UInt8(ascii: "'"), !bytes.contains(UInt8(ascii: "'")) {
            return [UInt8(ascii: "'")] + bytes + [UInt8(ascii: "'")]
        }
        var result: [UInt8] = [UInt8(ascii: "\"")]
        for byte in bytes {
            if format == .env ? byte.isSpecialInShell : byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                result.append(UInt8(ascii: "\\"))
            }
            result.append(byte)
        }
        return result + [UInt8(ascii: "\"")]
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// A value of an ini file without its quotation marks, and those.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> (value: String, quote: UInt8?) {
        guard let quote = text.first, isQuote(quote), text.count >= 2, text.last == quote else {
            return (String(decoding: text, as: UTF8.self), nil)
        }
        var rest = text.dropFirst().dropLast()
        guard quote == UInt8(ascii: "\"") else { return (String(decoding: rest, as: UTF8.self), quote) }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return (String(decoding: bytes, as: UTF8.self), quote)
    }

    /// What a shell and systemd take the value of a variable for, and its quotation marks; nil where they do not agree,
    /// as for one of several parts.
    private static func variable(_ text: ArraySlice<UInt8>) -> (value: String, quote: UInt8?)? {
        let quote = text.first.flatMap { isQuote($0) ? $0 : nil }
        var rest = quote == nil ? text : text.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                return rest.isEmpty ? (String(decoding: bytes, as: UTF8.self), quote) : nil
            } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'"), let next = rest.popFirst() {
                bytes += quote == nil || next.isSpecialInShell ? [next] : [byte, next]
            } else if quote == nil, isQuote(byte) {
                return nil
            } else {
                bytes.append(byte)
            }
        }
        return quote == nil ? (String(decoding: bytes, as: UTF8.self), nil) : nil
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) {
            text = text.dropLast()
        }
        return text
    }
}

/// Walks through the value of a variable of an environment, line by line.
private struct VariableWalk {
    private var quote: UInt8?
    /// A quotation mark counts at the beginning and after another part in quotation marks.
    private var canBegin = true

    /// Takes in a line: where the value ends in it, and whether it goes on in the next.
    mutating func take(_ line: ArraySlice<UInt8>) -> (end: Int, goesOn: Bool) {
        var rest = line
        var isAfterSpace = false
        while let byte = rest.popFirst() {
            let wasAfterSpace = isAfterSpace
            isAfterSpace = false
            if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
                canBegin = false
                if rest.popFirst() == nil { return (line.endIndex, true) }
            } else if let open = quote {
                if byte == open { (quote, canBegin) = (nil, true) }
            } else if byte == 0x20 || byte == 0x09 {
                isAfterSpace = true
            } else if byte == UInt8(ascii: "#"), wasAfterSpace {
                return (rest.startIndex - 1, false)
            } else if canBegin, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                canBegin = false
            }
        }
        return (line.endIndex, quote != nil)
    }

    /// Where a value ends in its first line.
    func end(of line: ArraySlice<UInt8>) -> Int {
        var walk = self
        return walk.take(line).end
    }
}

extension UInt8 {
    /// Whether a shell takes a backslash before the byte off where it is in double quotation marks.
    fileprivate var isSpecialInShell: Bool {
        switch self {
        case UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        default: false
        }
    }

    /// Whether a shell takes the byte for itself without quotation marks.
    fileprivate var isPlainInShell: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"): true
        case UInt8(ascii: "+"), UInt8(ascii: "%"), UInt8(ascii: "="): true
        default: false
        }
    }
}
