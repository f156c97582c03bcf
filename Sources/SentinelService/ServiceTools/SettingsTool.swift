// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPreferences

/// The service's tool `settings`: its preferences, to look at and to change.
///
/// Confined to the loop's thread.
final class SettingsTool: ServiceTool {
    static let id = "settings"

    let entry = ToolEntry(
        id: SettingsTool.id, name: "Settings", kind: "defaults",
        attributes: ["description": .string("The preferences of the service itself.")])

    private let book: PreferenceBook

    init(_ book: PreferenceBook) {
        self.book = book
    }

    func content(completion: @escaping @Sendable (Result<[Section], SentinelError>) -> Void) {
        book.list { result in
            completion(
                result.map { listings in
                    [Section("preferences", "Preferences", listings.map { Item($0) })]
                })
        }
    }

    func set(_ item: String, to value: Value, reply: Reply<Value>) throws(SentinelError) {
        let key: Name
        do throws(SentinelError) {
            key = try Name(item, as: "item")
        } catch {
            throw SentinelError(.unknownItem, "the tool settings has no such item: \(error.message)")
        }
        book.set(key, to: value.preference, origin: ApplicationID.sentinel.text) { result in
            reply.attempt {
                do {
                    reply(Value(try result.get()))
                } catch let error as SentinelError where error.code == .unknownPreference {
                    throw SentinelError(.unknownItem, error.message, underlying: error)
                }
            }
        }
    }
}

extension Item {
    /// A preference as an item of a screen.
    fileprivate init(_ listing: PreferenceListing) {
        let declaration = listing.declaration
        var attributes: [Key: Value] = [:]
        attributes["description"] = declaration.attributes.description.map(Value.string)
        attributes["writable"] = declaration.isMarked(.readOnly) ? nil : .boolean(true)
        attributes["modified"] = listing.isModified ? .boolean(true) : nil
        attributes["min"] = declaration.attributes.minimum.map { Value($0) }
        attributes["max"] = declaration.attributes.maximum.map { Value($0) }
        attributes["max_length"] = declaration.attributes.maximumLength.map(Value.uint32)
        attributes["choices"] = declaration.attributes.choices.flatMap(Value.choices)
        self.init(
            id: declaration.key.text, kind: declaration.kind.rawValue, title: declaration.name,
            value: Value(listing.value), attributes: attributes)
    }
}
