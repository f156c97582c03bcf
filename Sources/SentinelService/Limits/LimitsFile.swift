// SPDX-License-Identifier: MIT

import SentinelModels
import SystemFacts

/// The limits as the user's file `limits.json` sets them: one JSON object with the names of limits. What is wrong in it
/// changes nothing, and is told.
struct LimitsFile: Sendable {
    private static let largest = 64 << 10

    /// The limits.
    private(set) var values = ServiceLimits.standard
    /// What is wrong with the file, for people.
    private(set) var findings: [String] = []

    /// Reads the user's file; to have none is normal.
    init(environment: (String) -> String?) {
        if let directory = DataDirectory.configuration(environment: environment) {
            read("\(directory)/limits.json")
        }
    }

    /// Reads a file.
    init(path: String) {
        read(path)
    }

    private mutating func read(_ path: String) {
        do throws(FactError) {
            take(try SmallFile.read(path, limit: Self.largest), from: path)
        } catch {
            if error.code != .absent {
                findings = ["\(path): \(error.message)"]
            }
        }
    }

    private mutating func take(_ bytes: [UInt8], from path: String) {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            findings = ["\(path): line \(error.line): \(error.reason); the standard limits hold"]
            return
        }
        guard case .object(let members) = json else {
            findings = ["\(path): expected an object; the standard limits hold"]
            return
        }
        for (name, value) in members {
            if let problem = take(value, as: name) {
                findings.append("\(path): \(ShownText.make(name, limit: 255)): \(problem)")
            }
        }
    }

    /// - Returns: what is wrong; nil where nothing is.
    private mutating func take(_ value: JSONValue, as name: String) -> String? {
        guard let limit = ServiceLimits.all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return "no limit of this name is known"
        }
        guard case .integer(let number) = value, let count = Int(exactly: number), limit.range.contains(count) else {
            return "expected a whole number from \(limit.range.lowerBound) to \(limit.range.upperBound); "
                + "\(limit.standard) holds"
        }
        values[keyPath: limit.place] = count
        return nil
    }
}
