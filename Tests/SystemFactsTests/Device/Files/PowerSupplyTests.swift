// SPDX-License-Identifier: MIT

import SystemFacts
import Testing
import TestSupport

@Suite("Device power supplies")
struct PowerSupplyTests {
    private func facts(_ batteries: [String: [String: String]]) throws -> DeviceFacts {
        let root = try FixtureRoot(["/sys/class/power_supply/AC/type": "Mains\n"])
        for (name, files) in batteries {
            try root.write("/sys/class/power_supply/\(name)/type", "Battery\n")
            for (file, text) in files {
                try root.write("/sys/class/power_supply/\(name)/\(file)", "\(text)\n")
            }
        }
        let facts = root.files().facts()
        expectSound(facts)
        return facts
    }

    @Test(
        "states of one battery",
        arguments: [
            ("Charging", .charging), ("Discharging", .discharging), ("Full", .full), ("Not charging", nil),
            ("Unknown", nil), ("charging", nil), ("", nil), ("\u{1b}", nil),
        ] as [(String, BatteryState?)])
    func states(status: String, state: BatteryState?) throws {
        let facts = try facts(["BAT0": ["status": status, "capacity": "57"]])
        #expect(facts.batteryState.value == state)
        #expect(facts.batteryLevel.value == 57)
    }

    @Test(
        "states of two batteries",
        arguments: [
            ("Charging", "Full", .charging), ("Charging", "Discharging", .charging),
            ("Full", "Discharging", .discharging),
            ("Unknown", "Discharging", .discharging), ("Full", "Full", .full), ("Full", "Unknown", nil),
            ("Full", "Not charging", nil),
        ] as [(String, String, BatteryState?)])
    func pairs(first: String, second: String, state: BatteryState?) throws {
        let battery = ["BAT0": ["status": first, "capacity": "1"], "BAT1": ["status": second, "capacity": "1"]]
        #expect(try facts(battery).batteryState.value == state)
    }

    @Test(
        "levels of one battery",
        arguments: [
            (["energy_now": "57", "energy_full": "100", "capacity": "3"], 57.0),
            (["charge_now": "1500000", "charge_full": "3000000"], 50), (["capacity": "0"], 0),
            (["capacity": "104"], 100),
            (["energy_now": "101", "energy_full": "100"], 100), (["energy_now": "900", "energy_full": "100"], nil),
            (["energy_now": "900", "energy_full": "100", "capacity": "88"], 88),
            (["energy_now": "5", "energy_full": "0"], nil),
            (["capacity": "250"], nil), (["capacity": "-1"], nil), (["capacity": "nan"], nil),
            (["capacity": "inf"], nil),
            (["capacity": "9223372036854775808"], nil), ([:], nil),
        ] as [([String: String], Double?)])
    func levels(files: [String: String], level: Double?) throws {
        #expect(try facts(["BAT0": files]).batteryLevel.value == level)
    }

    @Test("charges are weighed by their voltage, else every battery counts the same")
    func weights() throws {
        let large = ["charge_now": "0", "charge_full": "3000000", "voltage_min_design": "12000000"]
        let small = ["charge_now": "1000000", "charge_full": "1000000", "voltage_min_design": "12000000"]
        #expect(try facts(["BAT0": large, "BAT1": small]).batteryLevel.value == 25)
        #expect(try facts(["BAT0": large, "BAT1": ["capacity": "100"]]).batteryLevel.value == 50)
        // A part is not the whole.
        #expect(try facts(["BAT0": large, "BAT1": ["status": "Full"]]).batteryLevel.value == nil)
    }

    @Test("a bay without a battery and a mouse's battery are none of the machine's")
    func others() throws {
        let facts = try facts([
            "BAT0": ["present": "0", "capacity": "5"], "mouse": ["scope": "Device", "capacity": "5"],
        ])
        #expect(facts.batteryState.value == .absent)
        #expect(facts.batteryLevel.value == nil)
        #expect(facts.batteryLevel.reason?.contains("no battery") == true)
    }

    @Test("57 percent is shown as 57, and stays what it is")
    func rounding() throws {
        let facts = try facts(["BAT0": ["energy_now": "5699999999", "energy_full": "10000000000"]])
        #expect(facts.batteryLevel.value == 5_699_999_999.0 * 100 / 10_000_000_000)
        #expect(facts.roundedBatteryLevel == 57)
    }
}
