// SPDX-License-Identifier: MIT

import SentinelModels

/// A file of the time zone database in the form of RFC 8536 (`tzfile(5)`).
enum ZoneFile {
    /// No file of the database is nearly so long.
    static let longest = 1 << 20

    /// Reads the rules of a zone.
    ///
    /// - Throws: `unavailable` for what is no such file.
    static func rules(in bytes: [UInt8]) throws(SentinelError) -> ZoneRules {
        var reader = Reader(bytes: bytes[...])
        let header = try reader.header()
        guard header.version >= UInt8(ascii: "2") else {
            return try reader.rules(header, timeSize: 4)
        }
        // The part with times of 32 bits is there for old readers.
        try reader.skip(header.length(timeSize: 4))
        return try reader.rules(try reader.header(), timeSize: 8, hasFooter: true)
    }

    /// What stands in front of a part.
    private struct Header {
        var version: UInt8
        var counts: (universal: Int, standard: Int, leaps: Int, times: Int, types: Int, characters: Int)

        func length(timeSize: Int) -> Int {
            counts.times * (timeSize + 1) + counts.types * 6 + counts.characters + counts.leaps * (timeSize + 4)
                + counts.standard + counts.universal
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        static let damage = SentinelError(.unavailable, "the file of the time zone cannot be read: it is damaged")

        mutating func take(_ count: Int) throws(SentinelError) -> ArraySlice<UInt8> {
            guard count <= bytes.count else { throw Self.damage }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func skip(_ count: Int) throws(SentinelError) {
            _ = try take(count)
        }

        /// A number in network byte order, signed.
        mutating func number(size: Int) throws(SentinelError) -> Int64 {
            let taken = try take(size)
            let number = taken.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: number)) : Int64(truncatingIfNeeded: number)
        }

        mutating func count() throws(SentinelError) -> Int {
            let count = try number(size: 4)
            guard (0...Int64(ZoneFile.longest)).contains(count) else { throw Self.damage }
            return Int(count)
        }

        mutating func header() throws(SentinelError) -> Header {
            guard try take(4).elementsEqual("TZif".utf8) else { throw Self.damage }
            let version = try take(1).first ?? 0
            try skip(15)
            let header = Header(
                version: version,
                counts: (try count(), try count(), try count(), try count(), try count(), try count()))
            guard header.counts.types > 0, header.length(timeSize: 4) <= bytes.count else { throw Self.damage }
            return header
        }

        mutating func rules(
            _ header: Header, timeSize: Int, hasFooter: Bool = false
        ) throws(SentinelError) -> ZoneRules {
            var times: [Int64] = []
            for _ in 0..<header.counts.times {
                times.append(try number(size: timeSize))
            }
            let indices = try take(header.counts.times).map(Int.init)
            var offsets: [Int64] = []
            for _ in 0..<header.counts.types {
                offsets.append(try number(size: 4))
                try skip(2)
            }
            guard offsets.allSatisfy({ abs($0) < 86_400 }), indices.allSatisfy(offsets.indices.contains),
                zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
            else { throw Self.damage }
            try skip(
                header.length(timeSize: timeSize) - header.counts.times * (timeSize + 1) - header.counts.types * 6)
            let transitions = zip(times, indices).map { ZoneRules.Transition(time: $0, offset: offsets[$1]) }
            return ZoneRules(
                transitions: transitions, first: offsets[0], footer: hasFooter ? try footer() : nil)
        }

        /// A rule between two ends of lines; nil where there is none between them.
        private mutating func footer() throws(SentinelError) -> ZoneFooter? {
            let newline = UInt8(ascii: "\n")
            guard try take(1).first == newline, let end = bytes.firstIndex(of: newline) else { throw Self.damage }
            let text = Array(bytes[..<end])
            guard !text.isEmpty else { return nil }
            guard let footer = ZoneFooter(parsing: text) else { throw Self.damage }
            return footer
        }
    }
}
