// SPDX-License-Identifier: MIT

/// Makes the text of doc comments from what the comments in the XML say.
struct DocumentationText {
    private let documentation: Documentation
    /// The Swift names of arguments, which the comments write as `@name`.
    private let swiftNames: [String: String]
    private(set) var lines: [String]
    /// Whether the list of parameters, results and errors has begun.
    private var hasFields = false

    /// Begins with summary and discussion.
    init(_ documentation: Documentation, arguments: [Argument] = []) {
        self.documentation = documentation
        swiftNames = Dictionary(arguments.map { ($0.name, $0.swiftName) }) { first, _ in first }
        lines = []
        lines = translated(documentation.summary)
        for paragraph in documentation.discussion {
            add(paragraph)
        }
    }

    /// Appends a paragraph after an empty line.
    mutating func add(_ paragraph: Documentation.Paragraph) {
        if !lines.isEmpty {
            lines.append("")
        }
        lines += translated(paragraph)
    }

    /// Appends the errors as a paragraph, where there are some.
    mutating func addErrors() {
        if let errors = documentation.errors {
            add(Self.joined("Errors:", errors))
        }
    }

    /// Appends what a handler answers with.
    mutating func addAnswers(_ results: [Argument]) {
        if results.count > 1 {
            add(["Answers with:"])
            add(results.flatMap { Self.item("- `\($0.swiftName)`:", text(of: $0)) })
        } else if let result = results.first {
            add(Self.joined("Answers with `\(result.swiftName)`:", text(of: result)))
        }
    }

    /// Appends the list of parameters.
    mutating func addParameters(_ arguments: [Argument], and others: [(name: String, text: String)] = []) {
        let described = arguments.map { ($0.swiftName, text(of: $0)) } + others.map { ($0.name, [$0.text]) }
        guard !described.isEmpty else { return }
        add(["- Parameters:"])
        hasFields = true
        lines += translated(described.flatMap { Self.item("- \($0.0):", $0.1) }.map { "  \($0)" })
    }

    /// Appends what a call returns.
    mutating func addReturns(_ results: [Argument]) {
        if results.count > 1 {
            addField("- Returns:", results.flatMap { Self.joined("`\($0.swiftName)`:", text(of: $0)) })
        } else if let result = results.first {
            addField("- Returns:", text(of: result))
        }
    }

    /// Appends what a call throws.
    mutating func addThrows() {
        let paragraph = documentation.errors.map { Self.joined("``DBusError``:", $0) }
        addField("- Throws:", paragraph ?? ["``DBusError`` if the peer cannot be asked."])
    }

    private mutating func addField(_ head: String, _ text: Documentation.Paragraph) {
        if !hasFields {
            lines.append("")
        }
        hasFields = true
        lines += translated(Self.item(head, text))
    }

    private func text(of argument: Argument) -> Documentation.Paragraph {
        documentation.arguments.first { $0.name == argument.name }?.text ?? []
    }

    /// The lines of a list's item.
    private static func item(_ head: String, _ text: Documentation.Paragraph) -> Documentation.Paragraph {
        let lines = joined(head, text)
        return lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
    }

    private static func joined(_ head: String, _ text: Documentation.Paragraph) -> Documentation.Paragraph {
        ["\(head) \(text.first ?? "")"] + text.dropFirst()
    }

    /// Writes arguments that the text mentions as code.
    private func translated(_ paragraph: Documentation.Paragraph) -> Documentation.Paragraph {
        guard !swiftNames.isEmpty else { return paragraph }
        return paragraph.map { line in
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            return parts.enumerated().map { index, part in
                // What stands between back-ticks is code already.
                index.isMultiple(of: 2) ? translated(part) : String(part)
            }.joined(separator: "`")
        }
    }

    private func translated(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let at = rest.firstIndex(of: "@") {
            let after = rest[rest.index(after: at)...]
            let name = after.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            result += rest[..<at]
            result += swiftNames[String(name)].map { "`\($0)`" } ?? "@\(name)"
            rest = after.dropFirst(name.count)
        }
        return result + rest
    }
}
