// SPDX-License-Identifier: MIT

/// Finds bytes in others, in time that grows with the sum of their lengths (Knuth, Morris and Pratt).
struct TextSearch {
    private let sought: UnsafeRawBufferPointer
    /// For each length of a beginning of what is sought, how long the longest beginning is that ends it as well.
    private let borders: [Int32]

    /// Looks for bytes, at least one, that stay where they are while this is used.
    init(_ sought: UnsafeRawBufferPointer) {
        self.sought = sought
        var borders = [Int32](repeating: 0, count: sought.count)
        var length = 0
        for index in stride(from: 1, to: sought.count, by: 1) {
            while length > 0, sought[index] != sought[length] {
                length = Int(borders[length - 1])
            }
            if sought[index] == sought[length] {
                length += 1
            }
            borders[index] = Int32(length)
        }
        self.borders = borders
    }

    /// Where the bytes are first found at a place or behind it.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        var length = 0
        for index in stride(from: start, to: bytes.count, by: 1) {
            while length > 0, bytes[index] != sought[length] {
                length = Int(borders[length - 1])
            }
            if bytes[index] == sought[length] {
                length += 1
            }
            if length == sought.count { return index + 1 - length }
        }
        return nil
    }
}
