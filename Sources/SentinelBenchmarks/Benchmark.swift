// SPDX-License-Identifier: MIT

/// One subject that is measured.
///
/// A new benchmark is a type of its own, listed in ``BenchmarkRegistry``.
protocol Benchmark {
    /// The word on the command line that asks for it.
    var name: String { get }

    /// One line for the usage text.
    var abstract: String { get }

    /// Measures and returns what is to be printed.
    ///
    /// - Throws: ``BenchmarkError`` if there is nothing to measure or a server fails meanwhile. A missed bar is a
    ///   result, no error.
    func run(in context: BenchmarkContext) throws -> BenchmarkReport
}
