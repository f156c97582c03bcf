// SPDX-License-Identifier: MIT

public import SentinelModels

/// All that is known of the machine and the session at one time.
///
/// Each fact tells its source, or why it cannot be had. Texts have no control characters and at most 1 024 bytes.
public struct DeviceFacts: Sendable {
    // What org.sentinel.Device1 publishes.

    /// The machine's name for people: the pretty host name, else the host name (`hostnamed`, `machine-info(5)`,
    /// `hostname(5)`).
    public internal(set) var name = DeviceFact<String>.notAsked
    /// The machine's model as its firmware gives it (`hostnamed`, DMI, the device tree).
    public internal(set) var model = DeviceFact<String>.notAsked
    /// The machine's maker as its firmware gives it (`hostnamed`, DMI).
    public internal(set) var vendor = DeviceFact<String>.notAsked
    /// The machine's form in `hostnamed`'s words, such as `desktop`, `laptop` or `vm`.
    public internal(set) var chassis = DeviceFact<String>.notAsked
    /// The operating system's name and version (`PRETTY_NAME` of `os-release(5)`).
    public internal(set) var systemVersion = DeviceFact<String>.notAsked
    /// The kernel's release (`uname(2)`).
    public internal(set) var kernel = DeviceFact<String>.notAsked
    /// The machine's architecture (`uname(2)`).
    public internal(set) var architecture = DeviceFact<String>.notAsked
    /// 32 hexadecimal digits that stand for this machine in Sentinel alone; see ``MachineIdentifier``.
    public internal(set) var identifier = DeviceFact<String>.notAsked
    /// The processor's model (`/proc/cpuinfo`).
    public internal(set) var processor = DeviceFact<String>.notAsked
    /// The number of processors that are online (`/sys/devices/system/cpu/online`).
    public internal(set) var processorCount = DeviceFact<UInt32>.notAsked
    /// The usable main memory in bytes (`MemTotal` of `proc_meminfo(5)`).
    public internal(set) var memoryTotal = DeviceFact<UInt64>.notAsked
    /// What the battery does (UPower, `/sys/class/power_supply`). Several count as one.
    public internal(set) var batteryState = DeviceFact<BatteryState>.notAsked
    /// The battery's charge in percent, finite, 0 to 100 and not rounded; no value where there is no battery.
    public internal(set) var batteryLevel = DeviceFact<Double>.notAsked
    /// What the proximity sensor saw when it was last asked (iio-sensor-proxy).
    public internal(set) var proximity = DeviceFact<ProximityState>.notAsked
    /// The session's locale for messages (`LC_ALL`, `LC_MESSAGES`, `LANG`, in this order: `locale(7)`).
    public internal(set) var locale = DeviceFact<String>.notAsked
    /// The time zone in the time zone database's words (`TZ` where it names one, else `localtime(5)`).
    public internal(set) var timeZone = DeviceFact<String>.notAsked
    /// The session's type, such as `wayland`, `x11` or `tty` (`logind`, `XDG_SESSION_TYPE`).
    public internal(set) var sessionType = DeviceFact<String>.notAsked
    /// The desktop environment (`XDG_CURRENT_DESKTOP`, else `logind`'s).
    public internal(set) var desktop = DeviceFact<String>.notAsked
    /// When the machine was started (`btime` of `proc_stat(5)`).
    public internal(set) var bootTime = DeviceFact<Timestamp>.notAsked

    // What a screen shows beyond.

    /// The memory that programs can still have, in bytes (`MemAvailable` of `proc_meminfo(5)`).
    public internal(set) var memoryAvailable = DeviceFact<UInt64>.notAsked
    /// The kernel's build (`version` of `uname(2)`).
    public internal(set) var kernelBuild = DeviceFact<String>.notAsked
    /// What the system runs in, in the words of `systemd-detect-virt(1)`; `none` for bare metal.
    public internal(set) var virtualization = DeviceFact<String>.notAsked
    /// The firmware's vendor, version and date (DMI).
    public internal(set) var firmware = DeviceFact<String>.notAsked
    /// The connectors that have a display, such as `eDP-1` (`/sys/class/drm`); sorted.
    public internal(set) var displays = DeviceFact<[String]>.notAsked
    /// The session's state: `online`, `active` or `closing` (`logind`).
    public internal(set) var sessionState = DeviceFact<String>.notAsked
    /// Whether the session is locked (`LockedHint` of `logind`).
    public internal(set) var sessionIsLocked = DeviceFact<Bool>.notAsked

    init() {}

    /// The battery's charge for show, in whole percent: 57 where the level is 56.99999999999999.
    public var roundedBatteryLevel: Int? {
        batteryLevel.value.flatMap { Int(exactly: $0.rounded()) }
    }
}

extension DeviceFact {
    fileprivate static var notAsked: DeviceFact { .unknown("it has not been asked for") }
}
