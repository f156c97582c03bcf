// SPDX-License-Identifier: MIT

/// The machine's batteries as the kernel tells them (`/sys/class/power_supply`, `sysfs-class-power`).
struct PowerSupplies {
    private static let directory = "/sys/class/power_supply"
    /// A new or badly measured battery tells a little more than its full charge.
    private static let mostLevel = 110.0
    private static let mostAmount = 1e12

    private let root: SystemRoot

    init(_ root: SystemRoot) {
        self.root = root
    }

    /// The state and the level in percent of all batteries of the machine together, those of mice and the like left
    /// out.
    func battery() -> (state: DeviceFact<BatteryState>, level: DeviceFact<Double>) {
        do throws(SystemRoot.Problem) {
            let batteries = try root.names(in: Self.directory).map { "\(Self.directory)/\($0)" }.filter(isBattery)
            guard !batteries.isEmpty else { return absence(from: Self.directory) }
            return (state(of: batteries), level(of: batteries))
        } catch {
            // A kernel without power supplies has the directory of classes all the same.
            if error.isMissing, root.exists("/sys/class") {
                return absence(from: "/sys/class")
            }
            return (.unknown(error.text), .unknown(error.text))
        }
    }

    private func absence(from source: String) -> (DeviceFact<BatteryState>, DeviceFact<Double>) {
        (.known(.absent, from: source), .unknown("\(source): there is no battery"))
    }

    private func isBattery(_ path: String) -> Bool {
        guard root.word("\(path)/type") == "Battery" else { return false }
        return root.word("\(path)/scope") != "Device" && root.word("\(path)/present") != "0"
    }

    // MARK: State

    private func state(of batteries: [String]) -> DeviceFact<BatteryState> {
        let states = Set(batteries.map { root.word("\($0)/status") })
        let source = Self.directory
        if states.contains("Charging") { return .known(.charging, from: source) }
        if states.contains("Discharging") { return .known(.discharging, from: source) }
        if states == ["Full"] { return .known(.full, from: source) }
        if states.isSubset(of: ["Full", "Not charging"]) {
            return .unknown("\(source): the battery is connected, but neither full nor charging")
        }
        return .unknown("\(source): the state of the battery is not told")
    }

    // MARK: Level

    private func level(of batteries: [String]) -> DeviceFact<Double> {
        var levels: [Double] = []
        for battery in batteries {
            guard let level = level(of: battery) else {
                return .unknown("\(Self.directory): the level of a battery is not told")
            }
            levels.append(level)
        }
        if let level = levels.first, levels.count == 1 {
            return .known(level, from: Self.directory)
        }
        // Batteries of different size count by their energy where all tell it.
        let energies = batteries.compactMap(fullEnergy)
        let weights = energies.count == levels.count ? energies : levels.map { _ in 1 }
        let sum = zip(levels, weights).reduce(0) { $0 + $1.0 * $1.1 }
        let level = sum / weights.reduce(0, +)
        guard level.isFinite else { return .unknown("\(Self.directory): the level of the battery is no number") }
        return .known(min(max(level, 0), 100), from: Self.directory)
    }

    /// The level of one battery in percent, 0 to 100.
    private func level(of battery: String) -> Double? {
        for (now, full) in [("energy_now", "energy_full"), ("charge_now", "charge_full")] {
            guard let now = amount("\(battery)/\(now)"), let full = amount("\(battery)/\(full)"), full > 0 else {
                continue
            }
            let level = now * 100 / full
            if level <= Self.mostLevel {
                return min(level, 100)
            }
        }
        return amount("\(battery)/capacity").flatMap { $0 <= Self.mostLevel ? min($0, 100) : nil }
    }

    /// The energy of one full battery in µWh.
    private func fullEnergy(of battery: String) -> Double? {
        if let energy = amount("\(battery)/energy_full"), energy > 0 {
            return energy
        }
        // µAh times µV.
        guard let charge = amount("\(battery)/charge_full"), charge > 0,
            let voltage = amount("\(battery)/voltage_min_design") ?? amount("\(battery)/voltage_now"), voltage > 0
        else { return nil }
        return charge * voltage / 1_000_000
    }

    private func amount(_ path: String) -> Double? {
        guard let number = root.number(path) else { return nil }
        let amount = Double(number)
        return (0...Self.mostAmount).contains(amount) ? amount : nil
    }
}
