// SPDX-License-Identifier: MIT

/// Objects that are made known by whoever holds them: the children of one path.
///
/// All is called on the loop's thread.
public protocol ObjectSubtree: AnyObject {
    /// The last path elements of the children, in a stable order.
    var childNames: [String] { get }

    /// The child with that last path element; nil if there is none.
    func object(named name: String) -> ExportedObject?
}
