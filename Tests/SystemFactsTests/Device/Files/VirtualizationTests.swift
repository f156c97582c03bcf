// SPDX-License-Identifier: MIT

import SystemFacts
import Testing
import TestSupport

@Suite("Device virtualisation")
struct VirtualizationTests {
    private static let processor = ["/proc/cpuinfo": "processor : 0\nflags : fpu\n"]
    private static let guest = ["/proc/cpuinfo": "processor : 0\nflags : fpu hypervisor sse\n"]

    @Test(
        "what a system runs in is told in the words of systemd-detect-virt",
        arguments: [
            (processor, [:], "none"),
            (processor, ["/sys/class/dmi/id/sys_vendor": "VMware, Inc."], "vmware"),
            (guest, ["/sys/class/dmi/id/sys_vendor": "innotek GmbH"], "oracle"),
            (
                guest,
                [
                    "/sys/class/dmi/id/product_name": "Virtual Machine",
                    "/sys/class/dmi/id/product_version": "Hyper-V UEFI",
                ], "microsoft"
            ),
            (
                processor,
                ["/sys/class/dmi/id/sys_vendor": "Amazon EC2", "/sys/class/dmi/id/product_name": "m5.metal"], "none"
            ),
            (
                guest, ["/sys/class/dmi/id/sys_vendor": "Amazon EC2", "/sys/class/dmi/id/product_name": "m5.large"],
                "amazon"
            ),
            (guest, ["/sys/class/dmi/id/product_name": "Google Compute Engine"], "google"),
            (guest, ["/sys/hypervisor/type": "xen"], "xen"),
            (guest, [:], "vm-other"),
            (processor, ["/proc/xen/capabilities": "control_d"], "none"),
            (processor, ["/proc/xen/capabilities": ""], "xen"),
            (processor, ["/proc/device-tree/hypervisor/compatible": "linux,kvm\0"], "kvm"),
            (processor, ["/proc/device-tree/hypervisor/compatible": "xen,xen-4.11\0xen,xen\0"], "xen"),
            (["/proc/cpuinfo": "vendor_id : User Mode Linux\n"], [:], "uml"),
            (guest, ["/proc/1/environ": "PATH=/bin\0container=lxc\0"], "lxc"),
            (guest, ["/proc/1/environ": "container=oci\0", "/run/.containerenv": ""], "podman"),
            (guest, ["/proc/1/environ": "xcontainer=lxc\0"], "vm-other"),
            (guest, ["/run/systemd/container": "systemd-nspawn\n"], "systemd-nspawn"),
            (guest, ["/run/host/container-manager": "something"], "container-other"),
            (guest, ["/proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2"], "wsl"),
            (processor, ["/proc/vz/x": "", "/proc/bc/x": ""], "none"), (processor, ["/proc/vz/x": ""], "openvz"),
        ] as [([String: String], [String: String], String)])
    func kinds(base: [String: String], files: [String: String], name: String) throws {
        let fact = try FixtureRoot(base.merging(files) { $1 }).files().facts().virtualization
        #expect(fact.value == name)
    }

    @Test("this machine's answer is that of systemd-detect-virt where the files can tell")
    func agreement() async throws {
        let found = try #require(DeviceFiles().facts().virtualization.value)
        let expected = try await Command.run(["systemd-detect-virt"]).output.trimmingSuffix { $0.isWhitespace }
        if found != "vm-other" {
            #expect(found == expected)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isTrimmed(last) {
            text.removeLast()
        }
        return text
    }
}
