// SPDX-License-Identifier: MIT

/// A fact, or why it cannot be had.
public typealias Fact<Value> = Result<Value, FactError>

extension Result {
    /// The fact; nil where it cannot be had.
    public var value: Success? {
        switch self {
        case .success(let value): value
        case .failure: nil
        }
    }

    /// Why the fact cannot be had; nil where it is there.
    public var error: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
