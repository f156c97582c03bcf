// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// The fenced blocks of a document.
struct ReadmeBlocks {
    struct Block {
        /// The words behind the fence, such as `sh`.
        let kind: String
        /// The line of the fence, counted from 1.
        let line: Int
        let text: String
    }

    let all: [Block]

    init(_ document: String) throws {
        var blocks: [Block] = []
        var open: (kind: String, line: Int, lines: [Substring])?
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(Block(kind: block.kind, line: block.line, text: block.lines.joined(separator: "\n")))
                open = nil
            } else {
                open = (String(line.dropFirst(3)), index + 1, [])
            }
        }
        guard open == nil else { throw TestSupportError("a fence is not closed") }
        all = blocks
    }

    /// The only block of a kind.
    func only(_ kind: String) throws -> String {
        let found = all.filter { $0.kind == kind }
        guard found.count == 1 else { throw TestSupportError("\(found.count) blocks of \(kind)") }
        return found[0].text
    }
}

extension ReadmeBlocks.Block {
    /// Something to run.
    struct Step {
        let line: Int
        let command: String
        /// What it is to print; nil where it is to succeed and may print anything.
        let answer: String?
    }

    /// What there is to run in the block: itself as a whole, or the commands of a transcript with their answers.
    func steps() throws -> [Step] {
        switch kind {
        case "sh":
            return [Step(line: line, command: text, answer: nil)]
        case "console":
            var steps: [(line: Int, command: [String], answer: [String])] = []
            for (index, text) in text.components(separatedBy: "\n").enumerated() {
                if text.hasPrefix("$ ") {
                    steps.append((line + 1 + index, [String(text.dropFirst(2))], []))
                } else if steps.isEmpty {
                    throw TestSupportError("line \(line + 1 + index): an answer without a command")
                } else if text.hasPrefix("> "), steps[steps.count - 1].answer.isEmpty {
                    steps[steps.count - 1].command.append(String(text.dropFirst(2)))
                } else {
                    steps[steps.count - 1].answer.append(text)
                }
            }
            return steps.map {
                Step(
                    line: $0.line, command: $0.command.joined(separator: "\n"),
                    answer: $0.answer.joined(separator: "\n"))
            }
        default:
            return []
        }
    }
}
