// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPreferences

/// The service's own preferences. Each is one state with something else of the service, which it is read from and
/// written to: they are live, and the service is their provider.
///
/// Confined to the loop's thread.
final class ServicePreferences: PreferenceProvider, @unchecked Sendable {
    /// How the state of a preference is read and written.
    struct Backing {
        /// Tells the value.
        let read: () -> PreferenceValue
        /// Changes the value, which is valid by its declaration, and tells when that is done or why it is not.
        let write: (PreferenceValue, @escaping @Sendable (Result<Void, SentinelError>) -> Void) -> Void
    }

    private let book: PreferenceBook
    private var backings: [Name: Backing] = [:]
    private let log: Log

    init(_ book: PreferenceBook, log: Log) {
        self.book = book
        self.log = log
    }

    /// Declares a preference with what is behind it.
    func add(
        _ key: String, _ name: String, _ defaultValue: PreferenceValue, _ attributes: PreferenceAttributes,
        _ backing: Backing
    ) {
        var attributes = attributes
        attributes.marks.insert(.live)
        do throws(SentinelError) {
            let declaration = try PreferenceDeclaration(
                key: try Name(key, as: "key"), name: name, defaultValue: defaultValue, attributes: attributes)
            backings[declaration.key] = backing
            if book.provider == nil {
                book.setProvider(self)
            }
            book.declare([declaration], origin: ApplicationID.sentinel.text, completion: report)
            changed([key])
        } catch {
            log.error("a preference of the service cannot be declared: \(error)")
        }
    }

    /// Tells that what is behind preferences may have changed.
    func changed(_ keys: [String]) {
        let values = backings.filter { backing in keys.contains { $0 == backing.key.text } }
        book.update(values.mapValues { .some($0.read()) }, completion: report)
    }

    private var report: PreferenceBook.Completion<Void> {
        { [log] result in
            if case .failure(let error) = result {
                log.error("a preference of the service cannot be told: \(error)")
            }
        }
    }

    func read(_ key: Name, completion: @escaping Completion) {
        guard let backing = backings[key] else { return completion(.failure(Self.unknown(key))) }
        completion(.success(backing.read()))
    }

    func write(_ key: Name, _ value: PreferenceValue, completion: @escaping Completion) {
        guard let backing = backings[key] else { return completion(.failure(Self.unknown(key))) }
        backing.write(value) { [self] result in
            completion(result.map { backings[key]?.read() })
        }
    }

    private static func unknown(_ key: Name) -> SentinelError {
        SentinelError(.unknownPreference, "the service has no preference \(key)")
    }
}
