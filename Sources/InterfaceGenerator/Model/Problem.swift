// SPDX-License-Identifier: MIT

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
