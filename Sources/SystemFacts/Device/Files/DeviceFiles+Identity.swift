// SPDX-License-Identifier: MIT

/// Who the machine is.
extension DeviceFiles {
    private static let machineInfo = "/etc/machine-info"
    private static let firmwareDirectory = "/sys/class/dmi/id"
    private static let deviceTree = "/proc/device-tree"

    /// The pretty host name, else the kernel's host name where it has been set, else that of `/etc/hostname`.
    func name() -> DeviceFact<String> {
        machineInfoFact("PRETTY_HOSTNAME").orElse(currentHostName()).orElse(staticHostName())
    }

    private func currentHostName() -> DeviceFact<String> {
        // What the kernel begins with, before anybody has set a name.
        root.line("/proc/sys/kernel/hostname").map(
            { $0 == "(none)" || $0 == "localhost" ? nil : $0 }, otherwise: "not set")
    }

    private func staticHostName() -> DeviceFact<String> {
        let path = "/etc/hostname"
        do throws(SystemRoot.Problem) {
            // hostname(5): lines that begin with # are comments.
            let line = FactText.lines(try root.read(path)).map { FactText.trim($0) }
                .first { !$0.isEmpty && $0.utf8.first != UInt8(ascii: "#") }
            return FactText.fact(String(line ?? ""), from: path)
        } catch {
            return .unknown(error.text)
        }
    }

    /// The model: what `machine-info(5)` says, else DMI's product, else the device tree's model.
    func model() -> DeviceFact<String> {
        machineInfoFact("HARDWARE_MODEL").orElse(root.firmwareLine("\(Self.firmwareDirectory)/product_name"))
            .orElse(root.firmwareLine("\(Self.deviceTree)/model"))
    }

    /// The maker: what `machine-info(5)` says, else DMI's system vendor. The device tree has none but in its model.
    func vendor() -> DeviceFact<String> {
        machineInfoFact("HARDWARE_VENDOR").orElse(root.firmwareLine("\(Self.firmwareDirectory)/sys_vendor"))
    }

    /// The firmware's vendor, version and date, those of them that are known.
    func firmware() -> DeviceFact<String> {
        let fields = ["bios_vendor", "bios_version", "bios_date"].map {
            root.firmwareLine("\(Self.firmwareDirectory)/\($0)")
        }
        let known = fields.compactMap(\.value)
        guard !known.isEmpty else { return .unknown(fields.compactMap(\.reason).joined(separator: "; ")) }
        return FactText.fact(known.joined(separator: " "), from: Self.firmwareDirectory)
    }

    /// The operating system: `PRETTY_NAME` of `os-release(5)`, else its name and version.
    func systemVersion() -> DeviceFact<String> {
        systemVersion(in: "/etc/os-release").orElse(systemVersion(in: "/usr/lib/os-release"))
    }

    private func systemVersion(in path: String) -> DeviceFact<String> {
        assignments(in: path) { release in
            if let name = release["PRETTY_NAME"] {
                return FactText.fact(name, from: path)
            }
            guard let name = release["NAME"] else { return .unknown("\(path): neither PRETTY_NAME nor NAME") }
            let version = release["VERSION"] ?? release["VERSION_ID"]
            return FactText.fact(version.map { "\(name) \($0)" } ?? name, from: path)
        }
    }

    private func machineInfoFact(_ variable: String) -> DeviceFact<String> {
        assignments(in: Self.machineInfo) { info in
            guard let value = info[variable] else { return .unknown("\(Self.machineInfo): no \(variable)") }
            return FactText.fact(value, from: Self.machineInfo)
        }
    }

    private func assignments(
        in path: String, _ body: (ShellAssignments) -> DeviceFact<String>
    ) -> DeviceFact<String> {
        do throws(SystemRoot.Problem) {
            return body(ShellAssignments(try root.read(path, limit: 64 << 10)))
        } catch {
            return .unknown(error.text)
        }
    }
}

// MARK: - Chassis

extension DeviceFiles {
    /// The machine's form, found as `systemd-hostnamed` finds it: what `machine-info(5)` says, else a virtual machine
    /// or container, else the chassis of DMI, the profile of ACPI, the device tree.
    func chassis(_ virtualization: DeviceFact<String>) -> DeviceFact<String> {
        machineInfoFact("CHASSIS").map({ Self.isChassis($0) ? $0 : nil }, otherwise: "no form that is known")
            .orElse(virtualization.map(VirtualizationProbe.chassis, otherwise: "not virtual"))
            .orElse(code("\(Self.firmwareDirectory)/chassis_type", Self.chassis(type:)))
            .orElse(code("/sys/firmware/acpi/pm_profile", Self.chassis(profile:)))
            .orElse(
                root.line("\(Self.deviceTree)/chassis-type")
                    .map({ Self.isChassis($0) ? $0 : nil }, otherwise: "no form that is known"))
    }

    /// Whether a word is a form of machine in `hostnamed`'s words.
    static func isChassis(_ word: String) -> Bool {
        [
            "container", "convertible", "desktop", "embedded", "handset", "laptop", "server", "tablet", "vm", "watch",
        ].contains(word)
    }

    private func code(_ path: String, _ name: (Int) -> String?) -> DeviceFact<String> {
        root.line(path).map({ Int($0).flatMap(name) }, otherwise: "no form that is known")
    }

    /// The form that a chassis type stands for (SMBIOS Reference Specification, "System Enclosure or Chassis Types").
    static func chassis(type: Int) -> String? {
        switch type {
        case 0x03, 0x04, 0x06, 0x07, 0x0d, 0x23, 0x24: "desktop"
        case 0x08, 0x09, 0x0a, 0x0e: "laptop"
        case 0x0b: "handset"
        case 0x11, 0x1c, 0x1d: "server"
        case 0x1e: "tablet"
        case 0x1f, 0x20: "convertible"
        case 0x21, 0x22: "embedded"
        default: nil
        }
    }

    /// The form that a preferred power management profile stands for (ACPI Specification, "Fixed ACPI Description
    /// Table").
    static func chassis(profile: Int) -> String? {
        switch profile {
        case 1, 3, 6: "desktop"
        case 2: "laptop"
        case 4, 5, 7: "server"
        case 8: "tablet"
        default: nil
        }
    }
}
