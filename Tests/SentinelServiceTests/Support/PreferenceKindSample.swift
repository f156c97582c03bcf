// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

/// A kind of preference with values that it can have and values that it cannot, as they are on the bus.
struct PreferenceKindSample: Sendable {
    /// A value.
    struct Sample: Hashable, Sendable {
        let value: Value
        /// The value as it is given out.
        let canonical: Value
        /// The value in a document; nil where JSON has none such.
        let json: String?
        /// Another value of its type.
        let neutral: Value
        /// Whether some kind of preference can have it.
        let isOfSomeKind: Bool

        static func of(_ value: Value, _ json: String?, _ canonical: Value? = nil) -> Sample {
            let (neutral, isOfSomeKind): (Value, Bool) =
                switch canonical ?? value {
                case .boolean(let truth): (.boolean(!truth), true)
                case .int64(let number): (.int64(number == 77 ? 78 : 77), true)
                case .double(let number): (.double(77), number.isFinite)
                case .string: (.string("neutral"), true)
                default: (.int64(77), false)
                }
            return Sample(
                value: value, canonical: canonical ?? value, json: json, neutral: neutral, isOfSomeKind: isOfSomeKind)
        }
    }

    /// A property of the service that is one of its preferences too, of the same name.
    struct Property: Sendable {
        let path: ObjectPath
        let interface: String
        let name: String
        let kind: String
        /// What can be written, and what is in force then.
        let valid: [(Value, Value)]
        let invalid: [Value]
        /// What the preference does not take.
        let invalidPreference: [Value]
    }

    let name: String
    /// As `List` tells it.
    let kind: String
    let standard: Value
    let attributes: [Key: Value]
    /// The attributes as members of a manifest's preference, with a comma before each.
    let members: String
    let valid: [Sample]
    let invalid: [Sample]
    var property: Property?

    var declaration: PreferenceDeclaration { .of("key", standard, attributes) }
    /// The default as it is given out.
    var canonicalDefault: Value { standard }

    /// A manifest whose default is a value.
    func manifest(_ json: String) -> String {
        """
        {"application": {"id": "com.example.App"},
         "preferences": [{"key": "key", "name": "key", "kind": "\(kind)", "default": \(json)\(members)}]}
        """
    }

    private static func choices(_ values: Value...) -> Value {
        // What a signature of its own needs, as `choices` of the contract has it.
        let elements = values.map { Value.structure([.variant($0), .string("Same")]) }
        guard let array = try? ArrayValue(elements, elementType: "(vs)") else { return .string("") }
        return .array(array)
    }

    private static let events = "org.sentinel.Events1"

    private static var wrong: [Sample] {
        [
            .of(.objectPath("/"), nil), .of(.strings(["a"]), "[\"a\"]"), .of(.options([:]), "{}"),
            .of(.double(.nan), nil), .of(.double(.infinity), nil),
        ]
    }

