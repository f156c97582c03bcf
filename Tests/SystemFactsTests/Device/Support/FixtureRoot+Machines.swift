// SPDX-License-Identifier: MIT

/// The files of some machines.
extension FixtureRoot {
    static let machineID = "0123456789abcdef0123456789abcdef"

    private static let debian = """
        PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
        NAME="Debian GNU/Linux"
        VERSION_ID="12"
        """

    /// A desktop that somebody has put together: its firmware was never filled in.
    static let desktop: [String: String] = [
        "/etc/hostname": "# set by the installer\nworkbench\n",
        "/etc/machine-id": "\(machineID)\n",
        "/etc/os-release": "->../usr/lib/os-release",
        "/usr/lib/os-release": debian,
        "/etc/localtime": "->/usr/share/zoneinfo/Europe/Berlin",
        "/proc/sys/kernel/hostname": "localhost\n",
        "/proc/cpuinfo": """
        processor\t: 0
        vendor_id\t: AuthenticAMD
        model name\t: AMD Ryzen 5 5600X   6-Core Processor
        flags\t\t: fpu vme de pse
        processor\t: 1
        model name\t: AMD Ryzen 5 5600X   6-Core Processor
        """,
        "/proc/meminfo": "MemTotal:       32768000 kB\nMemFree: 1 kB\nMemAvailable:   20000000 kB\n",
        "/proc/stat": "cpu  1 2 3\nintr 1 2 3\nbtime 1700000000\n",
        "/sys/devices/system/cpu/online": "0-11\n",
        "/sys/class/dmi/id/sys_vendor": "To Be Filled By O.E.M.\n",
        "/sys/class/dmi/id/product_name": "System Product Name\n",
        "/sys/class/dmi/id/chassis_type": "3\n",
        "/sys/class/dmi/id/bios_vendor": "American Megatrends Inc.\n",
        "/sys/class/dmi/id/bios_version": "F14\n",
        "/sys/class/dmi/id/bios_date": "01/17/2022\n",
        "/sys/class/power_supply/hidpp_battery_0/type": "Battery\n",
        "/sys/class/power_supply/hidpp_battery_0/scope": "Device\n",
        "/sys/class/power_supply/hidpp_battery_0/capacity": "55\n",
        "/sys/class/power_supply/hidpp_battery_0/status": "Discharging\n",
        "/sys/class/drm/card0-DP-1/status": "connected\n",
        "/sys/class/drm/card0-HDMI-A-1/status": "disconnected\n",
        "/sys/class/drm/version": "drm 1.1.0\n",
    ]

    /// A laptop with two batteries of different size.
    static let laptop: [String: String] = [
        "/etc/machine-info": "PRETTY_HOSTNAME=\"Käthe's \\\"travel\\\" laptop\"\n",
        "/etc/hostname": "kaethe\n",
        "/proc/sys/kernel/hostname": "kaethe\n",
        "/etc/os-release": "NAME=Fedora\nVERSION='39 (Workstation)'\n",
        "/etc/localtime": "->../usr/share/zoneinfo/America/Argentina/Buenos_Aires",
        "/proc/cpuinfo": "processor : 0\nmodel name : Intel(R) Core(TM) i5-6300U CPU @ 2.40GHz\nflags : fpu\n",
        "/proc/meminfo": "MemTotal: 8000000 kB\n",
        "/proc/stat": "btime 1700000000\n",
        "/sys/devices/system/cpu/online": "0,2-3\n",
        "/sys/class/dmi/id/sys_vendor": "LENOVO\n",
        "/sys/class/dmi/id/product_name": "20F6CTO1WW\n",
        "/sys/class/dmi/id/chassis_type": "10\n",
        "/sys/class/power_supply/AC/type": "Mains\n",
        "/sys/class/power_supply/BAT0/type": "Battery\n",
        "/sys/class/power_supply/BAT0/present": "1\n",
        "/sys/class/power_supply/BAT0/status": "Unknown\n",
        "/sys/class/power_supply/BAT0/energy_now": "20000000\n",
        "/sys/class/power_supply/BAT0/energy_full": "20000000\n",
        "/sys/class/power_supply/BAT1/type": "Battery\n",
        "/sys/class/power_supply/BAT1/present": "1\n",
        "/sys/class/power_supply/BAT1/status": "Discharging\n",
        "/sys/class/power_supply/BAT1/energy_now": "15000000\n",
        "/sys/class/power_supply/BAT1/energy_full": "60000000\n",
    ]

    /// A container: neither firmware nor power supplies, nor a machine id.
    static let container: [String: String] = [
        "/.dockerenv": "",
        "/etc/hostname": "3f2a9c\n",
        "/proc/sys/kernel/hostname": "3f2a9c\n",
        "/etc/machine-id": "",
        "/usr/lib/os-release": debian,
        "/proc/cpuinfo": "processor : 0\nmodel name : AMD EPYC\nflags : fpu hypervisor\n",
        "/proc/meminfo": "MemTotal: 1024 kB\n",
        "/proc/stat": "btime 1700000000\n",
        "/sys/devices/system/cpu/online": "0\n",
        "/sys/class/net/lo/address": "00:00:00:00:00:00\n",
    ]

    /// A board with a device tree and no clock.
    static let board: [String: String] = [
        "/etc/hostname": "pi\n",
        "/etc/machine-id": "\(machineID)\n",
        "/etc/os-release": debian,
        "/proc/cpuinfo": """
        processor\t: 0
        BogoMIPS\t: 108.00
        Features\t: fp asimd
        CPU implementer\t: 0x41
        CPU part\t: 0xd03
        processor\t: 1
        CPU implementer\t: 0x41
        CPU part\t: 0xd08
        processor\t: 2
        CPU implementer\t: 0x41
        CPU part\t: 0xd08
        Model\t\t: Raspberry Pi 4 Model B Rev 1.4
        """,
        "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "/proc/device-tree/chassis-type": "embedded\0",
        "/proc/meminfo": "MemTotal: 3884396 kB\n",
        "/proc/stat": "btime 17\n",
        "/sys/class/net/eth0/address": "00:00:00:00:00:00\n",
    ]

    /// A virtual machine of QEMU with KVM.
    static let virtualMachine: [String: String] = [
        "/etc/hostname": "guest\n",
        "/etc/machine-id": "\(machineID)\n",
        "/etc/os-release": debian,
        "/proc/cpuinfo": "processor : 0\nmodel name : QEMU Virtual CPU version 2.5+\nflags : fpu hypervisor\n",
        "/proc/stat": "btime 1700000000\n",
        "/sys/class/dmi/id/sys_vendor": "QEMU\n",
        "/sys/class/dmi/id/product_name": "Standard PC (Q35 + ICH9, 2009)\n",
        "/sys/class/dmi/id/chassis_type": "1\n",
        "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock acpi_pm \n",
        "/sys/class/power_supply/.keep": "",
    ]
}
