// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

/// A query with a name, as a file `<name>.sql` holds it.
public struct Metric: Equatable, Sendable {
    /// A value that a metric is given.
    public struct Parameter: Equatable, Sendable {
        /// Its name, bound as `:name`.
        public var name: String
        /// Its type.
        public var type: ParameterType
    }

    /// Types of parameters, by their D-Bus signatures.
    public enum ParameterType: String, CaseIterable, Sendable {
        case text = "s"
        case integer = "x"
        case double = "d"
        case boolean = "b"

        /// Whether a value is of the type.
        func holds(_ value: QueryValue) -> Bool {
            switch (self, value) {
            case (.text, .text), (.integer, .integer), (.double, .double), (.boolean, .boolean): true
            default: false
            }
        }
    }

    /// Its name.
    public let name: String
    /// What it says, for people; empty if nothing was written.
    public let description: String
    /// Its parameters in order.
    public let parameters: [Parameter]
    /// Its statement, with what stands above it.
    let sql: String

    /// Checks values that it is to be run with.
    ///
    /// - Throws: `invalidArgs` where one is missing, unknown or of another type.
    func check(_ values: [String: QueryValue]) throws(SentinelError) {
        for parameter in parameters {
            guard let value = values[parameter.name] else {
                throw SentinelError(.invalidArgs, "the metric needs the parameter \(parameter.name)")
            }
            guard parameter.type.holds(value) else {
                throw SentinelError(
                    .invalidArgs, "the parameter \(parameter.name) is to be of type \(parameter.type.rawValue)")
            }
        }
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw SentinelError(.invalidArgs, "the metric has no parameter \(name.debugDescription)")
        }
    }
}

extension Metric {
    /// The largest file of a metric in bytes.
    public static let largestFile = 64 << 10

    /// Reads a metric from its file.
    ///
    /// - Throws: `invalidArgs` with what is wrong.
    public init(name: String, parsing bytes: [UInt8]) throws(SentinelError) {
        guard Self.isName(name) else {
            throw SentinelError(
                .invalidArgs, "a metric's name has up to 128 letters, digits, hyphens, underscores and dots")
        }
        guard bytes.count <= Self.largestFile, let sql = String(validating: bytes, as: UTF8.self), !bytes.contains(0)
        else {
            throw SentinelError(.invalidArgs, "it is not a text in UTF-8 of at most 64 KiB")
        }
        var descriptions: [String] = []
        var parameters: [Parameter] = []
        for line in Self.headLines(of: sql) {
            if let text = Self.value(of: "description:", in: line) {
                descriptions.append(text)
            } else if let text = Self.value(of: "parameter:", in: line) {
                let parameter = try Self.parameter(text)
                guard !parameters.contains(where: { $0.name == parameter.name }) else {
                    throw SentinelError(.invalidArgs, "the parameter \(parameter.name) is declared twice")
                }
                parameters.append(parameter)
            }
        }
        let used = try Store.parameterNames(ofQuery: sql)
        let declared = Set(parameters.map { ":\($0.name)" })
        for parameter in used where parameter.map({ !declared.contains($0) }) ?? true {
            throw SentinelError(.invalidArgs, "the statement's parameter \(parameter ?? "?") is not declared")
        }
        for parameter in parameters where !used.contains(":\(parameter.name)") {
            throw SentinelError(.invalidArgs, "the statement does not use the parameter \(parameter.name)")
        }
        self.name = name
        description = descriptions.joined(separator: " ")
        self.parameters = parameters
        self.sql = sql
    }

    /// What the comment lines say with which a file begins.
    private static func headLines(of sql: String) -> [Substring.UTF8View] {
        var lines: [Substring.UTF8View] = []
        for line in sql.utf8.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
            let line = trimmed(line)
            if line.isEmpty { continue }
            guard line.starts(with: "--".utf8) else { break }
            lines.append(trimmed(line.dropFirst(2)))
        }
        return lines
    }

    private static func value(of key: String, in line: Substring.UTF8View) -> String? {
        guard line.starts(with: key.utf8) else { return nil }
        return String(Substring(trimmed(line.dropFirst(key.utf8.count))))
    }

    private static func parameter(_ text: String) throws(SentinelError) -> Parameter {
        let words = text.utf8.split(whereSeparator: isSpace).map { String(Substring($0)) }
        guard words.count == 2, let type = ParameterType(rawValue: words[1]),
            let first = words[0].utf8.first, !first.isASCIIDigit, words[0].utf8.count <= 64,
            words[0].utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
        else {
            throw SentinelError(
                .invalidArgs, "a parameter is declared as `parameter: name type`, with a type of s, x, d or b")
        }
        return Parameter(name: words[0], type: type)
    }

    private static func isName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.".utf8.contains($0) }
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}
