// SPDX-License-Identifier: MIT

@testable import SystemFacts
import Foundation
import SentinelModels
import Testing
import TestSupport

@Suite("Device files")
struct DeviceFilesTests {
    @Test("a desktop tells what it is, and placeholders of its firmware count as unknown")
    func desktop() throws {
        let root = try FixtureRoot(FixtureRoot.desktop)
        let facts = root.files(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8", "XDG_CURRENT_DESKTOP": "KDE"])
            .facts()
        expectSound(facts)
        #expect(facts.name.value == "workbench")
        #expect(facts.name.source == "/etc/hostname")
        #expect(facts.model.value == nil)
        #expect(facts.vendor.value == nil)
        #expect(facts.vendor.reason?.contains("placeholder") == true)
        #expect(facts.chassis.value == "desktop")
        #expect(facts.systemVersion.value == "Debian GNU/Linux 12 (bookworm)")
        #expect(facts.kernel.value == "6.1.0-18-amd64")
        #expect(facts.architecture.value == "x86_64")
        #expect(facts.processor.value == "AMD Ryzen 5 5600X 6-Core Processor")
        #expect(facts.processorCount.value == 12)
        #expect(facts.memoryTotal.value == 33_554_432_000)
        #expect(facts.memoryAvailable.value == 20_480_000_000)
        #expect(facts.batteryState.value == .absent)
        #expect(facts.batteryLevel.value == nil)
        #expect(facts.proximity.value == nil)
        #expect(facts.locale.value == "en_GB.UTF-8")
        #expect(facts.locale.source == "LC_MESSAGES")
        #expect(facts.timeZone.value == "Europe/Berlin")
        #expect(facts.sessionType.value == nil)
        #expect(facts.desktop.value == "KDE")
        #expect(facts.bootTime.value?.microseconds == 1_700_000_000_000_000)
        #expect(facts.virtualization.value == "none")
        #expect(facts.firmware.value == "American Megatrends Inc. F14 01/17/2022")
        #expect(facts.displays.value == ["DP-1"])
    }

    @Test("two batteries count as one by their energy, and the pretty host name comes first")
    func laptop() throws {
        let facts = try FixtureRoot(FixtureRoot.laptop).files().facts()
        expectSound(facts)
        #expect(facts.name.value == "Käthe's \"travel\" laptop")
        #expect(facts.model.value == "20F6CTO1WW")
        #expect(facts.vendor.value == "LENOVO")
        #expect(facts.chassis.value == "laptop")
        #expect(facts.systemVersion.value == "Fedora 39 (Workstation)")
        #expect(facts.processorCount.value == 3)
        #expect(facts.batteryState.value == .discharging)
        #expect(facts.batteryLevel.value == 43.75)
        #expect(facts.roundedBatteryLevel == 44)
        #expect(facts.timeZone.value == "America/Argentina/Buenos_Aires")
        #expect(facts.identifier.value == nil)
        #expect(facts.locale.value == nil)
    }

    @Test("a container without firmware says so")
    func container() throws {
        let facts = try FixtureRoot(FixtureRoot.container).files().facts()
        expectSound(facts)
        #expect(facts.virtualization.value == "docker")
        #expect(facts.chassis.value == "container")
        #expect(facts.model.value == nil)
        #expect(facts.vendor.value == nil)
        #expect(facts.firmware.value == nil)
        #expect(facts.identifier.value == nil)
        #expect(facts.batteryState.value == .absent)
        #expect(facts.timeZone.value == "UTC")
        #expect(facts.name.value == "3f2a9c")
    }

    @Test("an ARM board has its model from the device tree, and no start time before its clock was set")
    func board() throws {
        let facts = try FixtureRoot(FixtureRoot.board).files().facts()
        expectSound(facts)
        #expect(facts.model.value == "Raspberry Pi 4 Model B Rev 1.4")
        #expect(facts.model.source == "/proc/device-tree/model")
        #expect(facts.vendor.value == nil)
        #expect(facts.chassis.value == "embedded")
        #expect(facts.processor.value == "ARM Cortex-A53 + ARM Cortex-A72")
        #expect(facts.processorCount.value == 3)
        #expect(facts.bootTime.value == nil)
        #expect(facts.virtualization.value == "none")
    }

    @Test("a virtual machine is one, whatever its chassis says")
    func virtualMachine() throws {
        let facts = try FixtureRoot(FixtureRoot.virtualMachine).files().facts()
        expectSound(facts)
        #expect(facts.virtualization.value == "kvm")
        #expect(facts.chassis.value == "vm")
        #expect(facts.vendor.value == "QEMU")
        #expect(facts.batteryState.value == .absent)
    }

    @Test("without any file everything has its reason")
    func nothing() throws {
        let kernel = KernelIdentity(release: "", version: "", machine: "")
        let facts = try FixtureRoot().files(kernel: kernel).facts()
        expectSound(facts)
        #expect(facts.batteryState.value == nil)
        #expect(facts.virtualization.value == nil)
        #expect(facts.chassis.value == nil)
        #expect(facts.kernel.value == nil)
        #expect(facts.timeZone.value == "UTC")
    }

    @Test("this machine's own files are read")
    func thisMachine() throws {
        let facts = DeviceFiles().facts()
        expectSound(facts)
        #expect(facts.name.value != nil)
        #expect(facts.kernel.value != nil)
        #expect(facts.memoryTotal.value ?? 0 > 1 << 20)
        #expect(facts.processorCount.value ?? 0 >= 1)
        #expect(facts.bootTime.value ?? .latest < WallClock.system.now())
    }

    @Test("a FIFO or a directory in a file's place keeps nobody waiting", .timeLimit(.minutes(5)))
    func noFile() throws {
        let root = try FixtureRoot(FixtureRoot.desktop)
        for path in ["/etc/hostname", "/proc/meminfo", "/sys/class/dmi/id/chassis_type"] {
            try root.remove(path)
            #expect(mkfifo(root.path + path, 0o600) == 0)
        }
        try root.remove("/proc/stat")
        try root.write("/proc/stat/file", "")
        let facts = root.files().facts()
        expectSound(facts)
        #expect(facts.name.value == nil)
        #expect(facts.name.reason?.contains("not a regular file") == true)
        #expect(facts.bootTime.value == nil)
    }

    @Test(
        "chassis types are named as hostnamed names them",
        arguments: [
            ("3", "desktop"), ("4", "desktop"), ("7", "desktop"), ("13", "desktop"), ("8", "laptop"), ("9", "laptop"),
            ("10", "laptop"), ("14", "laptop"), ("11", "handset"), ("17", "server"), ("28", "server"),
            ("30", "tablet"), ("31", "convertible"), ("32", "convertible"), ("34", "embedded"), ("1", nil), ("2", nil),
            ("99999999999999999999", nil), ("laptop", nil), ("-3", nil),
        ] as [(String, String?)])
    func chassis(type: String, name: String?) throws {
        let root = try FixtureRoot(["/sys/class/dmi/id/chassis_type": type, "/proc/cpuinfo": "processor : 0"])
        #expect(root.files().facts().chassis.value == name)
    }

    @Test("the form that machine-info gives comes first, the profile of ACPI after the chassis")
    func chassisOrder() throws {
        let root = try FixtureRoot([
            "/sys/class/dmi/id/chassis_type": "2", "/sys/firmware/acpi/pm_profile": "2", "/proc/cpuinfo": "x : y",
        ])
        #expect(root.files().facts().chassis.value == "laptop")
        try root.write("/etc/machine-info", "CHASSIS=tablet\n")
        #expect(root.files().facts().chassis.value == "tablet")
        try root.write("/etc/machine-info", "CHASSIS=toaster\n")
        #expect(root.files().facts().chassis.value == "laptop")
    }

    @Test(
        "lists of processors are counted",
        arguments: [
            ("0", 1), ("0-3", 4), ("0-3,5,7-8", 7), ("", nil), ("3-0", nil), ("0-", nil), ("-3", nil), ("0-1-2", nil),
            ("0-4294967295", nil), ("0-65535,0-65535", nil), ("a", nil), ("0,,1", nil),
        ] as [(String, UInt32?)])
    func processorList(list: String, count: UInt32?) {
        #expect(DeviceFiles.count(inList: list) == count)
    }

    @Test(
        "the forms of /proc/cpuinfo are known",
        arguments: [
            (
                "processor : 0\nmodel name : ARMv7 Processor rev 3 (v7l)\nHardware : BCM2711",
                "ARMv7 Processor rev 3 (v7l)"
            ),
            (
                "Processor : ARMv6-compatible processor rev 7 (v6l)\nBogoMIPS : 7",
                "ARMv6-compatible processor rev 7 (v6l)"
            ),
            ("processor : 0\ncpu : POWER9, altivec supported", "POWER9, altivec supported"),
            ("processor : 0\nhart : 1\nisa : rv64\nuarch : sifive,u74-mc", "sifive,u74-mc"),
            ("system type : x\nprocessor : 0\ncpu model : MIPS 24Kc V7.4", "MIPS 24Kc V7.4"),
            (
                "CPU implementer : 0x61\nCPU part : 0x022\nCPU implementer : 0x61\nCPU part : 0x023",
                "Apple Icestorm + Apple Firestorm"
            ),
            ("CPU implementer : 0x41\nCPU part : 0xfff", nil),
            ("CPU part : 0xd08", nil),
            ("model name : unknown", nil),
            ("nothing", nil),
        ] as [(String, String?)])
    func processor(text: String, name: String?) throws {
        #expect(try FixtureRoot(["/proc/cpuinfo": text]).files().facts().processor.value == name)
    }

    @Test(
        "placeholders are told from facts",
        arguments: [
            ("To Be Filled By O.E.M.", true), ("to be filled by O.E.M", true), ("Default string", true), ("0", true),
            ("00000000", true), ("xxxx", true), ("...", true), ("N/A", true), ("System manufacturer", true),
            ("Not Specified", true), ("INVALID", true), ("LENOVO", false), ("X1", false), ("Nona", false),
            ("OEMaster", false),
        ])
    func placeholder(text: String, isPlaceholder: Bool) {
        #expect(FactText.isPlaceholder(text) == isPlaceholder)
    }

    @Test(
        "text that cannot be shown is no fact",
        arguments: ["", "   ", "a\u{1b}[31m", "a\u{202e}b", "a\u{2028}b", "a\u{7f}", "\u{fffd}", "a\rb"])
    func unfit(text: String) {
        #expect(FactText.fact(text, from: "x").value == nil)
    }

    @Test("text is cut of its blanks and has a longest form")
    func fit() {
        #expect(FactText.fact(" ThinkPad \r\n", from: "x").value == "ThinkPad")
        #expect(FactText.fact(String(repeating: "a", count: 1024), from: "x").value != nil)
        #expect(FactText.fact(String(repeating: "a", count: 1025), from: "x").value == nil)
    }

    @Test("assignments are read as a shell reads them")
    func assignments() {
        let values = ShellAssignments(
            """
            # A=comment
            A='it is $HOME \\n'
            B="say \\"hi\\" for \\$5 \\n"
            C=plain\\ text
            D=
            E=first
            E=last
            =F
            broken
              G="indented"\r
            """)
        #expect(values["A"] == "it is $HOME \\n")
        #expect(values["B"] == "say \"hi\" for $5 \\n")
        #expect(values["C"] == "plain text")
        #expect(values["D"] == nil)
        #expect(values["E"] == "last")
        #expect(values["G"] == "indented")
        #expect(values["broken"] == nil)
    }
}
