// SPDX-License-Identifier: MIT

/// A place in an input file.
struct Location: Hashable, Sendable {
    let file: String
    /// Counted from 1; nil where it is not known.
    var line: Int?
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
