// SPDX-License-Identifier: MIT

import Testing

@testable import InterfaceGenerator

@Suite struct CommentParserTests {
    @Test("a comment has name, arguments, summary, discussion and errors")
    func parts() throws {
        let documentation = try CommentParser.parse(
            """

                    Show:
                    @id: Which one, on
                      two lines.
                    @how: How: so.

                    Shows it
                    at once.

                    It stays.

                    - one,
                      still one
                    - two

                    Errors: `Bad` when
                    bad.

                    Errors when written: `Worse`.
            \t
            """)
        #expect(documentation.name == "Show")
        #expect(
            documentation.arguments == [
                Documentation.Entry(name: "id", text: ["Which one, on", "two lines."]),
                Documentation.Entry(name: "how", text: ["How: so."]),
            ])
        #expect(documentation.summary == ["Shows it", "at once."])
        #expect(documentation.discussion == [["It stays."], ["- one,", "  still one", "- two"]])
        #expect(documentation.errors == ["`Bad` when", "bad."])
        #expect(documentation.errorsWhenWritten == ["`Worse`."])
        #expect(documentation.fieldLists.isEmpty)
    }

    @Test("a list of fields with types is understood")
    func fieldLists() throws {
        let documentation = try CommentParser.parse(
            """
            List:

            Lists.

            Fields of an entry:

            - `id` (`s`): its id, `""` if
              unknown.
            - `parts` (`a(sv)`): its (`a`): parts.

            - `neither` nor: this
            """)
        #expect(
            documentation.fieldLists == [
                [
                    FieldEntry(name: "id", signature: "s", text: ["its id, `\"\"` if", "unknown."]),
                    FieldEntry(name: "parts", signature: "a(sv)", text: ["its (`a`): parts."]),
                ]
            ])
    }

    @Test(
        "a comment in another form is refused with its fault",
        arguments: [
            ("", "does not begin with the name and a colon"),
            ("SPDX-License-Identifier: MIT", "does not begin with the name and a colon"),
            ("Shows it.\n\nAlways.", "does not begin with the name and a colon"),
            ("@id: Which one.\n\nShows it.", "does not begin with the name and a colon"),
            ("Show:", "has no summary"),
            ("Show:\n@id: Which one.", "has no summary"),
            ("Show:\n\nErrors: none.", "has no summary"),
            ("Show:\n@id:\n\nShows it.", "the argument id has no text"),
            ("Show:\n@id: One.\n@id: Two.\n\nShows it.", "describes the argument id twice"),
            ("Show:\nShows it.", "\"Shows it.\" is no argument"),
            ("Show:\n\n@id: Which one.\n\nShows it.", "\"@id: Which one.\" stands in the text"),
        ])
    func malformed(comment: String, fault: String) {
        let error = #expect(throws: Fault.self) { try CommentParser.parse(comment) }
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }
}
