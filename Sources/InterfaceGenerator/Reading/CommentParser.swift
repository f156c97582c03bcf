// SPDX-License-Identifier: MIT

/// Reads a comment in the form of gtk-doc:
///
///     Name:
///     @argument: What it is, on as many lines
///       as needed.
///
///     What the member does.
///
///     Paragraphs and lists about it.
///
///     Errors: which and when.
enum CommentParser {
    private static let errorsHead = "Errors:"
    private static let errorsWhenWrittenHead = "Errors when written:"

    /// Reads a comment.
    static func parse(_ comment: String) throws(Fault) -> Documentation {
        var paragraphs = paragraphs(of: comment)
        guard !paragraphs.isEmpty, let head = paragraphs[0].first, head.hasSuffix(":"), !head.hasPrefix("@") else {
            throw Fault("the comment does not begin with the name and a colon on a line of their own")
        }
        let arguments = try arguments(in: paragraphs.removeFirst().dropFirst())
        guard let summary = paragraphs.first, errors(in: summary, after: errorsHead) == nil else {
            throw Fault("the comment has no summary; a paragraph after name and arguments is to say what it is")
        }
        if let stray = paragraphs.joined().first(where: { $0.hasPrefix("@") && $0.contains(":") }) {
            throw Fault(
                "\(quoted(stray)) stands in the text; arguments come right below the name, without a blank line")
        }
        var documentation = Parts()
        for paragraph in paragraphs.dropFirst() {
            if let errors = errors(in: paragraph, after: errorsWhenWrittenHead) {
                documentation.errorsWhenWritten = errors
            } else if let errors = errors(in: paragraph, after: errorsHead) {
                documentation.errors = errors
            } else {
                documentation.discussion.append(paragraph)
            }
        }
        return Documentation(
            name: String(head.dropLast()), arguments: arguments, summary: summary,
            discussion: documentation.discussion, errors: documentation.errors,
            errorsWhenWritten: documentation.errorsWhenWritten,
            fieldLists: documentation.discussion.map(fieldEntries).filter { !$0.isEmpty })
    }

    private struct Parts {
        var discussion: [Documentation.Paragraph] = []
        var errors: Documentation.Paragraph?
        var errorsWhenWritten: Documentation.Paragraph?
    }

    /// The paragraphs without the indentation that all lines share.
    private static func paragraphs(of comment: String) -> [Documentation.Paragraph] {
        let lines = comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            line.lastIndex { !$0.isWhitespace }.map { line[...$0] } ?? ""
        }
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix(while: \.isWhitespace).count }.min() ?? 0
        return lines.split(whereSeparator: \.isEmpty).map { $0.map { String($0.dropFirst(indentation)) } }
    }

    private static func arguments(in lines: ArraySlice<String>) throws(Fault) -> [Documentation.Entry] {
        var entries: [Documentation.Entry] = []
        for line in lines {
            if line.hasPrefix("@"), let colon = line.firstIndex(of: ":") {
                let name = String(line[line.index(after: line.startIndex)..<colon])
                let text = trimmed(line[line.index(after: colon)...])
                guard !text.isEmpty else { throw Fault("the argument \(name) has no text after its colon") }
                guard !entries.contains(where: { $0.name == name }) else {
                    throw Fault("the comment describes the argument \(name) twice")
                }
                entries.append(Documentation.Entry(name: name, text: [text]))
            } else if line.hasPrefix(" "), let last = entries.popLast() {
                entries.append(Documentation.Entry(name: last.name, text: last.text + [trimmed(line[...])]))
            } else {
                throw Fault(
                    "\(quoted(line)) is no argument; below the name come lines \"@argument: text\", "
                        + "indented where a text goes on, then a blank line")
            }
        }
        return entries
    }

    private static func errors(in paragraph: Documentation.Paragraph, after head: String) -> Documentation.Paragraph? {
        guard let first = paragraph.first, first.hasPrefix(head) else { return nil }
        let rest = trimmed(first.dropFirst(head.count))
        return (rest.isEmpty ? [] : [rest]) + paragraph.dropFirst()
    }

    /// The fields that a list describes; none if it is no such list.
    private static func fieldEntries(in paragraph: Documentation.Paragraph) -> [FieldEntry] {
        var entries: [FieldEntry] = []
        for line in paragraph {
            if line.hasPrefix("- `") {
                let parts = line.dropFirst(3).split(separator: "`", maxSplits: 3, omittingEmptySubsequences: false)
                guard parts.count == 4, parts[1] == " (", parts[3].hasPrefix("):") else { return [] }
                entries.append(
                    FieldEntry(
                        name: String(parts[0]), signature: String(parts[2]), text: [trimmed(parts[3].dropFirst(2))]))
            } else if line.hasPrefix(" "), let last = entries.popLast() {
                entries.append(
                    FieldEntry(name: last.name, signature: last.signature, text: last.text + [trimmed(line[...])]))
            } else {
                return []
            }
        }
        return entries
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
