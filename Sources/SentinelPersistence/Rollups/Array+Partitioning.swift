// SPDX-License-Identifier: MIT

extension Array {
    /// Where the elements begin that fit, given that all of them come after all that do not.
    func partitioningIndex(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
