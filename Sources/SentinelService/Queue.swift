// SPDX-License-Identifier: MIT

/// What waits for its turn: added at the end, taken out at the beginning.
///
/// What is taken out is let go of at once. An `ArraySlice` would hold it until it gets another buffer, and so keep
/// alive, perhaps for ever, whatever a closure in it refers to.
struct Queue<Element> {
    /// What was taken out is nil.
    private var places: [Element?] = []
    private var takenCount = 0

    init(_ elements: [Element] = []) {
        places = elements
    }

    var count: Int { places.count - takenCount }

    var isEmpty: Bool { count == 0 }

    /// What waits, in its order.
    var elements: [Element] { places[takenCount...].compactMap(\.self) }

    /// What has waited longest.
    var first: Element? { isEmpty ? nil : places[takenCount] }

    mutating func append(_ element: Element) {
        places.append(element)
    }

    /// Takes out what has waited longest.
    mutating func popFirst() -> Element? {
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
