// SPDX-License-Identifier: MIT

/// Finds out what the system runs in, from files alone and in the words of `systemd-detect-virt(1)`.
///
/// It looks where `systemd-detect-virt` looks, in the same order. That one can also ask the processor (`CPUID`): where
/// the files tell only that there is a hypervisor, the answer here is `vm-other`.
struct VirtualizationProbe {
    private static let firmware = "/sys/class/dmi/id"
    private static let processors = "/proc/cpuinfo"
    private static let clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource"

    private static let containers: Set<String> = [
        "container-other", "docker", "lxc", "lxc-libvirt", "openvz", "podman", "pouch", "proot", "rkt",
        "systemd-nspawn", "wsl",
    ]

    private let root: SystemRoot

    init(_ root: SystemRoot) {
        self.root = root
    }

    /// The form of machine that a kind of virtualisation stands for; nil for none.
    static func chassis(_ virtualization: String) -> String? {
        guard virtualization != "none" else { return nil }
        return containers.contains(virtualization) ? "container" : "vm"
    }

    /// The container or, outside of one, the virtual machine; `none` for bare metal.
    func virtualization() -> DeviceFact<String> {
        if let (name, source) = container() ?? machine() {
            return .known(name, from: source)
        }
        do throws(SystemRoot.Problem) {
            _ = try root.read(Self.processors, limit: 1)
            return .known("none", from: Self.processors)
        } catch {
            // Without the files nothing can be said.
            return .unknown(error.text)
        }
    }

    // MARK: Containers

    private func container() -> (name: String, source: String)? {
        if root.exists("/proc/vz"), !root.exists("/proc/bc") {
            return ("openvz", "/proc/vz")
        }
        let release = "/proc/sys/kernel/osrelease"
        if let kernel = root.word(release), kernel.hasPart("Microsoft") || kernel.hasPart("WSL") {
            return ("wsl", release)
        }
        for path in ["/run/host/container-manager", "/run/systemd/container"] {
            if let name = root.word(path) {
                return named(name, path)
            }
        }
        if let name = variableOfFirstProcess() {
            return named(name, "/proc/1/environ")
        }
        return wellKnownFile()
    }

    /// The container that a manager's name stands for.
    private func named(_ name: String, _ source: String) -> (name: String, source: String)? {
        // Images say "oci", whoever runs them.
        if name == "oci" {
            return wellKnownFile() ?? ("container-other", source)
        }
        return (Self.containers.contains(name) ? name : "container-other", source)
    }

    private func wellKnownFile() -> (name: String, source: String)? {
        for (path, name) in [("/run/.containerenv", "podman"), ("/.dockerenv", "docker")] where root.exists(path) {
            return (name, path)
        }
        return nil
    }

    private func variableOfFirstProcess() -> String? {
        do throws(SystemRoot.Problem) {
            let variables = try root.read("/proc/1/environ", limit: 128 << 10).utf8.split(separator: 0)
            let prefix = "container=".utf8
            guard let variable = variables.first(where: { $0.starts(with: prefix) }) else { return nil }
            let name = String(Substring(variable.dropFirst(prefix.count)))
            return name.isEmpty ? nil : name
        } catch {
            // Most users may not read it.
            return nil
        }
    }

    // MARK: Virtual machines

    private func machine() -> (name: String, source: String)? {
        let firmware = firmwareMachine()
        // These are told by their firmware though the processor says KVM or Hyper-V.
        if let firmware, ["amazon", "google", "oracle", "parallels", "xen"].contains(firmware.name) {
            return firmware
        }
        let processor = processorLines()
        if processor.vendor == "User Mode Linux" {
            return ("uml", Self.processors)
        }
        if root.exists("/proc/xen") {
            let controls = root.word("/proc/xen/capabilities")?.hasPart("control_d") ?? false
            return controls ? nil : ("xen", "/proc/xen")
        }
        if processor.hasHypervisor {
            return clockMachine() ?? firmware ?? sysfsMachine() ?? ("vm-other", Self.processors)
        }
        return firmware ?? sysfsMachine() ?? deviceTreeMachine()
    }

    /// What the vendors of DMI stand for, in the order of `systemd-detect-virt`.
    private func firmwareMachine() -> (name: String, source: String)? {
        let vendors = [
            ("KVM", "kvm"), ("OpenStack", "kvm"), ("KubeVirt", "kvm"), ("Amazon EC2", "amazon"), ("QEMU", "qemu"),
            ("VMware", "vmware"), ("VMW", "vmware"), ("innotek GmbH", "oracle"), ("VirtualBox", "oracle"),
            ("Oracle Corporation", "oracle"), ("Xen", "xen"), ("Bochs", "bochs"), ("Parallels", "parallels"),
            ("BHYVE", "bhyve"), ("Hyper-V", "microsoft"), ("Apple Virtualization", "apple"),
            ("Google Compute Engine", "google"),
        ]
        for field in ["product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version"] {
            let path = "\(Self.firmware)/\(field)"
            guard let text = root.word(path) else { continue }
            for (vendor, name) in vendors where text.utf8.starts(with: vendor.utf8) {
                // Amazon lets whole machines too.
                if name == "amazon", root.word("\(Self.firmware)/product_name")?.hasPart(".metal") == true {
                    return nil
                }
                return (name, path)
            }
        }
        return nil
    }

    private func processorLines() -> (vendor: String?, hasHypervisor: Bool) {
        do throws(SystemRoot.Problem) {
            var vendor: String?
            for line in FactText.lines(try root.read(Self.processors, limit: 16 << 10)) {
                guard let (key, value) = FactText.pair(line) else { continue }
                if key == "vendor_id" {
                    vendor = String(value)
                } else if key == "flags" {
                    let flags = value.utf8.split(separator: UInt8(ascii: " "))
                    return (vendor, flags.contains { $0.elementsEqual("hypervisor".utf8) })
                }
            }
            return (vendor, false)
        } catch {
            return (nil, false)
        }
    }

    /// The hypervisor whose clock the kernel has found.
    private func clockMachine() -> (name: String, source: String)? {
        let clocks = root.word(Self.clocks)?.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) } ?? []
        if clocks.contains("kvm-clock") { return ("kvm", Self.clocks) }
        if clocks.contains(where: { $0.utf8.starts(with: "hyperv_".utf8) }) { return ("microsoft", Self.clocks) }
        return nil
    }

    private func sysfsMachine() -> (name: String, source: String)? {
        let path = "/sys/hypervisor/type"
        return root.word(path).map { ($0 == "xen" ? "xen" : "vm-other", path) }
    }

    private func deviceTreeMachine() -> (name: String, source: String)? {
        let path = "/proc/device-tree/hypervisor/compatible"
        guard let text = root.word(path) else { return nil }
        if text == "linux,kvm" { return ("kvm", path) }
        if text.hasPart("xen") { return ("xen", path) }
        return (text.hasPart("vmware") ? "vmware" : "vm-other", path)
    }
}
