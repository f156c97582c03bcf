// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension PreferenceAttributes {
    /// Reads the attributes of a declaration; unknown keys are ignored.
    ///
    /// - Throws: `DBusError` with code `invalidArgs` for a known key with a value of a wrong type.
    init(options: [Key: Value]) throws(DBusError) {
        self.init()
        section = try options.option("section")
        description = try options.option("description")
        minimum = try Self.value("min", in: options)
        maximum = try Self.value("max", in: options)
        minimumLength = try options.option("min_length")
        maximumLength = try options.option("max_length")
        pattern = try options.option("pattern")
        choices = try Self.choices(in: options)
        for (mark, name) in Marks.names where try options.option(Key(name), as: Bool.self) == true {
            marks.insert(mark)
        }
    }

    /// The attributes as they are listed.
    var options: [Key: Value] {
        var options: [Key: Value] = [:]
        options["section"] = section.map(Value.string)
        options["description"] = description.map(Value.string)
        options.add("min", minimum)
        options.add("max", maximum)
        options["min_length"] = minimumLength.map(Value.uint32)
        options["max_length"] = maximumLength.map(Value.uint32)
        options["pattern"] = pattern.map(Value.string)
        options["choices"] = choices.flatMap(Value.choices)
        for (mark, name) in Marks.names where marks.contains(mark) {
            options[Key(name)] = .boolean(true)
        }
        return options
    }

    private static func value(_ key: Key, in options: [Key: Value]) throws(DBusError) -> PreferenceValue? {
        guard let given = options[key] else { return nil }
        guard let value = given.preference else {
            throw DBusError(
                .invalidArgs,
                "option \(key): expected a finite number, or a whole one of 64 bits with a sign, got a value of type "
                    + "\(given.unwrapped.type) that does not fit")
        }
        return value
    }

    private static func choices(in options: [Key: Value]) throws(DBusError) -> [PreferenceChoice]? {
        guard let given = options["choices"] else { return nil }
        let wanted = "option choices: expected an array of value and title, a(vs)"
        guard case .array(let array) = given.unwrapped else { throw DBusError(.invalidArgs, wanted) }
        var choices: [PreferenceChoice] = []
        for element in array.elements {
            guard case .structure(let fields) = element.unwrapped, fields.count == 2,
                case .string(let title) = fields[1].unwrapped
            else { throw DBusError(.invalidArgs, wanted) }
            guard let value = fields[0].preference else {
                throw DBusError(
                    .invalidArgs, "option choices: a value is \(PreferenceValue.expectation)")
            }
            choices.append(PreferenceChoice(value, title: title))
        }
        return choices
    }
}
