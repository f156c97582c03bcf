// SPDX-License-Identifier: MIT

/// A place in an input file.
struct Location: Hashable, Sendable {
    let file: String
    /// Counted from 1; nil where it is not known.
    var line: Int?
}

/// What is wrong with the input; ends the build.
struct Problem: Error, CustomStringConvertible {
    let location: Location
    /// What is wrong and what is allowed.
    let message: String

    init(_ location: Location, _ message: String) {
        self.location = location
        self.message = message
    }

    /// The form that compilers use and that editors and build tools find their way by.
    var description: String {
        let line = location.line.map { ":\($0)" } ?? ""
        return "\(location.file)\(line): error: \(message)"
    }
}

/// What is wrong with one text, by whoever does not know where it stands.
struct Fault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension Location {
    /// Runs `body` and says that what is wrong is wrong here.
    func blamed<Result>(for subject: String, _ body: () throws(Fault) -> Result) throws(Problem) -> Result {
        do {
            return try body()
        } catch {
            throw Problem(self, "\(subject): \(error.message)")
        }
    }
}
