// SPDX-License-Identifier: MIT

/// Figures as people read them.
enum ReportFigures {
    /// A number in groups of three digits with narrow no-break spaces between: `12 345`.
    static func count(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) {
                text += "\u{202F}"
            }
            text.append(digit)
        }
        return text
    }

    /// A number and what is counted: `1 event`, `2 events`.
    static func count(_ number: UInt64, _ singular: String) -> String {
        "\(count(number)) \(singular)\(number == 1 ? "" : "s")"
    }

    /// A number that need not be whole: `8.3`, `12`, `1 234`.
    static func mean(_ number: Double) -> String {
        guard number < 100 else { return count(whole(number)) }
        return decimal(number, places: 1)
    }

    /// A number with at most so many decimals, without zeros at its end.
    static func decimal(_ number: Double, places: Int) -> String {
        let factor = (0..<places).reduce(UInt64(1)) { factor, _ in factor * 10 }
        let scaled = whole(number * Double(factor))
        var decimals = String(scaled % factor + factor).dropFirst()
        while decimals.last == "0" {
            decimals.removeLast()
        }
        let digits = count(scaled / factor)
        return decimals.isEmpty ? digits : "\(digits).\(decimals)"
    }

    /// Seconds as `250 ms`, `4.5 s`, `12 min`, `3 h 12 min`, `1 234 h`.
    static func duration(_ seconds: Double) -> String {
        guard seconds > 0 else { return "0 s" }
        guard seconds >= 0.9995 else { return seconds < 0.001 ? "< 1 ms" : "\(whole(seconds * 1000)) ms" }
        guard seconds >= 59.5 else { return "\(decimal(seconds, places: seconds < 9.95 ? 1 : 0)) s" }
        let minutes = whole(seconds / 60)
        guard seconds >= 599.5 else {
            let seconds = whole(seconds)
            return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
        }
        guard minutes >= 60 else { return "\(minutes) min" }
        guard minutes < 6000 else { return "\(count(whole(seconds / 3600))) h" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Microseconds, as ``duration(_:)`` has seconds.
    static func duration(microseconds: Int64) -> String {
        duration(Double(microseconds) / Double(Zone.second))
    }

    /// A part of a whole: `42%`.
    static func share(_ part: Double, of whole: Double) -> String {
        guard part > 0, whole > 0 else { return "0%" }
        let percent = part / whole * 100
        return percent < 1 ? "<1%" : "\(self.whole(percent))%"
    }

    /// How a number differs from what is usual, in words.
    static func difference(_ number: Double, usual: Double) -> String {
        guard usual > 0 else { return number > 0 ? "none on the days before" : "none, as on the days before" }
        guard number > 0 else { return "none on this day" }
        let ratio = number / usual
        switch ratio {
        case 2.95...: return "\(mean(ratio)) times the mean"
        case 1.005...: return "\(whole((ratio - 1) * 100))% above the mean"
        case ..<0.995: return "\(max(whole((1 - ratio) * 100), 1))% below the mean"
        default: return "as the mean"
        }
    }

    /// The nearest whole number.
    static func whole(_ number: Double) -> UInt64 {
        // A damaged store may tell of more.
        number > 0 ? UInt64(min(number, 1e15).rounded()) : 0
    }

    /// The marks of a scale from 0 to a value or a little more: round numbers, or seconds that make round times.
    static func marks(to most: Double, ofCounts: Bool) -> [Double] {
        let decades = (0..<15).reduce(into: [(1.0)]) { powers, _ in powers.append((powers.last ?? 1) * 10) }
            .flatMap { power in [power, 2 * power, 5 * power] }
        let seconds = [10.0, 30, 60, 120, 300, 600, 900, 1800]
        let steps =
            ofCounts ? decades : decades.map { $0 / 1000 }.filter { $0 < 10 } + seconds + decades.map { $0 * 3600 }
        let step = steps.first { $0 >= most / 4 } ?? most
        return (0...max(1, Int(min((most / step).rounded(.up), 4)))).map { Double($0) * step }
    }
}
