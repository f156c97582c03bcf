// SPDX-License-Identifier: MIT

/// Gathers lines of Swift at their indentation.
struct SourceWriter {
    private(set) var text = """
        // SPDX-License-Identifier: MIT
        // Made from Introspection/*.xml by InterfaceGenerator.

        public import DBus

        """
    private var depth = 0

    /// Appends a line; an empty one separates declarations.
    mutating func line(_ line: String = "") {
        text += line.isEmpty ? "\n" : String(repeating: "    ", count: depth) + line + "\n"
    }

    /// Appends lines as comment.
    mutating func documentation(_ lines: [String]) {
        for line in lines {
            self.line(line.isEmpty ? "///" : "/// \(line)")
        }
    }

    /// Appends a declaration or statement with a block: `body` appends what is in it.
    ///
    /// A `head` that is a closure's brings its own brace.
    mutating func block(_ head: String, opening: String = " {", _ body: (inout SourceWriter) -> Void) {
        line(head + opening)
        let start = text.endIndex
        depth += 1
        body(&self)
        depth -= 1
        if text.endIndex == start {
            text.removeLast()
            text += "}\n"
        } else {
            line("}")
        }
    }

    /// Appends lines one level deeper than what comes before.
    mutating func indented(_ body: (inout SourceWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }
}