    static var all: [PreferenceKindSample] {
        [
            PreferenceKindSample(
                name: "toggle", kind: "toggle", standard: .boolean(false), attributes: [:], members: "",
                valid: [
                    .of(.boolean(true), "true"), .of(.boolean(false), "false"),
                    .of(.variant(.boolean(true)), nil, .boolean(true)),
                ],
                invalid: [.of(.int64(1), "1"), .of(.double(1), "1.0"), .of(.string("true"), "\"true\"")] + wrong,
                property: Property(
                    path: "/org/sentinel", interface: events, name: "Capturing", kind: "toggle",
                    valid: [(.boolean(false), .boolean(false)), (.boolean(true), .boolean(true))],
                    invalid: [.int32(0), .string("true"), .double(1)],
                    invalidPreference: [.int64(0), .string("false"), .double(0)])),
            PreferenceKindSample(
                name: "integer", kind: "integer", standard: .int64(5),
                attributes: ["min": .int32(-10), "max": .byte(10)],
                members: #", "min": -10, "max": 10"#,
                valid: [
                    .of(.byte(1), "1", .int64(1)), .of(.int16(-10), "-10", .int64(-10)),
                    .of(.uint64(10), "10", .int64(10)),
                    .of(.int64(0), "0"),
                ],
                invalid: [
                    .of(.int64(11), "11"), .of(.int64(-11), "-11"), .of(.boolean(true), "true"), .of(.double(1), "1.0"),
                    .of(.string("1"), "\"1\""), .of(.uint64(.max), "18446744073709551615"),
                ] + wrong,
                property: Property(
                    path: "/org/sentinel", interface: events, name: "RetentionDays", kind: "integer",
                    valid: [(.uint32(0), .int64(0)), (.uint32(1), .int64(1)), (.uint32(36_525), .int64(36_525))],
                    invalid: [.uint32(36_526), .int32(-1), .boolean(true), .double(1), .string("1")],
                    invalidPreference: [.int64(36_526), .int64(-1), .boolean(true), .double(1), .string("1")])),
            PreferenceKindSample(
                name: "unbounded integer", kind: "integer", standard: .int64(1), attributes: [:], members: "",
                valid: [
                    .of(.int64(.max), "9223372036854775807"), .of(.int64(.min), "-9223372036854775808"),
                    .of(.int64(0), "0"),
                ],
                invalid: [.of(.double(0), "0.0"), .of(.uint64(1 << 63), "9223372036854775808")] + wrong,
                property: Property(
                    path: "/org/sentinel", interface: events, name: "MaxBytes", kind: "integer",
                    valid: [
                        (.uint64(1 << 20), .int64(1 << 20)), (.uint64(UInt64(Int64.max)), .int64(.max)),
                        (.uint64(0), .int64(0)),
                    ],
                    invalid: [.uint64(5), .uint64(.max), .int32(-1), .boolean(true), .double(0)],
                    invalidPreference: [.int64(5), .uint64(.max), .int64(-1), .boolean(true), .double(0)])),
            PreferenceKindSample(
                name: "double", kind: "double", standard: .double(0.5), attributes: ["min": .int32(0)],
                members: #", "min": 0"#,
                valid: [
                    .of(.double(1.25), "1.25"), .of(.double(0), "0.0"), .of(.double(1e300), "1e300"),
                    .of(.double(0.1 + 0.2), "0.30000000000000004"), .of(.byte(2), "2", .double(2)),
                ],
                invalid: [
                    .of(.double(-0.5), "-0.5"), .of(.boolean(false), "false"), .of(.string("1.5"), "\"1.5\""),
                ] + wrong),
            PreferenceKindSample(
                name: "text", kind: "text", standard: .string("abc"),
                attributes: ["max_length": .uint32(6), "pattern": .string("[a-z\u{E9}\u{301}\u{1F989} ]*")],
                members: #", "max_length": 6, "pattern": "[a-z\u00e9\u0301\ud83e\udd89 ]*""#,
                valid: [
                    .of(.string("xyz"), "\"xyz\""), .of(.string(""), "\"\""), .of(.string("e\u{301}"), #""e\u0301""#),
                    .of(.string("\u{E9}"), "\"\u{E9}\""), .of(.string("\u{1F989} a"), #""\ud83e\udd89 a""#),
                ],
                invalid: [.of(.string("ABC"), "\"ABC\""), .of(.string("abcdefg"), "\"abcdefg\""), .of(.int64(1), "1")]
                    + wrong),
            PreferenceKindSample(
                name: "text choice", kind: "choice", standard: .string("light"),
                attributes: ["choices": choices(.string("light"), .string("dark"))],
                members: #", "choices": [{"value": "light", "title": "Same"}, {"value": "dark", "title": "Same"}]"#,
                valid: [.of(.string("dark"), "\"dark\""), .of(.string("light"), "\"light\"")],
                invalid: [.of(.string("Same"), "\"Same\""), .of(.string(""), "\"\""), .of(.int64(0), "0")] + wrong,
                property: Property(
                    path: "/org/freedesktop/LogControl1", interface: "org.freedesktop.LogControl1", name: "LogLevel",
                    kind: "choice",
                    valid: [(.string("debug"), .string("debug")), (.string("notice"), .string("notice"))],
                    invalid: [.string("loud"), .string(""), .int32(7), .boolean(true)],
                    invalidPreference: [.string("loud"), .string(""), .int64(7), .boolean(true)])),
            PreferenceKindSample(
                name: "integer choice", kind: "choice", standard: .int64(0),
                attributes: ["choices": choices(.int64(0), .int64(1))],
                members: #", "choices": [{"value": 0, "title": "Off"}, {"value": 1, "title": "On"}]"#,
                valid: [.of(.byte(1), "1", .int64(1)), .of(.int64(0), "0")],
                invalid: [.of(.int64(2), "2"), .of(.boolean(true), "true"), .of(.double(1), "1.0")] + wrong),
            PreferenceKindSample(
                name: "double choice", kind: "choice", standard: .double(1),
                attributes: ["choices": choices(.double(1), .double(1.5))],
                members: #", "choices": [{"value": 1.0, "title": "One"}, {"value": 1.5, "title": "More"}]"#,
                valid: [.of(.double(1.5), "1.5"), .of(.double(1), "1.0")],
                invalid: [.of(.double(2), "2.0"), .of(.boolean(true), "true")] + wrong),
            PreferenceKindSample(
                name: "toggle choice", kind: "choice", standard: .boolean(true),
                attributes: ["choices": choices(.boolean(true), .boolean(false))],
                members: #", "choices": [{"value": true, "title": "Yes"}, {"value": false, "title": "No"}]"#,
                valid: [.of(.boolean(false), "false"), .of(.boolean(true), "true")],
                invalid: [.of(.int64(0), "0"), .of(.string("true"), "\"true\"")] + wrong),
        ]
    }
}
