// SPDX-License-Identifier: MIT

/// What a comment says of an interface or a member.
struct Documentation: Hashable {
    /// What is said of an argument.
    struct Entry: Hashable {
        let name: String
        let text: Paragraph
    }

    /// Lines that belong together.
    typealias Paragraph = [String]

    /// The name at the head of the comment.
    let name: String
    /// What is said of the arguments, in the order of the comment.
    let arguments: [Entry]
    /// The first paragraph.
    let summary: Paragraph
    /// The paragraphs after it but for that of the errors.
    let discussion: [Paragraph]
    /// The paragraph that begins with `Errors:`, without that word.
    let errors: Paragraph?
    /// The paragraph that begins with `Errors when written:`, without these words.
    let errorsWhenWritten: Paragraph?
    /// The fields that lists in the discussion describe, each list by itself.
    let fieldLists: [[FieldEntry]]
}

/// What a list in a comment says of a structure's field: ``- `name` (`type`): text``.
struct FieldEntry: Hashable {
    let name: String
    let signature: String
    let text: Documentation.Paragraph
}
