// SPDX-License-Identifier: MIT

/// What waits for its turn: added at the end, taken out at the beginning.
///
/// What is taken out is let go of at once. An `ArraySlice` would hold it until it gets another buffer, and so keep
/// alive, perhaps for ever, whatever a closure in it refers to.
///
/// Inlinable, so that its users in other modules get code for their own kind of element.
package struct Queue<Element> {
    /// What was taken out is nil.
    @usableFromInline var places: [Element?] = []
    @usableFromInline var takenCount = 0

    @inlinable
    package init(_ elements: [Element] = []) {
        places = elements
    }

    @inlinable package var count: Int { places.count - takenCount }

    @inlinable package var isEmpty: Bool { count == 0 }

    /// What waits, in its order.
    @inlinable package var elements: [Element] { places[takenCount...].compactMap(\.self) }

    /// What has waited longest.
    @inlinable package var first: Element? { isEmpty ? nil : places[takenCount] }

    @inlinable
    package mutating func append(_ element: Element) {
        places.append(element)
    }

    /// Takes out what has waited longest.
    @inlinable
    package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        places[takenCount] = nil
        takenCount += 1
        if isEmpty {
            places = []
            takenCount = 0
        } else if takenCount >= 1024, takenCount * 2 >= places.count {
            places.removeFirst(takenCount)
            takenCount = 0
        }
        return first
    }
}

extension Queue: Sendable where Element: Sendable {}
