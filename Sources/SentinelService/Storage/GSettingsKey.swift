// SPDX-License-Identifier: MIT

import SentinelModels

/// A key of a schema of GSettings, which `gsettings` reads and writes.
///
/// All of it waits for that program: on a thread other than the loop's.
struct GSettingsKey: Hashable, Sendable {
    /// The longest value that is taken, in bytes of its text.
    static let longest = 1 << 20
    /// After so many seconds `gsettings` is ended that does not answer.
    static let timeout = 5

    /// The schema's id, with `:` and a path where it has none of its own.
    let schema: String
    let key: String

    /// The program, which is to say the same in every locale and to tell all characters.
    static func program() throws(SentinelError) -> HelperProgram {
        do throws(SentinelError) {
            return try HelperProgram(
                "gsettings", setting: ["LC_ALL": "C.UTF-8", "LANGUAGE": nil, "CHARSET": nil])
        } catch {
            throw SentinelError(error.code, "\(error.message) (package libglib2.0-bin)")
        }
    }

    /// The value of the key.
    ///
    /// - Parameter example: a value of the type wanted.
    /// - Throws: `unavailable`, for a value of another type too; `notSupported` for one that no preference can have.
    func value(like example: PreferenceValue) throws(SentinelError) -> PreferenceValue {
        let outcome = try run("get")
        guard outcome.status == 0 else { throw failure(outcome) }
        let value: PreferenceValue
        do throws(SentinelError) {
            value = try VariantText.value(of: outcome.output)
        } catch {
            throw SentinelError(error.code, "\(self): \(error.message)")
        }
        guard let fitting = value.converted(toTypeOf: example) else {
            throw SentinelError(.unavailable, "\(self) holds \(value.typeName), not \(example.typeName)")
        }
        return fitting
    }

    /// Writes the value of the key, and gives the one that it has afterwards.
    ///
    /// - Throws: `readOnly`, `invalidValue` where the schema does not allow the value, `unavailable`.
    func set(to value: PreferenceValue) throws(SentinelError) -> PreferenceValue {
        let outcome = try run("set", VariantText.text(of: value))
        guard outcome.status == 0 else {
            // What it complains of is for people: whether the value is at fault has to be found out.
            let writable = try run("writable")
            guard writable.status == 0 else { throw failure(outcome) }
            if !writable.output.starts(with: "true".utf8) {
                throw SentinelError(.readOnly, "\(self) is locked by this machine's administrator")
            }
            throw SentinelError(.invalidValue, "\(self) does not take the value: \(complaint(of: outcome))")
        }
        let kept = try self.value(like: value)
        guard kept == value else {
            // So it is where GSettings has no place to store to, or another has been faster.
            throw SentinelError(
                .unavailable, "\(self) has another value than was written: it is not kept, or was changed")
        }
        return kept
    }

    private func run(_ command: String, _ arguments: String...) throws(SentinelError) -> HelperProgram.Outcome {
        do throws(SentinelError) {
            return try Self.program().run(
                [command, schema, key] + arguments, limit: Self.longest, timeout: Self.timeout)
        } catch {
            throw SentinelError(.unavailable, "\(self): \(error.message)", underlying: error)
        }
    }

    private func failure(_ outcome: HelperProgram.Outcome) -> SentinelError {
        SentinelError(.unavailable, "\(self): \(complaint(of: outcome))")
    }

    private func complaint(of outcome: HelperProgram.Outcome) -> String {
        let text = String(decoding: outcome.errors.prefix { $0 != 0x0A }, as: UTF8.self)
        return text.isEmpty ? "gsettings has failed without a reason" : ShownText.make(text, limit: 300)
    }
}

extension GSettingsKey: CustomStringConvertible {
    var description: String { "GSettings \(schema) \(key)" }
}
